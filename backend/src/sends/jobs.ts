// Everybody a send was for as a sheet, with what became of each: written page by page, by whoever may see mass sends (decisions §13, §15).
import { type Exclusion, type JobStarted, MB, type RecipientState } from '@balcao/contract'
import Type, { type Static } from 'typebox'
import { sentenceOf } from '../http/errors.ts'
import { type JobParts, type LongWork, longJob, type RunningJob, startJob } from '../jobs/long.ts'
import { writeLog } from '../log/write.ts'
import { placeOf } from '../media/place.ts'
import { storeMedia } from '../media/store.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { asTexts } from '../sheets/write.ts'
import { xlsxOf } from '../sheets/xlsx.ts'
import type { JobKind } from '../worker/kind.ts'
import { checkSend, checkSends } from './access.ts'
import { countsOf, everyRecipient } from './recipients.ts'

const Params = Type.Object({ sendId: Type.Integer() })
const Mark = Type.Object({})
type Job = RunningJob<Static<typeof Params>, Static<typeof Mark>>

const COLUMNS = ['nome', 'numero', 'estado', 'motivo', 'quando']
const LARGEST = 512 * MB

/** Begins a sheet of a send's recipients. Throws `ERR_NO_PERMISSION`, `ERR_NO_SEND_FOUND`. */
export async function exportRecipients(parts: Parts, session: Session, sendId: number): Promise<JobStarted> {
  checkSends(session)
  await checkSend(parts.db, session, sendId)
  return change(parts, tx => startJob(tx, session, RECIPIENTS, { sendId }))
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
  const { sendId } = job.params
  const total = Object.values(await countsOf(db, sendId)).reduce((sum, count) => sum + count, 0)
  yield COLUMNS
  for await (const page of everyRecipient(db, sendId)) {
    for (const { contact, state, reason, at } of page)
      yield [contact.name, contact.number ?? '', STATES[state], reasonOf(reason), state === 'waiting' ? '' : at]
    told.exported += page.length
    const done = told.exported
    await job.batch(async () => ({ mark: {}, done, total: Math.max(total, done) }))
  }
}

const STATES: Readonly<Record<RecipientState, string>> = {
  waiting: 'na vez',
  sending: 'saindo',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'falhou',
  unknown: 'não sabemos se saiu',
  excluded: 'ficou de fora',
}

const REASONS: Readonly<Record<Exclusion, string>> = {
  group: 'grupo',
  merged: 'juntado a outro contato',
  opted_out: 'pediu para sair',
  no_number: 'sem número',
  blocked: 'bloqueou este número',
  no_whatsapp: 'número não tem WhatsApp',
  never_wrote: 'nunca escreveu',
  window_closed: 'fora das 24 horas',
}

function reasonOf(reason: string | null): string {
  if (reason === null) return ''
  return Object.entries(REASONS).find(([word]) => word === reason)?.[1] ?? sentenceOf(reason)
}
