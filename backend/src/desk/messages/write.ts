// The one way out: a message of ours in its conversation and in the outbox, whoever says it. What the desk says by itself is `automatic.ts`.
import type { Kind, Mention, Message } from '@balcao/contract'
import { outbox } from '../../messaging/outbox/table.ts'
import type { Outgoing } from '../../platform/channel/driver.ts'
import { createProviderId } from '../../platform/channel/ids.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { type LogRecord, writeLogs } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toWriter } from '../../policy/users/viewer.ts'
import { windowOpenSql } from '../connections/window.ts'
import { mayHaveAddress, requestPreviews } from '../link-previews/request.ts'
import { type LockedTicket, lockTicket, lockVisibleTicket } from '../tickets/lock.ts'
import { publishTicketEvents } from '../tickets/present.ts'
import { appendMessages, isByPerson, type NewRow } from './append.ts'
import { checkFits } from './fits.ts'
import { keepMentions } from './mentions.ts'
import { loadMessages, publishMessageEvents } from './present.ts'

/** Whom a message goes to, and by which connection. */
export interface MessageRoute {
  readonly contactId: number
  readonly whatsappId: number
}

export interface NewMessage extends Omit<NewRow, 'ticketId' | 'state' | 'providerId' | 'system'> {
  readonly ticket: MessageRoute & { readonly id: number }
  /** What the channel is handed; null for a comment, which stays here. */
  readonly payload: Outgoing | null
  /** Whom of the team a comment calls. */
  readonly mentions?: readonly Mention[]
  /** The ticket changes besides, and its event is the caller's. */
  readonly ticketToldLater?: boolean | undefined
  /** It leaves no sooner than so much later, and what comes after it waits for it, unless a person says it. */
  readonly afterMs?: number
  /** Of a send to many: what else is said to this contact goes first. */
  readonly paced?: boolean
  /** Nobody waits for it, such as a farewell: what else is said to this contact goes first, unless it is not `paced`. */
  readonly unhurried?: boolean | undefined
}

/**
 * Writes a message in the caller's transaction, with its live events; after the commit ring. A refusal (`ERR_WAPP_NOT_INITIALIZED`
 * on a deleted connection, `ERR_WINDOW_CLOSED`, `ERR_TEXT_TOO_LONG`) comes before anything is written.
 */
export async function writeMessage(tx: Tx, message: NewMessage): Promise<Message> {
  const [written] = await writeMessages(tx, [message])
  if (!written) throw new Error('The message was not stored')
  if (written instanceof AppError) throw written
  return written
}

/** The same for several, in the same few statements however many: in their order, each a message or why it may not be written. */
export async function writeMessages(tx: Tx, list: readonly NewMessage[]): Promise<(Message | AppError)[]> {
  const kinds = await resolveKinds(tx, list)
  const leaving = list.flatMap((message, at) => {
    const kind = kinds[at] ?? null
    return kind instanceof AppError ? [] : [{ ...message, kind }]
  })
  const ids = await appendMessages(tx, leaving.map(toMessageRow))
  const calls = await storeCalls(tx, leaving, ids)
  const spoken = leaving.filter(message => message.payload && isByPerson(message))
  for (const lane of new Map(spoken.map(({ ticket }) => [laneKey(ticket), ticket])).values()) await endPauses(tx, lane)
  const queued = leaving.flatMap((message, at) => toOutboxRow(message, ids[at]))
  if (queued.length > 0) await tx.insert(outbox).values(queued)
  const changed = new Set(leaving.flatMap(({ ticket, ticketToldLater }) => (ticketToldLater ? [] : [ticket.id])))
  await publishTicketEvents(
    tx,
    [...changed].map(ticketId => ({ ticketId, action: 'update' })),
  )
  const ticketIds = [...new Set(leaving.map(({ ticket }) => ticket.id))]
  const written = (await publishMessageEvents(tx, ids, 'create', ticketIds, calls)).values()
  return list.map((_, at) => {
    const refusal = kinds[at]
    if (refusal instanceof AppError) return refusal
    const { value } = written.next()
    if (!value) throw new Error('The message was not stored')
    return value
  })
}

async function storeCalls(tx: Tx, leaving: readonly NewMessage[], ids: readonly number[]) {
  const calls = new Map<number, readonly number[]>()
  for (const [at, id] of ids.entries()) {
    const called = leaving[at]?.mentions ?? []
    if (called.length > 0) calls.set(id, await keepMentions(tx, id, called))
  }
  return calls
}

