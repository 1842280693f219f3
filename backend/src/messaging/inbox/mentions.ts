// Who is named in a group stands in its words by name, not by the digits of an address: so also in previews, searches and notifications.
import { formatPhone, LIMITS } from '@balcao/contract'
import { toIdentities } from '../../desk/contacts/names.ts'
import { MENTION_TOKENS, NAMELESS, readMentionedDigits, stripAddress } from '../../platform/channel/addresses.ts'
import type { ChannelEvent, MentionedPerson } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { InboxBatch } from './batch.ts'

type Wordy = Extract<ChannelEvent, { type: 'message' | 'edit' }>

/** The same events with the names of whom they mention. */
export async function resolveMentionNames<E extends Wordy>(
  receiving: InboxBatch,
  events: readonly E[],
): Promise<readonly E[]> {
  const mentions = events.map(findMentions)
  const people = mentions.flatMap(found => [...found.values()])
  if (people.length === 0) return events
  const nameOf = await readNames(receiving, people)
  return events.map((event, at) => {
    const found = mentions[at]
    if (!found?.size || event.body === null) return event
    const put = (text: string) => {
      const replaced = text.replace(MENTION_TOKENS, (token, digits: string) => {
        const person = found.get(digits)
        const name = person && (nameOf(person) ?? (person.isCertain ? NAMELESS : null))
        return name ? `@${name}` : token
      })
      // Nobody means a text of a megabyte: who writes one wants it to be too much for somebody.
      return replaced.length <= Math.max(text.length, LIMITS.textLength) ? replaced : text
    }
    const named = { ...event, body: put(event.body) }
    if (event.type !== 'message' || !event.quote?.content) return named
    const content = { ...event.quote.content, body: put(event.quote.content.body) }
    return { ...named, quote: { ...event.quote, content } }
  })
}

/** `told`: the provider says that this is somebody, so no such digits are shown. */
interface Mentioned extends MentionedPerson {
  readonly isCertain: boolean
}

/** By the digits in the words. Where the provider does not tell, what may be an address in a group is looked up. */
function findMentions({ body, chat, mentions = [] }: Wordy): Map<string, Mentioned> {
  const found = new Map<string, Mentioned>()
  for (const one of mentions)
    for (const address of [one.jid, one.pn, one.lid])
      if (address) found.set(stripAddress(address), { ...one, isCertain: true })
  if (!chat.group || body === null) return found
  for (const [, digits = ''] of body.matchAll(MENTION_TOKENS))
    if (!found.has(digits) && digits.length >= 10)
      found.set(digits, { ...readMentionedDigits(digits), isCertain: false })
  return found
}

/** What the desk calls somebody, else what the provider does, else the number. */
async function readNames({ tx, connection }: InboxBatch, people: readonly Mentioned[]) {
  const names = people.flatMap(one => toIdentities(one))
  const sql = getSql(tx)
  const [contacts, [own]] = await Promise.all([
    sql<{ kind: string; value: string; name: string }[]>`
      select i.kind, i.value, c.name from contact_identity i join contact c on c.id = i.contact_id
      where (i.kind, i.value) in (select * from unnest(${names.map(one => one.kind)}::text[], ${names.map(one => one.value)}::text[]))`,
    sql<{ name: string }[]>`select name from whatsapp where id = ${connection.id}`,
  ])
  const byAddress = new Map(contacts.map(row => [`${row.kind}:${row.value}`, row.name]))
  return (one: Mentioned): string | null => {
    if (one.isSelf && own) return own.name
    const desk = toIdentities(one).flatMap(({ kind, value }) => byAddress.get(`${kind}:${value}`) ?? [])
    // A contact without a name is called by its number.
    const name = [...desk, one.name ?? ''].map(text => text.trim()).find(text => /[^\d\s+()-]/.test(text))
    return name ?? (one.isCertain && one.pn ? formatPhone(one.pn) : null)
  }
}
