import { Button, IconButton, Menu } from '@balcao/ui/parts'
import { EllipsisVertical } from 'lucide-react'
import type { RowAction } from './column.ts'
import { useKitTexts } from './texts.ts'

interface RowActionsProps<R> {
  readonly row: R
  /** Of the row, for the names of its buttons. */
  readonly name: string
  readonly actions: readonly RowAction<R>[]
  /** The words of an action, its row's name filled in. */
  readonly labelOf: (id: string, name: string) => string
  readonly wordOf: (id: string) => string
  /** All behind three dots, on phones with many. */
  readonly folded?: boolean
}

/** What can be done to a row: icons, each in its own slot, or words. */
export function RowActions<R>({ row, name, actions, labelOf, wordOf, folded }: RowActionsProps<R>) {
  const kit = useKitTexts()
  const able = (action: RowAction<R>) => action.when?.(row) ?? true
  if (folded) {
    const items = actions.filter(able).map(({ id, icon, danger, perform }) => {
      return { id, icon, danger, label: labelOf(id, name), onChoose: () => perform(row) }
    })
    if (items.length === 0) return null
    return (
      <Menu
        label={kit('rowMenu', { name })}
        items={items}
        button={props => (
          <IconButton {...props} icon={EllipsisVertical} size="large" label={kit('rowMenu', { name })} />
        )}
      />
    )
  }
  return (
    <span className="flex flex-none items-center justify-end gap-1">
      {actions.map(action => {
        const { id, icon, isWord, isQuiet, perform } = action
        const label = labelOf(id, name)
        if (!able(action)) return isWord ? null : <span key={id} className="size-7 flex-none" />
        if (isWord)
          return (
            <Button
              key={id}
              size="small"
              kind={isQuiet ? 'plain' : 'normal'}
              aria-label={label}
              onClick={() => perform(row)}
            >
              {wordOf(id)}
            </Button>
          )
        return (
          <IconButton
            key={id}
            icon={icon}
            size="small"
            label={label}
            className={action.danger ? 'hover:text-danger max-sm:size-11' : 'max-sm:size-11'}
            onClick={() => perform(row)}
          />
        )
      })}
    </span>
  )
}
