// Everybody a send was for as a sheet, with what became of each: written page by page, by whoever may see mass sends (decisions §13, §15).
import {
  formatIsoDay,
  formatTimeOfDay,
  type JobReference,
  type Language,
  MB,
  type RequestBody,
  SheetLanguage,
  toWallClock,
} from '@balcao/contract'
import { toTextCells } from '@balcao/formats/sheets/write'
import { renderXlsx } from '@balcao/formats/sheets/xlsx'
import Type, { type Static } from 'typebox'
import { createLongJob, type JobParts, type LongJob, type RunningJob, startJob } from '../../desk/jobs/long.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { storeMedia } from '../../desk/media/store.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkSend, checkSends } from './access.ts'
import { countRecipientStates, readAllRecipients } from './recipients.ts'
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
  { language = 'pt' }: NonNullable<RequestBody<'POST /envioMassa/:id/recipients/export'>> = {},
): Promise<JobReference> {
  checkSends(session)
  await checkSend(parts.db, session, sendId)
  const { timezone } = session.settings
  return change(parts, tx => startJob(tx, session, RECIPIENTS, { sendId, language, timezone }))
}

export function sendJobs(parts: JobParts): JobKind[] {
  return [createLongJob(parts, RECIPIENTS)]
}

const RECIPIENTS: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'sends.recipients', params: Params, mark: Mark },
  async work(parts, job) {
    const { sendId } = job.params
    const counts = { exported: 0 }
    const bytes = renderXlsx(toTextCells(readExportRows(parts, job, counts)))
    const options = { name: `envio-${sendId}.xlsx`, userId: job.userId, most: LARGEST }
    const { id: uploadId } = await storeMedia(createMediaStorage(parts), bytes, options)
    await change(parts, tx => writeLog(tx, { action: 'send.export', userId: job.userId, entityId: sendId }))
    return { counts, uploadId }
  },
}

/** A batch for each page: it tells how far it is, and ends with the job. */
async function* readExportRows(
  { db }: JobParts,
  job: Job,
  counts: { exported: number },
): AsyncGenerator<readonly string[]> {
  const { sendId, language = 'pt', timezone = 'UTC' } = job.params
  const words = RECIPIENT_WORDS[language]
  const total = Object.values(await countRecipientStates(db, sendId)).reduce((sum, count) => sum + count, 0)
  yield words.heads
  for await (const page of readAllRecipients(db, sendId)) {
    for (const { contact, state, reason, at } of page)
      yield [
        contact.name,
        contact.number ?? '',
        words.states[state],
        getReasonText(words, reason),
        state === 'waiting' ? '' : formatInstant(at, timezone),
      ]
    counts.exported += page.length
    const done = counts.exported
    await job.batch(async () => ({ mark: {}, done, total: Math.max(total, done) }))
  }
}

function getReasonText({ reasons, other }: (typeof RECIPIENT_WORDS)[Language], reason: string | null): string {
  return reason === null ? '' : (reasons[reason] ?? other)
}

/** As the company's clocks stood: the day, then the minute. */
function formatInstant(at: string, timezone: string): string {
  const clock = toWallClock(new Date(at), timezone)
  return `${formatIsoDay(clock)} ${formatTimeOfDay(clock)}`
}
