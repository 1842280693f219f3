// A sheet of contacts or of delegations as it comes in: looked at, or kept and handed to a job (decisions-2 §13, §14, §22).
import {
  FAULTS_TOLD,
  isAreaCode,
  type JobReference,
  type Language,
  type QueryParams,
  type ResponseBody,
  SHEET_BYTES,
  shortenText,
} from '@balcao/contract'
import type { SheetRow } from '@balcao/formats/sheets/read'
import { writeSheet } from '@balcao/formats/sheets/write'
import { batchRows } from '@balcao/formats/subprocess/lines'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { startJob } from '../jobs/long.ts'
import { claimUpload } from '../media/claim.ts'
import { type FormCall, readForm, type UploadForm } from '../media/form.ts'
import { findSheetFile, requireSheetFile, SHEET_FORM_BYTES, toCorrectionRows } from '../media/sheet-form.ts'
import { createMediaStorage } from '../media/storage.ts'
import { type ReceivedFile, storeReceivedFile } from '../media/store.ts'
import type { RowFault, SheetOptions } from './contact-rows.ts'
import type { ImportDecision } from './decide.ts'
import { formatFaults, problemText } from './faults.ts'
import { previewRows } from './import-rows.ts'
import { importPhone } from './phone.ts'
import { checkContactRight } from './rights.ts'
import { SHEET_JOBS } from './sheet-jobs.ts'
import { readContactHead, SHEETS, type SheetName, spoolContacts } from './sheets.ts'

type Looked = Exclude<ResponseBody<'POST /contacts/import'>, JobReference>
type Query = QueryParams<'POST /contacts/import'>

const SAMPLE = 3
const CONTACTS_SHOWN = 10
const VALUE = 60

/** Throws as `readSheet`, `ERR_NO_PERMISSION`; without a file as `importPhone`. */
export async function importContacts(
  parts: Parts,
  { session, ...call }: FormCall<Session> & { readonly session: Session },
  query: Query,
): Promise<Looked | JobReference> {
  checkContactRight(session, 'edit')
  const isForm = /^multipart\/form-data/i.test(call.request.headers.get('content-type') ?? '')
  if (!isForm) return importPhone(parts, session, query.whatsappId)
  const work = (form: UploadForm, session: Session) => {
    checkContactRight(session, 'edit')
    return findSheetFile(form)
      ? importForm(parts, session, 'contacts', form, query)
      : importPhone(parts, session, query.whatsappId)
  }
  return readForm<Looked | JobReference, Session>(parts, call, work, SHEET_FORM_BYTES)
}

/** Throws as `readSheet`, `ERR_NO_PERMISSION`, and `ERR_VALIDATION` without a file (spec 3 §5). */
export async function importDelegation(
  parts: Parts,
  { session, ...call }: FormCall<Session> & { readonly session: Session },
  query: QueryParams<'POST /contacts/delegation'>,
): Promise<Looked | JobReference> {
  checkContactRight(session, 'add')
  const work = (form: UploadForm, session: Session) => {
    checkContactRight(session, 'add')
    return importForm(parts, session, 'delegation', form, query)
  }
  return readForm(parts, call, work, SHEET_FORM_BYTES)
}

async function importForm(
  parts: Parts,
  session: Session,
  sheet: SheetName,
  form: UploadForm,
  { preview, partial, language }: Pick<Query, 'preview' | 'partial' | 'language'>,
): Promise<Looked | JobReference> {
  const file = requireSheetFile(form)
  const columns = form.text('columns')
  const areaCode = form.text('areaCode') || undefined
  if (areaCode !== undefined && !isAreaCode(areaCode)) throw createFieldError('areaCode', 'call.areaCode')
  const allNumbers = form.text('numbers') === 'all'
  if (preview === 'true') return previewImport(parts, session, sheet, file, columns, { areaCode, allNumbers, language })
  const { missing, columns: known } = await readContactHead(file, sheet, columns)
  if (missing.length > 0)
    throw new AppError(
      'ERR_VALIDATION',
      missing.map(path => ({ path, code: 'columnMissing', message: problemText('columnMissing', language) })),
    )
  const place = createMediaStorage(parts)
  const userId = session.viewer.id
  const { id: uploadId, name } = await storeReceivedFile(place, file, { name: file.name, userId, most: SHEET_BYTES })
  const params = { uploadId, name, columns: [...known], partial: partial !== 'false', areaCode, allNumbers, language }
  return change(parts, async tx => {
    const started = await startJob(tx, session, SHEET_JOBS[sheet], params)
    await claimUpload(tx, userId, uploadId, { jobId: started.jobId })
    return started
  })
}

