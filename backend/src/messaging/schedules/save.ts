// Scheduling a send, changing it, taking its file away and deleting it (spec 1 §5 "Schedule dialog"). What runs it reads `next_run_at`.
import {
  type ChosenTemplate,
  formatSlashedDay,
  formatTimeOfDay,
  type PlainLogAction,
  parseOnceInstant,
  parseRecurrence,
  type Schedule,
  type ScheduleForm,
  toWallClock,
  validateSchedule,
} from '@balcao/contract'
import { and, eq, sql } from 'drizzle-orm'
import { claimUpload, releaseFiles } from '../../desk/media/claim.ts'
import { toFileColumns } from '../../desk/media/to-send.ts'
import { createSystemLine, writeLine } from '../../desk/messages/system-lines.ts'
import { listTemplateFiles } from '../../desk/messages/templates.ts'
import { lockAnyTicket } from '../../desk/tickets/lock.ts'
import { publishTicketEvents } from '../../desk/tickets/present.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createValidationError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { servableTicketsSql } from '../../policy/access/visible-tickets.ts'
import { rejectStale } from '../../policy/kit/kept-rows.ts'
import { createOnce, toComparableContent } from '../../policy/kit/made-once.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { findProgramId, toOwnClientId } from '../../policy/sessions/known-sessions.ts'
import { findProgramViewer, toPersonId } from '../../policy/users/viewer.ts'
import { apiTokens } from '../api/table.ts'
import { checkRecipients, checkSeesTickets } from '../sends/access.ts'
import { findSendConnection } from '../sends/quota.ts'
import { claimTemplate, storeFormFile } from '../sends/save.ts'
import { checkScheduler, isOwnScheduleSql } from './access.ts'
import type { ScheduleInput } from './form.ts'
import { getSchedule } from './list.ts'
import { lockAllRuns } from './lock.ts'
import { loadSchedules } from './present.ts'
import { computeNextRun } from './run.ts'
import { schedules } from './table.ts'

const OWNER = { owner: 'schedule' } as const

/**
 * The same `clientId` again gives the same one, with what is written by now: a form whose answer was lost doubles no message. Throws
 * `ERR_NO_PERMISSION`, `ERR_VALIDATION` (also where it is written anew after it went out), `ERR_NO_WAPP_FOUND`, `ERR_FILE_TYPE`,
 * `ERR_FILE_TOO_LARGE`.
 */
export async function addSchedule(parts: Parts, session: Session, input: ScheduleInput): Promise<Schedule> {
  checkScheduler(session)
  const form = mergeForm(input, EMPTY)
  // What was made already may have gone out since: its hour is judged no more.
  const isNew = !(await madeBefore(parts.db, session, input))
  if (isNew) await check(parts.db, session, form, input.whatsappId)
  const file = isNew && input.file ? await storeFormFile(parts, session, input.file) : null
  return createOnce(
    parts,
    session,
    'schedule',
    { clientId: input.clientId, content: toComparableContent(input) },
    make,
    again,
  )

  async function make(tx: Tx) {
    const { title, whatsappId, firstSend } = input
    const clientId = toOwnClientId(session, input.clientId ?? undefined)
    // Longer ago than forms are compared.
    const before = await madeBefore(tx, session, input)
    if (before) return before
    const template = await resolveTemplate(tx, session, input, null)
    const columns = {
      ...withImmediateStart(toScheduleColumns(form, session), firstSend === true),
      ...toFileColumns(file),
      ...(await loadScheduleWriter(tx, session)),
      onlyWorkingHours: input.onlyWorkingHours ?? false,
      template,
    }
    const [row] = await tx
      .insert(schedules)
      .values({ ...columns, title: title ?? '', whatsappId, firstSend: firstSend ?? false, clientId })
      .returning({ id: schedules.id })
    if (!row) throw new Error('The schedule was not stored')
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, OWNER)
    await keepRecipients(tx, row.id, form)
    const schedule = await saved(tx, session, row.id, 'create')
    await tellConversation(tx, session, schedule, 'scheduled')
    return schedule
  }

  async function again(id: number, isSame: boolean) {
    const known = await getSchedule(parts.db, session, id)
    if (isSame) return known
    if (known.nextRunAt === null) throw createValidationError('send', [{ path: 'message', code: 'sentBefore' }])
    if (!input.file && known.mediaUrl !== null) await removeScheduleFile(parts, session, id)
    return editSchedule(parts, session, id, { ...input, template: input.template ?? 'none' })
  }
}

