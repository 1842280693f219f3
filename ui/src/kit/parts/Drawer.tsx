import { X } from 'lucide-react'
import { type CSSProperties, type FormEvent, type ReactNode, type RefObject, useId, useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { IconButton } from './Button.tsx'
import { joinClasses } from './classes.ts'
import { useOverlay } from './overlay.ts'
import { Portal } from './Portal.tsx'

interface DrawerProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  /** Icon buttons beside the cross. */
  readonly tools?: ReactNode
  /** 380 for contacts, 320 for participants. */
  readonly width?: number
  /** Lies over the page with a scrim; otherwise it stands in the row as a column. */
  readonly over?: boolean
  /** Over the page it is as wide as the window: a page of its own. */
  readonly whole?: boolean
  readonly side?: 'right' | 'left'
  /** As a column too it takes the focus as it opens and gives it back; Escape closes it. */
  readonly takesFocus?: boolean
  /** What stays in sight below. */
  readonly footer?: ReactNode
  /** Makes it a form: Enter submits. */
  readonly onSubmit?: () => void
}

/**
 * A side drawer: a column of the page where there is room, a layer over it where there is not (`over`).
 *
 * @example <Drawer title={t('contact')} over={narrow} onClose={close}>…</Drawer>
 */
export function Drawer(props: DrawerProps) {
  if (props.over) return <Over {...props} />
  return props.takesFocus ? <Beside {...props} /> : <Column {...props} />
}

function Beside(props: DrawerProps) {
  const panel = useRef<HTMLDivElement>(null)
  // What is read leaves the page its keys, what is filled in does not.
  useOverlay(panel, { onClose: props.onClose, beside: props.onSubmit === undefined })
  return <Column {...props} panel={panel} />
}

function Over(props: DrawerProps) {
  const panel = useRef<HTMLDivElement>(null)
  useOverlay(panel, { onClose: props.onClose, trap: true })
  return (
    <Portal>
      <div
        className="b-scrim is-drawer"
        aria-hidden="true"
        // The second press of a double click, on the button that opened it, is none beside it.
        onMouseDown={event => event.detail < 2 && props.onClose()}
      />
      <Column {...props} panel={panel} />
    </Portal>
  )
}

function Column({
  title,
  onClose,
  children,
  tools,
  width = 380,
  over,
  whole,
  side = 'right',
  footer,
  onSubmit,
  panel,
}: DrawerProps & { readonly panel?: RefObject<HTMLDivElement | null> }) {
  const t = useTexts('ui')
  const id = useId()
  const style = {
    tabIndex: -1,
    className: joinClasses('b-drawer', over && 'is-over', over && whole && 'is-whole', side === 'left' && 'is-left'),
    style: { '--b-width': over ? `${width / 16}rem` : `${width}px` } as CSSProperties,
  }
  const parts = (
    <>
      <div className="b-drawer-head">
        <h2 id={id} className="b-card-title">
          {title}
        </h2>
        {tools}
        <IconButton icon={X} label={t('close')} onClick={onClose} data-close="" />
      </div>
      <div className="b-drawer-body">{children}</div>
      {footer && <div className="b-drawer-foot">{footer}</div>}
    </>
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit?.()
  }
  const inside = onSubmit ? (
    <form className="b-drawer-form" onSubmit={submit} noValidate>
      {parts}
    </form>
  ) : (
    parts
  )
  const own = { ref: panel, 'aria-labelledby': id, ...style }
  if (!over) return <aside {...own}>{inside}</aside>
  return (
    <div role="dialog" aria-modal="true" {...own}>
      {inside}
    </div>
  )
}
