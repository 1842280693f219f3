// Members of a group whom a message names: people read names, WhatsApp wants the digits of an address behind the `@`.
import type { GroupParticipant } from '../contacts/group.ts'
import { formatPhone } from '../contacts/phone.ts'
import { stripDirectionMarks } from '../kit/validation.ts'
import { splitCalledNames } from './comments.ts'

export interface MemberMention {
  /** The provider's address of the member. */
  readonly id: string
  /** As it stands in the text. */
  readonly name: string
}

/** What a member is called in a text: by name, else by number, else `nobody`, never by a hidden id. */
export function nameMember({ name, number }: Pick<GroupParticipant, 'name' | 'number'>, nobody: string): string {
  const known = stripDirectionMarks(name).replace(/\s+/g, ' ').trim()
  // A contact without a name is called by its number.
  if (/[^\d\s+()-]/.test(known)) return known
  return number ? formatPhone(number) : nobody
}

/** The digits that stand for a member in a text. */
export function extractMemberDigits(id: string): string {
  return id.replace(/[:@].*$/, '')
}

/**
 * A text as it is sent, and whom it names. Of members with one name the first is meant where it stands first.
 * @example writeMemberMentions('@Rui vem?', [{ id: '159@lid', name: 'Rui' }]) // { body: '@159 vem?', mentions: ['159@lid'] }
 */
export function writeMemberMentions(text: string, members: readonly MemberMention[]) {
  const left = [...members]
  const named = new Set<string>()
  const names = members.map(({ name }) => name)
  const pieces = splitCalledNames(text, names).map((piece, at) => {
    if (at % 2 === 0) return piece
    const [member, next] = left.filter(({ name }) => piece === `@${name}`)
    if (!member) return piece
    if (next) left.splice(left.indexOf(member), 1)
    named.add(member.id)
    return `@${extractMemberDigits(member.id)}`
  })
  return { body: pieces.join(''), mentions: [...named] }
}