/** A person, and the program where one made it: it goes out as long as its token is good. Throws `ERR_SESSION_EXPIRED`. */
async function loadScheduleWriter(tx: Tx, { viewer, family }: Session) {
  const userId = toPersonId(viewer.id)
  const tokenId = findProgramId(family)
  if (tokenId === null) return { userId, program: null }
  const { id, name } = apiTokens
  const [program] = await tx.select({ id, name }).from(apiTokens).where(eq(id, tokenId))
  if (!program) throw new AppError('ERR_SESSION_EXPIRED')
  return { userId, program }
}

async function madeBefore(db: Db | Tx, session: Session, { clientId }: ScheduleInput): Promise<Schedule | undefined> {
  if (clientId === null) return undefined
  const same = and(isOwnScheduleSql(session.viewer), eq(schedules.clientId, toOwnClientId(session, clientId)))
  const [row] = await db.select({ id: schedules.id }).from(schedules).where(same)
  return row && getSchedule(db, session, row.id)
}

/** What is not given stays. Throws also `ERR_NO_SCHEDULE_FOUND`, `ERR_CHANGED_MEANWHILE` with the send as it is now. */
export async function editSchedule(
  parts: Parts,
  session: Session,
  id: number,
  input: ScheduleInput,
): Promise<Schedule> {
  await loadEdited(parts.db, session, id, input)
  const file = input.file && (await storeFormFile(parts, session, input.file))
  return change(parts, async tx => {
    const replaced = await findFileId(tx, id)
    // As it is now: somebody else may have changed what this form leaves alone.
    const { form, begins, ...more } = await loadEdited(tx, session, id, input)
    const stored = await keptTemplate(tx, id)
    const template = await resolveTemplate(tx, session, input, stored)
    const columns = {
      ...withImmediateStart(await keptRun(tx, id, toScheduleColumns(form, session)), begins),
      ...(file ? toFileColumns(file) : {}),
      ...more,
      template,
    }
    await tx
      .update(schedules)
      .set({ ...columns, ...CHANGED })
      .where(eq(schedules.id, id))
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, OWNER)
    if (file && replaced) await releaseFiles(tx, [replaced])
    if (stored && template !== stored) await releaseFiles(tx, listTemplateFiles(stored))
    await keepRecipients(tx, id, form)
    return saved(tx, session, id, 'update')
  })
}

/** Who leaves rhythm and hour as they are leaves the next run where it is: what is due stays due. */
async function keptRun(tx: Tx, id: number, columns: ReturnType<typeof toScheduleColumns>) {
  const [stored] = await tx.select().from(schedules).where(eq(schedules.id, id))
  const isSame = (['recurrence', 'rValue', 'sendTime', 'sendOn'] as const).every(
    name => stored?.[name] === columns[name],
  )
  return isSame && stored?.nextRunAt ? { ...columns, nextRunAt: stored.nextRunAt } : columns
}

/** What a send becomes by a form: what is not given stays. */
async function loadEdited(db: Db | Tx, session: Session, id: number, input: ScheduleInput) {
  const before = await getSchedule(db, session, id)
  rejectStale(before, input.version)
  const contents = { hasFile: before.mediaUrl !== null, hasTemplate: before.template !== null }
  const form = mergeForm(input, {
    ...before,
    contactsIds: toIds(before.contacts),
    tagsIds: toIds(before.tags),
    ...contents,
  })
  const whatsappId = input.whatsappId ?? before.whatsappId
  await check(db, session, form, whatsappId)
  return {
    form,
    // Saying once more that its first went out at once is no reason to send again.
    begins: input.firstSend === true && !before.firstSend,
    whatsappId,
    title: input.title ?? before.title,
    firstSend: input.firstSend ?? before.firstSend,
    onlyWorkingHours: input.onlyWorkingHours ?? before.onlyWorkingHours,
    // Whoever saves one that was cancelled begins it again; one that is paused stays so.
    state: before.state === 'paused' ? ('paused' as const) : null,
    ...((await isLeftByProgram(db, session, before)) && { program: null, userId: before.userId ?? session.viewer.id }),
  }
}

/** Whether a person saves what a program made whose token is over: it is that person's from now on, and goes out. */
async function isLeftByProgram(db: Db | Tx, { family }: Session, { program, userId }: Schedule): Promise<boolean> {
  if (!program || findProgramId(family) !== null) return false
  return (await findProgramViewer(db, { tokenId: program.id, userId }, 'send')) === null
}

