// Ticks and calls → neutral events.
import type {
  MessageUserReceiptUpdate,
  WACallEvent,
  WAMessage,
  WAMessageKey,
  WAMessageUpdate,
} from '@whiskeysockets/baileys'
import type { ChannelEvent, MessageRef } from '../../../platform/channel/driver.ts'
import { toAck } from './message.ts'
import { normalizeJid, toPeer } from './peers.ts'

/** A tick of an own message. Edits and deletions arrive here too, but are read from the messages that carry them. */
export function toAckEvents({ key, update }: WAMessageUpdate): ChannelEvent[] {
  const ack = update.status === undefined ? undefined : toAck(update.status)
  if (!ack || !key.fromMe || !key.id || !key.remoteJid) return []
  const at = Number(update.messageTimestamp ?? 0) * 1000
  const [code, text] = update.messageStubParameters ?? []
  const refusal = ack === 'error' ? { code: String(code ?? 'unknown'), text: String(text ?? getRefusalText(code)) } : {}
  return [{ type: 'ack', ref: keyRef(key), ack, ...(at > 0 && { at }), ...refusal }]
}

/** The ticks folded into an own message: those that come while events are buffered show nowhere else. */
export function toFoldedAckEvents(message: WAMessage): ChannelEvent[] {
  const { key, status, messageStubParameters, userReceipt } = message
  const inGroup = (userReceipt ?? []).flatMap(receipt => toGroupAckEvents({ key, receipt }))
  return [...toAckEvents({ key, update: { status, messageStubParameters } }), ...inGroup]
}

/** Groups tell each reader on his own: the first who has it makes it delivered, the first who reads it makes it read. */
export function toGroupAckEvents({ key, receipt }: MessageUserReceiptUpdate): ChannelEvent[] {
  if (!key.fromMe || !key.id || !key.remoteJid) return []
  const read = receipt.readTimestamp ?? receipt.playedTimestamp
  const seconds = Number(read ?? receipt.receiptTimestamp ?? 0)
  if (!seconds) return []
  const ref = { chat: normalizeJid(key.remoteJid), id: key.id, fromMe: true }
  return [{ type: 'ack', ref, ack: read ? 'read' : 'delivered', at: seconds * 1000 }]
}

/** What WhatsApp means by the number it refuses a message with; its own words are for developers. */
export function getRefusalText(code: unknown): string {
  switch (String(code)) {
    case '463':
      return 'This account may not start new conversations for now'
    case '479':
      return 'The session with this phone is out of date'
    default:
      return 'WhatsApp refused the message'
  }
}

/** A call that rings, was missed or ended. `name` is not sent with calls. */
export function toCallEvents(call: WACallEvent): ChannelEvent[] {
  const state = CALL_STATES[call.status]
  if (!state || call.isGroup) return []
  const from = toPeer(call.chatId || call.from, call.callerPn ?? null)
  return [
    { type: 'call', id: call.id, from, video: call.isVideo ?? false, state, at: call.date.getTime() || Date.now() },
  ]
}

const CALL_STATES: Partial<Record<WACallEvent['status'], 'offer' | 'missed' | 'ended'>> = {
  offer: 'offer',
  timeout: 'missed',
  reject: 'ended',
  accept: 'ended',
  terminate: 'ended',
}

function keyRef(key: WAMessageKey): MessageRef {
  return { chat: normalizeJid(key.remoteJid ?? ''), id: key.id ?? '', fromMe: true }
}
