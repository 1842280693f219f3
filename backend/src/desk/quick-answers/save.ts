// Adding, changing and deleting quick answers, each with an optional file (spec 3 §2, §5).
import { MB, QUICK_ANSWER_EXTENSIONS, type QuickAnswer, quickAnswerRules } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { AppError, validateFields } from '../../platform/http/errors.ts'
import { parseVersion } from '../../platform/http/validate.ts'
import { createRowStore, rejectStale } from '../../policy/kit/kept-rows.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { claimUpload, releaseFiles } from '../media/claim.ts'
import type { UploadForm } from '../media/form.ts'
import type { FileToSend } from '../media/table.ts'
import { storeFiles, toFileColumns } from '../media/to-send.ts'
import { loadQuickAnswers } from './list.ts'
import { quickAnswers } from './table.ts'

const FILE_LIMIT = 20 * MB
const OWNER = { owner: 'quickAnswer' } as const

const rows = createRowStore({
  name: 'quickAnswer',
  missing: 'ERR_NO_QUICK_ANSWER_FOUND',
  taken: 'ERR_DUPLICATED_SHORTCUT',
  load: loadQuickAnswers,
})
/** One quick answer. Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export const getQuickAnswer = rows.get

/** Throws `ERR_VALIDATION`, `ERR_DUPLICATED_SHORTCUT`, `ERR_FILE_TYPE`, `ERR_FILE_TOO_LARGE`. */
export async function addQuickAnswer(parts: Parts, session: Session, form: UploadForm): Promise<QuickAnswer> {
  const fields = { shortcut: form.text('shortcut') ?? '', message: form.text('message') ?? '' }
  const values = validateFields(quickAnswerRules, fields)
  const file = await storeFile(parts, session, form)
  const content = { ...values, file: form.files('medias').map(({ name, sha256 }) => [name, sha256]) }
  const again = (id: number) => change(parts, session, id, { values, file, anew: true, version: undefined })
  return rows.add(parts, session, { clientId: form.text('clientId'), content }, make, again)

  async function make(tx: Tx) {
    const [row] = await tx
      .insert(quickAnswers)
      .values({ ...values, ...toFileColumns(file) })
      .returning()
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, OWNER)
    return row
  }
}

/**
 * What is not given stays as it is, also where somebody else changes it meanwhile. Throws also `ERR_NO_QUICK_ANSWER_FOUND`, and
 * `ERR_CHANGED_MEANWHILE` with the answer as it is now.
 */
export async function editQuickAnswer(
  parts: Parts,
  session: Session,
  id: number,
  form: UploadForm,
): Promise<QuickAnswer> {
  const values = validateFields(quickAnswerRules, { shortcut: form.text('shortcut'), message: form.text('message') })
  const version = parseVersion(form.text('version'))
  rejectStale(await getQuickAnswer(parts.db, id), version)
  const file = await storeFile(parts, session, form)
  const anew = file !== null || form.text('removeMedia') === 'true'
  return change(parts, session, id, { values, file, anew, version })
}

interface News {
  readonly values: { readonly shortcut?: string; readonly message?: string }
  readonly file: FileToSend | null
  /** It has this file from now on, or none. */
  readonly anew: boolean
  readonly version: number | undefined
}

function change(parts: Parts, session: Session, id: number, { values, file, anew, version }: News) {
  return rows.save(parts, session, async tx => {
    const own = eq(quickAnswers.id, id)
    const [old] = await tx.select({ mediaId: quickAnswers.mediaId }).from(quickAnswers).where(own).for('update')
    rejectStale(await rows.get(tx, id), version)
    const [row] = await tx
      .update(quickAnswers)
      .set({
        ...values,
        ...(anew && toFileColumns(file)),
        updatedAt: sql`now()`,
        version: sql`${quickAnswers.version} + 1`,
      })
      .where(own)
      .returning()
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, OWNER)
    if (anew && old?.mediaId) await releaseFiles(tx, [old.mediaId])
    return row
  })
}

/** Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export function deleteQuickAnswer(parts: Parts, session: Session, id: number): Promise<void> {
  return rows.remove(parts, session, async tx => {
    const [row] = await tx.delete(quickAnswers).where(eq(quickAnswers.id, id)).returning()
    if (row?.mediaId) await releaseFiles(tx, [row.mediaId])
    return row
  })
}

async function storeFile(parts: Parts, { viewer }: Session, form: UploadForm): Promise<FileToSend | null> {
  const file = form.files('medias').find(each => each.size > 0)
  if (!file) return null
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  if (!QUICK_ANSWER_EXTENSIONS.some(known => known === ending)) throw new AppError('ERR_FILE_TYPE', { name: file.name })
  const [stored = null] = await storeFiles(parts, viewer.id, [file], FILE_LIMIT)
  return stored
}