async function keptTemplate(tx: Tx, id: number): Promise<ChosenTemplate | null> {
  const [stored] = await tx.select({ template: schedules.template }).from(schedules).where(eq(schedules.id, id))
  return stored?.template ?? null
}

/** What is not given, or given as it was, stays with its files. */
async function resolveTemplate(
  tx: Tx,
  session: Session,
  { template }: ScheduleInput,
  before: ChosenTemplate | null,
): Promise<ChosenTemplate | null> {
  if (template === null || Bun.deepEquals(template, before)) return before
  return template === 'none' ? null : claimTemplate(tx, session, template, OWNER, before)
}

/** A recurring one goes out at once as well, where its form asks for it. */
function withImmediateStart<C extends { readonly recurrence: string; readonly nextRunAt: string | null }>(
  columns: C,
  now: boolean,
): C {
  return now && columns.recurrence !== 'once' ? { ...columns, nextRunAt: new Date().toISOString() } : columns
}

/** Throws `ERR_NO_SCHEDULE_FOUND`; without a file nothing happens. */
export async function removeScheduleFile(parts: Parts, session: Session, id: number): Promise<void> {
  await getSchedule(parts.db, session, id)
  await change(parts, async tx => {
    const mediaId = await findFileId(tx, id)
    if (mediaId === null) return
    await tx
      .update(schedules)
      .set({ ...toFileColumns(null), ...CHANGED })
      .where(eq(schedules.id, id))
    await releaseFiles(tx, [mediaId])
    await saved(tx, session, id, 'update', 'schedule.removeFile')
  })
}

/** Throws `ERR_NO_SCHEDULE_FOUND`. */
export async function deleteSchedule(parts: Parts, session: Session, id: number): Promise<void> {
  const schedule = await getSchedule(parts.db, session, id)
  await change(parts, async tx => {
    await lockAllRuns(tx, id)
    if (schedule.nextRunAt !== null) await tellConversation(tx, session, schedule, 'unscheduled')
    const mediaId = await findFileId(tx, id)
    const template = await keptTemplate(tx, id)
    const gone = await tx.delete(schedules).where(eq(schedules.id, id)).returning({ id: schedules.id })
    if (gone.length === 0) throw new AppError('ERR_NO_SCHEDULE_FOUND')
    await releaseFiles(tx, [...(mediaId ? [mediaId] : []), ...(template ? listTemplateFiles(template) : [])])
    await tellAndLog(tx, session, { id, version: schedule.version + 1 }, 'delete', 'schedule.delete')
  })
}

const EMPTY: ScheduleForm = {
  message: '',
  recurrence: '',
  RValue: '',
  sendAt: '',
  allContacts: false,
  contactsIds: [],
  tagsIds: [],
  hasFile: false,
  hasTemplate: false,
}

/** What is given over what was there; sending to all takes the place of everything chosen one by one. */
function mergeForm(input: ScheduleInput, before: ScheduleForm): ScheduleForm {
  const allContacts = input.allContacts ?? before.allContacts
  return {
    message: input.message ?? before.message,
    recurrence: input.recurrence ?? before.recurrence,
    RValue: input.RValue ?? before.RValue,
    sendAt: input.sendAt ?? before.sendAt,
    allContacts,
    contactsIds: allContacts ? [] : (input.contactsIds ?? before.contactsIds),
    tagsIds: allContacts ? [] : (input.tagsIds ?? before.tagsIds),
    hasFile: input.file !== null || before.hasFile,
    hasTemplate: input.template === null ? before.hasTemplate : input.template !== 'none',
  }
}

async function check(db: Db | Tx, session: Session, form: ScheduleForm, whatsappId: number | null): Promise<void> {
  const connection = await findSendConnection(db, whatsappId)
  const faults = validateSchedule(form, new Date(), session.settings.timezone, connection?.api)
  if (faults.length > 0) throw createValidationError('send', faults)
  await checkRecipients(db, session, form)
  await checkSeesTickets(db, session, form.contactsIds, whatsappId)
  if (whatsappId !== null && !connection) throw new AppError('ERR_NO_WAPP_FOUND')
}

