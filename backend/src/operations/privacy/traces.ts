// How a person is found in text: by numbers and addresses, never by a name alone. A name is others' too ('Bom dia' is one on WhatsApp), a
// number is nobody else's.
import { extractDigits, listPhoneVariants } from '@balcao/contract/contacts/phone'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { PersonTraces } from './table.ts'

/** Fewer digits may be anything. */
const FEWEST = 8
/** Fewer digits are a number only when they stand together: with signs between them they are a date. */
const SPACED = 10
/** What stands between the digits of a number that people and their phones write: spaces and dashes of every kind, signs without a width. */
const BETWEEN = '[\\s\u00a0\u00ad\u2000-\u2015\u2028-\u202f\u2060\u2066-\u2069\u2212\ufeff().+/-]{0,6}'
/** Old addresses of groups begin with the number of who made them; without that the group would be lost. */
const NO_GROUP = '(?!-[0-9]{10})'
/** Where whole numbers are kept in JSON, with their country. */
const WHOLE =
  '"(?:wa_id|from|to|recipient_id|numbers?|knownAs|phone|user|participant|sender|kind": ?"(?:pn|former)", ?"value)": ?\\[?"'
/** A number without its country: in an address, in a field of addresses or behind a plus the same digits are of another country. */
const NATIONAL = { before: `(?<![0-9]|[+](?:[0-9]{1,3}[ -])?[( ]?|${WHOLE})`, after: '(?![0-9]|(?::[0-9]+)?@)' }
/** A new line in JSON is a backslash and a letter. */
const MAIL = { before: '(?:(?<![\\w.+-])|(?<=\\\\[nrt]))', after: '(?![\\w-]|[.]\\w)' }
/** Finds nothing. */
export const NOTHING = '$.'

/** Everything a contact, and those merged into it, is found by. What another contact or a connection has by now stays theirs. */
export async function collectTraces(tx: Tx, contactId: number): Promise<PersonTraces> {
  const sql = getSql(tx)
  const contacts = await sql<{ id: number; name: string; number: string | null; email: string }[]>`
    select id, name, number, email from contact where id = ${contactId} or merged_into = ${contactId} order by id`
  const contactIds = contacts.map(({ id }) => id)
  const addresses = await sql<{ value: string }[]>`
    select value from contact_identity where contact_id = any(${contactIds}::int[])
    union select jid from contact_channel where contact_id = any(${contactIds}::int[])`
  const texts = [
    ...contacts.flatMap(({ number, email }) => [number ?? '', email]),
    ...addresses.map(({ value }) => value),
  ]
  const values = [...new Set(texts.map(bare).filter(value => value !== ''))]
  const theirs = await ofOthers(tx, contactIds, values)
  const [last] = await sql<{ id: number }[]>`select id::float8 as id from live_event e order by e.id desc limit 1`
  return {
    contactIds,
    names: [...new Set(contacts.map(({ name }) => name).filter(name => name.trim() !== ''))],
    pattern: buildTracePattern(values, theirs),
    ...expandAddresses(values, theirs),
    lastEvent: last?.id ?? 0,
  }
}

/** What living contacts and the company's connections are known by, as far as these could be meant. */
async function ofOthers(tx: Tx, contactIds: readonly number[], values: readonly string[]): Promise<string[]> {
  const spelt = values.flatMap(listPhoneVariants)
  // Without the country a number may be somebody's abroad.
  const alike = [...spelt, ...spelt.map(value => value.replace(/^55/, ''))]
  const mails = values.map(value => value.toLowerCase())
  const others = await getSql(tx)<{ value: string }[]>`
    select value from contact_identity where value = any(${alike}::text[]) and contact_id <> all(${[...contactIds]}::int[])
    union select number from contact where number = any(${alike}::text[]) and id <> all(${[...contactIds]}::int[])
    union select email from contact where email <> '' and lower(email) = any(${mails}::text[]) and id <> all(${[...contactIds]}::int[])
      and merged_into is null
    union select number from whatsapp where number is not null
    union select known_number from whatsapp where known_number is not null`
  return others.flatMap(({ value }) => (/[a-z@]/i.test(value) ? [value] : listPhoneVariants(extractDigits(value))))
}

