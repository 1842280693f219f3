import { Checkbox } from '@balcao/ui/parts'
import type { Selection } from './selection.ts'
import { useKitTexts } from './texts.ts'

interface RowBoxProps {
  readonly selection: Selection
  readonly id: number
  readonly name: string
}

/** Chooses a row; with Shift all from the one chosen before. */
export function RowBox({ selection, id, name }: RowBoxProps) {
  const kit = useKitTexts()
  return (
    <span className="flex" onClickCapture={event => event.shiftKey && press(event)}>
      <Checkbox checked={selection.ids.has(id)} onChange={() => selection.toggle(id)}>
        <span className="b-only-read">{kit('choose', { name })}</span>
      </Checkbox>
    </span>
  )
  function press(event: { preventDefault(): void; stopPropagation(): void }) {
    event.preventDefault()
    event.stopPropagation()
    selection.toggle(id, true)
  }
}

/** Chooses all rows that are there. */
export function ShownBox({ selection, count }: { readonly selection: Selection; readonly count: number }) {
  const kit = useKitTexts()
  return (
    <Checkbox
      checked={count > 0 && selection.ids.size === count}
      disabled={count === 0}
      onChange={selection.toggleShown}
    >
      <span className="b-only-read">{kit('chooseShown')}</span>
    </Checkbox>
  )
}
