// The work behind each report: read once onto the disk, then written as it was asked for. A process that takes it over begins anew, and
// nothing of what the first one wrote is anybody's (docs/decisions/0225).
import { MB, type ReportName } from '@balcao/contract'
import Type, { type Static } from 'typebox'
import type { JobOutcome, JobParts, LongJob, RunningJob } from '../../desk/jobs/long.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { storeMedia } from '../../desk/media/store.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { buildContactReport } from './contact-report.ts'
import type { ReportBuilder, ReportReader } from './content.ts'
import { formatFileName, loadReportContext } from './context.ts'
import { buildConversationReport } from './conversation-report.ts'
import { countPdfPages } from './pdf-pages.ts'
import { ReportRequest, resolveReportPeriod } from './request.ts'
import { buildSumReport } from './sum-report.ts'
import { buildTicketReport } from './ticket-report.ts'

const Mark = Type.Object({})
type Job = RunningJob<ReportRequest, Static<typeof Mark>>

export const REPORT_JOBS = {
  ticket: reportJob('ticket', buildTicketReport),
  contact: reportJob('contact', buildContactReport),
  queue: reportJob('queue', buildSumReport('queue')),
  user: reportJob('user', buildSumReport('user')),
  message: reportJob('message', buildConversationReport),
} as const satisfies Record<ReportName, LongJob<typeof ReportRequest, typeof Mark>>

const LARGEST = 4096 * MB
const MOST_REST_MS = 200

function reportJob(report: ReportName, make: ReportBuilder): LongJob<typeof ReportRequest, typeof Mark> {
  return {
    ...{ kind: `report.${report}`, params: ReportRequest, mark: Mark },
    work: (parts, job) => writeReport(parts, job, report, make),
  }
}

async function writeReport(parts: JobParts, job: Job, report: ReportName, make: ReportBuilder): Promise<JobOutcome> {
  const { timezone } = await readSettings(parts.db)
  const { company } = parts.config
  const which = { ...job.params, viewerId: job.userId, period: resolveReportPeriod(job.params, timezone) }
  const db = parts.readDb ?? parts.db
  const context = await loadReportContext(db, report, which, { timezone, company, now: new Date() })
  const content = await make(context, createReader({ ...parts, db }, job))
  try {
    const { ending, bytes } = content.file
    const pages = countPdfPages(bytes)
    const options = { name: formatFileName(context, ending), userId: job.userId, most: LARGEST }
    crashAtFailPoint('report:read')
    const { id: uploadId, size } = await storeMedia(createMediaStorage(parts), pages.bytes, options)
    crashAtFailPoint('report:stored')
    const counts = { rows: content.rows, bytes: size, ...(ending === 'pdf' && { pages: pages.counted() }) }
    return { counts, uploadId }
  } finally {
    await content.remove()
  }
}

function createReader({ db, config, log }: JobParts, job: Job): ReportReader {
  async function step(done: number, total: number): Promise<void> {
    await job.batch(async () => ({ mark: {}, done, total }))
  }
  return {
    ...createMediaStorage({ db, config }),
    step,
    limits: {
      signal: job.signal,
      broke: message => log.error({ jobId: job.id, message }, 'a report was not drawn'),
    },
    async *filterPages(pages) {
      let read = 0
      await step(0, read)
      let begun = performance.now()
      for await (const page of pages) {
        crashAtFailPoint('report:page')
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
