// Members of a group whom a text of ours names: the channel gets their addresses, everybody here reads their names.
import { extractMemberDigits, type GroupParticipant, isComment, LIMITS, nameMember } from '@balcao/contract'
import { MENTION_TOKENS, NAMELESS, readAddress } from '../../platform/channel/addresses.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadGroupInfo } from '../contacts/group.ts'
import { getTicket } from '../tickets/get.ts'
import type { NamedMembers } from './content.ts'
import { putMemberNames, toMemberAddresses } from './member-names.ts'
import type { NamedMember } from './table.ts'

/**
 * Whom a text in a group's ticket names, of those with these ids; who does not stand in it is not named. Throws `ERR_VALIDATION` for
 * who is not in the group, in a comment and outside of groups, else as `getTicket` and `loadGroupInfo` do.
 */
export async function resolveMemberMentions(
  parts: Parts,
  session: Session,
  ticketId: number,
  { body, ids }: { readonly body: string; readonly ids: readonly string[] },
): Promise<NamedMembers> {
  const { isGroup, contactId } = await getTicket(parts.db, session, ticketId)
  if (!isGroup || isComment(body)) throw createFieldError('mentions', 'call.mentions')
  const { participants } = await loadGroupInfo(parts, session, contactId)
  const wanted = new Set(ids)
  const members = new Map(
    participants.filter(({ id }) => wanted.has(id)).map(member => [extractMemberDigits(member.id), member]),
  )
  if (members.size < wanted.size) throw createFieldError('mentions', 'call.mentions')
  const addressed = [...new Set([...body.matchAll(MENTION_TOKENS)].map(([, digits = '']) => digits))]
  const called = addressed.flatMap(digits => members.get(digits) ?? [])
  const named = called.map(toNamedMember)
  if (putMemberNames(body, named).length > LIMITS.textLength) throw createFieldError('body', 'call.message')
  return { members: named, mentions: called.map(({ id }) => id) }
}

/** What the desk calls somebody is looked up whenever it is wanted; what the group does is kept. */
function toNamedMember(member: GroupParticipant): NamedMember {
  const { id, name, number, contactId } = member
  const digits = extractMemberDigits(id)
  const pn = number ?? undefined
  const addresses = toMemberAddresses({ ...readAddress(id), ...(pn && { pn }) })
  const own = { ...(contactId === null && name && { name }), ...(pn && { pn }) }
  return { digits, addresses, ...own, isCertain: true, shown: nameMember(member, NAMELESS) }
}
