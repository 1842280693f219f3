// The business calendar in the database (docs/decisions/0224): its open spans as rows, and the working time of what was written before it
// was as it is.
import { type CalendarSettings, findClosing, getCalendar } from '@balcao/contract'
import { enqueueDueRefresh } from '../../desk/tickets/answer-due.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { runPiece } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { clearSettingsCache, readSettings } from '../../policy/settings/read.ts'
import { countDays, removeOldDays, startCounting } from './counting.ts'

/** Spans lie this far ahead, and are laid anew when half of it is left. */
const AHEAD_DAYS = 400
/** A batch is one short transaction: who changes one of its tickets waits for it. */
const BATCH = 500
const DAY_MS = 86_400_000
/** The job that keeps it, and how often it is tried before the next minute brings another. */
export const KEEP_CALENDAR = 'keep-calendar'
const ATTEMPTS = 3

interface StoredCalendar {
  readonly madeFrom: string
  readonly epoch: string
  readonly until: string
  readonly countedTo: number | null
}

/**
 * Lays the calendar of the settings where there is another one or none, from which on what happens is counted by it, and counts anew what
 * was by another one; a process that is killed meanwhile leaves the rest to the next.
 */
export async function refreshCalendar(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  // A copy from before the change would be laid for another minute.
  clearSettingsCache(db)
  const settings = await readSettings(db)
  await runInTransaction(db, tx => layCalendar(tx, settings, now))
  // First: other working times of all tickets are as many changes.
  await countDays(db, signal)
  // Who closed a period before it was counted has begun another one behind the end, by both calendars: so there is a second round.
  for (const isLast of [false, true]) {
    const [end] = await getSql(db)<{ id: number }[]>`select coalesce(max(id), 0)::float8 as id from ticket_span`
    for (let isDone = false; !isDone; ) {
      if (signal?.aborted) return
      isDone = await runPiece(db, tx => countSome(tx, end?.id ?? 0, isLast))
    }
  }
  await removeOldDays(db, signal)
}

/** Where these settings make another calendar than the one that is laid, it is laid as soon as they are stored, not with the next minute. */
export async function enqueueRecount(tx: Tx, settings: CalendarSettings): Promise<void> {
  const others = await getSql(tx)`select 1 from figure_calendar where made_from <> ${describeCalendar(settings)}`
  if (others.length > 0) await enqueueCalendar(tx)
}

function enqueueCalendar(tx: Tx): Promise<void> {
  return enqueueJob(tx, KEEP_CALENDAR, { key: KEEP_CALENDAR, attempts: ATTEMPTS, queue: KEEP_CALENDAR })
}

/** The calendar begins before `at`: it is laid anew from there, and working times are counted again. */
export async function layCalendarBack(tx: Tx, at: Date): Promise<void> {
  const epoch = new Date(Date.UTC(at.getUTCFullYear(), 0, 1)).toISOString()
  const later = await getSql(
    tx,
  )`update figure_calendar set epoch = ${epoch}, made_from = '' where epoch > ${epoch} returning 1`
  if (later.length > 0) await enqueueCalendar(tx)
}

/** Lays the spans where the settings are other ones or the end comes near. */
async function layCalendar(tx: Tx, settings: CalendarSettings, now: Date): Promise<void> {
  const sql = getSql(tx)
  await sql`select pg_advisory_xact_lock(hashtext('figure_calendar'))`
  const [stored] = await sql<StoredCalendar[]>`
    select made_from as "madeFrom", epoch, until, counted_to::float8 as "countedTo" from figure_calendar`
  const madeFrom = describeCalendar(settings)
  const isOther = stored?.madeFrom !== madeFrom
  if (!isOther && Date.parse(stored.until) - now.getTime() > (AHEAD_DAYS / 2) * DAY_MS) return
  const epoch = stored ? new Date(stored.epoch) : await oldest(tx, now)
  const until = new Date(now.getTime() + AHEAD_DAYS * DAY_MS)
  if (isOther) await startCounting(tx, settings.timezone, stored === undefined)
  // Who has stamped a period by the old spans is waited for, so that it is among what is counted anew.
  await sql`select pg_advisory_xact_lock(hashtext('work_span'))`
  await laySpans(tx, [...getCalendar(settings).spans(epoch, until)])
  await sql`
    insert into figure_calendar (id, made_from, timezone, epoch, until, counted_to)
    values (1, ${madeFrom}, ${settings.timezone}, ${epoch.toISOString()}, ${until.toISOString()}, 0)
    on conflict (id) do update set made_from = excluded.made_from, timezone = excluded.timezone, until = excluded.until,
      counted_to = case when ${isOther} then 0 else figure_calendar.counted_to end`
  // Also where none were known so far ahead.
  await enqueueDueRefresh(tx)
}

