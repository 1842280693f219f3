// A sheet on its way to the server: looked at first, then handed over.
import type { AnswerOf, JobStarted } from '@balcao/contract'
import { isSheetProblem } from '@balcao/contract/contact-sheets'
import { api, upload } from '@balcao/ui/api'
import { currentLanguage, textsOf } from '@balcao/ui/i18n'
import type { SheetLook } from '@balcao/ui/screens'

type Call = 'POST /contacts/import' | 'POST /contacts/delegation'
export type Looked = Exclude<AnswerOf<Call>, JobStarted>
export type SheetFile = NonNullable<Looked['errorSheet']>

export interface ContactLook extends SheetLook {
  /** Whether numbers lack their area code. */
  readonly lacksAreaCode: boolean
  readonly errorSheet: SheetFile | null
}

type Columns = readonly (string | null)[]

/** How a sheet is to be read. */
export interface SheetReading {
  readonly columns: Columns | null
  /** Of numbers that stand there without one; empty: none was chosen. */
  readonly areaCode: string
}

/** What would come of a sheet, in the words of the reader. */
export async function lookAt(call: Call, file: File, reading: SheetReading, signal: AbortSignal): Promise<ContactLook> {
  const query = { preview: 'true', language: currentLanguage() }
  const said = await upload(call, { query, body: formOf(file, reading), signal })
  if ('jobId' in said) throw new Error('A look began an import')
  const t = textsOf('contact-sheets')
  return {
    heads: said.columns.map(({ head }) => head),
    columns: said.columns.map(({ field }) => field),
    sample: said.rows,
    ...{ total: said.total, created: said.created, updated: said.updated, same: said.skipped, wrong: said.wrong },
    faults: said.errors.map(({ row, field, code, error, value }) => ({
      ...{ line: row, field: t(`column.${field}`), value },
      text: isSheetProblem(code) ? t(`problem.${code}`) : error,
      isHeading: code === 'columnMissing',
    })),
    errorSheet: said.errorSheet,
    lacksAreaCode: said.errors.some(({ code }) => code === 'areaCodeMissing'),
  }
}

/** Begins the import. */
export function beginWith(call: Call, file: File, reading: SheetReading): Promise<unknown> {
  return upload(call, { query: { language: currentLanguage() }, body: formOf(file, reading) })
}

function formOf(file: File, { columns, areaCode }: SheetReading): FormData {
  const form = new FormData()
  form.set('medias', file, file.name)
  if (columns) form.set('columns', JSON.stringify(columns))
  if (areaCode) form.set('areaCode', areaCode)
  return form
}

/** An empty sheet to begin with. */
export function templateOf(call: Call): Promise<SheetFile> {
  return call === 'POST /contacts/import'
    ? api('GET /contacts/import/template')
    : api('GET /contacts/delegation/template')
}
