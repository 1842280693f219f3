// What every part of the inbox shares: where events come from, the taking-in they belong to, and the clock they are ordered by.
import type { FollowUpConversation, Settings } from '@balcao/contract'
import type { MemberMentions } from '../../desk/messages/table.ts'
import type { ChannelEvent, InboundMessage } from '../../platform/channel/driver.ts'
import type { Tx } from '../../platform/database/client.ts'

export type AckEvent = Extract<ChannelEvent, { type: 'ack' }>

/** The connection events came from, as the inbox needs it. */
export interface ReceivingConnection {
  readonly id: number
}

/** A stored message in numbers alone: for logs and metrics. */
export interface ReceivedMessage {
  readonly messageId: number
  readonly ticketId: number
  /** Typed on the company's phone, or an echo of another device. */
  readonly fromMe: boolean
  /** The provider's time, in ms. */
  readonly at: number
}

export interface InboxResult {
  /** Something new was stored: ring the doorbell. */
  readonly stored: number
  readonly repeated: number
  /** What could not be taken in and was kept with its error. */
  readonly undigested: number
  /** The messages that were stored, in their order. */
  readonly messages: readonly ReceivedMessage[]
  /** Messages with a file to fetch. */
  readonly withMedia: boolean
  /** The desk answered by itself: the outbox has work. */
  readonly answered: boolean
}

/** One taking-in: the transaction, where the events came from, the settings, and what is to be done after the commit. */
export interface InboxBatch {
  readonly tx: Tx
  readonly connection: ReceivingConnection
  readonly settings: Settings
  readonly messages: ReceivedMessage[]
  withMedia: boolean
  answered: boolean
}

/** A taking-in that begins. */
export function createInboxBatch(tx: Tx, whatsappId: number, settings: Settings): InboxBatch {
  return { tx, connection: { id: whatsappId }, settings, messages: [], withMedia: false, answered: false }
}

/** A ticket with what decides what follows the next message in it. */
export interface OpenedTicket {
  readonly id: number
  readonly conversation: FollowUpConversation
  /** In ms; null: none was. */
  readonly menuShownAt: number | null
  /** Somebody opened it by hand while what was typed on the phone before waited for an answer. */
  readonly hasUnanswered: boolean
}

/** `memberMentions`: what the words are made of, where they name members of a group. */
export type Named<E> = E & { readonly memberMentions?: MemberMentions }

/** A message with whose it is and the ticket it goes into. */
export interface PlacedMessage {
  readonly event: Named<InboundMessage>
  readonly contactId: number
  readonly authorId: number | null
  readonly ticket: OpenedTicket
  /** Nobody is to be rung for it: it is of the past, about sends alone, or thanks for what was just resolved. */
  readonly quiet: boolean
}

/** The provider's time has whole seconds; ours is cut to them too, so ties are decided by the number alone. */
export function toWholeSecond(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString()
}
