// Who is meant in a notification of Meta: by phone, by Meta's id of a person, and by the contact cards that come along.
import { extractDigits, listPhoneVariants } from '@balcao/contract'
import type { Peer, PersonNames } from '../../../platform/channel/driver.ts'
import { isRecord, toRecords, toText } from '../shared/json.ts'

type Fields = Record<string, unknown>

export interface CloudAuthor {
  readonly peer: Peer
  readonly name?: string
}

/** A contact card of a notification. */
interface ContactCard {
  readonly peer: Peer | null
  readonly name?: string
}

/** `lent`: the only card, where it can be nobody's but the only sender's. */
export interface ContactCards {
  readonly cards: readonly ContactCard[]
  readonly lent?: ContactCard
}

export const NO_CARDS: ContactCards = { cards: [] }

export function readContactCards(value: Fields, messages: readonly Fields[]): ContactCards {
  const cards = toRecords(value.contacts).map(({ wa_id, user_id, profile }) => {
    const name = isRecord(profile) ? (toText(profile.name) ?? toText(profile.username)) : undefined
    return { peer: toPeer(toText(wa_id), toText(user_id)), ...(name && { name }) }
  })
  const senders = new Set(messages.map(({ from, from_user_id }) => JSON.stringify([from, from_user_id])))
  const [only] = cards
  return { cards, ...(only && cards.length === 1 && senders.size === 1 && { lent: only }) }
}

/** Who wrote: by phone, by Meta's id of the person, or by both. Somebody with a username may show no phone. */
export function findSender(message: Fields, { cards, lent }: ContactCards): CloudAuthor | null {
  const sender = toPeer(toText(message.from), toText(message.from_user_id))
  const own = cards.find(({ peer }) => sender && peer && isSamePerson(sender, peer))
  const card = own ?? (lent && !isSomebodyElse(sender, lent.peer) ? lent : undefined)
  const peer = toPeer(sender?.pn ?? card?.peer?.pn, sender?.bsuid ?? card?.peer?.bsuid)
  return peer && { peer, ...(card?.name && { name: card.name }) }
}

/** A phone may stand in one place with its ninth digit and in the other without. */
function isSamePerson(one: Peer, other: Peer): boolean {
  const hasPhone = one.pn !== undefined && other.pn !== undefined && listPhoneVariants(one.pn).includes(other.pn)
  return hasPhone || (one.bsuid !== undefined && one.bsuid === other.bsuid)
}

/** Of two who are not seen to be one person: whether they cannot be. */
function isSomebodyElse(one: Peer | null, other: Peer | null): boolean {
  return (one?.pn !== undefined && other?.pn !== undefined) || (one?.bsuid !== undefined && other?.bsuid !== undefined)
}

/** Whom one of our own messages went to. */
export function findRecipient(echo: Fields): CloudAuthor | null {
  const peer = toPeer(toText(echo.to), toText(echo.to_user_id))
  return peer && { peer }
}

export function toPeer(address: string | undefined, userId: string | undefined): Peer | null {
  const { pn, bsuid } = parsePersonNames(address, userId)
  const jid = pn ?? bsuid
  return jid ? { jid, ...(pn && { pn }), ...(bsuid && { bsuid }), group: false } : null
}

/** Meta's id of a person may stand where the phone used to: its digits are none. */
export function parsePersonNames(address: string | undefined, userId: string | undefined): PersonNames {
  const isPhone = address !== undefined && /^[+\d][\d\s()-]*$/.test(address)
  const bsuid = userId ?? (isPhone ? undefined : address)
  return { ...(isPhone && { pn: extractDigits(address) }), ...(bsuid && { bsuid }) }
}

export function isSender({ peer }: CloudAuthor, from: string): boolean {
  return from === peer.pn || from === peer.bsuid
}
