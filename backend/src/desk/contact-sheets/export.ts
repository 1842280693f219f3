// Sheets of all contacts, and of whom they are delegated to: written page by page, and fit to be imported again (decisions-2 §14).
import {
  CONTACT_COLUMNS,
  CONTACT_SHEET_ROWS,
  DELEGATION_COLUMNS,
  type JobReference,
  MB,
  type RequestBody,
} from '@balcao/contract'
import { readNumber } from '@balcao/contract/contacts/read-number'
import { createNameFormatter, formatNames } from '@balcao/formats/sheets/columns'
import { toTextCells } from '@balcao/formats/sheets/write'
import { renderCsv, renderXlsx, renderZip, type SheetRows } from '@balcao/formats/sheets/xlsx'
import Type, { type Static } from 'typebox'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { type JobParts, type LongJob, type RunningJob, startJob } from '../jobs/long.ts'
import { createMediaStorage } from '../media/storage.ts'
import { storeMedia } from '../media/store.ts'
import type { ImportDirectory } from './decide.ts'
import type { Redirect } from './delegations.ts'
import { loadImportDirectory } from './import-directory.ts'
import { checkContactRight } from './rights.ts'

const FORMS = { xlsx: renderXlsx, csv: renderCsv } as const
const Params = Type.Object({ format: Type.Enum(['xlsx', 'csv']) })
const Mark = Type.Object({})
type Job = RunningJob<Static<typeof Params>, Static<typeof Mark>>

const PAGE = 1000
const LARGEST = 1024 * MB

/** Begins a sheet of the contacts. Throws `ERR_NO_PERMISSION`. */
export function exportContacts(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /contacts/export'>,
): Promise<JobReference> {
  checkContactRight(session, 'edit')
  return change(parts, tx => startJob(tx, session, EXPORT_JOBS.contacts, { format: body?.format ?? 'xlsx' }))
}

/** Begins a sheet of the delegations. Throws `ERR_NO_PERMISSION`. */
export function exportDelegation(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /contacts/export/delegation'>,
): Promise<JobReference> {
  checkContactRight(session, 'add')
  return change(parts, tx => startJob(tx, session, EXPORT_JOBS.delegation, { format: body?.format ?? 'xlsx' }))
}

/** What is written of a contact, and where it stands in the order. */
interface Exported {
  readonly id: number
  readonly place: string
  readonly rows: readonly string[][]
}

/** Of those behind one of them, or from the beginning. */
type PageOf = (
  db: Db,
  world: ImportDirectory,
  after: Pick<Exported, 'id' | 'place'> | null,
) => Promise<readonly Exported[]>

export const EXPORT_JOBS = {
  contacts: exportJob('contacts.export', 'contatos', CONTACT_COLUMNS, contactPage),
  delegation: exportJob('contacts.exportDelegation', 'delegacao', DELEGATION_COLUMNS, delegationPage),
} as const

function exportJob(
  kind: string,
  name: string,
  columns: readonly string[],
  page: PageOf,
): LongJob<typeof Params, typeof Mark> {
  return {
    ...{ kind, params: Params, mark: Mark },
    async work(parts, job) {
      const { format } = job.params
      const counts = { contacts: 0 }
      const total = await countExported(parts.db)
      const sheets = inSheets(readContactRows(parts, job, page, { total, counts }), columns)
      const files = named(
        sheets,
        number => `${name}${number}.${format}`,
        rows => FORMS[format](toTextCells(rows)),
      )
      const isOne = total <= CONTACT_SHEET_ROWS
      const bytes = isOne ? takeFirstFile(files) : renderZip(files)
      const options = { name: `${name}.${isOne ? format : 'zip'}`, userId: job.userId, most: LARGEST }
      const { id: uploadId } = await storeMedia(createMediaStorage(parts), bytes, options)
      const { contacts } = counts
      await change(parts, tx => writeLog(tx, { action: 'contact.export', params: { contacts }, userId: job.userId }))
      return { counts: { exported: contacts }, uploadId }
    },
  }
}

/** Everybody's rows, with a batch for each page: it tells how far it is, and ends with the job. */
async function* readContactRows(
  { db }: JobParts,
  job: Job,
  page: PageOf,
  { total, counts }: { total: number; counts: { contacts: number } },
): AsyncGenerator<readonly string[][]> {
  const world = await loadImportDirectory(db)
  for (let after: Exported | null = null; ; ) {
    const some: readonly Exported[] = await page(db, world, after)
    for (const { rows } of some) yield rows
    counts.contacts += some.length
    const done = counts.contacts
    await job.batch(async () => ({ mark: {}, done, total: Math.max(total, done) }))
    after = some.at(-1) ?? null
    if (!after || some.length < PAGE) return
  }
}

