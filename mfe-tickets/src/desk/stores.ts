// The desk's stores, made once for the signed-in person, and their feed from the live line.
import type { LiveEvent, Message, QuotedMessage, Ticket, VolatileEvent } from '@balcao/contract'
import { findCalledNames } from '@balcao/contract/messages/comments'
import { HISTORY_SETTINGS } from '@balcao/contract/messages/conversation'
import { writeMemberMentions } from '@balcao/contract/messages/member-mentions'
import { ApiError } from '@balcao/ui/api'
import { makeId } from '@balcao/ui/browser'
import { describeError, getTexts } from '@balcao/ui/i18n'
import { combineStops, live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { isSettingOn, keepPerSession, session } from '@balcao/ui/session'
import { toMessage } from '../chats/as-message.ts'
import { parseChatLane, sentInChats } from '../chats/lane.ts'
import { isHelper, isHolding, parseHelper } from '../composer/drafts.ts'
import { type OutgoingFile, OutgoingQueue, type UnsentMessage } from '../composer/outgoing.ts'
import {
  forgetConversations,
  getConversation,
  listHeldConversations,
  takeMessage,
} from '../conversation/conversation-store.ts'
import { server } from '../server.ts'
import { EventBatch } from '../tickets/batch.ts'
import { canShowAll, readFilters } from '../tickets/filters.ts'
import type { ListName } from '../tickets/is-in-list.ts'
import { isServed } from '../tickets/served.ts'
import { TicketStore } from '../tickets/ticket-store.ts'
import { TypingRegistry } from '../tickets/typing-registry.ts'
import { ViewerRegistry } from '../viewers/viewer-registry.ts'

export interface Stores {
  readonly tickets: TicketStore
  readonly outgoing: OutgoingQueue
  /** Which customers write: `typing` or `recording`. */
  readonly typing: TypingRegistry
  readonly looking: ViewerRegistry
  /** What is on the screen now; a live reset fetches only that. */
  readonly shown: { list: ListName | null; ticketId: number | null }
  /** Told of each new message of a customer, for the polite announcement. */
  readonly arrivals: Set<(message: Message) => void>
}

/** The stores of the signed-in person. */
export const getStores = keepPerSession((signal): Stores => {
  const userId = session.user?.id ?? 0
  const windowId = makeId()
  void navigator.locks?.request(toWindowLock(windowId), () => awaitAbort(signal))
  const own: Stores = {
    tickets: new TicketStore(
      server,
      { id: userId, mayShowAll: canShowAll() === true, serves: isServed },
      readFilters(userId),
    ),
    typing: new TypingRegistry(),
    looking: new ViewerRegistry(userId),
    shown: { list: null, ticketId: null },
    arrivals: new Set(),
    outgoing: new OutgoingQueue({
      userId,
      windowId,
      afterWindow(id, adopt) {
        // Without https nobody knows: then it is sent at once.
        if (navigator.locks) void navigator.locks.request(toWindowLock(id), adopt)
        else adopt()
      },
      storage: localStorage,
      now: () => new Date(),
      post: entry => post(entry, userId),
      upload: (file, lane, voice, progress) => server.upload(file, lane, voice, progress),
      refusal: error => (isRetryable(error) ? null : describeError(error)),
      sent: message => {
        if (parseChatLane(message.ticketId) === null) takeMessage(message)
      },
    }),
  }
  signal.addEventListener('abort', subscribeStores(own))
  window.addEventListener('online', () => own.outgoing.wake(), { signal })
  // Without https nobody knows which windows are there: what another one has written is left to it as long as this page stands.
  if (navigator.locks) window.addEventListener('storage', ({ key }) => key && own.outgoing.hear(key), { signal })
  // The browser asks whether to leave.
  window.addEventListener(
    'beforeunload',
    event => (own.outgoing.holdsFiles() || isHolding()) && event.preventDefault(),
    { signal },
  )
  return own
})

/** Held as long as a window may send what was written in it. */
function toWindowLock(windowId: string) {
  return `balcao.outgoing.${windowId}`
}

function awaitAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

async function post(entry: UnsentMessage, userId: number): Promise<Message> {
  const { clientId, quoted, uploadId, members = [], choices } = entry
  const helpers = members.filter(({ id }) => isHelper(id))
  const called = findCalledNames(
    entry.body,
    helpers.map(({ name }) => name),
  )
  // Whom a comment calls sees the conversation before it is there. Who cannot follow it keeps nobody from commenting.
  for (const { id, name } of helpers)
    if (called.includes(name))
      await server.askIn(entry.ticketId, parseHelper(id)).catch(error => {
        if (isRetryable(error)) throw error
        const fault = error instanceof ApiError ? error.field('userId') : null
        toast.warning(name, { detail: fault?.message ?? describeError(error) })
      })
  const named = members.filter(({ id }) => !isHelper(id))
  const { body, mentions } = writeMemberMentions(entry.body, named)
  const sending = {
    body,
    clientId,
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(quoted?.id ? { quotedMsg: { id: quoted.id } } : {}),
    ...(uploadId ? { uploadId } : {}),
    ...(choices ? { choices } : {}),
    ...(entry.file?.voice ? toVoiceFields(entry.file) : {}),
  }
  const chatId = parseChatLane(entry.ticketId)
  if (chatId === null) return server.send(entry.ticketId, sending)
  const message = await server.sendInChat(chatId, sending)
  for (const tell of sentInChats) tell(message)
  return toMessage(message, userId)
}

function toVoiceFields({ seconds, waveform }: OutgoingFile) {
  return { voice: true, ...(seconds === null ? {} : { seconds }), ...(waveform ? { waveform: [...waveform] } : {}) }
}

/** No answer, or a server that is starting or busy: the same request may succeed in a moment. */
export function isRetryable(error: unknown): boolean {
  const codes: readonly string[] = ['OFFLINE', 'ERR_TOO_MANY_ATTEMPTS', 'ERR_NOT_READY']
  // Room comes when somebody makes it: the file is refused, so that the texts behind it go out.
  if (!(error instanceof ApiError) || error.code === 'ERR_NO_SPACE') return false
  return codes.includes(error.code) || error.status >= 502
}

function subscribeStores(own: Stores): () => void {
  const batch = new EventBatch(events => take(own, events))
  const names = ['ticket', 'ticketPin', 'appMessage', 'contact', 'queue', 'whatsapp'] as const
  const stops = [
    () => batch.stop(),
    ...names.map(name => live.on(name, event => batch.add(event))),
    live.onVolatile(frame => applyVolatileEvent(own, frame)),
    // What a conversation shows of the past is another one now.
    live.on('settings', ({ setting }) => {
      if (!HISTORY_SETTINGS.some(key => key === setting.key)) return
      forgetConversations(own.shown.ticketId)
      if (own.shown.ticketId) void getConversation(own.shown.ticketId).renew()
    }),
    live.onReset(() => {
      batch.flush()
      void own.tickets.refetch(own.shown.list, own.shown.ticketId)
      forgetConversations(own.shown.ticketId)
      if (own.shown.ticketId) void reopen(own, own.shown.ticketId)
      own.outgoing.wake()
    }),
  ]
  own.outgoing.wake()
  return combineStops(...stops, () => void tellUnsent(own.outgoing))
}

/** Far longer than anybody is away from a page: it stands until it is closed, or the next person comes. */
const UNTIL_SEEN_MS = 86_400_000

/** Who leaves, here or in another tab, learns what has not gone out, but not its words; once somebody else is here it is none of theirs. */
async function tellUnsent(outgoing: OutgoingQueue) {
  const left = await outgoing.stop()
  if (session.status !== 'out') return
  const t = getTexts('tickets')
  const lost = left.filter(entry => entry.file && !entry.uploadId).length
  const remaining = left.length - lost
  if (remaining > 0) toast.warning(t('leftUnsent.kept', { count: remaining }), { key: 'kept', shownMs: UNTIL_SEEN_MS })
  if (lost > 0) toast.warning(t('leftUnsent.lost', { count: lost }), { key: 'lost', shownMs: UNTIL_SEEN_MS })
}

async function reopen(own: Stores, ticketId: number) {
  void getConversation(ticketId).load({ fresh: true })
  try {
    await own.tickets.fetch(() => server.ticket(ticketId))
  } catch (error) {
    // The conversation's own load tells what is wrong.
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) own.tickets.forget(ticketId)
  }
}

