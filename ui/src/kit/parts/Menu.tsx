import { Check, type LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { splitShortcut } from '../../actions/shortcuts.ts'
import { joinClasses } from './classes.ts'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'
import { useOverlay } from './overlay.ts'
import { Portal } from './Portal.tsx'
import { type Align, type Side, usePlacing } from './placing.ts'

/** One line of a menu; `'line'` in its place draws a separator. */
export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: LucideIcon
  readonly shortcut?: string
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Why it cannot be chosen now; it stays readable and reachable, and does nothing. */
  readonly reason?: string
  /** For choices: shows a mark and says so to screen readers. */
  readonly checked?: boolean
  /** Pressed, and not yet let go: time to fetch what it opens. */
  readonly onPoint?: () => void
  readonly onChoose: () => void
}

interface MenuProps {
  readonly label: string
  readonly items: readonly (MenuItem | 'line')[]
  readonly side?: Side
  readonly align?: Align
  /** A selector of what surrounds the button and stays in view, above or below which the list stands. */
  readonly clear?: string
  /** Drawn above the items, outside the list. */
  readonly header?: ReactNode
  /** The button; it gets what it needs to open and to say so. */
  readonly button: (props: MenuButtonProps) => ReactNode
}

export interface MenuButtonProps {
  readonly ref: RefObject<HTMLButtonElement | null>
  readonly onClick: () => void
  readonly 'aria-haspopup': 'menu'
  readonly 'aria-expanded': boolean
}

/**
 * A button that opens a list of actions. Arrows, Home, End and letters move; Escape closes.
 *
 * @example
 * <Menu label={t('more')} items={items} button={props => <IconButton {...props} icon={EllipsisVertical} label={t('more')} />} />
 */
export function Menu({ label, items, side, align, clear, header, button }: MenuProps) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      {button({ ref: anchor, onClick: () => setOpen(!open), 'aria-haspopup': 'menu', 'aria-expanded': open })}
      {open && (
        <MenuPanel
          anchor={anchor}
          label={label}
          items={items}
          side={side}
          align={align}
          clear={clear}
          header={header}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface MenuPanelProps extends Omit<MenuProps, 'button'> {
  readonly anchor: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

/** The open list alone, for menus that something else opens (a right click, a long press). */
export function MenuPanel({
  anchor,
  label,
  items,
  side = 'below',
  align = 'end',
  clear,
  header,
  onClose,
}: MenuPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const style = usePlacing(anchor, panel, { side, align, clear })
  useOverlay(panel, { onClose, outside: anchor })

  function move(event: KeyboardEvent) {
    if (event.key === 'Tab') return onClose()
    const buttons = [...(panel.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? [])]
    const next = findNextItem(buttons, event)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <Portal>
      <div ref={panel} className="b-menu" style={style} tabIndex={-1}>
        {header}
        <div role="menu" aria-label={label} onKeyDown={move} tabIndex={-1}>
          {items.map((item, index) =>
            item === 'line' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity of their own
              <hr key={`line-${index}`} />
            ) : (
              <button
                key={item.id}
                type="button"
                {...(item.checked === undefined
                  ? { role: 'menuitem' }
                  : { role: 'menuitemradio', 'aria-checked': item.checked })}
                disabled={item.disabled}
                aria-disabled={item.reason !== undefined || undefined}
                tabIndex={-1}
                data-autofocus={index === 0 || undefined}
                className={joinClasses('b-menu-item', item.danger && 'is-danger', item.checked && 'is-checked')}
                onPointerDown={item.onPoint}
                onClick={() => {
                  if (item.reason !== undefined) return
                  onClose()
                  item.onChoose()
                }}
              >
                {item.icon && <Icon of={item.icon} size={16} />}
                <span className="b-menu-word">
                  {item.label}
                  {item.reason && <small>{item.reason}</small>}
                </span>
                {item.checked && <Icon of={Check} size={16} />}
                {item.shortcut && splitShortcut(item.shortcut).map(key => <Kbd key={key}>{key}</Kbd>)}
              </button>
            ),
          )}
        </div>
      </div>
    </Portal>
  )
}

/** The item an arrow, Home, End or a letter leads to. */
function findNextItem(items: HTMLElement[], { key, ctrlKey }: KeyboardEvent) {
  const now = items.findIndex(item => item.matches(':focus'))
  if (key === 'ArrowDown') return items[now + 1] ?? items[0]
  if (key === 'ArrowUp') return items[now - 1] ?? items.at(-1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ' || ctrlKey) return undefined
  const starts = (item: HTMLElement) => item.textContent?.toLowerCase().startsWith(key.toLowerCase()) ?? false
  return items.slice(now + 1).find(starts) ?? items.find(starts)
}
