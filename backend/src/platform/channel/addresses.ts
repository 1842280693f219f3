// Addresses as providers write them: what one says by itself of who is behind it.
import { extractDigits } from '@balcao/contract'
import type { Peer } from './driver.ts'

/** As WhatsApp writes who is named in a text. */
export const MENTION_TOKENS = /@(\d{5,20})(?!\d)/g

/** Named in a text, for whom nobody has a name or a number. */
export const NAMELESS = 'participante'

/** A peer by its address alone: a group, a hidden id (`@lid`), an id of Meta's (`BR.…`), or a phone. */
export function readAddress(jid: string): Peer {
  if (jid.endsWith('@g.us')) return { jid, group: true }
  if (jid.endsWith('@lid')) return { jid, lid: jid, group: false }
  if (/^[A-Z]{2}\./.test(jid)) return { jid, bsuid: jid, group: false }
  return { jid, pn: extractDigits(stripAddress(jid)), group: false }
}

/** The address of a group, of which a desk keeps the number alone. */
export function writeGroupAddress(id: string): string {
  return `${id}@g.us`
}

/** `'553198762210:4@s.whatsapp.net'` without device and server. */
export function stripAddress(jid: string): string {
  return jid.replace(/[:@].*$/, '')
}

/** Digits by themselves may be a phone or a hidden id. */
export function readMentionedDigits(digits: string): Peer {
  return { jid: digits, pn: digits, lid: `${digits}@lid`, group: false }
}
