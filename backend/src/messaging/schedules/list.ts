// Reading scheduled sends, what they did, and how many they would reach.
import type { QueryParams, ResponseBody, Schedule, ScheduleLog, ScheduleLogRow } from '@balcao/contract'
import { and, desc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { resolveConversation } from '../../desk/messages/conversation.ts'
import { messages } from '../../desk/messages/table.ts'
import { toSendError } from '../../platform/channel/send-errors.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { parsePageBounds, toPage } from '../../platform/http/paging.ts'
import { parseIdList } from '../../platform/http/validate.ts'
import { canSeeSchedule } from '../../policy/access/schedules.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkRecipients } from '../sends/access.ts'
import { countReached } from '../sends/preview.ts'
import { recipientStateSql as recipientState } from '../sends/recipients.ts'
import { type Recipients, sendRecipients, sends } from '../sends/table.ts'
import { checkScheduler, isOwnScheduleSql } from './access.ts'
import { loadSchedules } from './present.ts'
import { scheduleContacts, schedules } from './table.ts'

const PAGE = 20
const LOGS_PAGE = 40
const MOST_LOGS = 200

/** A page of those the viewer may see, in which the search stands; of one contact those that name it. */
export async function listSchedules(
  db: Db,
  session: Session,
  query: QueryParams<'GET /agendamento'>,
): Promise<ResponseBody<'GET /agendamento'>> {
  checkScheduler(session)
  const { after, limit } = parsePageBounds(query, query.limit ?? PAGE, PAGE)
  const found = searchCondition(db, session, query)
  const rows = await db
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(found, after ? lt(schedules.id, after.id) : undefined))
    .orderBy(desc(schedules.id))
    .limit(limit + 1)
  const { ids, ...page } = toPage(rows, limit)
  return { agendamentos: await loadSchedules(db, ids), count: await db.$count(schedules, found), ...page }
}

function searchCondition(
  db: Db,
  { viewer }: Session,
  { contactId, recurrence, searchParam }: QueryParams<'GET /agendamento'>,
): SQL | undefined {
  const { id, searchText } = schedules
  const search = searchParam?.trim() ?? ''
  const { scheduleId, contactId: named } = scheduleContacts
  const ofContact = db.select({ id: scheduleId }).from(scheduleContacts)
  // Who was merged into another one left its schedules there.
  const present = sql`coalesce((select merged_into from contact where id = ${contactId ?? null}), ${contactId ?? null})`
  return and(
    viewer.profile === 'user' || viewer.id < 0 ? isOwnScheduleSql(viewer) : undefined,
    contactId === undefined ? undefined : inArray(id, ofContact.where(eq(named, present))),
    recurrence && eq(schedules.recurrence, recurrence),
    search === '' ? undefined : sql`${searchText} like f_like(${search})`,
  )
}

/** Throws `ERR_NO_SCHEDULE_FOUND`, also for one that is another's. */
export async function getSchedule(db: Db | Tx, session: Session, id: number): Promise<Schedule> {
  checkScheduler(session)
  const [schedule] = await loadSchedules(db, [id])
  if (!schedule || !canSeeSchedule(session.viewer, schedule)) throw new AppError('ERR_NO_SCHEDULE_FOUND')
  return schedule
}

