// Passing messages on: contacts are looked for and ticked, those one spoke with last stand first; each reason names who does not get it (spec 1 §5, §7).

import type { Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { isComposing } from '@balcao/ui/actions'
import { api, isApiError } from '@balcao/ui/api'
import { useContacts, useQuery } from '@balcao/ui/ask'
import { makeId } from '@balcao/ui/browser'
import { describeError, useTexts } from '@balcao/ui/i18n'
import {
  Avatar,
  Checkbox,
  Chip,
  Dialog,
  EmptyState,
  ErrorState,
  FormButtons,
  RowSkeletons,
  SearchInput,
  toast,
  useSkeleton,
} from '@balcao/ui/parts'
import { useEarlyPicks } from '@balcao/ui/screens'
import { Search, UserRound } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { getConversation, takeMessage } from '../conversation/conversation-store.ts'
import { closeDialog, view } from '../desk/view.ts'
import { holdDialog } from '../dialogs/hold-dialog.ts'
import { listOffered, listRecentRecipients, type Recipient, sortFound } from './forward-order.ts'
import { excerptMessage, type ForwardRefusal, NotSent, parseRefusals } from './NotSent.tsx'

interface ForwardDialogProps {
  readonly ticket: Ticket
  /** In the order they go. */
  readonly messageIds: readonly number[]
}

export function ForwardDialog({ ticket, messageIds }: ForwardDialogProps) {
  const t = useTexts('tickets')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<number, Recipient>>(new Map())
  const contacts = useContacts(search, { orFirst: true })
  const recent = useRecent(ticket.contactId)
  const recentAnswer = useRef(Promise.withResolvers<readonly Recipient[]>())
  useEffect(() => {
    if (recent) recentAnswer.current.resolve(recent)
  }, [recent])
  const [refused, setRefused] = useState<readonly ForwardRefusal[]>([])
  const [busy, setBusy] = useState(false)
  const clientId = useRef(makeId())
  const messages = getConversation(ticket.id)
    .view()
    .messages.filter(({ id }) => messageIds.includes(id))
  const [message] = messages
  const [firstId = 0, ...further] = messageIds

  const box = useRef<HTMLDivElement>(null)
  const early = useEarlyPicks<Recipient>(box, {
    async find(searchParam, signal) {
      const page = api('GET /contacts', { query: { searchParam, order: 'match' }, signal })
      // Else it would hang on which of the two comes first, whom the message goes to.
      const [{ contacts: found }, last] = await Promise.all([page, recentAnswer.current.promise])
      return sortFound(found, last, searchParam)
    },
    take: tickFirst,
    miss(text, error) {
      setSearch(now => now || text)
      toast.error(error === null ? `${text}: ${t('forward.none')}` : describeError(error))
    },
  })

  function tickFirst(offered: readonly Recipient[]): boolean {
    const first = offered.find(contact => !chosen.has(contact.id))
    if (first) toggle(first)
    return first !== undefined
  }

  /** Enter in the search ticks the first that is found for just these words, or of the last; with some ticked and nothing written it sends. */
  function pick(event: KeyboardEvent) {
    const text = search.trim()
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
    if (text === '' && chosen.size + early.waiting.length > 0) return
    event.preventDefault()
    if (contacts.isAsked && contacts.now === null) early.add(text)
    else if (!recent && text === '') return
    else if (!tickFirst(listOffered(contacts.isAsked, contacts.now ?? [], recent ?? [], text))) return
    setSearch('')
  }

  function toggle(contact: Recipient) {
    const next = new Map(chosen)
    if (!next.delete(contact.id)) next.set(contact.id, contact)
    setChosen(next)
  }

  async function forward() {
    if (busy || chosen.size === 0) return
    setBusy(true)
    const leave = holdDialog()
    try {
      const answer = await api('POST /messages/forward/:id', {
        params: { id: firstId },
        body: { contacts: [...chosen.keys()], further: [...further], clientId: clientId.current },
      })
      for (const made of answer.messages) takeMessage(made)
      toast.success(t('forward.done', { count: messageIds.length }))
      if (view.marks?.ticketId === ticket.id) view.marks = null
      if (answer.refused.length === 0) return leave()
      setRefused(answer.refused)
      setChosen(new Map([...chosen].filter(([id]) => answer.refused.some(one => one.contactId === id))))
    } catch (error) {
      const several = isApiError(error) ? parseRefusals(error.details) : []
      const only = chosen.size === 1 ? [...chosen.values()][0] : undefined
      if (several.length > 0) setRefused(several)
      else if (only && isApiError(error)) {
        const { code, details } = error
        setRefused([{ contactId: only.id, name: only.name, messageIds: [...messageIds], error: code, details }])
      } else toast.error(describeError(error))
    }
    setBusy(false)
  }

  return (
    <Dialog
      title={t('forward.title', { count: messageIds.length })}
      intro={
        further.length > 0
          ? t('forward.introMany')
          : message && t('forward.intro', { text: excerptMessage(message, t) })
      }
      onClose={closeDialog}
      onSubmit={() => void forward()}
      width={480}
      footer={
        <FormButtons
          action={chosen.size > 1 ? t('forward.doMany', { count: chosen.size }) : t('forward.do')}
          busy={busy}
          disabled={chosen.size + early.waiting.length === 0}
          onClose={closeDialog}
        />
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows that come up from the field and the boxes below */}
      <div ref={box} className="g-form" onKeyDown={moveInList}>
        <SearchInput
          label={t('forward.search')}
          value={search}
          onChange={setSearch}
          onKeyDown={pick}
          data-autofocus=""
        />
        {early.waiting.length > 0 && (
          <p className="i-early" role="status" aria-busy="true">
            {early.waiting.map(({ id, text }) => (
              <Chip key={id} icon={Search}>
                {text}
              </Chip>
            ))}
          </p>
        )}
        {refused.length > 0 && <NotSent refused={refused} messages={further.length > 0 ? messages : []} />}
        <Contacts contacts={contacts} recent={recent} search={search} chosen={chosen} onToggle={toggle} />
      </div>
    </Dialog>
  )
}

/** Several tickets may be of one contact, open and closed. */
const NEWEST_TICKETS = 40
/** Nobody looks at an empty list for longer. */
const RECENT_PATIENCE_MS = 3000

/** The people of one's newest conversations, whichever lists are open; null while they are on their way. Where they do not come, or not soon, all others can be chosen. */
function useRecent(sourceId: number): readonly Recipient[] | null {
  const { now, error } = useQuery('recent', left => {
    const signal = AbortSignal.any([left, AbortSignal.timeout(RECENT_PATIENCE_MS)])
    return api('GET /tickets', { query: { limit: NEWEST_TICKETS }, signal })
  })
  return useMemo(
    () => (now ? listRecentRecipients(now.tickets, sourceId) : error === null ? null : []),
    [now, error, sourceId],
  )
}

/** Arrows go from the search through the contacts; Enter ticks one, and on a ticked one sends. */
function moveInList(event: KeyboardEvent<HTMLElement>) {
  const fields = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input')]
  const at = fields.findIndex(field => field === event.target)
  const field = fields[at]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const next = step === undefined ? undefined : fields[at + step]
  const isPicked = event.key === 'Enter' && field?.type === 'checkbox' && !field.checked
  if (!next && !isPicked) return
  event.preventDefault()
  if (isPicked) field.click()
  next?.focus()
}

interface ContactsProps {
  readonly contacts: ReturnType<typeof useContacts>
  /** Whom one spoke with last; null while that is not known. */
  readonly recent: readonly Recipient[] | null
  readonly search: string
  readonly chosen: ReadonlyMap<number, Recipient>
  readonly onToggle: (contact: Recipient) => void
}

function Contacts({ contacts: answer, recent, search, chosen, onToggle }: ContactsProps) {
  const t = useTexts('tickets')
  const { contacts: found, known, error, again } = answer
  // What was found for words needs nothing else.
  const isKnown = known && (recent !== null || search.trim() !== '')
  const skeleton = useSkeleton(!isKnown && error === null)
  if (error !== null) return <ErrorState title={t('forward.failed')} text={describeError(error)} onRetry={again} />
  if (!isKnown && chosen.size === 0) return skeleton ? <RowSkeletons /> : null
  // Those ticked stay in sight whatever is looked for, and while the others are on their way.
  const offered = isKnown ? listOffered(answer.isAsked, found, recent ?? [], search) : []
  const listed = [...new Map([...chosen.values(), ...offered].map(contact => [contact.id, contact])).values()]
  if (listed.length === 0) return <EmptyState icon={UserRound} title={t('forward.none')} text={t('forward.noneText')} />
  return (
    <ul className="i-people" aria-label={t('tab.contacts')}>
      {listed.map(contact => (
        <li key={contact.id}>
          <Checkbox className="i-person" checked={chosen.has(contact.id)} onChange={() => onToggle(contact)}>
            <span className="i-person-in">
              <Avatar
                id={contact.id}
                name={contact.name}
                photo={contact.profilePicUrl}
                group={contact.isGroup}
                size={36}
              />
              <span className="i-person-text">
                <strong>{contact.name || t('noName')}</strong>
                <small>{contact.number ? formatPhone(contact.number) : ''}</small>
              </span>
            </span>
          </Checkbox>
        </li>
      ))}
    </ul>
  )
}
