// Passing messages on to other contacts: one outgoing message each, its file shared, in the live ticket or a new one (spec 1 §5, §7).
import {
  type Kind,
  MESSAGE_KINDS,
  type MediaType,
  type Message,
  type RequestBody,
  type ResponseBody,
  stripSignature,
} from '@balcao/contract'
import type { ForwardMark } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { servableTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createMediaStorage } from '../media/storage.ts'
import type { MessageMedia } from '../media/table.ts'
import { createTicket } from '../tickets/create.ts'
import { type LockedTicket, toLogReferences } from '../tickets/lock.ts'
import { toContentColumns } from './content.ts'
import { findMessageTicket } from './conversation.ts'
import { checkFile } from './fits.ts'
import type { MemberMentions } from './table.ts'
import { checkSendable, type NewMessage, sendManyInTicket } from './write.ts'

type Answer = ResponseBody<'POST /messages/forward/:id'>

/**
 * Forwards on each message's own connection, each contact by itself and in one transaction: one who is served by somebody else, or whose
 * 24 hours are over, does not keep the others from getting it, nor does a message that has to stay keep back those after it.
 * Throws when nobody gets anything: the first refusal, with `refused` in its details where there are several;
 * `ERR_NO_MESSAGE_FOUND`, `ERR_FORWARD_WAPP_MSG` for what cannot be passed on.
 */
export async function forwardMessages(
  parts: Parts,
  session: Session,
  id: number,
  { contacts, further = [], clientId }: RequestBody<'POST /messages/forward/:id'>,
): Promise<Answer> {
  const passages = await preparePassages(parts, session, [...new Set([id, ...further])])
  const messages: Message[] = []
  const refused = new Map<string, Refusal>()
  let first: AppError | null = null
  for (const contact of await loadTargets(parts.db, [...new Set(toIds(contacts))])) {
    const toClientId = (messageId: number, at: number) =>
      clientId &&
      `${[clientId, ...(messageId === id ? [] : [messageId]), ...(at > 0 ? [at] : [])].join('.')}:${contact.id}`
    for (const { messageId, outcomes } of await forwardToContact(parts, session, contact.id, passages, toClientId)) {
      const refusal = outcomes.find(outcome => outcome instanceof AppError)
      messages.push(...outcomes.flatMap(outcome => (outcome instanceof AppError ? [] : [outcome])))
      if (!refusal) continue
      first ??= refusal
      noteRefusal(refused, contact, messageId, refusal)
    }
  }
  if (messages.length === 0) throw createRefusal(first ?? passages[0]?.refusal ?? null, [...refused.values()])
  return { messages, refused: [...refused.values()] }
}

type Refusal = Answer['refused'][number]

/** Of one contact and one reason there is one, with all messages it keeps back. */
function noteRefusal(
  refused: Map<string, Refusal>,
  contact: Target,
  messageId: number,
  { code, details }: AppError,
): void {
  const key = `${contact.id} ${code}`
  const known = refused.get(key)
  if (known) return void known.messageIds.push(messageId)
  const which = { contactId: contact.id, name: contact.name, messageIds: [messageId] }
  refused.set(key, { ...which, error: code, ...(details ? { details } : {}) })
}

function createRefusal(first: AppError | null, refused: readonly Refusal[]): AppError {
  if (!first) return new AppError('ERR_NO_CONTACT_FOUND')
  return refused.length > 1 ? new AppError(first.code, { refused }) : first
}

type Passage =
  | {
      readonly messageId: number
      readonly source: Source
      readonly contents: readonly Content[]
      readonly refusal: null
    }
  | { readonly messageId: number; readonly source: null; readonly contents: null; readonly refusal: AppError }