/** What runs did in the conversation a ticket belongs to, newest first. Throws as reading the conversation does. */
export async function listTicketLogs(db: Db, session: Session, ticketId: number): Promise<ScheduleLog[]> {
  checkScheduler(session)
  const { contactId, ticketIds } = await resolveConversation(db, session, ticketId)
  const { viewer } = session
  const there = inArray(sendRecipients.ticketId, [...ticketIds])
  // Of others' sends an attendant knows what stands in the conversation, and no more.
  const here =
    viewer.profile === 'user'
      ? or(
          and(eq(sendRecipients.state, 'handed'), there),
          and(isNull(sendRecipients.ticketId), eq(schedules.userId, viewer.id)),
        )
      : or(isNull(sendRecipients.ticketId), there)
  const rows = await db
    .select({
      id: sendRecipients.id,
      body: sends.body,
      sentBody: messages.body,
      state: sendRecipients.state,
      createdAt: sendRecipients.at,
      userId: schedules.userId,
      agendamento: { id: schedules.id, title: schedules.title, message: schedules.message },
    })
    .from(sendRecipients)
    .innerJoin(sends, eq(sends.id, sendRecipients.sendId))
    .innerJoin(schedules, eq(schedules.id, sends.scheduleId))
    .leftJoin(messages, eq(messages.id, sendRecipients.messageId))
    .where(and(eq(sendRecipients.contactId, contactId), ne(sendRecipients.state, 'waiting'), here))
    .orderBy(desc(sendRecipients.id))
    .limit(MOST_LOGS)
  return rows.map(({ state, sentBody: said, userId, ...row }) => {
    const wasSend = state === 'handed'
    if (canSeeSchedule(viewer, { userId })) return { ...row, body: said ?? row.body, wasSend }
    const body = said ?? ''
    return { ...row, body, wasSend, agendamento: { id: row.agendamento.id, title: '', message: body } }
  })
}

/** What its runs did, contact by contact, newest first. Throws `ERR_NO_SCHEDULE_FOUND`. */
export async function listScheduleLogs(
  db: Db,
  session: Session,
  id: number,
  query: QueryParams<'GET /agendamento/logs/:id'>,
): Promise<ResponseBody<'GET /agendamento/logs/:id'>> {
  await getSchedule(db, session, id)
  const { after, limit } = parsePageBounds(query, query.limit ?? LOGS_PAGE, LOGS_PAGE)
  const sql = getSql(db)
  const theirs = sql`r.send_id in (select id from send where schedule_id = ${id}
    ${query.runId === undefined ? sql`` : sql`and id = ${query.runId}`}) and r.state <> 'waiting'`
  const rows = await sql<(Omit<ScheduleLogRow, 'wasSend'> & { code: string | null })[]>`
    select r.id::float8 as id, json_build_object('id', c.id, 'name', c.name, 'number', c.number) as contact,
      coalesce(m.body, s.body) as body, ${recipientState(sql)} as state, r.reason,
      case when m.state = 'failed' then m.error_log->>'code' end as code, r.message_id::float8 as "messageId",
      r.send_id as "runId", r.at as "createdAt"
    from send_recipient r join send s on s.id = r.send_id join contact c on c.id = r.contact_id left join message m on m.id = r.message_id
    where ${theirs} ${after ? sql`and (r.at, r.id) < (${after.text}::timestamptz, ${after.id}::bigint)` : sql``}
    order by r.at desc nulls last, r.id desc nulls last limit ${limit + 1}`
  const [counted] = await sql<{ count: number }[]>`select count(*)::int as count from send_recipient r where ${theirs}`
  const { ids: _, ...page } = toPage(rows, limit, row => row.createdAt)
  const logs = rows.slice(0, limit).map(({ code, ...row }) => ({
    ...row,
    reason: code === null ? row.reason : toSendError(code),
    wasSend: row.state !== 'excluded' && row.state !== 'failed',
  }))
  return { logs, count: counted?.count ?? 0, ...page }
}

/** How many contacts a send would go to; those who want none are not counted (decisions §6). */
export async function countRecipients(
  db: Db,
  session: Session,
  query: QueryParams<'GET /agendamento/count'>,
): Promise<{ count: number }> {
  checkScheduler(session)
  const recipients: Recipients = {
    allContacts: query.allContacts === 'true',
    contactsIds: parseIdList(query.contactsIds ?? '', 'contactsIds'),
    tagsIds: parseIdList(query.tagsIds ?? '', 'tagsIds'),
  }
  await checkRecipients(db, session, recipients)
  const isOne = !recipients.allContacts && recipients.contactsIds.length === 1 && recipients.tagsIds.length === 0
  const exclusions = { whatsappId: null, onlyWhoWrote: false, hasTemplate: true, isConversation: isOne }
  const { count } = await countReached(db, recipients, exclusions)
  return { count }
}
