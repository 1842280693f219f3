// Everybody a send was for as a sheet, with what became of each: written page by page, by whoever may see mass sends (decisions §13, §15).
import {
  type BodyOf,
  isoDay,
  type JobStarted,
  type Language,
  MB,
  SheetLanguage,
  timeText,
  wallClockAt,
} from '@balcao/contract'
import { asTexts } from '@balcao/formats/sheets/write'
import { xlsxOf } from '@balcao/formats/sheets/xlsx'
import Type, { type Static } from 'typebox'
import { type JobParts, type LongWork, longJob, type RunningJob, startJob } from '../../desk/jobs/long.ts'
import { placeOf } from '../../desk/media/place.ts'
import { storeMedia } from '../../desk/media/store.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkSend, checkSends } from './access.ts'
import { countsOf, everyRecipient } from './recipients.ts'
import { RECIPIENT_WORDS } from './sheet-words.ts'

const Params = Type.Object({
  sendId: Type.Integer(),
  language: SheetLanguage,
  timezone: Type.Optional(Type.String()),
})
const Mark = Type.Object({})
type Job = RunningJob<Static<typeof Params>, Static<typeof Mark>>

const LARGEST = 512 * MB

/** Begins a sheet of a send's recipients. Throws `ERR_NO_PERMISSION`, `ERR_NO_SEND_FOUND`. */
export async function exportRecipients(
  parts: Parts,
  session: Session,
  sendId: number,
  { language = 'pt' }: NonNullable<BodyOf<'POST /envioMassa/:id/recipients/export'>> = {},
): Promise<JobStarted> {
  checkSends(session)
  await checkSend(parts.db, session, sendId)
  const { timezone } = session.settings
  return change(parts, tx => startJob(tx, session, RECIPIENTS, { sendId, language, timezone }))
}

export function sendJobs(parts: JobParts): JobKind[] {
  return [longJob(parts, RECIPIENTS)]
}

const RECIPIENTS: LongWork<typeof Params, typeof Mark> = {
  ...{ kind: 'sends.recipients', params: Params, mark: Mark },
  async work(parts, job) {
    const { sendId } = job.params
    const told = { exported: 0 }
    const bytes = xlsxOf(asTexts(rowsOf(parts, job, told)))
    const given = { name: `envio-${sendId}.xlsx`, userId: job.userId, most: LARGEST }
    const { id: uploadId } = await storeMedia(placeOf(parts), bytes, given)
    await change(parts, tx => writeLog(tx, { action: 'send.export', userId: job.userId, entityId: sendId }))
    return { counts: told, uploadId }
  },
}

/** A batch for each page: it tells how far it is, and ends with the job. */
async function* rowsOf({ db }: JobParts, job: Job, told: { exported: number }): AsyncGenerator<readonly string[]> {
  const { sendId, language = 'pt', timezone = 'UTC' } = job.params
  const words = RECIPIENT_WORDS[language]
  const total = Object.values(await countsOf(db, sendId)).reduce((sum, count) => sum + count, 0)
  yield words.heads
  for await (const page of everyRecipient(db, sendId)) {
    for (const { contact, state, reason, at } of page)
      yield [
        contact.name,
        contact.number ?? '',
        words.states[state],
        reasonOf(words, reason),
        state === 'waiting' ? '' : whenOf(at, timezone),
      ]
    told.exported += page.length
    const done = told.exported
    await job.batch(async () => ({ mark: {}, done, total: Math.max(total, done) }))
  }
}

function reasonOf({ reasons, other }: (typeof RECIPIENT_WORDS)[Language], reason: string | null): string {
  return reason === null ? '' : (reasons[reason] ?? other)
}

/** As the company's clocks stood: the day, then the minute. */
function whenOf(at: string, timezone: string): string {
  const clock = wallClockAt(new Date(at), timezone)
  return `${isoDay(clock)} ${timeText(clock)}`
}
