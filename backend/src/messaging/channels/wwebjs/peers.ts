// Addresses: WhatsApp Web writes numbers with `@c.us`, the desk with `@s.whatsapp.net`.
import { stripAddress } from '../../../platform/channel/addresses.ts'
import type { MessageRef, Peer } from '../../../platform/channel/driver.ts'
import type { AddressBook, WebMessage, WebRef, WidText } from './protocol.ts'

/** Our address of theirs. */
export function toJid(wid: WidText): string {
  return wid.replace(/(:\d+)?@(c\.us|s\.whatsapp\.net)$/, '@s.whatsapp.net')
}

/** Their address of ours. */
export function toWid(jid: string): WidText {
  return jid.replace('@s.whatsapp.net', '@c.us')
}

/** Somebody by one address and what is known of the other. */
export function toPeer(wid: WidText, people: AddressBook): Peer {
  const jid = toJid(wid)
  if (jid.endsWith('@g.us')) return { jid, group: true }
  const known = people[wid]
  const pn = jid.endsWith('@s.whatsapp.net') ? stripAddress(jid) : known?.pn && stripAddress(known.pn)
  const lid = jid.endsWith('@lid') ? jid : known?.lid
  return { jid, ...(pn && { pn }), ...(lid && { lid }), group: false }
}

export function toMessageRef(id: WebMessage['id']): MessageRef {
  return {
    chat: toJid(id.remote),
    id: id.id,
    fromMe: id.fromMe,
    ...(id.participant && { participant: toJid(id.participant) }),
  }
}

export function toWebRef({ chat, id, fromMe, participant }: MessageRef): WebRef {
  return { chat: toWid(chat), id, fromMe, ...(participant && { participant: toWid(participant) }) }
}

/** Chats that are no conversations: status updates, broadcast lists, channels, WhatsApp's own number. */
export function isNoConversation(wid: WidText): boolean {
  return /@(broadcast|newsletter|bot|call)$/.test(wid) || wid === '0@c.us' || wid.startsWith('13135550002@')
}
