// The work behind an import of each kind of sheet.
import { SheetLanguage } from '@balcao/contract'
import Type, { type Static } from 'typebox'
import { AppError } from '../../platform/http/errors.ts'
import { change } from '../../policy/kit/parts.ts'
import { loadAccessContext } from '../../policy/users/viewer.ts'
import { addJobErrors, type JobErrorRow } from '../jobs/errors.ts'
import type { JobParts, LongJob, RunningJob } from '../jobs/long.ts'
import { createMediaStorage } from '../media/storage.ts'
import { openMedia } from '../media/store.ts'
import { type ContactImport, importRows, Mark, previewRows, toErrorRows } from './import-rows.ts'
import { SHEETS, type SheetName, type SpooledContacts, spoolContacts } from './sheets.ts'

const Params = Type.Object({
  uploadId: Type.String(),
  name: Type.String(),
  /** Which column each heading is. */
  columns: Type.Array(Type.Union([Type.String(), Type.Null()])),
  /** Whether wrong rows are left out; otherwise they stop everything. */
  partial: Type.Boolean(),
  /** Of numbers that stand there without one. */
  areaCode: Type.Optional(Type.String()),
  /** Whether contacts get all numbers of their rows. */
  allNumbers: Type.Optional(Type.Boolean()),
  language: SheetLanguage,
})

export const SHEET_JOBS = { contacts: sheetJob('contacts'), delegation: sheetJob('delegation') } as const

function sheetJob(sheet: SheetName): LongJob<typeof Params, typeof Mark> {
  return {
    ...{ kind: sheet === 'contacts' ? 'contacts.import' : 'contacts.delegation', params: Params, mark: Mark },
    async work(parts, job) {
      const { uploadId, name, columns, partial, language, ...options } = job.params
      const file = await openMedia(createMediaStorage(parts), uploadId)
      if (!file) throw new AppError('ERR_NO_FILE_FOUND')
      const laid = await spoolContacts(
        parts.config.dataDir,
        { path: file.path, name },
        sheet,
        JSON.stringify(columns),
        options,
      )
      try {
        const coming = { ...comingFrom(sheet, laid), language }
        if (!partial && job.mark === null) {
          const failed = await tellWrong(parts, job, coming)
          if (failed > 0) return { error: 'ERR_SHEET_ROWS', counts: { failed } }
        }
        return await importRows(parts, job, coming)
      } finally {
        await laid.remove()
      }
    },
  }
}

function comingFrom(sheet: SheetName, { wanted, total, heading }: SpooledContacts): ContactImport {
  const placeOf: ContactImport['placeOf'] = ({ rows: [first] }) => first?.row ?? 0
  return { source: SHEETS[sheet].source, wanted, placeOf, total, heads: heading.cells }
}

/** How many rows are wrong; they can then be had as a sheet, and nothing else is written. */
async function tellWrong(
  parts: JobParts,
  job: RunningJob<unknown, Static<typeof Mark>>,
  { source, wanted, heads, language }: ContactImport,
): Promise<number> {
  const wrong: JobErrorRow[] = []
  const reader = await loadAccessContext(parts.db, job.userId)
  for await (const decision of previewRows(parts, source, wanted(), reader))
    wrong.push(...toErrorRows(decision, language))
  await change(parts, tx => addJobErrors(tx, job.id, heads, wrong))
  return wrong.length
}
