// A sheet of the ratings of a period: written page by page, as the list shows them.
import {
  type BodyOf,
  formatPhone,
  isoDay,
  type JobStarted,
  type Language,
  MB,
  type RatingEntry,
  SheetLanguage,
  timeText,
  wallClockAt,
} from '@balcao/contract'
import { workbookOf } from '@balcao/formats/sheets/workbook'
import { sheetText } from '@balcao/formats/sheets/write'
import type { Cell } from '@balcao/formats/sheets/xlsx'
import Type, { type Static } from 'typebox'
import { type JobParts, type LongWork, type RunningJob, startJob } from '../../desk/jobs/long.ts'
import { placeOf } from '../../desk/media/place.ts'
import { storeMedia } from '../../desk/media/store.ts'
import { idsOf } from '../../platform/database/ids.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { periodOf } from '../figures/read.ts'
import { countRatings, type Place, ratingPlaces } from './list.ts'
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

const WORDS: Readonly<
  Record<Language, { readonly sheet: string; readonly file: string; readonly heads: readonly string[] }>
> = {
  pt: {
    ...{ sheet: 'Notas', file: 'notas.xlsx' },
    heads: ['contato', 'numero', 'nota', 'atendeu', 'fila', 'avaliado_em', 'conexao', 'atendimento'],
  },
  en: {
    ...{ sheet: 'Ratings', file: 'ratings.xlsx' },
    heads: ['contact', 'number', 'rating', 'served_by', 'queue', 'rated_at', 'connection', 'ticket'],
  },
  es: {
    ...{ sheet: 'Notas', file: 'notas.xlsx' },
    heads: ['contacto', 'numero', 'nota', 'atendio', 'fila', 'evaluado_el', 'conexion', 'atencion'],
  },
}
const PAGE = 1000
/** What a sheet of Excel holds below its heading. */
const MOST = 1_048_575

/** Begins a sheet. Throws `ERR_VALIDATION`. */
export function exportRatings(
  parts: Parts,
  session: Session,
  { firstDate, lastDate, low = false, language = 'pt', ...chosen }: BodyOf<'POST /ticketNPS/export'>,
): Promise<JobStarted> {
  const { timezone } = session.settings
  const period = periodOf({ firstDate, lastDate }, timezone, new Date())
  return change(parts, tx =>
    startJob(tx, session, RATINGS_JOB, { period, timezone, language, wanted: { ...chosen, low } }),
  )
}

export const RATINGS_JOB: LongWork<typeof Params, typeof Mark> = {
  ...{ kind: 'ratings.export', params: Params, mark: Mark },
  async work(parts, job) {
    const told = { ratings: 0 }
    const broke = (said: string) => parts.log.error({ jobId: job.id, said }, 'a sheet of ratings was not written')
    const { sheet, file } = WORDS[job.params.language ?? 'pt']
    const bytes = workbookOf([{ name: sheet, rows: rowsOf(parts, job, told) }], { signal: job.signal, broke })
    const given = { name: file, userId: job.userId, most: 1024 * MB }
    const { id: uploadId } = await storeMedia(placeOf(parts), bytes, given)
    await change(parts, tx => writeLog(tx, { action: 'rating.export', params: told, userId: job.userId }))
    return { counts: told, uploadId }
  },
}

/** With a batch for each page: it tells how far it is, and ends with the job. */
async function* rowsOf({ db }: JobParts, job: Job, told: { ratings: number }): AsyncGenerator<readonly Cell[]> {
  const { period, timezone, wanted, language = 'pt' } = job.params
  const total = Math.min(MOST, await countRatings(db, period, wanted))
  yield WORDS[language].heads
  for (let after: Place | null = null; told.ratings < MOST; ) {
    const limit = Math.min(PAGE, MOST - told.ratings)
    const places: readonly Place[] = await ratingPlaces(db, period, wanted, {
      after: after && { text: after.at, id: after.id },
      skip: 0,
      limit,
    })
    const page = places.slice(0, limit)
    for (const entry of await loadRatings(db, idsOf(page))) yield cellsOf(entry, timezone)
    told.ratings += page.length
    await job.batch(async () => ({ mark: {}, done: told.ratings, total: Math.max(total, told.ratings) }))
    after = page.at(-1) ?? null
    if (!after || places.length <= limit) return
  }
}

function cellsOf({ contact, rate, user, queue, whatsapp, createdAt, ticketId }: RatingEntry, timezone: string): Cell[] {
  const clock = wallClockAt(new Date(createdAt), timezone)
  return [
    sheetText(contact.name),
    contact.number === null ? null : formatPhone(contact.number),
    rate,
    sheetText(user?.name ?? ''),
    sheetText(queue?.name ?? ''),
    { clock: `${isoDay(clock)}T${timeText(clock)}:00` },
    sheetText(whatsapp.name),
    ticketId,
  ]
}
