// Who is named in a group stands in its words by name, not by the digits of an address: so also in previews, searches and notifications.
import { cleanName } from '../../desk/contacts/identity.ts'
import { MOST_MEMBERS, nameMembers, renderMemberNames, toMemberAddresses } from '../../desk/messages/member-names.ts'
import type { MemberMentions, NamedMember } from '../../desk/messages/table.ts'
import { MENTION_TOKENS, readMentionedDigits, stripAddress } from '../../platform/channel/addresses.ts'
import type { ChannelEvent, MentionedPerson } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { InboxBatch, Named } from './batch.ts'

type Wordy = Named<Extract<ChannelEvent, { type: 'message' | 'edit' }>>

/** The same events with the names of whom they mention. */
export async function resolveMentionNames<E extends Wordy>(
  receiving: InboxBatch,
  events: readonly E[],
): Promise<readonly E[]> {
  const found = events.map(findMembers)
  if (found.every(members => members.length === 0)) return events
  const ownName = found.flat().some(({ isSelf }) => isSelf) ? await readOwnName(receiving) : ''
  const lists = found.map(members => members.map(({ isSelf, ...one }) => (isSelf ? { ...one, name: ownName } : one)))
  const named = await nameMembers(receiving.tx, lists)
  return events.map((event, at) => putNames(event, named[at] ?? []))
}

function putNames<E extends Wordy>(event: E, members: readonly NamedMember[]): E {
  if (members.length === 0 || event.body === null) return event
  const body = renderMemberNames(event.body, members)
  const memberMentions: MemberMentions = { text: event.body, members }
  const named = { ...event, body, memberMentions }
  if (event.type !== 'message' || !event.quote?.content) return named
  const content = { ...event.quote.content, body: renderMemberNames(event.quote.content.body, members) }
  return { ...named, quote: { ...event.quote, content } }
}

/** Of whom the words hold the digits. Where the provider does not tell, what may be an address in a group is looked up. */
function findMembers(event: Wordy): (NamedMember & { readonly isSelf: boolean })[] {
  const { body, chat, mentions = [] } = event
  if (body === null) return []
  const byAddress = new Map<string, MentionedPerson>()
  for (const one of mentions)
    for (const address of [one.jid, one.pn, one.lid]) if (address) byAddress.set(stripAddress(address), one)
  const quoted = event.type === 'message' ? (event.quote?.content?.body ?? '') : ''
  const tokens = new Set([...`${body} ${quoted}`.matchAll(MENTION_TOKENS)].map(([, digits = '']) => digits))
  const people = [...tokens].flatMap(digits => {
    const person = byAddress.get(digits)
    if (person) return toMember(digits, person, true)
    return chat.group && digits.length >= 10 ? toMember(digits, readMentionedDigits(digits), false) : []
  })
  return people.slice(0, MOST_MEMBERS)
}

function toMember(digits: string, person: MentionedPerson, isCertain: boolean) {
  const { pn, isSelf = false } = person
  const name = cleanName(person.name)
  const addresses = isSelf ? [] : toMemberAddresses(person)
  return { digits, addresses, ...(name && { name }), ...(isCertain && pn && { pn }), isCertain, isSelf }
}

async function readOwnName({ tx, connection }: InboxBatch): Promise<string> {
  const [own] = await getSql(tx)<{ name: string }[]>`select name from whatsapp where id = ${connection.id}`
  return own?.name ?? ''
}
