import type { MoveIn } from '@balcao/contract'
import { MOVE_IN_NAMES } from '@balcao/contract/move-in/move-in'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { formatDate, useTexts } from '@balcao/ui/i18n'
import { Button, Card, Field, Select, StatusPill } from '@balcao/ui/parts'
import { describeJobFault } from '@balcao/ui/screens'
import { type ReactNode, useState } from 'react'
import { Files } from './Files.tsx'
import { Preview } from './Preview.tsx'
import { Progress } from './Progress.tsx'
import { Sending, type SendingProps } from './Sending.tsx'
import { Undo } from './Undo.tsx'

/** The move that is under way, or was last: how it stands, and what can be done now. */
export function Move(props: SendingProps) {
  const { move } = props
  const t = useTexts('move-in')
  const { source, state, createdAt } = move
  return (
    <Card>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 py-4.5">
        <p className="m-0 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-text-2">
          {t('of', { source: MOVE_IN_NAMES[source], day: formatDate(createdAt) })}
          {isAsked(move) ? (
            <StatusPill kind="waiting">{t('state.company')}</StatusPill>
          ) : (
            <StatusPill kind={STATE_LOOKS[state]}>{t(`state.${state}`)}</StatusPill>
          )}
        </p>
        {state === 'uploading' ? <Sending {...props} /> : <Standing move={move} again={props.again} />}
      </div>
    </Card>
  )
}

/** Whether it waits for the company that is meant. */
export function isAsked({ state, error, dump }: MoveIn): boolean {
  return state === 'failed' && error === 'ERR_MOVE_IN_COMPANY' && dump !== null
}

export const STATE_LOOKS: Readonly<Record<MoveIn['state'], 'busy' | 'danger' | 'ok' | 'quiet' | 'waiting'>> = {
  ...{ uploading: 'busy', reading: 'busy', ready: 'waiting', writing: 'busy', fetching: 'busy', stopped: 'waiting' },
  ...{ done: 'ok', failed: 'danger', undoing: 'busy', undoStopped: 'waiting', undone: 'quiet' },
}

interface StandingProps {
  readonly move: MoveIn
  readonly again: () => void
}

function Standing({ move, again }: StandingProps) {
  const t = useTexts('move-in')
  const { id, state, done, total, preview, error } = move
  const params = { id }
  const stop = <Act again={again} label={t('stop')} call={() => api('POST /move-in/:id/stop', { params })} />
  switch (state) {
    case 'reading':
      return <Progress title={t('reading', { count: done })} actions={stop} />
    case 'writing':
    case 'fetching':
      return (
        <Progress
          title={t(state === 'writing' ? 'writing' : 'files.fetching')}
          text={t('beside')}
          {...{ done, total }}
          actions={stop}
        >
          {t('progress', { done, total })}
        </Progress>
      )
    case 'undoing':
      return <Progress title={t('undoing')} />
    case 'ready':
    case 'stopped': {
      const [title, text] =
        state === 'ready'
          ? [t('ready'), t('readyText')]
          : [t('stopped', { done, total }), error ? describeJobFault(error) : t('stoppedText')]
      const write = () => api('POST /move-in/:id/write', { params })
      const readAgain = () => api('POST /move-in/:id/read', { params, body: {} })
      const label = t(preview === null ? 'readAgain' : state === 'ready' ? 'start' : 'goOn')
      return (
        <Part title={title} text={text}>
          {state === 'ready' && preview && <Preview preview={preview} />}
          <Actions>
            <Act again={again} kind="primary" label={label} call={preview === null ? readAgain : write} />
            <Undo move={move} again={again} />
          </Actions>
        </Part>
      )
    }
    case 'undoStopped':
      return (
        <Part title={t('undoStopped')} text={error ? describeJobFault(error) : t('undoStoppedText')}>
          <Actions>
            <Undo move={move} again={again} />
          </Actions>
        </Part>
      )
    case 'failed':
      return <Failed move={move} again={again} />
    default:
      return <Done move={move} again={again} />
  }
}

function Failed({ move, again }: StandingProps) {
  const t = useTexts('move-in')
  const { id, error, preview } = move
  const companies = preview?.companies ?? []
  const [company, setCompany] = useState(companies[0]?.key)
  if (!isAsked(move) || company === undefined)
    return <Part title={t('unread')} text={error ? describeJobFault(error) : undefined} />
  return (
    <Part title={t('company.title')} text={t('company.text')}>
      <Field label={t('company.label')}>
        <Select
          options={companies.map(({ key, name }) => ({ value: key, label: name || key, note: key }))}
          value={company}
          onChange={chosen => chosen && setCompany(chosen)}
          className="w-full sm:w-80"
        />
      </Field>
      <Actions>
        <Act
          again={again}
          kind="primary"
          label={t('company.go')}
          call={() => api('POST /move-in/:id/read', { params: { id }, body: { company } })}
        />
        <Undo move={move} again={again} />
      </Actions>
    </Part>
  )
}

function Done({ move, again }: StandingProps) {
  const t = useTexts('move-in')
  const { contact: contacts = 0, ticket: tickets = 0, message: messages = 0 } = move.counts
  return (
    <Part title={t('done')} text={t('came', { contacts, tickets, messages })}>
      <Actions>
        <Undo move={move} again={again} />
        <span className="min-w-0 flex-1 basis-60 text-small text-text-2">{t('undo.hint')}</span>
      </Actions>
      <Files move={move} again={again} />
    </Part>
  )
}

interface PartProps {
  readonly title: string
  readonly text?: string | undefined
  readonly children?: ReactNode
}

function Part({ title, text, children }: PartProps) {
  return (
    <>
      <div role="status">
        <h2 className="m-0 text-body font-semibold text-ink">{title}</h2>
        {text && <p className="m-0 mt-0.5 text-cell text-text-2">{text}</p>}
      </div>
      {children}
    </>
  )
}

function Actions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2.5">{children}</div>
}

interface ActProps {
  readonly again: () => void
  readonly kind?: 'primary'
  readonly label: string
  readonly call: () => Promise<unknown>
}

/** Something that is asked of the server; how it stands is asked anew whatever came of it. */
function Act({ again, kind, label, call }: ActProps) {
  const [busy, during] = useBusy()
  return (
    <Button {...(kind && { kind })} busy={busy} onClick={() => during(() => call().finally(again))}>
      {label}
    </Button>
  )
}