function take(own: Stores, events: readonly LiveEvent[]) {
  const moved = listMovedTickets(own, events)
  own.tickets.takeEvents(events)
  for (const held of moved.length > 0 ? listHeldConversations() : [])
    held.takeMoved(moved, own.tickets.ticket(held.ticketId))
  const messageEvents = events.filter(event => event.event === 'appMessage' || event.event === 'ticket')
  if (messageEvents.length === 0) return
  for (const conversation of listHeldConversations()) {
    const ticket = own.tickets.ticket(conversation.ticketId)
    conversation.takeEvents(messageEvents, ticket ?? { id: conversation.ticketId, contactId: 0 }, {
      onlyThisTicket: isNarrowed(),
    })
  }
  for (const event of messageEvents) {
    if (event.event !== 'appMessage' || event.action === 'delete') continue
    own.outgoing.settle(event.message)
    if (event.action === 'create' && !event.message.fromMe) {
      own.typing.hear(event.message.ticketId, 0, null)
      for (const tell of own.arrivals) tell(event.message)
    }
  }
}

/** Tickets that are of another contact than was known, if it was: two contacts were made one, or taken apart. */
function listMovedTickets(own: Stores, events: readonly LiveEvent[]): Ticket[] {
  return events.flatMap(event => {
    if (event.event !== 'ticket' || event.action === 'delete' || event.action === 'create') return []
    return own.tickets.ticket(event.ticket.id)?.contactId === event.ticket.contactId ? [] : event.ticket
  })
}

/** Whether the history shows less than everything of the contact; then only this ticket's messages are added live. */
function isNarrowed(): boolean {
  return HISTORY_SETTINGS.some(isSettingOn)
}

function applyVolatileEvent(own: Stores, frame: VolatileEvent) {
  if (frame.kind === 'viewing') own.looking.hear(frame)
  if (frame.kind === 'typing' && frame.by === 'contact')
    own.typing.hear(frame.ticketId, 0, frame.state === 'paused' ? null : frame.state)
}

/** Asks for the messages of a ticket unless they are held: those unread among them, since it is there that reading begins. */
export function makeReady(ticketId: number): Promise<void> {
  return getConversation(ticketId).load({ unread: getStores().tickets.ticket(ticketId)?.unreadMessages ?? 0 })
}

/** A message as quoted by an answer that is not on the server yet. */
export function toQuotedMessage(message: Message): QuotedMessage {
  const { id, body, fromMe, isEdited, editedMsg, mediaUrl, mediaType, isDeleted } = message
  const contact = { name: message.contact.name }
  const thumbUrl = message.media?.thumbUrl ?? null
  return { id, body, fromMe, contact, isEdited, editedMsg, mediaUrl, thumbUrl, mediaType, isDeleted }
}
