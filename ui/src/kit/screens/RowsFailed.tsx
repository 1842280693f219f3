import { Button, joinClasses } from '@balcao/ui/parts'
import { useKitTexts } from './texts.ts'

interface RowsFailedProps {
  readonly text: string
  readonly className?: string
  readonly onRetry: () => void
}

/** In place of rows that did not come: a line that says so, and the way to ask again. */
export function RowsFailed({ text, className, onRetry }: RowsFailedProps) {
  const kit = useKitTexts()
  return (
    <p className={joinClasses('m-0 flex items-center gap-3 text-cell text-text-2', className)} role="alert">
      {text}
      <Button size="small" onClick={onRetry}>
        {kit('retry')}
      </Button>
    </p>
  )
}
