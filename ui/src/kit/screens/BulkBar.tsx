import { useActions } from '@balcao/ui/actions'
import { Button, IconButton, joinClasses, Kbd } from '@balcao/ui/parts'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import type { BulkAction } from './column.ts'
import type { Selection } from './selection.ts'
import { useKitTexts } from './texts.ts'

interface BulkBarProps {
  readonly selection: Selection
  /** Of all that are found; null where nobody knows. */
  readonly count: number | null
  /** There are more than were counted. */
  readonly isCapped: boolean
  readonly actions: readonly BulkAction[]
  readonly wordOf: (id: string) => string
}

/** In the place of the tools while rows are chosen: how many, and what can be done to all of them. */
export function BulkBar({ selection, count, isCapped, actions, wordOf }: BulkBarProps) {
  const kit = useKitTexts()
  const { letGo, all, ids, chooseAll } = selection
  useActions(useMemo(() => [{ id: 'rows.letGo', labelKey: 'screens:letGo', shortcut: 'Esc', perform: letGo }], [letGo]))
  return (
    <section
      aria-label={kit('bulk')}
      className="flex min-h-9.5 flex-1 flex-wrap items-center gap-2 rounded-field bg-primary-tint px-3 py-1 text-cell max-sm:fixed max-sm:inset-x-0 max-sm:top-0 max-sm:z-700 max-sm:rounded-none"
    >
      <strong className="font-semibold text-primary-text" role="status">
        {all && isCapped ? kit('chosenFound') : kit('chosen', { count: all && count !== null ? count : ids.size })}
      </strong>
      {!all && (isCapped || (count !== null && count > ids.size)) && (
        <button type="button" className="b-link" onClick={chooseAll}>
          {isCapped ? kit('chooseFound') : kit('chooseAll', { count })}
        </button>
      )}
      <span className="mx-1 h-5 border-l border-line" aria-hidden="true" />
      {actions.map(({ id, icon, danger, perform }) => (
        <Button key={id} size="small" icon={icon} className={joinClasses(danger && 'text-danger')} onClick={perform}>
          {wordOf(id)}
        </Button>
      ))}
      <span className="ml-auto flex items-center gap-1">
        <span className="flex items-center gap-1 max-xl:hidden">
          <Kbd>Esc</Kbd>
          {kit('letGo')}
        </span>
        <IconButton icon={X} size="small" label={kit('letGo')} onClick={letGo} />
      </span>
    </section>
  )
}
