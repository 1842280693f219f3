// Who may see and steer which send (decisions §4): mass sends are managers' and administrators', a run is whose scheduled send it is of, and
// everybody else sends to single contacts of own tickets.
import { canUseArea, type Exclusion, type Viewer } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { canSeeSchedule } from '../../policy/access/schedules.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { servableTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { schedules } from '../schedules/table.ts'
import { type Recipients, sends } from './table.ts'

/** Throws `ERR_NO_PERMISSION` for everybody else. */
export function checkSends({ viewer, settings }: Session): void {
  if (!canUseArea(viewer, 'sends', settings)) throw new AppError('ERR_NO_PERMISSION')
}

/** Throws `ERR_NO_PERMISSION`, and `ERR_NO_SEND_FOUND` also for a run of another's scheduled send. */
export async function checkSend(db: Db | Tx, session: Session, id: number): Promise<void> {
  const { viewer, settings } = session
  const [send] = await db
    .select({ scheduleId: sends.scheduleId, userId: schedules.userId })
    .from(sends)
    .leftJoin(schedules, eq(schedules.id, sends.scheduleId))
    .where(eq(sends.id, id))
  if (canUseArea(viewer, 'sends', settings)) {
    if (!send) throw new AppError('ERR_NO_SEND_FOUND')
    return
  }
  // Whether there is a mass send of this id is nobody else's business.
  if (!settings.allowAgendador || send?.scheduleId == null) throw new AppError('ERR_NO_PERMISSION')
  if (!canSeeSchedule(viewer, send)) throw new AppError('ERR_NO_SEND_FOUND')
}

/** The same, and `ERR_NO_PERMISSION` for who could not begin it today: whoever was a manager says nothing to many any more. */
export async function checkSpeaking(db: Db | Tx, session: Session, id: number): Promise<void> {
  await checkSend(db, session, id)
  const [send] = await db.select({ recipients: sends.recipients }).from(sends).where(eq(sends.id, id))
  if (send) await checkRecipients(db, session, send.recipients)
}

/**
 * Throws `ERR_NO_PERMISSION` for recipients a viewer may not send to: programs of the company write to nobody who is served outside of their
 * queues. Who was merged is who it turned out to be.
 */
export async function checkRecipients(
  db: Db | Tx,
  { viewer, settings }: AccessContext,
  recipients: Recipients,
): Promise<void> {
  const isProgram = toPersonId(viewer.id) === null
  if (viewer.profile !== 'user' && !isProgram) return
  const { allContacts, contactsIds, tagsIds } = recipients
  if (allContacts || tagsIds.length > 0) throw new AppError('ERR_NO_PERMISSION')
  const isRefused = isProgram
    ? await isServedElsewhere(db, { viewer, settings }, contactsIds)
    : await hasStrangers(db, viewer, contactsIds)
  if (isRefused) throw new AppError('ERR_NO_PERMISSION')
}

/**
 * Throws `ERR_NO_PERMISSION` where one of these contacts is served on this line, or on any where none is chosen, in a ticket that an agent does
 * not see: what is sent would be written into it.
 */
export async function checkSeesTickets(
  db: Db | Tx,
  reader: AccessContext,
  contactsIds: readonly number[],
  whatsappId: number | null,
): Promise<void> {
  if (await isInHiddenTicket(db, reader, contactsIds, whatsappId))
    throw new AppError('ERR_NO_PERMISSION', undefined, {}, 'contactInHiddenTicket')
}

/** Why who began a send may not write to a contact any more: the company's program by its queues of now, an agent by what he sees; null: he may. */
export async function findSpeakerRefusal(
  tx: Tx,
  speaker: AccessContext,
  contactId: number,
  whatsappId: number,
): Promise<Exclusion | null> {
  if (toPersonId(speaker.viewer.id) === null)
    return (await isServedElsewhere(tx, speaker, [contactId])) ? 'other_queue' : null
  return (await isInHiddenTicket(tx, speaker, [contactId], whatsappId)) ? 'hidden_ticket' : null
}

async function isInHiddenTicket(
  db: Db | Tx,
  { viewer, settings }: AccessContext,
  contactIds: readonly number[],
  whatsappId: number | null,
): Promise<boolean> {
  if (viewer.profile !== 'user') return false
  const sql = getSql(db)
  const rows = await sql`
    select 1 from contact c join ticket t on t.contact_id = coalesce(c.merged_into, c.id)
    where c.id = any(${[...contactIds]}::int[]) and t.status <> 'closed' and t.whatsapp_id = coalesce(${whatsappId}, t.whatsapp_id)
      and not ${servableTicketsSql(sql, viewer, settings)} limit 1`
  return rows.length > 0
}

async function isServedElsewhere(
  db: Db | Tx,
  { viewer, settings }: AccessContext,
  ids: readonly number[],
): Promise<boolean> {
  const sql = getSql(db)
  const rows = await sql`
    select 1 from (
      select distinct on (t.contact_id, t.whatsapp_id) t.* from contact c join ticket t on t.contact_id = coalesce(c.merged_into, c.id)
      where c.id = any(${[...ids]}::int[]) order by t.contact_id, t.whatsapp_id, t.status = 'closed', t.id desc) t
    where not ${servableTicketsSql(sql, viewer, settings)} limit 1`
  return rows.length > 0
}

async function hasStrangers(db: Db | Tx, { id }: Viewer, contactIds: readonly number[]): Promise<boolean> {
  const rows = await getSql(db)`
    select 1 from unnest(${[...contactIds]}::int[]) as wanted(id) left join contact c on c.id = wanted.id
    where not exists (select 1 from ticket t where t.contact_id = coalesce(c.merged_into, wanted.id) and t.user_id = ${id}) limit 1`
  return rows.length > 0
}
