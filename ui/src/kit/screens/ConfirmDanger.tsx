import { type ApiError, isApiError } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { getTexts } from '@balcao/ui/i18n'
import { Button, Dialog, DockedDialog, Field, Icon, TextInput, toast } from '@balcao/ui/parts'
import { Lock, type LucideIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useKitTexts } from './texts.ts'

interface ConfirmDangerProps {
  readonly title: string
  readonly text?: ReactNode
  /** Up to ten things by name, with what stays and why. */
  readonly things?: readonly DangerTarget[]
  /** The dry run, where there are more: what goes, what stays, what else happens. */
  readonly figures?: readonly { readonly icon: LucideIcon; readonly text: ReactNode; readonly danger?: boolean }[]
  /** The great size: in the centre, behind a word that has to be typed. */
  readonly great?: boolean
  /** A way out before it: 'exporte os contatos'. */
  readonly wayOut?: ReactNode
  /** How long it can be taken back. */
  readonly grace?: string
  /** The verb on the red button, with the number that really goes. */
  readonly action: string
  /** Says so when it is done. */
  readonly done?: string
  /** Refusals that say that a colleague did it already. */
  readonly already?: ApiError['code']
  /** False leaves it open: something else is asked now. */
  readonly onConfirm: () => Promise<unknown>
  /** After it, or where a colleague did it already. */
  readonly onDone?: () => void
  readonly onClose: () => void
}

interface DangerTarget {
  readonly id: number
  readonly name: string
  readonly before?: ReactNode
  readonly note?: string
  /** Why it stays. */
  readonly stays?: string
}

/** Asks before something that cannot be taken back: beside its button, or in the centre where much is lost. */
export function ConfirmDanger(props: ConfirmDangerProps) {
  const { title, text, things = [], figures = [], great, wayOut, grace, action } = props
  const kit = useKitTexts()
  const { busy, isUnanswered, confirm } = useConfirmed(props)
  // What is being done is not taken back by leaving.
  const onClose = busy ? () => undefined : props.onClose
  const [word, setWord] = useState('')
  const anchor = useRef(findPressedElement())
  const isFree = !great || word.trim().toUpperCase() === kit('danger.word')
  const Frame = great ? Dialog : DockedDialog
  return (
    <Frame
      title={title}
      onClose={onClose}
      width={great ? 460 : 404}
      {...(great ? {} : { anchor })}
      footer={
        <>
          <Button kind="plain" disabled={busy} onClick={onClose} data-autofocus={great ? undefined : ''}>
            {kit('cancel')}
          </Button>
          <Button kind="danger" busy={busy} disabled={!isFree} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {text && <div>{text}</div>}
        {things.length > 0 && <Things things={things} />}
        {figures.map(({ icon, text: words, danger }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a dry run stand in one order
          <p key={index} className="m-0 flex items-center gap-2 text-cell">
            <span className={danger ? 'text-danger' : 'text-text-2'}>
              <Icon of={icon} size={16} />
            </span>
            <span>{words}</span>
          </p>
        ))}
        {great && (
          <Field label={kit('danger.type', { word: kit('danger.word') })} hint={wayOut}>
            <TextInput value={word} onChange={setWord} autoComplete="off" data-autofocus="" />
          </Field>
        )}
        {grace && <p className="m-0 text-small text-muted">{grace}</p>}
        {isUnanswered && (
          <p role="alert" className="m-0 text-cell text-danger">
            {kit('danger.unanswered')}
          </p>
        )}
      </div>
    </Frame>
  )
}

/** What was pressed to get here; of a menu, which goes as it is chosen from, the button that opened it. */
function findPressedElement(): HTMLElement | null {
  const now = document.activeElement
  if (!(now instanceof HTMLElement)) return null
  const opener = now.closest('[role="menu"]') && document.querySelector('[aria-haspopup="menu"][aria-expanded="true"]')
  return opener instanceof HTMLElement ? opener : now
}

function Things({ things }: { readonly things: readonly DangerTarget[] }) {
  return (
    <ul className="m-0 list-none p-0">
      {things.map(({ id, name, before, note, stays }) => (
        <li key={id} className="flex min-h-10 items-center gap-2.5 border-t border-line text-cell">
          {before}
          <bdi className="min-w-0 flex-1 truncate font-semibold">{name}</bdi>
          <span className="flex flex-none items-center gap-1.5 text-text-2">
            {stays && <Icon of={Lock} size={14} />}
            {stays ?? note}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Runs once at a time, closes when it is done, tells what went wrong. What has no answer may be under way: closing would look like stopping it. */
function useConfirmed({ onConfirm, onDone, onClose, done, already }: ConfirmDangerProps) {
  const [busy, during] = useBusy()
  const [isUnanswered, setUnanswered] = useState(false)
  async function run() {
    setUnanswered(false)
    try {
      if ((await onConfirm().catch(passUnlessDone(already))) === false) return
    } catch (error) {
      if (!isApiError(error, 'OFFLINE')) throw error
      return setUnanswered(true)
    }
    onDone?.()
    if (done) toast.success(done)
    onClose()
  }
  return { busy, isUnanswered, confirm: () => during(run) }
}

function passUnlessDone(already: ApiError['code'] | undefined) {
  return (error: unknown) => {
    if (!already || !isApiError(error, already)) throw error
  }
}

/** The smallest size: it is done already, and can be taken back for as long as the notice stands. */
export function notifyWithUndo(text: string, undo: () => void) {
  toast.success(text, { action: { label: getTexts('screens')('undo'), perform: undo }, shownMs: 8000 })
}