/** What would come of it. */
async function previewImport(
  parts: Parts,
  reader: AccessContext,
  sheet: SheetName,
  file: ReceivedFile,
  chosen: string | null,
  { language, ...options }: SheetOptions & { readonly language: Language | undefined },
): Promise<Looked> {
  const laid = await spoolContacts(parts.config.dataDir, file, sheet, chosen, options)
  try {
    const { heading, columns, missing, total } = laid
    const counts = { created: 0, updated: 0, skipped: 0, failed: 0 }
    const faults: RowFault[] = missing.map(field => ({ row: heading.row, field, code: 'columnMissing' }))
    const wrongRows: SheetRow[] = []
    const contacts: Looked['contacts'] = []
    let several = 0
    for await (const decision of previewRows(parts, SHEETS[sheet].source, laid.wanted(), reader)) {
      counts[decision.fate] += decision.wanted.rows.length
      if (decision.wanted.hasSeveral) several++
      if (contacts.length < CONTACTS_SHOWN) contacts.push(...toSheetContacts(decision))
      if (decision.fate !== 'failed') continue
      faults.push(...decision.faults)
      wrongRows.push(...decision.wanted.rows)
    }
    const byRow = Map.groupBy(faults, ({ row }) => row)
    const cellsOf = new Map(wrongRows.map(({ row, cells }) => [row, cells]))
    const shownRows = [...byRow.keys()].sort((a, b) => a - b).slice(0, FAULTS_TOLD)
    const { failed: wrong, ...others } = counts
    return {
      columns: heading.cells.map((head, at) => ({ head, field: columns[at] ?? null })),
      rows: (await takeFirst(laid.rows(), SAMPLE)).map(({ cells }) => heading.cells.map((_, at) => cells[at] ?? '')),
      ...{ contacts, several, total, ...others, wrong },
      errors: shownRows.flatMap(row =>
        (byRow.get(row) ?? []).map(fault => toErrorEntry(fault, cellsOf.get(row) ?? [], columns, language)),
      ),
      errorSheet:
        wrong === 0
          ? null
          : await wrongSheet(SHEETS[sheet].file, heading.cells, shownRows, cellsOf, row =>
              formatFaults(byRow.get(row) ?? [], language),
            ),
    }
  } finally {
    await laid.remove()
  }
}

/** Nothing of who is left out. */
function toSheetContacts(decision: ImportDecision): Looked['contacts'] {
  if (decision.fate === 'failed') return []
  const { fate, wanted } = decision
  const change = fate === 'skipped' ? null : decision.change
  const known = fate === 'updated' ? decision.known : null
  return [
    {
      ...{ row: wanted.rows[0]?.row ?? 0, outcome: fate, name: change?.name ?? known?.name ?? wanted.name },
      ...{ number: change?.number ?? known?.number ?? wanted.number, otherNumbers: [...(change?.otherNumbers ?? [])] },
      ...{ email: change?.email ?? known?.email ?? wanted.email, tags: [...(change?.tags ?? [])] },
    },
  ]
}

async function takeFirst<T>(all: AsyncIterable<T>, most: number): Promise<T[]> {
  for await (const some of batchRows(all, most)) return some
  return []
}

function toErrorEntry(
  { row, field, code }: RowFault,
  cells: readonly string[],
  columns: readonly (string | null)[],
  language: Language | undefined,
): Looked['errors'][number] {
  const value = shortenText(cells[columns.indexOf(field)] ?? '', VALUE)
  return { row, field, code, error: problemText(code, language), value }
}

function wrongSheet(
  name: string,
  heads: readonly string[],
  rowNumbers: readonly number[],
  cellsOf: ReadonlyMap<number, readonly string[]>,
  toWords: (row: number) => string,
): ReturnType<typeof writeSheet> {
  const lines = rowNumbers.flatMap(row => {
    const cells = cellsOf.get(row)
    return cells ? [{ row, cells, problem: toWords(row) }] : []
  })
  return writeSheet(`${name}-com-erro`, toCorrectionRows(heads, lines))
}
