// Addresses: WhatsApp Web writes numbers with `@c.us`, the desk with `@s.whatsapp.net`.
import { bare } from '../../../platform/channel/addresses.ts'
import type { MessageRef, Peer } from '../../../platform/channel/driver.ts'
import type { People, WebMessage, WebRef, Wid } from './protocol.ts'

/** Our address of theirs. */
export function jidOf(wid: Wid): string {
  return wid.replace(/(:\d+)?@(c\.us|s\.whatsapp\.net)$/, '@s.whatsapp.net')
}

/** Their address of ours. */
export function widOf(jid: string): Wid {
  return jid.replace('@s.whatsapp.net', '@c.us')
}

/** Somebody by one address and what is known of the other. */
export function peerOf(wid: Wid, people: People): Peer {
  const jid = jidOf(wid)
  if (jid.endsWith('@g.us')) return { jid, group: true }
  const known = people[wid]
  const pn = jid.endsWith('@s.whatsapp.net') ? bare(jid) : known?.pn && bare(known.pn)
  const lid = jid.endsWith('@lid') ? jid : known?.lid
  return { jid, ...(pn && { pn }), ...(lid && { lid }), group: false }
}

export function refOf(id: WebMessage['id']): MessageRef {
  return {
    chat: jidOf(id.remote),
    id: id.id,
    fromMe: id.fromMe,
    ...(id.participant && { participant: jidOf(id.participant) }),
  }
}

export function webRefOf({ chat, id, fromMe, participant }: MessageRef): WebRef {
  return { chat: widOf(chat), id, fromMe, ...(participant && { participant: widOf(participant) }) }
}

/** Chats that are no conversations: status updates, broadcast lists, channels, WhatsApp's own number. */
export function isNoConversation(wid: Wid): boolean {
  return /@(broadcast|newsletter|bot|call)$/.test(wid) || wid === '0@c.us' || wid.startsWith('13135550002@')
}
