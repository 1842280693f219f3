// Members of a group whom a text of ours names: the channel gets their addresses, everybody here reads their names.
import { extractMemberDigits, isComment, LIMITS, nameMember } from '@balcao/contract'
import { MENTION_TOKENS, NAMELESS } from '../../platform/channel/addresses.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadGroupInfo } from '../contacts/group.ts'
import { getTicket } from '../tickets/get.ts'
import type { NamedMembers } from './content.ts'

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
  const named = new Set<string>()
  const shown = body.replace(MENTION_TOKENS, (token, digits: string) => {
    const member = members.get(digits)
    if (!member) return token
    named.add(member.id)
    return `@${nameMember(member, NAMELESS)}`
  })
  if (shown.length > LIMITS.textLength) throw createFieldError('body', 'call.message')
  return { shown, mentions: [...named] }
}