/** Sheets of no more rows than an import takes, each with the heading; the rows of a contact stand in one. */
async function* inSheets(
  contacts: AsyncGenerator<readonly string[][]>,
  columns: readonly string[],
): AsyncGenerator<SheetRows> {
  let next = await contacts.next()
  async function* rows(): AsyncGenerator<readonly string[]> {
    yield columns
    for (let written = 0; !next.done && written + next.value.length <= CONTACT_SHEET_ROWS; ) {
      yield* next.value
      written += next.value.length
      next = await contacts.next()
    }
  }
  do yield rows()
  while (!next.done)
}

async function* named(
  sheets: AsyncGenerator<SheetRows>,
  nameOf: (number: string) => string,
  form: (rows: SheetRows) => AsyncIterable<Uint8Array>,
): AsyncGenerator<{ name: string; bytes: AsyncIterable<Uint8Array> }> {
  let number = 1
  for await (const rows of sheets) yield { name: nameOf(`-${number++}`), bytes: form(rows) }
}

/** All of it is one sheet: should there be more contacts by now, they come in with the next export. */
async function* takeFirstFile(files: AsyncGenerator<{ bytes: AsyncIterable<Uint8Array> }>): AsyncGenerator<Uint8Array> {
  const first = await files.next()
  if (!first.done) yield* first.value.bytes
}

/** Groups have no number, and who has none cannot be imported. */
async function countExported(db: Db): Promise<number> {
  const [row] = await getSql(db)<{ n: number }[]>`
    select count(*)::int as n from contact where merged_into is null and not is_group and number is not null`
  return row?.n ?? 0
}

async function contactPage(
  db: Db,
  _: ImportDirectory,
  after: Pick<Exported, 'id' | 'place'> | null,
): Promise<Exported[]> {
  const rows = await getSql(db)<
    { id: number; place: string; name: string; number: string; email: string; answers: boolean; tags: string[] }[]
  >`
    select c.id, c.search_name as place, c.name, coalesce(c.number, '') as number, c.email, c.resposta_automatica as answers,
      array(select g.name from contact_tag t join tag g on g.id = t.tag_id where t.contact_id = c.id order by g.name, g.id) as tags
    from contact c where c.merged_into is null and not c.is_group and c.number is not null
      and (${after === null}::boolean or (c.search_name collate "C", c.id) > (${after?.place ?? ''}, ${after?.id ?? 0}::int))
    order by c.search_name collate "C", c.id limit ${PAGE}`
  return rows.map(({ id, place, name, number, email, answers, tags }) => ({
    ...{ id, place },
    rows: [[name, numberText(number), email, formatNames(tags), answers ? 'sim' : 'não']],
  }))
}

async function delegationPage(
  db: Db,
  { queues, users }: ImportDirectory,
  after: Pick<Exported, 'id' | 'place'> | null,
): Promise<Exported[]> {
  const rows = await getSql(db)<{ id: number; place: string; name: string; number: string; redirects: Redirect[] }[]>`
    select c.id, c.search_name as place, c.name, coalesce(c.number, '') as number,
      coalesce((select json_agg(json_build_object('queueId', r.queue_id, 'userId', r.user_id) order by r.queue_id) from contact_redirect r where r.contact_id = c.id), '[]'::json) as redirects
    from contact c where c.merged_into is null and not c.is_group and c.number is not null
      and (${after === null}::boolean or (c.search_name collate "C", c.id) > (${after?.place ?? ''}, ${after?.id ?? 0}::int))
    order by c.search_name collate "C", c.id limit ${PAGE}`
  const [queueText, userText] = [
    createNameFormatter(queues),
    createNameFormatter<ImportDirectory['users'][number]>(users),
  ]
  const queueOf = new Map(queues.map(queue => [queue.id, queueText(queue)]))
  const userOf = new Map(users.map(user => [user.id, userText(user)]))
  return rows.map(({ id, place, name, number, redirects }) => {
    const delegations = redirects.flatMap(({ queueId, userId }) => {
      const [queue, user] = [queueOf.get(queueId), userOf.get(userId)]
      return queue !== undefined && user !== undefined ? [[numberText(number), name, queue, user]] : []
    })
    return { id, place, rows: delegations.length > 0 ? delegations : [[numberText(number), name, '', '']] }
  })
}

/** As an import takes it for the very same: other countries' numbers may be as long as one of ours without its country. */
function numberText(number: string): string {
  const reading = readNumber(number)
  return 'number' in reading && reading.number === number ? number : `+${number}`
}
