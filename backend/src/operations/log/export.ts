// A sheet of the log as somebody filtered it, newest first, written page by page (decisions-2 §13, §16).
import {
  formatSlashedDay,
  formatTimeOfDay,
  type JobReference,
  type Language,
  LOG_SHEET_ROWS,
  LOG_SOURCES,
  LogFilters,
  type LogRow,
  type LogSource,
  MB,
  type RequestBody,
  SheetLanguage,
  toWallClock,
} from '@balcao/contract'
import { toTextCells } from '@balcao/formats/sheets/write'
import { renderXlsx } from '@balcao/formats/sheets/xlsx'
import Type, { type Static } from 'typebox'
import { type JobParts, type LongJob, type RunningJob, startJob } from '../../desk/jobs/long.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { storeMedia } from '../../desk/media/store.ts'
import { EXPORT_WORDS } from '../../policy/kit/export-words.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { listLog } from './list.ts'
import { formatLogSentence } from './sheet-words.ts'

type LogExportRequest = NonNullable<RequestBody<'POST /log/export'>>

const Params = Type.Object({ filters: LogFilters, timezone: Type.String(), language: SheetLanguage })
const Mark = Type.Object({})
type Job = RunningJob<Static<typeof Params>, Static<typeof Mark>>

const PAGE = 1000
const LARGEST = 256 * MB

/** Begins a sheet of the entries that fit. Throws what a page of them throws. */
export async function exportLog(
  parts: Parts,
  session: Session,
  { language = 'pt', ...filters }: LogExportRequest,
): Promise<JobReference> {
  const { timezone } = session.settings
  await listLog(parts.db, session.viewer, filters, timezone, 1)
  return change(parts, tx => startJob(tx, session, LOG_EXPORT, { filters, timezone, language }))
}

export const LOG_EXPORT: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'log.export', params: Params, mark: Mark },
  async work(parts, job) {
    const counts = { entries: 0 }
    const bytes = renderXlsx(toTextCells(readExportRows(parts, job, counts)))
    const place = createMediaStorage(parts)
    const { id: uploadId } = await storeMedia(place, bytes, {
      name: EXPORT_WORDS[job.params.language ?? 'pt'].log.file,
      userId: job.userId,
      most: LARGEST,
    })
    const { entries } = counts
    await change(parts, tx => writeLog(tx, { action: 'log.export', params: { entries }, userId: job.userId }))
    return { counts: { entries }, uploadId }
  },
}

/** The heading, then entry by entry; each page is a batch, which ends with the job. */
async function* readExportRows(
  { db }: JobParts,
  job: Job,
  count: { entries: number },
): AsyncGenerator<readonly string[]> {
  const { filters, timezone, language = 'pt' } = job.params
  yield EXPORT_WORDS[language].log.heads
  for (let cursor: string | null = null; count.entries < LOG_SHEET_ROWS; ) {
    const query = { ...filters, ...(cursor !== null && { cursor }) }
    const page: Awaited<ReturnType<typeof listLog>> = await listLog(db, { id: job.userId }, query, timezone, PAGE)
    for (const entry of page.logs) yield toExportRow(entry, timezone, language)
    count.entries += page.logs.length
    const done = count.entries
    await job.batch(async () => ({ mark: {}, done }))
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

function toExportRow(entry: LogRow, timezone: string, language: Language): readonly string[] {
  const { user, userId, action, about, origem, reported } = entry
  const words = EXPORT_WORDS[language].log
  const clock = toWallClock(new Date(entry.createdAt), timezone)
  const nobody = userId !== null ? words.owner : action?.startsWith('api.') ? words.program : 'Balcão'
  return [
    formatSlashedDay(clock),
    formatTimeOfDay(clock),
    user?.name ?? nobody,
    formatLogSentence(language, entry),
    about ?? '',
    isSource(origem) ? words.sources[origem] : origem,
    reported ? words.yes : words.no,
    formatDetails(entry, words.changed),
  ]
}

/** Fields before and after, or what it was done with. */
function formatDetails({ params }: LogRow, changed: string): string {
  return Object.entries(params ?? {})
    .flatMap(([name, value]) =>
      name === 'changes' && Array.isArray(value)
        ? value.map(change => changeText(change, changed))
        : [`${name}: ${formatValue(value)}`],
    )
    .join('; ')
}

function changeText(change: unknown, changed: string): string {
  const { field, from, to } = Object(change)
  return from === undefined && to === undefined
    ? `${formatValue(field)}: ${changed}`
    : `${formatValue(field)}: ${formatValue(from)} → ${formatValue(to)}`
}

function formatValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

function isSource(text: string): text is LogSource {
  return LOG_SOURCES.some(source => source === text)
}