type Leaving = NewMessage & { readonly kind: Kind | null }

function toMessageRow({
  ticket,
  payload,
  mentions: _____,
  ticketToldLater: _,
  afterMs: __,
  paced: ___,
  unhurried: ____,
  kind,
  ...row
}: Leaving): NewRow {
  return { ...row, ticketId: ticket.id, state: payload ? 'queued' : 'sent', providerId: kind && createProviderId(kind) }
}

function toOutboxRow(
  { ticket, payload, afterMs = 0, unhurried = false, paced = unhurried }: Leaving,
  messageId: number | undefined,
) {
  if (!payload || messageId === undefined) return []
  const { contactId, whatsappId } = ticket
  const nextAt = afterMs === 0 ? undefined : new Date(Date.now() + afterMs).toISOString()
  return [{ whatsappId, contactId, messageId, operation: 'message' as const, payload, nextAt, paced, unhurried }]
}

/** By which kind of connection each leaves, or why it may not; null for what stays here. */
async function resolveKinds(tx: Tx, list: readonly NewMessage[]): Promise<(Kind | AppError | null)[]> {
  const lanes = await loadRoutes(
    tx,
    list.flatMap(({ ticket, payload }) => (payload ? [ticket] : [])),
  )
  return list.map(({ ticket, payload }) => {
    if (!payload) return null
    try {
      const kind = resolveKind(lanes.get(laneKey(ticket)), payload.type === 'template')
      checkFits(kind, payload)
      return kind
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  })
}

/** A person speaks: what a flow still paces to this contact goes at once, and what the person says right behind it. */
async function endPauses(tx: Tx, { contactId, whatsappId }: MessageRoute): Promise<void> {
  // What is being claimed at this moment waits for nothing, and is not waited for.
  await getSql(tx)`
    update outbox set next_at = now() where id in (
      select o.id from outbox o where o.whatsapp_id = ${whatsappId} and o.contact_id = ${contactId} and o.state = 'queued'
        and o.attempts = 0 and o.error is null and o.next_at > now() for update skip locked)`
}

/** Whether something may leave for a contact now; a template may outside the kind's window, too. Throws as `writeMessage` does. */
export async function checkSendable(db: Db | Tx, lane: MessageRoute, template = false): Promise<Kind> {
  return resolveKind((await loadRoutes(db, [lane])).get(laneKey(lane)), template)
}

function resolveKind(lane: OpenLane | undefined, template: boolean): Kind {
  if (!lane) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
  if (!lane.open && !template) throw new AppError('ERR_WINDOW_CLOSED')
  return lane.api
}

interface OpenLane extends MessageRoute {
  readonly api: Kind
  readonly open: boolean
}

/** Those whose connection is there, by their key. */
async function loadRoutes(db: Db | Tx, lanes: readonly MessageRoute[]): Promise<Map<string, OpenLane>> {
  if (lanes.length === 0) return new Map()
  const sql = getSql(db)
  const rows = await sql<OpenLane[]>`
    select x.contact_id as "contactId", w.id as "whatsappId", w.api, ${windowOpenSql(sql)} as open
    from unnest(${lanes.map(lane => lane.contactId)}::int[], ${lanes.map(lane => lane.whatsappId)}::int[]) as x(contact_id, whatsapp_id)
      join whatsapp w on w.id = x.whatsapp_id and w.deleted_at is null
      left join contact_channel h on h.whatsapp_id = w.id and h.contact_id = x.contact_id`
  return new Map(rows.map(row => [laneKey(row), row]))
}

function laneKey({ contactId, whatsappId }: MessageRoute): string {
  return `${whatsappId} ${contactId}`
}

interface Where {
  readonly ticketId: number
  /** The same again gives the same message. */
  readonly clientId?: string | undefined
  /** Where the ticket may stand: what is not open is nobody's to write in (spec 1 §4). */
  readonly statuses?: readonly LockedTicket['status'][]
  /** A comment, which followers may write, too. */
  readonly isForTeam?: boolean
}

/** `also`: more to do in the same transaction, when the message is there. */
type Composed = Omit<NewMessage, 'ticket' | keyof ReturnType<typeof toWriter> | 'clientId'> & {
  also?: (message: Message) => Promise<void>
}

/**
 * Sends what a person says in a ticket; `compose` makes it, under the ticket's lock and once. Throws `ERR_NO_TICKET_FOUND`,
 * `ERR_NO_PERMISSION`, `ERR_SENDING_WAPP_MSG` unless the ticket stands where it may, and as `writeMessage` does.
 */
export function sendInTicket(parts: Parts, session: Session, where: Where, compose: MessageComposer): Promise<Message> {
  return change(parts, tx => placeInTicket(tx, session, where, compose))
}

type MessageComposer = (tx: Tx, ticket: LockedTicket) => Promise<Composed>

/** The same in the caller's transaction: several that go out together, or none. */
export async function placeInTicket(
  tx: Tx,
  session: Session,
  { ticketId, clientId, statuses = ['open'], isForTeam = false }: Where,
  compose: MessageComposer,
): Promise<Message> {
  const ticket = await (isForTeam ? lockVisibleTicket : lockTicket)(tx, session, ticketId)
  const known = clientId === undefined ? undefined : (await findSent(tx, session, ticketId, [clientId])).get(clientId)
  if (known) return known
  const { status } = ticket
  if (!statuses.includes(status)) throw new AppError('ERR_SENDING_WAPP_MSG', { status })
  const { also, ...composed } = await compose(tx, ticket)
  const message = await writeMessage(tx, { ...composed, ticket, ...toWriter(session), clientId })
  if (mayHaveAddress(message.body)) await requestPreviews(tx, session.settings, [message.id])
  await also?.(message)
  return message
}

/** A message that is made beforehand, and what the log says of it once it is there. */
export interface Parcel extends Omit<NewMessage, 'ticket' | 'userId'> {
  readonly log: (message: Message, ticket: LockedTicket) => LogRecord
}

/**
 * Sends several in a ticket in one transaction, and in the same few statements however many: in their order, each a message, also where
 * it was sent before, or why it is not sent. Throws as `sendInTicket` does where none may be.
 */
export async function sendManyInTicket(
  parts: Parts,
  session: Session,
  { ticketId, statuses = ['open'] }: Pick<Where, 'ticketId' | 'statuses'>,
  parcels: readonly Parcel[],
): Promise<(Message | AppError)[]> {
  return change(parts, async tx => {
    const ticket = await lockTicket(tx, session, ticketId)
    const clientIds = parcels.flatMap(({ clientId }) => clientId ?? [])
    const known = await findSent(tx, session, ticketId, clientIds)
    const isNew = ({ clientId }: Parcel) => !clientId || !known.has(clientId)
    const fresh = parcels.filter(isNew)
    const { status } = ticket
    if (fresh.length > 0 && !statuses.includes(status)) throw new AppError('ERR_SENDING_WAPP_MSG', { status })
    const made = fresh.map(({ log: _, ...message }) => ({ ...message, ticket, ...toWriter(session) }))
    const written = await writeMessages(tx, made)
    const sent = written.flatMap((message, at) => {
      const log = fresh[at]?.log
      return message instanceof AppError || !log ? [] : [{ message, log }]
    })
    const linked = sent.filter(({ message }) => mayHaveAddress(message.body))
    await requestPreviews(
      tx,
      session.settings,
      linked.map(({ message }) => message.id),
    )
    await writeLogs(
      tx,
      sent.map(({ message, log }) => log(message, ticket)),
    )
    const next = written.values()
    return parcels.map(parcel => (isNew(parcel) ? next.next().value : known.get(parcel.clientId ?? '')) ?? failStored())
  })
}

function failStored(): never {
  throw new Error('The message was not stored')
}

/** Whether this was sent before, so that whoever sends it again is given the message and nothing is looked up for it. */
export async function isSent(db: Db, ticketId: number, clientId: string | undefined): Promise<boolean> {
  if (clientId === undefined) return false
  const rows = await getSql(db)`select 1 from message where ticket_id = ${ticketId} and client_id = ${clientId}`
  return rows.length > 0
}

/** What was sent with these ids of their writer, by them. */
async function findSent(
  tx: Tx,
  session: Session,
  ticketId: number,
  clientIds: readonly string[],
): Promise<Map<string, Message>> {
  if (clientIds.length === 0) return new Map()
  const rows = await getSql(tx)<{ id: number; clientId: string }[]>`
    select id::float8 as id, client_id as "clientId" from message
    where ticket_id = ${ticketId} and client_id = any(${[...clientIds]}::text[]) order by message.id`
  const ids = rows.map(({ id }) => id)
  const loaded = new Map((await loadMessages(tx, ids, session)).map(message => [message.id, message]))
  return new Map(
    rows.flatMap(({ id, clientId }) => {
      const message = loaded.get(id)
      return message ? [[clientId, message] as const] : []
    }),
  )
}
