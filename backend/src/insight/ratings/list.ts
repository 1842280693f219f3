// Ratings as they are looked through (spec 3 §2 "NPS"): the newest first, every page a range of an index.
import { LIMITS, type QueryParams, type ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql, queryWithPlan, RANGES_ONLY } from '../../platform/database/raw.ts'
import { type PageBounds, parsePageBounds, toPage } from '../../platform/http/paging.ts'
import { figureFilterSql, type Period, resolvePeriod } from '../figures/read.ts'
import { loadRatings } from './present.ts'
import { countRates, type RatingFilter } from './summary.ts'

/** Up to here a rating is a low one. */
const LOW = 3

export interface RatingQuery extends RatingFilter {
  readonly low: boolean
}

/** A page of the ratings of a period. Throws `ERR_VALIDATION`. */
export async function listRatings(
  db: Db,
  query: QueryParams<'GET /ticketNPS'>,
  timezone: string,
  now: Date,
): Promise<ResponseBody<'GET /ticketNPS'>> {
  const period = resolvePeriod(query, timezone, now)
  const wanted = { ...query, low: query.low === 'true' }
  const bounds = parsePageBounds(query, LIMITS.rowsPage, LIMITS.rowsPage)
  const [rows, count] = await Promise.all([
    findRatingPage(db, period, wanted, bounds),
    countRatings(db, period, wanted),
  ])
  const { ids, ...page } = toPage(rows, bounds.limit, row => row.at)
  return { entries: await loadRatings(db, ids), count, ...page }
}

export interface RatingPosition {
  readonly id: number
  readonly at: string
}

/** One more than the page has, where there are more. */
export async function findRatingPage(
  db: Db,
  { from, until }: Period,
  wanted: RatingQuery,
  { after, skip, limit }: PageBounds,
): Promise<readonly RatingPosition[]> {
  return queryWithPlan<RatingPosition>(
    db,
    RANGES_ONLY,
    sql => sql`
      select r.id::float8 as id, r.at from rating r
      where r.at >= ${from}::timestamptz and r.at < ${until}::timestamptz ${figureFilterSql(sql, wanted, 'r')}
        ${wanted.whatsappId === undefined ? sql`` : sql`and r.whatsapp_id = ${wanted.whatsappId}`}
        ${wanted.low ? sql`and r.rate <= 3` : sql``}
        ${after ? sql`and (r.at, r.id) < (${after.text}::timestamptz, ${after.id}::bigint)` : sql``}
      order by r.at desc, r.id desc offset ${skip} limit ${limit + 1}`,
  )
}

/** How many there are, from the daily sums. */
export async function countRatings(db: Db, period: Period, { low, ...chosen }: RatingQuery): Promise<number> {
  const { rates } = await countRates(getSql(db), period, chosen)
  return rates.slice(0, low ? LOW : rates.length).reduce((sum, n) => sum + n, 0)
}
