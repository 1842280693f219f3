import { X } from 'lucide-react'
import { type CSSProperties, type ReactNode, useId, useRef } from 'react'
import { useTexts } from '../i18n/index.ts'
import { IconButton } from './Button.tsx'
import { classes } from './classes.ts'
import { useOverlay } from './overlay.ts'
import { Portal } from './Portal.tsx'

interface DrawerProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Icon buttons beside the cross. */
  readonly tools?: ReactNode
  /** 380 for contacts, 320 for participants. */
  readonly width?: number
  /** Lies over the page with a scrim; otherwise it stands in the row as a column. */
  readonly over?: boolean
  readonly side?: 'right' | 'left'
}

/**
 * A side drawer: a column of the page where there is room, a layer over it where there is not (`over`).
 *
 * @example <Drawer title={t('contact')} over={narrow} onClose={close}>…</Drawer>
 */
export function Drawer(props: DrawerProps) {
  return props.over ? <Over {...props} /> : <Column {...props} />
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
  side = 'right',
  panel,
}: DrawerProps & { panel?: React.RefObject<HTMLDivElement | null> }) {
  const t = useTexts('ui')
  const id = useId()
  const look = {
    tabIndex: -1,
    className: classes('b-drawer', over && 'is-over', side === 'left' && 'is-left'),
    style: { '--b-width': over ? `${width / 16}rem` : `${width}px` } as CSSProperties,
  }
  const inside = (
    <>
      <div className="b-drawer-head">
        <h2 id={id} className="b-card-title">
          {title}
        </h2>
        {tools}
        <IconButton icon={X} label={t('close')} onClick={onClose} data-close="" />
      </div>
      <div className="b-drawer-body">{children}</div>
    </>
  )
  if (!over) {
    return (
      <aside aria-labelledby={id} {...look}>
        {inside}
      </aside>
    )
  }
  return (
    <div ref={panel} role="dialog" aria-modal="true" aria-labelledby={id} {...look}>
      {inside}
    </div>
  )
}
