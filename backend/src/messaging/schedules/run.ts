// What is due begins: each run once, however many processes look. What it says and whom it is for are settled then (decisions §15).
import { findNextRun, getCalendar, type Rhythm, type Settings } from '@balcao/contract'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { type MediaStorage, type ReadStorage, toReadStorage } from '../../desk/media/storage.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { loadFileToSend } from '../../desk/media/to-send.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { findProgramViewer } from '../../policy/users/viewer.ts'
import { findSendConnection, lockConnection, type SendConnection } from '../sends/quota.ts'
import { snapshotRecipients } from '../sends/snapshot-recipients.ts'
import { notifyAdmins } from '../sends/stop.ts'
import { sends } from '../sends/table.ts'
import { lockScheduleRuns } from './lock.ts'
import { scheduleContacts, schedules, scheduleTags } from './table.ts'

const AT_ONCE = 100
/** What was due longer ago than this is not said any more: nobody was there for hours, and it may be wrong by now. */
const LATE_MS = 12 * 3_600_000

type Schedule = typeof schedules.$inferSelect
type DueSchedule = Pick<Schedule, 'id' | 'whatsappId' | 'mediaId' | 'nextRunAt'>
/** `later`: there is no room for it just now. */
type RunFile = FileToSend | 'gone' | 'later' | null

/** Begins what is due, and freezes for whom; gives how many began. Runs that were missed while nobody was there are one, now, or none. */
export async function startDueSchedules(place: MediaStorage): Promise<number> {
  const { db } = place
  const settings = await readSettings(db)
  let begun = 0
  // What has to wait for its file keeps none of those behind it.
  for (let due = await listDue(db); due.length > 0; due = await listDue(db, due.at(-1)))
    for (const schedule of due) if (await startSchedule(place, settings, schedule)) begun++
  await snapshotRecipients(db)
  return begun
}

const IS_DUE = and(lte(schedules.nextRunAt, sql`now()`), isNull(schedules.state))

function listDue(db: Db, after?: DueSchedule): Promise<DueSchedule[]> {
  const { id, whatsappId, mediaId, nextRunAt } = schedules
  const isBehind = after && sql`(${nextRunAt}, ${id}) > (${after.nextRunAt}::timestamptz, ${after.id}::int)`
  return db
    .select({ id, whatsappId, mediaId, nextRunAt })
    .from(schedules)
    .where(and(IS_DUE, isBehind))
    .orderBy(nextRunAt, id)
    .limit(AT_ONCE)
}

async function startSchedule(
  place: MediaStorage,
  settings: Settings,
  { id, whatsappId, mediaId, nextRunAt }: DueSchedule,
): Promise<boolean> {
  // It may have to come from afar: nobody waits for that in a transaction.
  const file = await loadRunFile(toReadStorage(place), mediaId)
  if (file === 'later' && !isLate(nextRunAt)) return false
  return runInTransaction(place.db, async tx => {
    const expected = await findSendConnection(tx, whatsappId)
    if (expected) await lockConnection(tx, expected.id)
    await lockScheduleRuns(tx, id)
    const [schedule] = await tx
      .select()
      .from(schedules)
      .where(and(eq(schedules.id, id), IS_DUE))
      .for('update')
    // One whose file was changed meanwhile begins with the next round.
    if (schedule?.mediaId !== mediaId || (file === 'later' && !isLate(schedule.nextRunAt))) return false
    const connection = await findSendConnection(tx, schedule.whatsappId)
    // Another one was chosen while this waited, and it is not locked: the next round begins it, too.
    if (connection?.id !== expected?.id) return false
    await begin(tx, file, settings, schedule, connection)
    return true
  })
}

function isLate(dueAt: string | null): boolean {
  return dueAt !== null && Date.parse(dueAt) < Date.now() - LATE_MS
}

async function begin(
  tx: Tx,
  file: RunFile,
  settings: Settings,
  schedule: Schedule,
  connection: SendConnection | undefined,
): Promise<void> {
  const { id, nextRunAt: dueAt, message: body, userId, allContacts } = schedule
  const { recurrence, rValue: RValue, sendTime: sendAt } = schedule
  const contacts = await tx
    .select({ id: scheduleContacts.contactId })
    .from(scheduleContacts)
    .where(eq(scheduleContacts.scheduleId, id))
  const tags = await tx.select({ id: scheduleTags.tagId }).from(scheduleTags).where(eq(scheduleTags.scheduleId, id))
  const recipients = { allContacts, contactsIds: toIds(contacts), tagsIds: toIds(tags) }
  // Nobody speaks for a program that is over: it goes out no more.
  const holder = schedule.program && { tokenId: schedule.program.id, userId }
  const isEnded = holder !== null && !(await findProgramViewer(tx, holder, 'send'))
  const fault = isLate(dueAt) ? 'late' : !connection ? 'connection_deleted' : file === 'gone' ? 'file_gone' : null
  const reason = isEnded ? 'token_ended' : fault
  await tx
    .insert(sends)
    .values({
      scheduleId: id,
      dueAt: dueAt ?? sql`now()`,
      whatsappId: connection?.id ?? null,
      ...(reason && { state: 'stopped', stateReason: reason, endedAt: sql`now()` }),
      body,
      file: typeof file === 'string' ? null : file,
      template: schedule.template,
      onlyWorkingHours: schedule.onlyWorkingHours,
      recipients,
      userId,
    })
    .onConflictDoNothing()
  const [changed] = await tx
    .update(schedules)
    .set({
      nextRunAt: isEnded ? null : computeNextRun({ recurrence, RValue, sendAt }, settings),
      lastRunAt: sql`now()`,
      version: sql`${schedules.version} + 1`,
    })
    .where(eq(schedules.id, id))
    .returning({ version: schedules.version })
  if (reason && connection) await notifyAdmins(tx, connection.id, reason)
  const version = changed?.version ?? 1
  await appendEvent(tx, { to: 'everyone' }, { event: 'agendamento', action: 'update', version, agendamentoId: id })
}

const LOST: readonly string[] = ['ERR_NO_FILE_FOUND', 'ERR_FILE_TOO_LARGE']

/** A file that vanished ends this run; one for which there is no room just now is looked at again, until it would be too late to say it. Neither holds up another run. */
async function loadRunFile(place: ReadStorage, mediaId: string | null): Promise<RunFile> {
  if (mediaId === null) return null
  try {
    return await loadFileToSend(place, mediaId)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return LOST.includes(error.code) ? 'gone' : 'later'
  }
}

/** When a recurring one runs next, by the company's clocks and working days; null for one that goes out once. */
export function computeNextRun(rhythm: Rhythm, settings: Settings): string | null {
  if (rhythm.recurrence === 'once') return null
  return findNextRun(rhythm, new Date(), settings.timezone, getCalendar(settings).worksOn)?.toISOString() ?? null
}