/** What columns of addresses hold of these, in every spelling; and an expression for keys that are made of them. */
export function expandAddresses(values: readonly string[], theirs: readonly string[] = []) {
  const all = values.filter(value => !value.includes('@') && value.length >= 6).flatMap(listPhoneVariants)
  const addresses = [...new Set(all.filter(value => !theirs.includes(value)))]
  const exact =
    addresses.length > 0 ? `(?<![A-Za-z0-9])(?:${addresses.map(escaped).join('|')})(?![A-Za-z0-9])${NO_GROUP}` : NOTHING
  return { addresses, exact }
}

/**
 * A regular expression, the same for Postgres and here, that finds any of these in text and none that only begin or end alike. What is also of
 * others is not looked for; nor a number without its country, where others have just that.
 */
export function buildTracePattern(values: readonly string[], theirs: readonly string[] = []): string {
  const ours = values.filter(value => !listPhoneVariants(value).some(each => theirs.includes(each)))
  const each = [...new Set(ours.flatMap(value => expandForms(value)))]
  const own = each.filter(form => {
    const whole = new RegExp(`^(?:${form})$`)
    return !theirs.some(other => whole.test(other))
  })
  return own.length > 0 ? own.join('|') : NOTHING
}

/** A text without what a pattern finds, nor one of these names. */
export function redactText(text: string, { names, pattern }: Pick<PersonTraces, 'names' | 'pattern'>): string {
  const unnamed = names.reduce((left, name) => left.replaceAll(name, '…'), text)
  return pattern === NOTHING ? unnamed : unnamed.replace(new RegExp(pattern, 'g'), '…')
}

/** An address without its server and device: `5531999990000:12@s.whatsapp.net`. */
function bare(address: string): string {
  const mail = address.includes('@') && !/@(s\.whatsapp\.net|c\.us|lid|g\.us|bsuid)$/.test(address)
  return mail ? address : address.replace(/@.*$/, '').replace(/:\d+$/, '')
}

function expandForms(value: string): string[] {
  if (value.includes('@')) return [`${MAIL.before}${[...value].map(anyCase).join('')}${MAIL.after}`]
  if (!/^\d+$/.test(value)) return value.length < 6 ? [] : [`(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`]
  if (value.length < FEWEST) return []
  if (value.length < SPACED) return [`(?<![0-9])${value}(?![0-9])${NO_GROUP}`]
  const [number = value, other] = listPhoneVariants(value).sort((one, two) => one.length - two.length)
  const [, area, own] = /^55(\d\d)(\d{8,9})$/.exec(number) ?? []
  if (!area || !own) return [`(?<![0-9])[+(]{0,2}${spaced(value)}(?![0-9])${NO_GROUP}`]
  // Brazilian numbers are written with and without the country and the trunk, those of mobiles with and without the ninth digit.
  const written = `${spaced(area)}${BETWEEN}${other ? `(?:9${BETWEEN})?` : ''}${spaced(own)}`
  return [
    `(?<![0-9])[+(]{0,2}0{0,2}55${BETWEEN}${written}(?![0-9])${NO_GROUP}`,
    `${NATIONAL.before}[(]?0?${written}${NATIONAL.after}${NO_GROUP}`,
  ]
}

/** Addresses of mail are written with capitals and without. */
function anyCase(sign: string): string {
  const [small, large] = [sign.toLowerCase(), sign.toUpperCase()]
  return small === large || small.length !== large.length ? escaped(sign) : `[${small}${large}]`
}

function spaced(digits: string): string {
  return [...digits].join(BETWEEN)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
