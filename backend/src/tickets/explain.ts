// Why somebody may or may not see a ticket, in the words of the one policy that decides it (decisions §4).
import { type AnswerOf, explainTicket, type Profile, type Viewer } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/authenticate.ts'
import { ticketView } from './present.ts'

/** Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_USER_FOUND`. */
export async function explainAccess(
  db: Db,
  session: Session,
  ticketId: number,
  userId: number,
): Promise<AnswerOf<'GET /tickets/:id/access'>> {
  const view = await ticketView(db, ticketId)
  const person = await personOf(db, userId, session.viewer.id)
  const verdict = person.active
    ? explainTicket(person, view.facts, session.settings)
    : { allowed: false, rule: 'inactive' as const }
  const { id, name, profilePicUrl } = person
  return {
    ...verdict,
    user: { id, name, profilePicUrl },
    queue: view.ticket.queue?.name ?? null,
    assignedTo: view.ticket.user?.name ?? null,
  }
}

interface Person extends Viewer {
  readonly name: string
  readonly profile: Profile
  readonly profilePicUrl: string | null
  readonly active: boolean
}

async function personOf(db: Db, userId: number, viewerId: number): Promise<Person> {
  const [row] = await sqlOf(db)<Person[]>`
    select u.id, u.name, u.profile, u.profile_pic_url as "profilePicUrl", u.active,
      array(select queue_id from user_queue where user_id = u.id order by queue_id) as "queueIds"
    from "user" u where u.id = ${userId} and u.deleted_at is null and (u.id <> 1 or ${viewerId} = 1)`
  if (!row) throw new AppError('ERR_NO_USER_FOUND')
  return row
}