async function laySpans(tx: Tx, spans: readonly (readonly [number, number])[]): Promise<void> {
  let before = 0
  const rows = spans.map(([begins, ends]) => {
    const row = { begins: new Date(begins).toISOString(), ends: new Date(ends).toISOString(), before }
    before += ends - begins
    return row
  })
  const sql = getSql(tx)
  await sql`delete from work_span`
  await sql`
    insert into work_span (begins, ends, before)
    select begins::timestamptz, ends::timestamptz, before from unnest(${rows.map(row => row.begins)}::text[],
      ${rows.map(row => row.ends)}::text[], ${rows.map(row => row.before)}::bigint[]) as span (begins, ends, before)`
}

/** The first of January of the year in which the oldest ticket was opened. */
async function oldest(tx: Tx, now: Date): Promise<Date> {
  const [row] = await getSql(tx)<{ at: string | null }[]>`select min(begun_at) as at from ticket_span`
  return new Date(Date.UTC(new Date(row?.at ?? now).getUTCFullYear(), 0, 1))
}

/** Counts the working time of a batch of periods anew, and what they add up to. Whether all up to the end are counted. */
async function countSome(tx: Tx, end: number, isLast: boolean): Promise<boolean> {
  const sql = getSql(tx)
  const [state] = await sql<{ from: number | null }[]>`
    select counted_to::float8 as from from figure_calendar where id = 1 for update`
  if (!state || state.from === null) return true
  const [batch] = await sql<{ to: number | null; n: number }[]>`
    select max(id)::float8 as to, count(*)::int as n
    from (select id from ticket_span where id > ${state.from} and id <= ${end} order by id limit ${BATCH}) part`
  const to = batch?.n === BATCH ? (batch.to ?? end) : Math.max(end, state.from)
  // A period that ends before the calendar began has no working time.
  await sql`
    update ticket_span set begun_work = work_at(begun_at), ended_work = work_at(ended_at) where id > ${state.from} and id <= ${to}`
  await sql`
    insert into ticket_figure (span_id, ticket_id, kind, at, queue_id, user_id, whatsapp_id, work)
    select f.span_id, t.id, f.kind, f.at, f.queue_id, f.user_id, t.whatsapp_id, f.work
    from (select distinct ticket_id from ticket_span where id > ${state.from} and id <= ${to}) part join ticket t on t.id = part.ticket_id
      cross join lateral ticket_figures_of(t.id) f
    where f.span_id > ${state.from} and f.span_id <= ${to}
    on conflict (span_id, kind) do update set work = excluded.work where ticket_figure.work is distinct from excluded.work`
  await sql`update figure_calendar set counted_to = ${to >= end && isLast ? null : to} where id = 1`
  return to >= end
}

/** What a calendar is made from, as text. */
export function describeCalendar(settings: CalendarSettings): string {
  const {
    timezone,
    holidays,
    holidayDates,
    optionalHolidays,
    sunday,
    monday,
    tuesday,
    wednesday,
    thursday,
    friday,
    saturday,
  } = settings
  const days = [sunday, monday, tuesday, wednesday, thursday, friday, saturday]
  const { horarioAbertura, horarioAlmoco, horarioFimAlmoco } = settings
  const hours = [horarioAbertura, findClosing(settings), horarioAlmoco, horarioFimAlmoco]
  return JSON.stringify({ timezone, days, hours, holidays, holidayDates, optionalHolidays })
}
