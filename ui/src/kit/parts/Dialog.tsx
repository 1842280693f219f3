import { X } from 'lucide-react'
import {
  type CSSProperties,
  type DOMAttributes,
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTexts } from '../../i18n/index.ts'
import { Button, IconButton } from './Button.tsx'
import { joinClasses } from './classes.ts'
import { FILE_DROP } from './drop.ts'
import { useOverlay } from './overlay.ts'
import { Portal } from './Portal.tsx'
import { usePlacing } from './placing.ts'

interface DialogProps {
  readonly title: ReactNode
  /** One line under the title. */
  readonly intro?: ReactNode
  /** Left of the title: whose it is. */
  readonly before?: ReactNode
  /** Right of it, before the cross. */
  readonly aside?: ReactNode
  readonly onClose: () => void
  readonly children?: ReactNode
  /** Buttons at the bottom right; the one that acts comes last. */
  readonly footer?: ReactNode
  /** Makes the dialog a form: Enter submits. */
  readonly onSubmit?: () => void
  /** Width in px (440), where text has its usual size. */
  readonly width?: number
  readonly className?: string
}

/**
 * A dialog in the centre, for forms and for destructive confirmations. Draw it while it is open.
 *
 * @example {open && <Dialog title={t('add')} onClose={close} onSubmit={save} footer={…}>…</Dialog>}
 */
export function Dialog(props: DialogProps) {
  const panel = useRef<HTMLDivElement>(null)
  useOverlay(panel, { onClose: props.onClose, trap: true })
  const { scrim, filling } = useScrim(props)
  return (
    <Portal>
      <div className="b-scrim" {...scrim}>
        <Panel {...props} panel={panel} modal filling={filling} />
      </div>
    </Portal>
  )
}

interface DockedDialogProps extends DialogProps {
  /** The button it belongs to; it docks under it, at the right edge of the window if there is none. */
  readonly anchor?: RefObject<HTMLElement | null>
  /** False leaves the page usable beside it (the QR code beside the list of connections). */
  readonly scrim?: boolean
}

/**
 * A dialog that docks under its button at the right, so that it never covers what the person is reading.
 *
 * @example <DockedDialog anchor={pauseButton} title={t('pause.title')} onClose={close} footer={…}>…</DockedDialog>
 */
export function DockedDialog({ anchor, scrim = true, ...props }: DockedDialogProps) {
  const panel = useRef<HTMLDivElement>(null)
  const none = useRef<HTMLElement>(null)
  const place = usePlacing(anchor ?? none, panel, { align: 'end', gap: 8 })
  // Where the button went with what it opened, the place is the edge of the window and not its corner.
  const [isAnchored, setAnchored] = useState(anchor !== undefined)
  useLayoutEffect(() => setAnchored(anchor?.current?.isConnected === true), [anchor])
  useOverlay(panel, { onClose: props.onClose, trap: scrim })
  const around = useScrim(props)
  return (
    <Portal>
      {scrim && <div className="b-scrim is-docked" aria-hidden="true" {...around.scrim} />}
      <Panel
        {...props}
        panel={panel}
        modal={scrim}
        docked
        style={isAnchored ? place : undefined}
        filling={around.filling}
      />
    </Portal>
  )
}

/**
 * A press beside the dialog closes it as long as nothing was filled in: what somebody has written is thrown away by no slip of the
 * hand, only by Escape, 'Cancelar' and the cross. It never takes the focus out.
 */
function useScrim({ onClose, onSubmit }: DialogProps) {
  const isForm = onSubmit !== undefined
  const filled = useRef(false)
  const fill = () => {
    filled.current = true
  }
  return {
    filling: isForm ? { onInput: fill, onChange: fill, onClick: fill } : {},
    scrim: {
      onMouseDown(event: MouseEvent) {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        // The second press of a double click, on the button that opened it, is none beside it.
        if (!filled.current && event.detail < 2) onClose()
      },
    },
  }
}

interface PanelProps extends DialogProps {
  /** Told of whatever is done inside. */
  readonly filling: DOMAttributes<HTMLDivElement>
  readonly panel: RefObject<HTMLDivElement | null>
  readonly modal: boolean
  readonly docked?: boolean
  readonly style?: CSSProperties
}

function Panel({
  panel,
  title,
  intro,
  before,
  aside,
  onClose,
  children,
  footer,
  onSubmit,
  width = 440,
  className,
  modal,
  docked,
  style,
  filling,
}: PanelProps) {
  const t = useTexts('ui')
  const id = useId()
  const inside = (
    <>
      <div className="b-dialog-head">
        {before}
        <div>
          <h2 id={id} className="b-dialog-title">
            {title}
          </h2>
          {intro && (
            <p className="b-dialog-intro" id={`${id}-intro`}>
              {intro}
            </p>
          )}
        </div>
        {aside}
        <IconButton icon={X} label={t('close')} onClick={onClose} data-close="" />
      </div>
      {children && (
        <div className="b-dialog-body" {...filling}>
          {children}
        </div>
      )}
      {footer && <div className="b-dialog-foot">{footer}</div>}
    </>
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    // A form inside a portal still bubbles to the form around it in React's tree.
    event.stopPropagation()
    onSubmit?.()
  }
  return (
    <div
      ref={panel}
      role="dialog"
      aria-modal={modal || undefined}
      aria-labelledby={id}
      aria-describedby={intro ? `${id}-intro` : undefined}
      tabIndex={-1}
      className={joinClasses('b-dialog', docked && 'is-docked', className)}
      // As wide as its text is large.
      style={{ '--b-width': `${width / 16}rem`, ...style } as CSSProperties}
      {...FILE_DROP}
    >
      {onSubmit ? (
        <form onSubmit={submit} noValidate>
          {inside}
        </form>
      ) : (
        inside
      )}
    </div>
  )
}

interface ConfirmDialogProps {
  readonly title: string
  readonly text?: ReactNode
  /** The verb on the button, such as 'Apagar contato'. */
  readonly action: string
  /** The words of the button that does nothing: 'Cancelar' unless the verb on the other one is that too. */
  readonly keep?: string | undefined
  readonly danger?: boolean
  /** The button that does it has the focus from the beginning, dangerous as it is: who asked for it by hand means it. */
  readonly ready?: boolean
  readonly busy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back; Enter does what can be. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, action, keep, danger = true, ready = !danger, busy, onConfirm, onClose } = props
  const t = useTexts('ui')
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={420}
      footer={
        <>
          <Button kind="plain" onClick={onClose} data-autofocus={ready ? undefined : ''}>
            {keep ?? t('cancel')}
          </Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            busy={busy}
            data-autofocus={ready ? '' : undefined}
            // The Enter that asked, held down, is no answer.
            onKeyDown={event => event.repeat && event.preventDefault()}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  )
}
