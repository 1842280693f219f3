// What a send would come to: whom it reaches, who is left out and why, how risky it is, and when it ends. Nothing is stored.
import {
  assessSendRisk,
  type ExcludedRecipient,
  estimateSendEnd,
  getCalendar,
  getDailyQuota,
  type SendPreview,
  type Settings,
  toWallClock,
} from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { PageBounds } from '../../platform/http/paging.ts'
import { chosenContactsSql, type ExclusionRules, everWroteSql, exclusionSql } from './chosen-contacts.ts'
import { computeQuota, countSentOnDay, countUntilFinished, listWaitingSends, type SendConnection } from './quota.ts'
import type { Recipients } from './table.ts'

const DAY_MS = 86_400_000

export interface SendPreviewRequest {
  readonly body: string
  readonly recipients: Recipients
  readonly exclusions: ExclusionRules
  readonly onlyWorkingHours: boolean
}

/** As it would be now, by this connection. */
export async function previewSend(
  db: Db,
  settings: Settings,
  connection: SendConnection,
  paceMs: number,
  { body, recipients, exclusions, onlyWorkingHours }: SendPreviewRequest,
): Promise<SendPreview> {
  const { count, wrote, found, excluded } = await countReached(db, recipients, exclusions)
  const now = new Date()
  const allowance = computeQuota(connection, settings)
  const hours = onlyWorkingHours ? getCalendar(settings) : null
  const others = await listWaitingSends(db, connection.id)
  const sentToday = await countSentOnDay(db, connection.id, now, settings.timezone)
  const paced = { paceMs, allowance, sentToday, hours }
  const endsAt = count === 0 ? null : estimateSendEnd({ ...paced, messages: countUntilFinished(count, others) }, now)
  const startsAt = count === 0 ? null : estimateSendEnd({ ...paced, messages: 1 }, now)
  const { most, warmUp } = getDailyQuota(allowance, now)
  const { numberSince } = allowance
  const risk = assessSendRisk({
    text: body,
    optOutWord: settings.optOutWord,
    allContacts: recipients.allContacts,
    count,
    neverWrote: count - wrote,
    numberDays: numberSince ? Math.floor((now.getTime() - numberSince.getTime()) / DAY_MS) : null,
    hour: onlyWorkingHours ? null : toWallClock(now, settings.timezone).hour,
  })
  return {
    count,
    found,
    repeated: await countRepeated(db, recipients, found),
    excluded,
    wrote,
    risk,
    pace: { seconds: paceMs / 1000, perDay: most, warmUp },
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
  }
}

/** How many a send would reach, and of those who ever wrote; and how many are left out by what. */
export async function countReached(db: Db | Tx, recipients: Recipients, exclusions: ExclusionRules) {
  const sql = getSql(db)
  const rows = await sql<{ reason: string | null; count: number; wrote: number }[]>`
    select reason, count(*)::int as count, count(*) filter (where wrote)::int as wrote
    from (select ${exclusionSql(sql, exclusions)} as reason, coalesce(${everWroteSql(sql)}, false) as wrote
      from contact c where ${chosenContactsSql(sql, recipients)}) chosen
    group by reason order by count desc, reason`
  const left = rows.find(row => row.reason === null)
  const excluded = rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]))
  const found = rows.reduce((sum, { count }) => sum + count, 0)
  return { count: left?.count ?? 0, wrote: left?.wrote ?? 0, found, excluded }
}

/** Whom a send would leave out, by their ids, each with the reason; of one reason if asked. */
export async function listExcluded(
  db: Db,
  recipients: Recipients,
  exclusions: ExclusionRules,
  { after, limit }: Pick<PageBounds, 'after' | 'limit'>,
  reason: string | null,
): Promise<ExcludedRecipient[]> {
  const sql = getSql(db)
  return sql<ExcludedRecipient[]>`
    select json_build_object('id', id, 'name', name, 'number', number, 'profilePicUrl', profile_pic_url) as contact, reason
    from (select c.id, c.name, c.number, c.profile_pic_url, ${exclusionSql(sql, { ...exclusions, some: true })} as reason
      from contact c where ${chosenContactsSql(sql, recipients)} and c.id > ${after?.id ?? 0} order by c.id) chosen
    where reason is not null and reason = coalesce(${reason}::text, reason)
    order by id limit ${limit + 1}`
}

/** How often somebody is named again: by a second tag, or by name and by tag. */
async function countRepeated(
  db: Db,
  { allContacts, contactsIds, tagsIds }: Recipients,
  found: number,
): Promise<number> {
  if (allContacts) return 0
  const [row] = await getSql(db)<{ named: number }[]>`
    select ((select count(*) from contact where id = any(${[...contactsIds]}::int[]))
      + (select count(*) from contact_tag where tag_id = any(${[...tagsIds]}::int[])))::int as named`
  return Math.max(0, (row?.named ?? 0) - found)
}
