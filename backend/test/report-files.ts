// Reports asked for as people do, and read back as whoever opens them finds them.
import { expect } from 'bun:test'
import type { Job } from '@balcao/contract'
import * as XLSX from 'xlsx'
import type { ApiAnswer, DeskServer, SignedInPerson } from './desk-server.ts'
import { waitUntil } from './until.ts'

/** The cells of each sheet by its name: texts, numbers, and spans and days as sheets count them. */
export type ReadSheets = Readonly<Record<string, (string | number | null)[][]>>

export function readSheets(bytes: Uint8Array): ReadSheets {
  const book = XLSX.read(bytes, { type: 'array', dense: true })
  const rowsOf = (sheet: XLSX.WorkSheet) =>
    XLSX.utils.sheet_to_json<(string | number | null)[]>(sheet, { header: 1, defval: null, raw: true, blankrows: true })
  return Object.fromEntries(Object.entries(book.Sheets).map(([name, sheet]) => [name, rowsOf(sheet)]))
}

interface Begun {
  readonly jobId?: number
  readonly rows?: number
  readonly pages?: number
  readonly error?: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

export function createReportClient({ url }: Pick<DeskServer, 'url'>) {
  const ask = (report: string, body: object, person: SignedInPerson, query = ''): Promise<ApiAnswer<Begun>> =>
    person.call('POST', `/report/${report}${query}`, body)

  async function ended(id: number, person: SignedInPerson): Promise<Job> {
    const job = async () => (await person.call<Job>('GET', `/jobs/${id}`)).body
    await waitUntil('the report has ended', async () => (await job()).endedAt !== null)
    return job()
  }

  /** Asks for one and waits for its end. */
  async function made(report: string, body: object, person: SignedInPerson): Promise<Job> {
    const begun = await ask(report, body, person)
    expect([begun.status, begun.body.error]).toEqual([202, undefined])
    return ended(begun.body.jobId ?? 0, person)
  }

  /** By its link, as a browser without a session has it. */
  async function fileOf(job: Job): Promise<Uint8Array> {
    const answer = await fetch(`${url}${job.result?.url}`)
    expect(answer.status).toBe(200)
    return answer.bytes()
  }

  async function sheets(report: string, body: object, person: SignedInPerson): Promise<ReadSheets> {
    const job = await made(report, { ...body, format: 'xlsx' }, person)
    expect([job.state, job.error]).toEqual(['done', null])
    return readSheets(await fileOf(job))
  }

  return { ask, ended, made, fileOf, sheets }
}
