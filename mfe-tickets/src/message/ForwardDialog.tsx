// Passing a message on: contacts are looked for and ticked; who does not get it is named with the reason (spec 1 §5, §7).

import { type Contact, type Message, type ResponseBody, shortenText, type Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { api, isApiError } from '@balcao/ui/api'
import { useContacts } from '@balcao/ui/ask'
import { makeId } from '@balcao/ui/browser'
import { findCatalogueText } from '@balcao/ui/catalogue'
import { describeError, getTexts, useTexts } from '@balcao/ui/i18n'
import {
  Avatar,
  Checkbox,
  Dialog,
  EmptyState,
  ErrorState,
  FormButtons,
  RowSkeletons,
  SearchInput,
  toast,
  useSkeleton,
} from '@balcao/ui/parts'
import { UserRound } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { getConversation, takeMessage } from '../conversation/conversation-store.ts'
import { getStores } from '../desk/stores.ts'
import { closeDialog } from '../desk/view.ts'
import { LISTS } from '../tickets/is-in-list.ts'
import { getMessageText } from './summarize-message.ts'

const LETTERS = 80
const RECENT = 12

/** What a row shows of who gets it. */
type Recipient = Pick<Contact, 'id' | 'name' | 'number' | 'profilePicUrl' | 'isGroup'>

type ForwardRefusal = ResponseBody<'POST /messages/forward/:id'>['refused'][number]

interface ForwardDialogProps {
  readonly ticket: Ticket
  readonly messageId: number
}

export function ForwardDialog({ ticket, messageId }: ForwardDialogProps) {
  const t = useTexts('tickets')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<number, Recipient>>(new Map())
  const contacts = useContacts(search, { orFirst: true })
  const [recent] = useState(listRecent)
  const [refused, setRefused] = useState<readonly ForwardRefusal[]>([])
  const [busy, setBusy] = useState(false)
  const clientId = useRef(makeId())
  const message = getConversation(ticket.id)
    .view()
    .messages.find(other => other.id === messageId)

  /** Enter in the search ticks the first that was found for just these words. */
  function pick(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !contacts.isAsked) return
    event.preventDefault()
    const first = contacts.now?.find(contact => !chosen.has(contact.id))
    if (!first) return
    toggle(first)
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
    try {
      const answer = await api('POST /messages/forward/:id', {
        params: { id: messageId },
        body: { contacts: [...chosen.keys()], clientId: clientId.current },
      })
      for (const made of answer.messages) takeMessage(made)
      toast.success(t('forward.done'))
      if (answer.refused.length === 0) return closeDialog()
      setRefused(answer.refused)
      setChosen(new Map([...chosen].filter(([id]) => answer.refused.some(one => one.contactId === id))))
    } catch (error) {
      const only = chosen.size === 1 ? [...chosen.values()][0] : undefined
      if (only && isApiError(error)) {
        const { code, details } = error
        setRefused([{ contactId: only.id, name: only.name, error: code, details }])
      } else toast.error(describeError(error))
    }
    setBusy(false)
  }

  return (
    <Dialog
      title={t('forward.title')}
      intro={message && t('forward.intro', { text: excerptMessage(message, t) })}
      onClose={closeDialog}
      onSubmit={() => void forward()}
      width={480}
      footer={
        <FormButtons
          action={chosen.size > 1 ? t('forward.doMany', { count: chosen.size }) : t('forward.do')}
          busy={busy}
          disabled={chosen.size === 0}
          onClose={closeDialog}
        />
      }
    >
      <div className="g-form">
        <SearchInput
          label={t('forward.search')}
          value={search}
          onChange={setSearch}
          onKeyDown={pick}
          data-autofocus=""
        />
        {refused.length > 0 && <NotSent refused={refused} />}
        <Contacts contacts={contacts} recent={contacts.isAsked ? [] : recent} chosen={chosen} onToggle={toggle} />
      </div>
    </Dialog>
  )
}

/** The people of the lists one has open, the last to speak first. */
function listRecent(): readonly Recipient[] {
  const { tickets } = getStores()
  return LISTS.flatMap(name => tickets.list(name).ids.map(tickets.ticket))
    .filter(ticket => ticket !== undefined)
    .sort((a, b) => b.lastMessageAt.localeCompare(a.lastMessageAt))
    .map(({ contactId, isGroup, contact }) => ({ ...contact, id: contactId, isGroup }))
    .slice(0, RECENT)
}

/** Those it did not go to, each with the reason. */
function NotSent({ refused }: { readonly refused: readonly ForwardRefusal[] }) {
  const t = useTexts('tickets')
  return (
    <ul className="g-refused" role="alert">
      {refused.map(one => (
        <li key={one.contactId}>
          <strong>{one.name || t('noName')}</strong>
          <span>{describeRefusal(one, t)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Another conversation says with whom and where; everything else has its text in the catalogue. */
function describeRefusal({ error, details }: ForwardRefusal, t: ReturnType<typeof useTexts>): string {
  const field = (name: string): unknown =>
    typeof details === 'object' && details !== null ? Reflect.get(details, name) : undefined
  if (error !== 'ERR_OTHER_OPEN_TICKET') return findCatalogueText(error) ?? getTexts('ui')('somethingFailed')
  const status = field('status')
  const user = field('user')
  const queue = field('queue')
  return [
    t(`otherTicket.${typeof status === 'string' ? status : 'open'}`),
    typeof user === 'string' && t('forward.with', { name: user }),
    typeof queue === 'string' && t('forward.in', { name: queue }),
  ]
    .filter(part => part)
    .join(', ')
}

interface ContactsProps {
  readonly contacts: ReturnType<typeof useContacts>
  /** Whom one spoke with last, where nothing is searched for. */
  readonly recent: readonly Recipient[]
  readonly chosen: ReadonlyMap<number, Recipient>
  readonly onToggle: (contact: Recipient) => void
}

function Contacts({ contacts: asked, recent, chosen, onToggle }: ContactsProps) {
  const t = useTexts('tickets')
  const { contacts: found, known, error, again } = asked
  const skeleton = useSkeleton(!known && error === null)
  if (error !== null) return <ErrorState title={t('forward.failed')} text={describeError(error)} onRetry={again} />
  if (!known) return skeleton ? <RowSkeletons /> : null
  // Those ticked stay in sight whatever is looked for.
  const listed = [...new Map([...chosen.values(), ...recent, ...found].map(contact => [contact.id, contact])).values()]
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

/** What is passed on: its beginning, or what it is called. */
function excerptMessage(message: Message, t: ReturnType<typeof useTexts>): string {
  const words = getMessageText(message, LETTERS + 1)
  if (words === '') return t(`media.${message.mediaType}`)
  return `“${shortenText(words, LETTERS)}”`
}
