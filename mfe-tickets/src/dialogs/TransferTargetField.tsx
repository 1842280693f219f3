// One field for people and queues: typed, gone through with the arrows, taken with Enter.

import type { QueueBrief, User } from '@balcao/contract'
import { isComposing } from '@balcao/ui/actions'
import { useEarlyEnter } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, IconButton, SearchInput, toSafeColor } from '@balcao/ui/parts'
import { X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { findTransferTargets, type TransferTarget } from './transferable.ts'
import '../new-ticket/late.css'

/** As the dots on faces. */
const DOTS = { online: 'var(--b-ok)', away: 'var(--b-brass)', offline: 'var(--b-line-strong)' }

interface TransferTargetFieldProps {
  /** Which of the dialog's texts it says. */
  readonly words?: 'transfer' | 'followers'
  /** Null while they are on their way: Enter waits until all are there. */
  readonly targets: readonly TransferTarget[] | null
  /** They do not come. */
  readonly isFailed: boolean
  readonly chosen: TransferTarget | null
  /** How many conversations a person serves, by id. */
  readonly served: ReadonlyMap<number, number>
  readonly error: string | null
  readonly onChange: (target: TransferTarget | null) => void
  /** Enter chose whoever it will be: what is typed from here on is the word to the team. */
  readonly onEarly?: () => void
}

export function TransferTargetField(props: TransferTargetFieldProps) {
  const { words = 'transfer', targets, isFailed, chosen, served, error, onChange, onEarly } = props
  const t = useTexts('tickets')
  const [text, setText] = useState('')
  const [atKey, setAtKey] = useState<string | null>(null)
  const found = targets === null ? [] : findTransferTargets(targets, text)
  const at = Math.max(
    0,
    found.findIndex(({ key }) => key === atKey),
  )

  const isKnown = targets !== null || isFailed
  const early = useEarlyEnter(isKnown, () => {
    const target = found[at]
    // The focus moves on with it, which it cannot while this is drawn.
    if (target) queueMicrotask(() => take(target))
  })

  if (chosen)
    return (
      <div className="n-chosen">
        <Target target={chosen} served={served} />
        <IconButton icon={X} size="small" label={t(`${words}.other`)} onClick={() => onChange(null)} />
      </div>
    )

  function take(target: TransferTarget) {
    setText('')
    setAtKey(null)
    onChange(target)
  }
  function key(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAtKey(found[Math.max(0, Math.min(found.length - 1, at + step))]?.key ?? null)
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (!isKnown && text.trim() !== '') onEarly?.()
    early.press()
  }

  return (
    <div className="n-picker">
      <SearchInput
        label={t(`${words}.search`)}
        value={text}
        data-autofocus=""
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="g-targets"
        aria-activedescendant={found[at] ? `g-${found[at].key}` : undefined}
        aria-invalid={error !== null || undefined}
        autoComplete="off"
        onKeyDown={key}
        onChange={next => {
          setText(next)
          setAtKey(null)
          early.drop()
        }}
      />
      <div id="g-targets" role="listbox" aria-label={t(`${words}.found`)} className="n-found">
        {found.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
          <div
            key={target.key}
            id={`g-${target.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={index === at ? 'n-person is-active' : 'n-person'}
            ref={index === at ? showActive : undefined}
            onMouseDown={event => event.preventDefault()}
            onClick={() => take(target)}
          >
            <Target target={target} served={served} />
          </div>
        ))}
      </div>
      <p className={error === null ? 'n-hint' : 'n-hint is-wrong'} role="status">
        {error ?? (targets !== null && found.length === 0 ? t(`${words}.none`) : '')}
      </p>
    </div>
  )
}

function showActive(row: HTMLElement | null) {
  row?.scrollIntoView({ block: 'nearest' })
}

function Target({ target, served }: { readonly target: TransferTarget; readonly served: ReadonlyMap<number, number> }) {
  return target.queue ? <QueueTarget queue={target.queue} /> : <PersonTarget person={target.person} served={served} />
}

function PersonTarget({ person, served }: { readonly person: User; readonly served: ReadonlyMap<number, number> }) {
  const t = useTexts('tickets')
  const ui = useTexts('ui')
  const count = served.get(person.id) ?? 0
  return (
    <>
      <Avatar id={person.id} name={person.name} photo={person.profilePicUrl} size={32} />
      <span className="n-person-text">
        <strong>{person.name}</strong>
        <small>{[...person.queues.map(({ name }) => name), t('transfer.serves', { count })].join(' · ')}</small>
      </span>
      <span className="g-presence">
        <i style={{ background: DOTS[person.status] }} />
        {ui(person.status)}
      </span>
    </>
  )
}

function QueueTarget({ queue }: { readonly queue: QueueBrief & { readonly open: number } }) {
  const t = useTexts('tickets')
  return (
    <>
      <i className="g-target-queue" style={{ background: toSafeColor(queue.color) }} />
      <span className="n-person-text">
        <strong>{queue.name}</strong>
        <small>{t('accept.open', { count: queue.open })}</small>
      </span>
    </>
  )
}
