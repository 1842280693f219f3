// A new conversation: with whom, in which queue, over which connection (spec 1 §5 "New ticket").

import type { Contact, OtherOpenTicket } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { showErrorToast, useQuery } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Dialog, Field, FormButtons, Icon, Select, TextArea, toast } from '@balcao/ui/parts'
import { useLeaveQuestion } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import '../dialogs/texts.ts'
import './late.css'
import { parseOtherTicket } from '../actions/refusal.ts'
import { awaitComposer, type ComingComposer } from '../composer/coming.ts'
import { isWindowOpen } from '../composer/window.ts'
import { useLookups } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { useOpenTicket } from '../desk/use-ticket-context.ts'
import { view } from '../desk/view.ts'
import { useIsOpen } from '../dialogs/use-is-open.ts'
import { useOfferedQueues } from '../list/use-filters.ts'
import { ContactPicker } from './ContactPicker.tsx'
import { keepLast, proposeConnection, proposeQueue, readLast } from './choice.ts'
import { addToDraft, keepWords } from './keep-words.ts'
import { type ConversationRequest, showInTheWay, wayIn } from './state.ts'

interface Problems {
  readonly contact?: string
  readonly queue?: string
  readonly connection?: string
}

export default function NewTicketDialog({ wish }: { readonly wish: ConversationRequest }) {
  const t = useTexts('tickets')
  const user = useUser()
  const open = useOpenTicket()
  const { connections } = useLookups()
  const { queues } = useOfferedQueues()
  const [last] = useState(readLast)
  const [contact, setContact] = useState<Contact | null>(null)
  // What is proposed comes with the queues and connections, which may arrive after the dialog.
  const [chosenQueue, setQueueId] = useState<number | null>(null)
  const [chosenConnection, setWhatsappId] = useState<number | null>(null)
  const queueId = chosenQueue ?? proposeQueue(queues, last)
  const whatsappId = chosenConnection ?? proposeConnection(connections, user.whatsappId, last)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  /** Typed for the customer while the number was checked or the conversation made, which then failed. */
  const [words, setWords] = useState('')
  /** The same, also once the form is left. */
  const latest = useRef('')
  const inTheWay = useRef<OtherOpenTicket | null>(null)
  const coming = useRef<ComingComposer | null>(null)
  // Closed while it was looked up who it is: nothing begins any more, and keys are keys again.
  const isOpen = useIsOpen()
  // Left while the conversation is being made, the words go to its draft.
  const { close, question } = useLeaveQuestion(words.trim() !== '' && !busy, leave)
  useEffect(() => () => coming.current?.fails(), [])
  const { contactId } = wish
  const ask = () => api('GET /contacts/:id', { params: { id: contactId ?? 0 } })
  const { now: named } = useQuery(contactId ?? null, ask, showErrorToast)
  useEffect(() => {
    if (named) setContact(named)
  }, [named])

  /** From here on what is typed is for the customer. */
  function hold() {
    coming.current ??= awaitComposer(null, { onKept: keep })
  }

  /** Who writes on may not have seen yet that another one is in the way: their words come behind its notice. */
  function keep(text: string) {
    if (inTheWay.current) keepWords(inTheWay.current, text, latest.current !== '')
    write(latest.current + text)
  }

  function write(next: string) {
    latest.current = next
    setWords(next)
  }

  function giveUp() {
    coming.current?.fails('refused')
    coming.current = null
  }

  async function start(contact: Contact | null) {
    if (busy || !isOpen.current) return
    const missing = {
      ...(contact ? {} : { contact: t('newTicket.contactRequired') }),
      ...(queueId ? {} : { queue: describeFault('call.queue') }),
      ...(whatsappId ? {} : { connection: describeFault('call.connection') }),
    }
    setProblems(missing)
    if (!contact || !queueId || !whatsappId) return giveUp()
    setBusy(true)
    hold()
    try {
      const ticket = await api('POST /tickets', {
        body: { contactId: contact.id, queueId, whatsappId, userId: user.id, status: 'open' },
      })
      keepLast(ticket)
      addToDraft(ticket.id, latest.current)
      getStores().tickets.take(ticket)
      // It is there, and whoever left the form stays where they are by now.
      if (!isOpen.current) return
      wayIn.wish = null
      open(ticket.id)
      coming.current?.stands(ticket.id)
      coming.current = null
      if (!isWindowOpen(ticket, new Date())) view.templatesFor = ticket.id
    } catch (error) {
      const other = isApiError(error, 'ERR_OTHER_OPEN_TICKET') ? parseOtherTicket(error.details) : null
      if (!isOpen.current) {
        if (other?.ticket) addToDraft(other.ticketId, latest.current)
        return
      }
      giveUp()
      setBusy(false)
      if (!other) return void toast.error(describeError(error))
      if (other.ticket) getStores().tickets.take(other.ticket)
      inTheWay.current = other
      showInTheWay(other)
      keepWords(other, latest.current)
    }
  }

  return (
    <Dialog
      title={t('newTicket.title')}
      width={480}
      onClose={close}
      onSubmit={() => void start(contact)}
      footer={question ?? <FormButtons framed action={t('newTicket.start')} busy={busy} onClose={close} />}
    >
      <div className="g-form">
        <fieldset className="n-who" aria-label={t('newTicket.contact')}>
          <ContactPicker
            wish={wish}
            chosen={contact}
            whatsappId={whatsappId}
            onChange={next => {
              setContact(next)
              setProblems(({ contact: _, ...rest }) => rest)
            }}
            onEnter={hold}
            onNone={giveUp}
            onFound={found => {
              setContact(found)
              void start(found)
            }}
          />
          {problems.contact && (
            <p className="b-field-error" role="alert">
              <Icon of={TriangleAlert} size={14} />
              {problems.contact}
            </p>
          )}
        </fieldset>
        <Field label={t('newTicket.queue')} error={problems.queue ?? null} required>
          <Select
            options={queues.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
            value={queueId}
            placeholder={t('newTicket.choose')}
            onChange={next => {
              setQueueId(next)
              setProblems(({ queue: _, ...rest }) => rest)
            }}
          />
        </Field>
        {connections.length !== 1 && (
          <Field label={t('newTicket.connection')} error={problems.connection ?? null} required>
            <Select
              options={connections.map(connection => ({ value: connection.id, label: connection.name }))}
              value={whatsappId}
              placeholder={t('newTicket.choose')}
              onChange={next => {
                setWhatsappId(next)
                setProblems(({ connection: _, ...rest }) => rest)
              }}
            />
          </Field>
        )}
        {words !== '' && (
          <Field label={t('newTicket.words')} hint={t('newTicket.wordsHint')}>
            <TextArea value={words} onChange={write} />
          </Field>
        )}
      </div>
    </Dialog>
  )
}

function leave() {
  wayIn.wish = null
}
