// How a person is found in text: by numbers and addresses, never by a name alone. A name is others' too ('Bom dia' is one on WhatsApp), a
// number is nobody else's.
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import type { Traces } from './table.ts'

/** Fewer digits may be anything. */
const FEWEST = 8
/** What stands between the digits of a number that people write. */
const BETWEEN = '[ ().+/-]{0,3}'
/** Old addresses of groups begin with the number of who made them; without that the group would be lost. */
const NO_GROUP = '(?!-[0-9]{10})'
/** Finds nothing. */
export const NOTHING = '$.'

/** Everything a contact, and those merged into it, is found by. What another contact or a connection has by now stays theirs. */
export async function tracesOf(tx: Tx, contactId: number): Promise<Traces> {
  const sql = sqlOf(tx)
  const contacts = await sql<{ id: number; name: string; number: string | null; email: string }[]>`
    select id, name, number, email from contact where id = ${contactId} or merged_into = ${contactId} order by id`
  const contactIds = contacts.map(({ id }) => id)
  const addresses = await sql<{ value: string }[]>`
    select value from contact_identity where contact_id = any(${contactIds}::int[])
    union select jid from contact_channel where contact_id = any(${contactIds}::int[])`
  const said = [
    ...contacts.flatMap(({ number, email }) => [number ?? '', email]),
    ...addresses.map(({ value }) => value),
  ]
  const values = [...new Set(said.map(bare).filter(value => value !== ''))]
  const others = await sql<{ value: string }[]>`
    select value from contact_identity where value = any(${values}::text[]) and contact_id <> all(${contactIds}::int[])
    union select number from contact where number = any(${values}::text[]) and id <> all(${contactIds}::int[]) and number is not null
    union select number from whatsapp where number = any(${values}::text[]) and number is not null
    union select known_number from whatsapp where known_number = any(${values}::text[]) and known_number is not null`
  const theirs = new Set(others.map(({ value }) => value))
  const [last] = await sql<{ id: number }[]>`select id::float8 as id from live_event order by id desc limit 1`
  return {
    contactIds,
    names: [...new Set(contacts.map(({ name }) => name).filter(name => name.trim() !== ''))],
    pattern: patternOf(values.filter(value => !theirs.has(value))),
    lastEvent: last?.id ?? 0,
  }
}

/** A regular expression, the same for Postgres and here, that finds any of these and none that only begin or end alike. */
export function patternOf(values: readonly string[]): string {
  const each = [...new Set(values.flatMap(value => formsOf(value)))]
  return each.length > 0 ? each.join('|') : NOTHING
}

/** A text without what a pattern finds, nor one of these names. */
export function without(text: string, { names, pattern }: Pick<Traces, 'names' | 'pattern'>): string {
  const unnamed = names.reduce((left, name) => left.replaceAll(name, '…'), text)
  return pattern === NOTHING ? unnamed : unnamed.replace(new RegExp(pattern, 'g'), '…')
}

/** An address without its server and device: `5531999990000:12@s.whatsapp.net`. */
function bare(address: string): string {
  const mail = address.includes('@') && !/@(s\.whatsapp\.net|c\.us|lid|g\.us|bsuid)$/.test(address)
  return mail ? address : address.replace(/@.*$/, '').replace(/:\d+$/, '')
}

function formsOf(value: string): string[] {
  if (!/^\d+$/.test(value)) return value.length < 6 ? [] : [`(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`]
  if (value.length < FEWEST) return []
  // Brazilian mobile numbers are written with and without the ninth digit, the country and the trunk.
  const [, area, own] = /^55(\d\d)9?(\d{8})$/.exec(value) ?? []
  const written =
    area && own ? `0?(?:55${BETWEEN})?${spaced(area)}${BETWEEN}(?:9${BETWEEN})?${spaced(own)}` : spaced(value)
  return [`(?<![0-9])[+(]{0,2}${written}(?![0-9])${NO_GROUP}`]
}

function spaced(digits: string): string {
  return [...digits].join(BETWEEN)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
