// Reading scheduled sends, what they did, and how many they would reach.
import type { AnswerOf, QueryOf, Schedule, ScheduleLog } from '@balcao/contract'
import { and, desc, eq, inArray, isNull, ne, or } from 'drizzle-orm'
import { maySeeSchedule } from '../access/schedules.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { pageBounds, pageOf } from '../http/paging.ts'
import { idListOf } from '../http/validate.ts'
import { conversationOf } from '../messages/conversation.ts'
import { chosenContacts } from '../sends/freeze.ts'
import { type Recipients, sendRecipients, sends } from '../sends/table.ts'
import type { Session } from '../sessions/authenticate.ts'
import { checkRecipients, checkScheduler } from './access.ts'
import { loadSchedules } from './present.ts'
import { schedules } from './table.ts'

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
export async function getSchedule(db: Db | Tx, session: Session, id: number): Promise<Schedule> {
  checkScheduler(session)
  const [schedule] = await loadSchedules(db, [id])
  if (!schedule || !maySeeSchedule(session.viewer, schedule)) throw new AppError('ERR_NO_SCHEDULE_FOUND')
  return schedule
}

/** What runs did in the conversation a ticket belongs to, newest first. Throws as reading the conversation does. */
export async function logsOfTicket(db: Db, session: Session, ticketId: number): Promise<ScheduleLog[]> {
  checkScheduler(session)
  const { contactId, ticketIds } = await conversationOf(db, session, ticketId)
  const here = or(isNull(sendRecipients.ticketId), inArray(sendRecipients.ticketId, [...ticketIds]))
  const rows = await db
    .select({
      id: sendRecipients.id,
      body: sends.body,
      state: sendRecipients.state,
      createdAt: sendRecipients.at,
      agendamento: { id: schedules.id, title: schedules.title, message: schedules.message },
    })
    .from(sendRecipients)
    .innerJoin(sends, eq(sends.id, sendRecipients.sendId))
    .innerJoin(schedules, eq(schedules.id, sends.scheduleId))
    .where(and(eq(sendRecipients.contactId, contactId), ne(sendRecipients.state, 'waiting'), here))
    .orderBy(desc(sendRecipients.id))
    .limit(MOST_LOGS)
  return rows.map(({ state, ...row }) => ({ ...row, wasSend: state === 'handed' }))
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
    contactsIds: idListOf(query.contactsIds ?? '', 'contactsIds'),
    tagsIds: idListOf(query.tagsIds ?? '', 'tagsIds'),
  }
  await checkRecipients(db, session, recipients)
  const sql = sqlOf(db)
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from contact c
    where c.merged_into is null and c.opted_out_at is null and ${chosenContacts(sql, recipients)}`
  return { count: row?.count ?? 0 }
}
