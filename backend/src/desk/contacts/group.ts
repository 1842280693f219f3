// Who is in a group: asked of the connection that is in it, and matched with the contacts we know.
import { type GroupInfo, type GroupParticipant, listPhoneVariants } from '@balcao/contract'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { visibleTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toIdentities } from './names.ts'

/** What an owner's process answers; it came through a row of JSON. */
const Member = Type.Object({
  jid: Type.String(),
  pn: Type.Optional(Type.String()),
  lid: Type.Optional(Type.String()),
  group: Type.Boolean(),
  name: Type.Optional(Type.String()),
  admin: Type.Optional(Type.Boolean()),
})
type Member = Static<typeof Member>
const Answer = Type.Object({
  subject: Type.String(),
  desc: Type.Optional(Type.String()),
  members: Type.Array(Member),
})

/**
 * Participants and description of a group. Throws `ERR_NO_CONTACT_FOUND`, `ERR_NO_PERMISSION` to whom none of its tickets is
 * visible, `ERR_WAPP_NOT_INITIALIZED` while its connection is down, `ERR_FETCH_GROUP` when the provider does not tell.
 */
export async function loadGroupInfo(parts: Parts, session: Session, contactId: number): Promise<GroupInfo> {
  const { whatsappId, jid, number } = await whereItIs(parts.db, session, contactId)
  const answer: unknown = await parts.supervisor.ask(whatsappId, 'group', jid)
  if (!Value.Check(Answer, answer)) throw new AppError('ERR_FETCH_GROUP')
  const own = new Set(listPhoneVariants(number))
  const known = await findMemberContacts(parts.db, answer.members)
  const participants = answer.members.map((member, at): GroupParticipant => {
    const contact = known.get(at)
    const phone = contact?.number ?? member.pn ?? null
    return {
      id: member.jid,
      name: contact?.name || member.name || '',
      number: phone,
      contactId: contact?.id ?? null,
      profilePicUrl: contact?.picture ?? null,
      isAdmin: member.admin ?? false,
      isMe: phone !== null && own.has(phone),
    }
  })
  return { subject: answer.subject, desc: answer.desc ?? '', participants: participants.sort(adminsFirst) }
}

interface GroupAddress {
  readonly whatsappId: number
  readonly jid: string
  /** The connection's own number, or nothing. */
  readonly number: string
}

/** A connected connection with a ticket of the group that the viewer may see. */
async function whereItIs(db: Db, { viewer, settings }: Session, contactId: number): Promise<GroupAddress> {
  const sql = getSql(db)
  const [group] = await sql<{ jid: string }[]>`
    select i.value as jid from contact c join contact_identity i on i.contact_id = c.id and i.kind = 'group'
    where c.id = ${contactId} and c.is_group limit 1`
  if (!group) throw new AppError('ERR_NO_CONTACT_FOUND')
  const [place] = await sql<{ id: number; number: string | null; status: string }[]>`
    select w.id, w.number, w.status from ticket t join whatsapp w on w.id = t.whatsapp_id
    where t.contact_id = ${contactId} and w.deleted_at is null and ${visibleTicketsSql(sql, viewer, settings)}
    order by (w.status = 'CONNECTED') desc, t.id desc limit 1`
  if (!place) throw new AppError('ERR_NO_PERMISSION')
  if (place.status !== 'CONNECTED') throw new AppError('ERR_WAPP_NOT_INITIALIZED')
  return { whatsappId: place.id, jid: group.jid, number: place.number ?? '' }
}

interface KnownMember {
  readonly id: number
  readonly name: string
  readonly number: string | null
  readonly picture: string | null
}

/** The contacts the members are known as, by their place in the list; one statement however many. */
async function findMemberContacts(db: Db, members: readonly Member[]): Promise<Map<number, KnownMember>> {
  const names = members.flatMap((member, at) =>
    toIdentities({ ...member, group: false }).map(name => ({ ...name, at })),
  )
  if (names.length === 0) return new Map()
  const rows = await getSql(db)<(KnownMember & { at: number })[]>`
    select distinct on (n.at) n.at, c.id, c.name, c.number, c.profile_pic_url as picture
    from unnest(${names.map(name => name.at)}::int[], ${names.map(name => name.kind)}::text[], ${names.map(name => name.value)}::text[]) as n(at, kind, value)
      join contact_identity i on i.kind = n.kind and i.value = n.value join contact c on c.id = i.contact_id
    order by n.at, c.id`
  return new Map(rows.map(row => [row.at, row]))
}

function adminsFirst(a: GroupParticipant, b: GroupParticipant): number {
  if (a.isAdmin !== b.isAdmin) return a.isAdmin ? -1 : 1
  const [first, second] = [a.name || `~${a.number}`, b.name || `~${b.number}`]
  return first.localeCompare(second, 'pt')
}
