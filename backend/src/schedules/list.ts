// Reading scheduled sends, what they did, and how many they would reach.
import type { AnswerOf, QueryOf, Schedule, ScheduleLog } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { isoOf, sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { pageBounds, pageOf } from '../http/paging.ts'
import { conversationOf } from '../messages/conversation.ts'
import type { Session } from '../sessions/authenticate.ts'
import { checkRecipients, checkScheduler, maySeeSchedule, type Recipients } from './access.ts'
import { idsOf } from './form.ts'
import { loadSchedules } from './present.ts'

const PAGE = 20
const MOST_LOGS = 200

/** A page of those the viewer may see; of one contact those that name it. */
export async function listSchedules(
  db: Db,
  session: Session,
  query: QueryOf<'GET /agendamento'>,
): Promise<AnswerOf<'GET /agendamento'>> {
  checkScheduler(session)
  const { viewer } = session
  const { after, limit } = pageBounds(query, query.limit ?? PAGE, PAGE)
  const sql = sqlOf(db)
  const rows = await sql<{ id: number }[]>`
    select s.id from schedule s
    where ${viewer.profile === 'user' ? sql`s.user_id = ${viewer.id}` : sql`true`}
      ${query.contactId === undefined ? sql`` : sql`and s.id in (select schedule_id from schedule_contact where contact_id = ${query.contactId})`}
      ${after ? sql`and s.id < ${after.id}` : sql``}
    order by s.id desc nulls last limit ${limit + 1}`
  const { ids, ...page } = pageOf(rows, limit)
  return { agendamentos: await loadSchedules(db, ids), count: ids.length, ...page }
}

/** Throws `ERR_NO_SCHEDULE_FOUND`, also for one that is another's. */
export async function getSchedule(db: Db, session: Session, id: number): Promise<Schedule> {
  checkScheduler(session)
  const [schedule] = await loadSchedules(db, [id])
  if (!schedule || !maySeeSchedule(session.viewer, schedule)) throw new AppError('ERR_NO_SCHEDULE_FOUND')
  return schedule
}

/** What runs did in the conversation a ticket belongs to, newest first. Throws as reading the conversation does. */
export async function logsOfTicket(db: Db, session: Session, ticketId: number): Promise<ScheduleLog[]> {
  checkScheduler(session)
  const { contactId, ticketIds } = await conversationOf(db, session, ticketId)
  const rows = await sqlOf(db)<LogRow[]>`
    select l.id, l.body, l.was_send, l.created_at, s.id as schedule_id, s.title, s.message
    from schedule_log l join schedule s on s.id = l.schedule_id
    where l.contact_id = ${contactId} and (l.ticket_id is null or l.ticket_id = any(${[...ticketIds]}::int[]))
    order by l.id desc nulls last limit ${MOST_LOGS}`
  return rows.map(row => ({
    id: Number(row.id),
    body: row.body,
    wasSend: row.was_send,
    createdAt: isoOf(row.created_at),
    agendamento: { id: row.schedule_id, title: row.title, message: row.message },
  }))
}

interface LogRow {
  id: string
  body: string
  was_send: boolean
  created_at: string
  schedule_id: number
  title: string
  message: string
}

/** How many contacts a send would go to; those who want none are not counted (decisions §6). */
export async function countRecipients(
  db: Db,
  session: Session,
  query: QueryOf<'GET /agendamento/count'>,
): Promise<{ count: number }> {
  checkScheduler(session)
  const recipients: Recipients = {
    allContacts: query.allContacts === 'true',
    contactsIds: idsOf(query.contactsIds ?? '', 'contactsIds'),
    tagsIds: idsOf(query.tagsIds ?? '', 'tagsIds'),
  }
  await checkRecipients(db, session, recipients)
  const sql = sqlOf(db)
  const chosen = recipients.allContacts
    ? sql`not c.is_group`
    : sql`(c.id = any(${[...recipients.contactsIds]}::int[])
        or c.id in (select contact_id from contact_tag where tag_id = any(${[...recipients.tagsIds]}::int[])))`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from contact c
    where c.merged_into is null and c.opted_out_at is null and ${chosen}`
  return { count: row?.count ?? 0 }
}