/** What of each message goes out, or why it stays. */
async function preparePassages(parts: Parts, session: Session, ids: readonly number[]): Promise<Passage[]> {
  const passages: Passage[] = []
  for (const messageId of ids) {
    try {
      await findMessageTicket(parts.db, session, messageId)
      const source = await loadSource(parts.db, messageId)
      const contents = contentsToPass(source)
      if (contents.length === 0) throw new AppError('ERR_FORWARD_WAPP_MSG')
      for (const { payload } of contents) if (payload) await checkFile(createMediaStorage(parts), source.api, payload)
      passages.push({ messageId, source, contents, refusal: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      passages.push({ messageId, source: null, contents: null, refusal: error })
    }
  }
  return passages
}

interface ForwardOutcome {
  readonly messageId: number
  readonly outcomes: readonly (Message | AppError)[]
}

/** In one transaction for each connection they go by; nearly always there is one. */
async function forwardToContact(
  parts: Parts,
  session: Session,
  contactId: number,
  passages: readonly Passage[],
  toClientId: (messageId: number, at: number) => string | undefined,
): Promise<ForwardOutcome[]> {
  const ticketIds = new Map<number, number>()
  const refusals = new Map<number, AppError>()
  const failed = new Map<string, AppError>()
  async function findTicket(source: Source): Promise<number | AppError> {
    // Where it came from says in which queue a new ticket would be.
    const lane = `${source.whatsapp_id} ${source.queue_id}`
    const known = ticketIds.get(source.whatsapp_id) ?? failed.get(lane)
    const found = known ?? (await findForwardTicket(parts, session, source, contactId).catch(toRefusal))
    if (found instanceof AppError) failed.set(lane, found)
    else ticketIds.set(source.whatsapp_id, found)
    return found
  }
  for (const passage of passages) {
    const found = passage.refusal ?? (await findTicket(passage.source))
    if (found instanceof AppError) refusals.set(passage.messageId, found)
  }
  const outcomes = new Map<Content, Message | AppError>()
  for (const [whatsappId, ticketId] of ticketIds) {
    const parcels = passages.flatMap(({ messageId, source, contents }) => {
      if (!source || source.whatsapp_id !== whatsappId || refusals.has(messageId)) return []
      return (contents ?? []).map((content, at) => ({
        content,
        clientId: toClientId(messageId, at),
        from: source.id,
      }))
    })
    const sent = await sendParcels(parts, session, ticketId, parcels)
    for (const [at, { content }] of parcels.entries()) {
      const outcome = sent[at]
      if (outcome) outcomes.set(content, outcome)
    }
  }
  return passages.map(({ messageId, contents }) => {
    const refusal = refusals.get(messageId)
    return {
      messageId,
      outcomes: refusal ? [refusal] : (contents ?? []).flatMap(content => outcomes.get(content) ?? []),
    }
  })
}

interface ForwardParcel {
  readonly content: Content
  readonly clientId: string | undefined
  readonly from: number
}

/** What keeps back all of them is the outcome of each. */
async function sendParcels(
  parts: Parts,
  session: Session,
  ticketId: number,
  parcels: readonly ForwardParcel[],
): Promise<readonly (Message | AppError)[]> {
  const userId = session.viewer.id
  const made = parcels.map(({ content, clientId, from }) => ({
    ...content,
    clientId,
    log: ({ id: messageId }: Message, ticket: LockedTicket) =>
      ({ action: 'message.forward', params: { from }, userId, messageId, ...toLogReferences(ticket) }) as const,
  }))
  try {
    return await sendManyInTicket(parts, session, { ticketId, statuses: REACHED }, made)
  } catch (error) {
    const refusal = toRefusal(error)
    return parcels.map(() => refusal)
  }
}

/** Throws what is no refusal. */
function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

/** Who waits gets it too, and goes on waiting: to pass something on is not to take somebody. */
const REACHED = ['open', 'pending'] as const

/** The contact's open or waiting ticket on the connection, if one may see it; otherwise a new one of the person who forwards. */
async function findForwardTicket(parts: Parts, session: Session, source: Source, contactId: number): Promise<number> {
  const { whatsapp_id: whatsappId } = source
  const sql = getSql(parts.db)
  const { viewer, settings } = session
  const [open] = await sql<{ id: number }[]>`
    select t.id from ticket t where t.contact_id = ${contactId} and t.whatsapp_id = ${whatsappId} and t.status in ${sql(REACHED)}
      and ${servableTicketsSql(sql, viewer, settings)}`
  if (open) return open.id
  await checkSendable(parts.db, { contactId, whatsappId })
  // Refuses, with who has it, when there is a live one that is paused or belongs to somebody else.
  const queueId = await chooseQueue(parts.db, session, source, contactId)
  return (await createTicket(parts, session, { contactId, queueId, whatsappId })).id
}

/** Where the message came from, where the contact was last, else the first queue the person has. */
async function chooseQueue(db: Db, { viewer }: Session, source: Source, contactId: number): Promise<number> {
  const sql = getSql(db)
  const [last] = await sql<{ queue_id: number }[]>`
    select queue_id from ticket where contact_id = ${contactId} and queue_id is not null order by id desc nulls last limit 1`
  const all = await sql<{ id: number }[]>`select id from queue order by id`
  const mine = viewer.profile === 'admin' ? [...viewer.queueIds, ...toIds(all)] : viewer.queueIds
  const found = [source.queue_id, last?.queue_id, mine[0]].find(id => typeof id === 'number' && mine.includes(id))
  if (typeof found !== 'number') throw createFieldError('queueId', 'call.queue')
  return found
}

interface Source {
  readonly id: number
  readonly whatsapp_id: number
  readonly api: Kind
  readonly queue_id: number | null
  readonly from_me: boolean
  readonly body: string
  readonly media_type: MediaType
  readonly media_id: string | null
  readonly media: MessageMedia | null
  readonly is_deleted: boolean
  readonly forward: ForwardMark | null
  readonly member_mentions: MemberMentions | null
}

async function loadSource(db: Db, id: number): Promise<Source> {
  const [row] = await getSql(db)<Source[]>`
    select m.id::float8 as id, m.whatsapp_id, w.api, t.queue_id, m.from_me, m.body, m.media_type, m.media_id, m.media, m.is_deleted, m.forward, m.member_mentions
    from message m join ticket t on t.id = m.ticket_id join whatsapp w on w.id = m.whatsapp_id
    where m.id = ${id}`
  if (!row) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return row
}

interface Target {
  readonly id: number
  readonly name: string
}

/** Contacts that were merged into others stand for those; unknown ones are left out. */
async function loadTargets(db: Db, ids: readonly number[]): Promise<Target[]> {
  return getSql(db)<Target[]>`
    select distinct o.id, o.name from contact c join contact o on o.id = coalesce(c.merged_into, c.id)
    where c.id = any(${[...ids]}::int[]) order by o.id`
}

type Content = Omit<NewMessage, 'ticket'>

/** More cards than this in one message are refused by the official API. */
const MOST_CARDS = 5

/** What goes out, one message or several; none for kinds of messages that stay where they are. */
function contentsToPass(source: Source): Content[] {
  const content = contentToPass(source)
  const payload = content?.payload
  if (payload?.type !== 'contacts') return content ? [content] : []
  const vcards = [...payload.vcards]
  return Array.from({ length: Math.ceil(vcards.length / MOST_CARDS) }, () => {
    const some = vcards.splice(0, MOST_CARDS)
    const mediaType = some.length > 1 ? 'contact_array' : 'vcard'
    return { ...content, mediaType, body: some.join('').trim(), payload: { ...payload, vcards: some } }
  })
}

/** What goes out; null for kinds of messages that stay where they are. The signature of who wrote it stays behind. */
function contentToPass(source: Source): Content | null {
  if (source.is_deleted) return null
  const forward: ForwardMark = source.forward === 'frequently' ? 'frequently' : 'true'
  const body = source.from_me ? stripSignature(source.body) : source.body
  const mediaType = source.media_type
  const memberMentions = passMentions(source)
  const words = body.trim() === '' ? null : { ...toContentColumns({ body, forward }), memberMentions }
  switch (mediaType) {
    case 'chat':
      return words
    case 'image':
    case 'audio':
    case 'video':
    case 'application':
    case 'sticker': {
      const { media_id: mediaId, media } = source
      if (mediaId === null || media?.state !== 'ready') return null
      const { state: _, error: __, ...info } = media
      const isCaption = body.trim() !== '' && body !== media.name && mediaType !== 'audio' && mediaType !== 'sticker'
      const file = { ...info, mediaId, mediaType }
      return isCaption
        ? { ...toContentColumns({ body, file, forward }), memberMentions }
        : toContentColumns({ body: '', file, forward })
    }
    case 'location': {
      const place = readPlace(body)
      return place && { body, mediaType, forward, payload: { type: 'location', ...place, forward } }
    }
    case 'vcard':
    case 'contact_array': {
      const vcards = body.split(/(?=BEGIN:VCARD)/i).filter(card => /^BEGIN:VCARD/i.test(card))
      return vcards.length === 0 ? null : { body, mediaType, forward, payload: { type: 'contacts', vcards, forward } }
    }
    default:
      // A card goes on as what there is to read on it.
      return MESSAGE_KINDS[mediaType].forward === 'words' ? words : null
  }
}

/** What goes out names members of a group by name; here it says what they are called by now, as the message it comes from does. */
function passMentions({ member_mentions: mentions, from_me }: Source): MemberMentions | null {
  return mentions && { ...mentions, text: from_me ? stripSignature(mentions.text) : mentions.text }
}

/** The place of a location's body: its link names it. */
function readPlace(body: string): { lat: number; lng: number; name?: string } | null {
  const [, link = '', ...rest] = body.split('|')
  const found = /[?&/]q?=?(-?\d{1,2}(?:\.\d+)?)(?:,|%2C)(-?\d{1,3}(?:\.\d+)?)/i.exec(link)
  if (!found) return null
  const name = rest.join('|').trim()
  return { lat: Number(found[1]), lng: Number(found[2]), ...(name === '' ? {} : { name }) }
}