/** A checked form as its row, and when it goes out by the company's clocks. */
function toScheduleColumns(form: ScheduleForm, { settings }: Session) {
  const { message, allContacts, RValue, sendAt } = form
  const recurrence = parseRecurrence(form.recurrence) ?? 'once'
  if (recurrence === 'once') {
    // A minute that runs already is as good as now: it goes out at once.
    const sendOn = parseOnceInstant(form, settings.timezone)?.toISOString() ?? null
    return { message, allContacts, recurrence, rValue: '', sendTime: '', sendOn, nextRunAt: sendOn }
  }
  const rValue = recurrence === 'every_day' || recurrence === 'last_day_of_month' ? '' : RValue
  const nextRunAt = computeNextRun(form, settings)
  return { message, allContacts, recurrence, rValue, sendTime: sendAt, sendOn: null, nextRunAt }
}

const CHANGED = { updatedAt: sql`now()`, version: sql`${schedules.version} + 1` }

async function keepRecipients(tx: Tx, id: number, form: ScheduleForm): Promise<void> {
  const sql = getSql(tx)
  await sql`delete from schedule_contact where schedule_id = ${id}`
  await sql`delete from schedule_tag where schedule_id = ${id}`
  const contacts = await sql`
    insert into schedule_contact (schedule_id, contact_id)
    select ${id}, c.id from contact c where c.id = any(${[...form.contactsIds]}::int[]) and c.merged_into is null returning 1`
  const tags = await sql`
    insert into schedule_tag (schedule_id, tag_id)
    select ${id}, g.id from tag g where g.id = any(${[...form.tagsIds]}::int[]) returning 1`
  if (!form.allContacts && contacts.length + tags.length === 0)
    throw createValidationError('send', [{ path: 'contactsIds', code: 'recipientRequired' }])
}

/** A line in the live conversation of a send to one contact: colleagues see what was promised. */
async function tellConversation(
  tx: Tx,
  session: Session,
  { contacts, tags, allContacts, whatsappId, nextRunAt }: Schedule,
  code: 'scheduled' | 'unscheduled',
): Promise<void> {
  const [contact] = contacts
  if (!contact || contacts.length > 1 || tags.length > 0 || allContacts || nextRunAt === null) return
  const sql = getSql(tx)
  const [found] = await sql<{ id: number }[]>`
    select t.id from ticket t
    where t.contact_id = ${contact.id} and t.status <> 'closed' and ${servableTicketsSql(sql, session.viewer, session.settings)}
    order by (t.whatsapp_id = ${whatsappId}::int) desc nulls last, t.id desc limit 1`
  if (!found) return
  const ticket = await lockAnyTicket(tx, found.id)
  const when = spoken(nextRunAt, session.settings.timezone)
  const verb = code === 'scheduled' ? 'agendou uma mensagem para' : 'cancelou a mensagem agendada para'
  await writeLine(tx, ticket.id, session.viewer.id, createSystemLine(session, code, `${verb} ${when}`, { when }))
  await publishTicketEvents(tx, [{ ticketId: ticket.id, action: 'update', before: ticket.facts }])
}

/** `22/11/2026 09:31`, by the company's clocks. */
function spoken(instant: string, timezone: string): string {
  const clock = toWallClock(new Date(instant), timezone)
  return `${formatSlashedDay(clock)} ${formatTimeOfDay(clock)}`
}

async function findFileId(tx: Tx, id: number): Promise<string | null> {
  const own = eq(schedules.id, id)
  const [row] = await tx.select({ mediaId: schedules.mediaId }).from(schedules).where(own).for('update')
  return row?.mediaId ?? null
}

async function saved(
  tx: Tx,
  session: Session,
  id: number,
  action: 'create' | 'update',
  did: PlainLogAction = `schedule.${action}`,
): Promise<Schedule> {
  const [schedule] = await loadSchedules(tx, [id])
  if (!schedule) throw new AppError('ERR_NO_SCHEDULE_FOUND')
  await tellAndLog(tx, session, schedule, action, did)
  return schedule
}

/** The event names the send and nothing of it: whoever may see it asks for it. */
async function tellAndLog(
  tx: Tx,
  { viewer }: Session,
  { id, version }: { readonly id: number; readonly version: number },
  action: 'create' | 'update' | 'delete',
  did: PlainLogAction,
): Promise<void> {
  await writeLog(tx, { action: did, userId: viewer.id, entityId: id })
  await appendEvent(tx, { to: 'everyone' }, { event: 'agendamento', action, version, agendamentoId: id })
}
