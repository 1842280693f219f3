// All that is held of a person, for that person (decisions-2 §19): the data as JSON, every file, and the conversations as a PDF to read.
// Read page by page and written as it is read, however much it is.
import { type JobReference, LANGUAGES, type Language, MB, toSafeFileName } from '@balcao/contract'
import { renderZip } from '@balcao/formats/sheets/xlsx'
import { and, eq, inArray, like, ne, or, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { cancelJobs, type JobParts, type LongJob, type RunningJob, startJob } from '../../desk/jobs/long.ts'
import { jobs } from '../../desk/jobs/table.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { openMedia, storeMedia } from '../../desk/media/store.ts'
import { loadReportContext } from '../../insight/reports/context.ts'
import { buildConversationReport } from '../../insight/reports/conversation-report.ts'
import type { ReportQuery } from '../../insight/reports/query.ts'
import type { Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { EXPORT_WORDS } from '../../policy/kit/export-words.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { loadPerson } from './find.ts'
import { findMergedContactIds, readContactFiles, readPersonalData } from './held.ts'

/** Who asked before it could be said reads Portuguese. */
const Params = Type.Object({ contactId: Type.Integer(), language: Type.Optional(Type.Enum([...LANGUAGES])) })
const Mark = Type.Object({})
type Job = RunningJob<Static<typeof Params>, Static<typeof Mark>>

const LARGEST = 4000 * MB

/** Throws `ERR_NO_CONTACT_FOUND`. */
export async function exportPerson(
  parts: Parts,
  session: Session,
  contactId: number,
  language: Language = 'pt',
): Promise<JobReference> {
  if (!(await loadPerson(parts.db, contactId))) throw new AppError('ERR_NO_CONTACT_FOUND')
  return change(parts, tx => startJob(tx, session, EXPORT_JOB, { contactId, language }))
}

/**
 * What is being written while somebody is erased, that person's archive and every report and sheet: what was read of it is not to come out
 * afterwards. They can be asked for again; archives of others go on.
 */
export async function cancelContactExports(tx: Tx, contactIds: readonly number[]): Promise<void> {
  const whose = sql`(${jobs.params}->>'contactId')::int`
  const theirs = and(eq(jobs.kind, EXPORT_JOB.kind), inArray(whose, [...contactIds]))
  const ofMany = or(like(jobs.kind, 'report.%'), like(jobs.kind, '%.export%'))
  await cancelJobs(tx, or(theirs, and(ofMany, ne(jobs.kind, EXPORT_JOB.kind))))
}

/** A process that takes it over begins anew: what the first one stored is nobody's. */
export const EXPORT_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'privacy.export', params: Params, mark: Mark },
  async work(parts, job) {
    const person = await loadPerson(parts.db, job.params.contactId)
    if (!person) throw new AppError('ERR_NO_CONTACT_FOUND')
    const counts = { messages: 0, files: 0 }
    const name = `${toSafeFileName(person.name || getMemberNames(job).person)}.zip`
    const options = { name, userId: job.userId, most: LARGEST }
    const { id: uploadId } = await storeMedia(
      createMediaStorage(parts),
      renderZip(buildMembers(parts, job, counts)),
      options,
    )
    const reference = { userId: job.userId, contactId: person.id }
    await change(parts, tx => writeLog(tx, { action: 'privacy.export', params: { ...counts }, ...reference }))
    return { counts: { messages: counts.messages, files: counts.files }, uploadId }
  },
}

interface Member {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

async function* buildMembers(
  parts: JobParts,
  job: Job,
  count: { messages: number; files: number },
): AsyncGenerator<Member> {
  const { db } = parts
  const names = getMemberNames(job)
  const contactIds = await findMergedContactIds(db, job.params.contactId)
  const step = (done: number) => job.batch(async () => ({ mark: {}, done }))
  yield { name: `${names.data}.json`, bytes: readPersonalData(db, contactIds, count, step) }
  yield await buildConversations(parts, job)
  for await (const { id, name } of readContactFiles(db, contactIds)) {
    const file = await openMedia(createMediaStorage(parts), id)
    const bytes = file && Bun.file(file.path)
    if (!bytes || !(await bytes.exists())) continue
    count.files++
    yield { name: `${names.files}/${name}`, bytes: bytes.stream() }
    await step(count.messages + count.files)
  }
}

function getMemberNames({ params: { language = 'pt' } }: Job) {
  return EXPORT_WORDS[language].person
}

/** What the person would read, ticket by ticket. */
async function buildConversations(parts: JobParts, job: Job): Promise<Member> {
  const { db, config, log } = parts
  const { timezone } = await readSettings(db)
  const now = new Date()
  const context = await loadReportContext(db, 'message', buildQuery(job, now), {
    timezone,
    company: config.company,
    now,
  })
  const content = await buildConversationReport(context, {
    ...createMediaStorage(parts),
    step: () => job.batch(async () => ({ mark: {}, done: 0 })),
    limits: {
      signal: job.signal,
      broke: message => log.error({ jobId: job.id, message }, 'a person was not drawn'),
    },
    filterPages: pages => flat(pages),
  })
  return { name: `${getMemberNames(job).conversations}.${content.file.ending}`, bytes: content.file.bytes }
}

async function* flat<Line>(pages: AsyncIterable<readonly Line[]>): AsyncGenerator<readonly Line[]> {
  yield* pages
}

/** Everything, whoever may see it: it is the person's. */
function buildQuery({ params, userId }: Job, now: Date): ReportQuery {
  const first = '2009-01-01'
  const last = now.toISOString().slice(0, 10)
  return {
    ...{ startDate: first, endDate: last, queueId: null, userId: null, contactId: params.contactId, status: '' },
    ...{ format: 'pdf', language: params.language ?? 'pt', viewerId: userId },
    scope: { profile: 'admin', queueIds: [], hierarchy: false, onlyAdminSeeEmptyQueue: false },
    period: { first, last, from: `${first}T00:00:00Z`, until: now.toISOString() },
  }
}
