// What the members of a group are called in a text that names them: asked when it comes, and again whenever one of them is called otherwise.
import { formatPhone, LIMITS, writeMemberMentions } from '@balcao/contract'
import { MENTION_TOKENS, NAMELESS } from '../../platform/channel/addresses.ts'
import type { Peer } from '../../platform/channel/driver.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toIdentities } from '../contacts/names.ts'
import type { MemberMentions, NamedMember } from './table.ts'

/** As many as a group of WhatsApp has. */
export const MOST_MEMBERS = 1024

/** All that the networks call somebody, as `message_member` has it. */
export function toMemberAddresses(peer: Peer): string[] {
  return toIdentities(peer).map(({ kind, value }) => `${kind}:${value}`)
}

/** The same lists, each with what it is called now: as the desk does, else as the group does, else by number, else nobody; never by a hidden id. */
export async function nameMembers(
  db: Db | Tx,
  lists: readonly (readonly NamedMember[])[],
): Promise<readonly NamedMember[][]> {
  const addresses = [...new Set(lists.flat().flatMap(member => member.addresses))]
  const known = new Map((await findContacts(db, addresses)).map(contact => [contact.address, contact]))
  return lists.map(members =>
    members.map(({ shown: _, ...member }) => {
      const shown = chooseName(
        member,
        member.addresses.flatMap(address => known.get(address) ?? []),
      )
      return shown === null ? member : { ...member, shown }
    }),
  )
}

interface MemberContact {
  readonly address: string
  readonly name: string
  readonly number: string | null
}

async function findContacts(db: Db | Tx, addresses: readonly string[]): Promise<readonly MemberContact[]> {
  if (addresses.length === 0) return []
  return getSql(db)<MemberContact[]>`
    select x.address, c.name, c.number from unnest(${[...addresses]}::text[]) as x(address)
      join contact_identity i on i.kind = split_part(x.address, ':', 1) and i.value = substr(x.address, position(':' in x.address) + 1)
      join contact c on c.id = i.contact_id`
}

function chooseName({ name = '', pn, isCertain }: NamedMember, contacts: readonly MemberContact[]): string | null {
  // A contact without a name is called by its number.
  const called = [...contacts.map(contact => contact.name), name].find(each => /[^\d\s+()-]/.test(each))
  if (called !== undefined) return called.replace(/\s+/g, ' ').trim()
  if (!isCertain) return null
  const phone = pn ?? contacts.find(({ number }) => number)?.number
  return phone ? formatPhone(phone) : NAMELESS
}

/** A text with names in place of the digits. */
export function putMemberNames(text: string, members: readonly NamedMember[]): string {
  const named = new Map(members.map(({ digits, shown }) => [digits, shown]))
  return text.replace(MENTION_TOKENS, (token, digits: string) => {
    const name = named.get(digits)
    return name === undefined ? token : `@${name}`
  })
}

/** The same, unless it would be too long. Nobody means a text of a megabyte: who writes one wants it to be too much for somebody. */
export function renderMemberNames(text: string, members: readonly NamedMember[]): string {
  const rendered = putMemberNames(text, members)
  return rendered.length <= Math.max(text.length, LIMITS.textLength) ? rendered : text
}

/** Of new words in place of a text that named members: whom they name still, by the names they were called by; null for nobody. */
export function rewriteMemberMentions(words: string, { members }: MemberMentions): MemberMentions | null {
  const called = members.flatMap(({ digits, shown }) => (shown === undefined ? [] : [{ id: digits, name: shown }]))
  const { body: text, mentions } = writeMemberMentions(words, called)
  const named = members.filter(({ digits }) => mentions.includes(digits))
  return named.length === 0 ? null : { text, members: named }
}
