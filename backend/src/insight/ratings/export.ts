// A sheet of the ratings of a period: written page by page, as the list shows them.
import {
  formatIsoDay,
  formatPhone,
  formatTimeOfDay,
  type JobReference,
  MB,
  type RatingEntry,
  type RequestBody,
  SheetLanguage,
  toWallClock,
} from '@balcao/contract'
import { renderWorkbook } from '@balcao/formats/sheets/workbook'
import { toSheetText } from '@balcao/formats/sheets/write'
import type { SheetCell } from '@balcao/formats/sheets/xlsx'
import Type, { type Static } from 'typebox'
import { type JobParts, type LongJob, type RunningJob, startJob } from '../../desk/jobs/long.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { storeMedia } from '../../desk/media/store.ts'
import { toIds } from '../../platform/database/ids.ts'
import { EXPORT_WORDS } from '../../policy/kit/export-words.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { resolvePeriod } from '../figures/read.ts'
import { countRatings, findRatingPage, type RatingPosition } from './list.ts'
import { loadRatings } from './present.ts'

const Params = Type.Object({
  period: Type.Object({ first: Type.String(), last: Type.String(), from: Type.String(), until: Type.String() }),
  timezone: Type.String(),
  /** Not said before there were several. */
  language: SheetLanguage,
  wanted: Type.Object({
    queueId: Type.Optional(Type.Integer()),
    userId: Type.Optional(Type.Integer()),
    whatsappId: Type.Optional(Type.Integer()),
    low: Type.Boolean(),
  }),
})
const Mark = Type.Object({})
type Job = RunningJob<Static<typeof Params>, Static<typeof Mark>>

const PAGE = 1000
/** What a sheet of Excel holds below its heading. */
const MOST = 1_048_575

/** Begins a sheet. Throws `ERR_VALIDATION`. */
export function exportRatings(
  parts: Parts,
  session: Session,
  { firstDate, lastDate, low = false, language = 'pt', ...chosen }: RequestBody<'POST /ticketNPS/export'>,
): Promise<JobReference> {
  const { timezone } = session.settings
  const period = resolvePeriod({ firstDate, lastDate }, timezone, new Date())
  return change(parts, tx =>
    startJob(tx, session, RATINGS_JOB, { period, timezone, language, wanted: { ...chosen, low } }),
  )
}

export const RATINGS_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'ratings.export', params: Params, mark: Mark },
  async work(parts, job) {
    const counts = { ratings: 0 }
    const broke = (message: string) => parts.log.error({ jobId: job.id, message }, 'a sheet of ratings was not written')
    const { sheet, file } = EXPORT_WORDS[job.params.language ?? 'pt'].ratings
    const bytes = renderWorkbook([{ name: sheet, rows: readExportRows(parts, job, counts) }], {
      signal: job.signal,
      broke,
    })
    const options = { name: file, userId: job.userId, most: 1024 * MB }
    const { id: uploadId } = await storeMedia(createMediaStorage(parts), bytes, options)
    await change(parts, tx => writeLog(tx, { action: 'rating.export', params: counts, userId: job.userId }))
    return { counts, uploadId }
  },
}

/** With a batch for each page: it tells how far it is, and ends with the job. */
async function* readExportRows(
  { db }: JobParts,
  job: Job,
  count: { ratings: number },
): AsyncGenerator<readonly SheetCell[]> {
  const { period, timezone, wanted, language = 'pt' } = job.params
  const total = Math.min(MOST, await countRatings(db, period, wanted))
  yield EXPORT_WORDS[language].ratings.heads
  for (let after: RatingPosition | null = null; count.ratings < MOST; ) {
    const limit = Math.min(PAGE, MOST - count.ratings)
    const places: readonly RatingPosition[] = await findRatingPage(db, period, wanted, {
      after: after && { text: after.at, id: after.id },
      skip: 0,
      limit,
    })
    const page = places.slice(0, limit)
    for (const entry of await loadRatings(db, toIds(page))) yield toCells(entry, timezone)
    count.ratings += page.length
    await job.batch(async () => ({ mark: {}, done: count.ratings, total: Math.max(total, count.ratings) }))
    after = page.at(-1) ?? null
    if (!after || places.length <= limit) return
  }
}

function toCells(
  { contact, rate, user, queue, whatsapp, createdAt, ticketId }: RatingEntry,
  timezone: string,
): SheetCell[] {
  const clock = toWallClock(new Date(createdAt), timezone)
  return [
    toSheetText(contact.name),
    contact.number === null ? null : formatPhone(contact.number),
    rate,
    toSheetText(user?.name ?? ''),
    toSheetText(queue?.name ?? ''),
    { clock: `${formatIsoDay(clock)}T${formatTimeOfDay(clock)}:00` },
    toSheetText(whatsapp.name),
    ticketId,
  ]
}
