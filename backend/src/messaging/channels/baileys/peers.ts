// Who is behind an address: phone numbers (`@s.whatsapp.net`), hidden ids (`@lid`) and groups.
import { isJidGroup, isLidUser, isPnUser, jidDecode, jidNormalizedUser } from '@whiskeysockets/baileys'
import type { Peer } from '../../../platform/channel/driver.ts'

/** The paired account, by both its addresses. */
export interface PairedAccount {
  readonly id: string
  readonly lid?: string | undefined
}

/**
 * A peer from the address on a message and the other one the server may have sent along.
 * @example toPeer('123@lid', '5531998762210@s.whatsapp.net') // { jid: '123@lid', lid: '123@lid', pn: '5531998762210', group: false }
 */
export function toPeer(address: string, alternate?: string | null): Peer {
  const jid = normalizeJid(address)
  if (isJidGroup(jid)) return { jid, group: true }
  const pn = extractPhone(jid) ?? extractPhone(alternate)
  const lid = extractLid(jid) ?? extractLid(alternate)
  return { jid, ...(pn && { pn }), ...(lid && { lid }), group: false }
}

/** An address without the device: `55…:4@s.whatsapp.net` and `55…@c.us` become `55…@s.whatsapp.net`. */
export function normalizeJid(address: string): string {
  return jidNormalizedUser(address) || address
}

/** The phone's digits, if the address shows them. */
export function extractPhone(address: string | null | undefined): string | undefined {
  return address && isPnUser(normalizeJid(address)) ? jidDecode(address)?.user : undefined
}

export function extractLid(address: string | null | undefined): string | undefined {
  if (!address) return undefined
  const jid = normalizeJid(address)
  return isLidUser(jid) ? jid : undefined
}

export function isSelf(self: PairedAccount | undefined, address: string | null | undefined): boolean {
  if (!address || !self) return false
  const jid = normalizeJid(address)
  return jid === normalizeJid(self.id) || (self.lid !== undefined && jid === normalizeJid(self.lid))
}

/** Chats that are no conversations: status updates, channels, WhatsApp's own assistant. */
export function isNoConversation(jid: string): boolean {
  return (
    /^status@broadcast$|@(newsletter|bot)$/.test(jid) || jid === '0@s.whatsapp.net' || jid.startsWith('13135550002@')
  )
}
