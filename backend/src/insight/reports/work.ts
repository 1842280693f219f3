// The work behind each report: read once onto the disk, then written as it was asked for. A process that takes it over begins anew, and
// nothing of what the first one wrote is anybody's (docs/decisions/0225).
import { MB, type ReportName } from '@balcao/contract'
import Type, { type Static } from 'typebox'
import type { JobParts, LongWork, Outcome, RunningJob } from '../../desk/jobs/long.ts'
import { placeOf } from '../../desk/media/place.ts'
import { storeMedia } from '../../desk/media/store.ts'
import { failPoint } from '../../platform/fail-point.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { Asked, periodIn } from './asked.ts'
import { contactReport } from './contact-report.ts'
import type { MakeContent, Read } from './content.ts'
import { contextOf, fileNameOf } from './context.ts'
import { conversationReport } from './conversation-report.ts'
import { pagesIn } from './pages-in.ts'
import { sumReport } from './sum-report.ts'
import { ticketReport } from './ticket-report.ts'

const Mark = Type.Object({})
type Job = RunningJob<Asked, Static<typeof Mark>>

export const REPORT_JOBS = {
  ticket: reportJob('ticket', ticketReport),
  contact: reportJob('contact', contactReport),
  queue: reportJob('queue', sumReport('queue')),
  user: reportJob('user', sumReport('user')),
  message: reportJob('message', conversationReport),
} as const satisfies Record<ReportName, LongWork<typeof Asked, typeof Mark>>

const LARGEST = 4096 * MB
const MOST_REST_MS = 200

function reportJob(report: ReportName, make: MakeContent): LongWork<typeof Asked, typeof Mark> {
  return {
    ...{ kind: `report.${report}`, params: Asked, mark: Mark },
    work: (parts, job) => writeReport(parts, job, report, make),
  }
}

async function writeReport(parts: JobParts, job: Job, report: ReportName, make: MakeContent): Promise<Outcome> {
  const { timezone } = await readSettings(parts.db)
  const { company } = parts.config
  const which = { ...job.params, viewerId: job.userId, period: periodIn(job.params, timezone) }
  const db = parts.readDb ?? parts.db
  const context = await contextOf(db, report, which, { timezone, company, now: new Date() })
  const content = await make(context, readFor({ ...parts, db }, job))
  try {
    const { ending, bytes } = content.file
    const pages = pagesIn(bytes)
    const given = { name: fileNameOf(context, ending), userId: job.userId, most: LARGEST }
    failPoint('report:read')
    const { id: uploadId, size } = await storeMedia(placeOf(parts), pages.bytes, given)
    failPoint('report:stored')
    const counts = { rows: content.rows, bytes: size, ...(ending === 'pdf' && { pages: pages.counted() }) }
    return { counts, uploadId }
  } finally {
    await content.remove()
  }
}

function readFor({ db, config, log }: JobParts, job: Job): Read {
  async function step(done: number, total: number): Promise<void> {
    await job.batch(async () => ({ mark: {}, done, total }))
  }
  return {
    ...placeOf({ db, config }),
    step,
    limits: { signal: job.signal, broke: said => log.error({ jobId: job.id, said }, 'a report was not drawn') },
    async *asked(pages) {
      let read = 0
      await step(0, read)
      let begun = performance.now()
      for await (const page of pages) {
        failPoint('report:page')
        yield page
        read += page.length
        await step(0, read)
        // As long as a page took others have their turn (docs/decisions/0239).
        await Bun.sleep(Math.min(MOST_REST_MS, performance.now() - begun))
        begun = performance.now()
      }
    },
  }
}
