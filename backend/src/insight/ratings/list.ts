// Ratings as they are looked through (spec 3 §2 "NPS"): the newest first, every page a range of an index.
import { type AnswerOf, LIMITS, type QueryOf } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { plannedAs, RANGES_ONLY, sqlOf } from '../../platform/database/raw.ts'
import { type PageBounds, pageBounds, pageOf } from '../../platform/http/paging.ts'
import { chosenSql, type Period, periodOf } from '../figures/read.ts'
import { loadRatings } from './present.ts'
import { type Chosen, ratesOf } from './summary.ts'

/** Up to here a rating is a low one. */
const LOW = 3

export interface Wanted extends Chosen {
  readonly low: boolean
}

/** A page of the ratings of a period. Throws `ERR_VALIDATION`. */
export async function listRatings(
  db: Db,
  query: QueryOf<'GET /ticketNPS'>,
  timezone: string,
  now: Date,
): Promise<AnswerOf<'GET /ticketNPS'>> {
  const period = periodOf(query, timezone, now)
  const wanted = { ...query, low: query.low === 'true' }
  const bounds = pageBounds(query, LIMITS.rowsPage, LIMITS.rowsPage)
  const [rows, count] = await Promise.all([ratingPlaces(db, period, wanted, bounds), countRatings(db, period, wanted)])
  const { ids, ...page } = pageOf(rows, bounds.limit, row => row.at)
  return { entries: await loadRatings(db, ids), count, ...page }
}

export interface Place {
  readonly id: number
  readonly at: string
}

/** One more than the page has, where there are more. */
export async function ratingPlaces(
  db: Db,
  { from, until }: Period,
  wanted: Wanted,
  { after, skip, limit }: PageBounds,
): Promise<readonly Place[]> {
  return plannedAs<Place>(
    db,
    RANGES_ONLY,
    sql => sql`
      select r.id::float8 as id, r.at from rating r
      where r.at >= ${from}::timestamptz and r.at < ${until}::timestamptz ${chosenSql(sql, wanted, 'r')}
        ${wanted.whatsappId === undefined ? sql`` : sql`and r.whatsapp_id = ${wanted.whatsappId}`}
        ${wanted.low ? sql`and r.rate <= 3` : sql``}
        ${after ? sql`and (r.at, r.id) < (${after.text}::timestamptz, ${after.id}::bigint)` : sql``}
      order by r.at desc, r.id desc offset ${skip} limit ${limit + 1}`,
  )
}

/** How many there are, from the daily sums. */
export async function countRatings(db: Db, period: Period, { low, ...chosen }: Wanted): Promise<number> {
  const { rates } = await ratesOf(sqlOf(db), period, chosen)
  return rates.slice(0, low ? LOW : rates.length).reduce((sum, n) => sum + n, 0)
}
