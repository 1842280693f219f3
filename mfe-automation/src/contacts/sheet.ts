// A sheet on its way to the server: looked at first, then handed over.
import type { JobReference, ResponseBody } from '@balcao/contract'
import { api, upload } from '@balcao/ui/api'
import { getLanguage, getTexts } from '@balcao/ui/i18n'
import type { SheetDryRun } from '@balcao/ui/screens'

type Call = 'POST /contacts/import' | 'POST /contacts/delegation'
export type SheetPreviewAnswer = Exclude<ResponseBody<Call>, JobReference>
export type SheetFile = NonNullable<SheetPreviewAnswer['errorSheet']>

export interface ContactSheetDryRun extends SheetDryRun {
  /** Whether numbers lack their area code. */
  readonly lacksAreaCode: boolean
  /** What the first rows come to. */
  readonly contacts: SheetPreviewAnswer['contacts']
  /** Rows with more than one number. */
  readonly several: number
  readonly errorSheet: SheetFile | null
}

type Columns = readonly (string | null)[]

/** How a sheet is to be read. */
export interface SheetReading {
  readonly columns: Columns | null
  /** Of numbers that stand there without one; empty: none was chosen. */
  readonly areaCode: string
  /** Whether contacts get all numbers of their rows. */
  readonly allNumbers: boolean
}

/** What would come of a sheet, in the words of the reader. */
export async function previewSheet(
  call: Call,
  file: File,
  reading: SheetReading,
  signal: AbortSignal,
): Promise<ContactSheetDryRun> {
  const query = { preview: 'true', language: getLanguage() }
  const response = await upload(call, { query, body: toFormData(file, reading), signal })
  if ('jobId' in response) throw new Error('A look began an import')
  const t = getTexts('contact-sheets')
  return {
    heads: response.columns.map(({ head }) => head),
    columns: response.columns.map(({ field }) => field),
    sample: response.rows,
    ...{
      total: response.total,
      created: response.created,
      updated: response.updated,
      same: response.skipped,
      wrong: response.wrong,
    },
    faults: response.errors.map(({ row, field, code, error, value }) => ({
      ...{ line: row, field: t(`column.${field}`), value },
      text: error,
      isHeading: code === 'columnMissing',
    })),
    ...{ contacts: response.contacts, several: response.several, errorSheet: response.errorSheet },
    lacksAreaCode: response.errors.some(({ code }) => code === 'areaCodeMissing'),
  }
}

/** Begins the import. */
export function startImport(call: Call, file: File, reading: SheetReading): Promise<unknown> {
  return upload(call, { query: { language: getLanguage() }, body: toFormData(file, reading) })
}

function toFormData(file: File, { columns, areaCode, allNumbers }: SheetReading): FormData {
  const form = new FormData()
  form.set('medias', file, file.name)
  if (columns) form.set('columns', JSON.stringify(columns))
  if (areaCode) form.set('areaCode', areaCode)
  if (allNumbers) form.set('numbers', 'all')
  return form
}

/** An empty sheet to begin with. */
export function fetchSheetTemplate(call: Call): Promise<SheetFile> {
  return call === 'POST /contacts/import'
    ? api('GET /contacts/import/template')
    : api('GET /contacts/delegation/template')
}
