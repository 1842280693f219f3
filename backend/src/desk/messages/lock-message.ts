// A message a command is about: its row locked, and only of a ticket the person may see.
import { canSeeTicket, type Kind, type MediaType, type MessageState } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { checkServes } from '../../policy/access/ticket-facts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import type { MessageMedia } from '../media/table.ts'
import { type LockedTicket, lockAnyTicket } from '../tickets/lock.ts'
import type { MessageRefRow } from './enqueue.ts'
import type { MemberMentions, StoredReaction } from './table.ts'
import type { MessageRoute } from './write.ts'

export interface LockedMessage extends MessageRefRow {
  readonly id: number
  readonly ticket: LockedTicket
  /** The way it went or came, whichever connection its ticket has by now: no other number knows it. */
  readonly route: MessageRoute
  readonly userId: number | null
  readonly clientId: string | null
  readonly quotedId: number | null
  readonly body: string
  readonly memberMentions: MemberMentions | null
  readonly mediaType: MediaType
  readonly state: MessageState
  readonly isDeleted: boolean
  readonly ageMinutes: number
  readonly api: Kind
  readonly mediaId: string | null
  readonly media: MessageMedia | null
  readonly reactions: readonly StoredReaction[]
  /** Its connection was deleted. */
  readonly isStranded: boolean
}

/**
 * Locks a message and its ticket. Who only follows the ticket may change the own comments. Throws `ERR_NO_MESSAGE_FOUND`; a message of a
 * hidden ticket is as good as none.
 */
export async function lockMessage(tx: Tx, session: Session, id: number): Promise<LockedMessage> {
  const message = await lockVisibleMessage(tx, session, id)
  if (message.mediaType !== 'comment' || message.userId !== session.viewer.id)
    checkServes(session, message.ticket.facts)
  return message
}

/** The same for what followers may do with every message. */
export async function lockVisibleMessage(tx: Tx, session: Session, id: number): Promise<LockedMessage> {
  const sql = getSql(tx)
  const [place] = await sql<{ ticket_id: number }[]>`select ticket_id from message where id = ${id}`
  if (!place) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const ticket = await lockAnyTicket(tx, place.ticket_id)
  if (!canSeeTicket(session.viewer, ticket.facts, session.settings)) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const [row] = await sql<(Omit<LockedMessage, 'id' | 'ticket' | 'route'> & { whatsappId: number })[]>`
    select m.whatsapp_id as "whatsappId", m.body, m.member_mentions as "memberMentions", m.user_id as "userId", m.client_id as "clientId", m.quoted_id::float8 as "quotedId", m.media_type as "mediaType", m.state, m.is_deleted as "isDeleted", m.provider_id, m.chat, m.from_me,
      m.author_jid, extract(epoch from now() - m.at)::float8 / 60 as "ageMinutes", w.api,
      m.media_id as "mediaId", m.media, m.reactions, w.deleted_at is not null as "isStranded"
    from message m join whatsapp w on w.id = m.whatsapp_id where m.id = ${id} for update of m`
  if (!row) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const { whatsappId, ...message } = row
  return { ...message, id, ticket, route: { contactId: ticket.contactId, whatsappId } }
}
