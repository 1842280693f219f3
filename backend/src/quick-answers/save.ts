// Adding, changing and deleting quick answers, each with an optional file (spec 3 §2, §5).
import { type FieldError, LIMITS, MB, QUICK_ANSWER_EXTENSIONS, type QuickAnswer } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../database/client.ts'
import { AppError, codeOf } from '../http/errors.ts'
import { appendEvents } from '../live/append.ts'
import { writeLog } from '../log/write.ts'
import { claimUpload, releaseFiles } from '../media/claim.ts'
import type { Form } from '../media/form.ts'
import type { ReceivedFile } from '../media/store.ts'
import { fileColumns, storeFiles } from '../media/to-send.ts'
import type { FileToSend } from '../messages/table.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { getQuickAnswer } from './list.ts'
import { loadQuickAnswers } from './present.ts'
import { quickAnswers } from './table.ts'

/** What a form holds. Null: not given. */
export interface QuickAnswerForm {
  readonly shortcut: string | null
  readonly message: string | null
  readonly file: ReceivedFile | null
  readonly removeMedia: boolean
}

const FILE_LIMIT = 20 * MB
const OWNER = { owner: 'quickAnswer' } as const

/** Reads the multipart form. */
export function quickAnswerForm(form: Form): QuickAnswerForm {
  const text = (name: string) => form.text(name)?.trim() ?? null
  return {
    shortcut: text('shortcut')?.replace(/^\//, '') ?? null,
    message: text('message'),
    file: form.files('medias').find(each => each.size > 0) ?? null,
    removeMedia: text('removeMedia') === 'true',
  }
}

/** Throws `ERR_VALIDATION`, `ERR_DUPLICATED_SHORTCUT`, `ERR_FILE_TYPE`, `ERR_FILE_TOO_LARGE`. */
export async function addQuickAnswer(parts: Parts, session: Session, form: QuickAnswerForm): Promise<QuickAnswer> {
  const { shortcut, message } = { shortcut: form.shortcut ?? '', message: form.message ?? '' }
  check({ shortcut, message })
  const file = await storeFile(parts, session, form)
  return saving(parts, async tx => {
    const values = { shortcut, message, ...fileColumns(file) }
    const [row] = await tx.insert(quickAnswers).values(values).returning({ id: quickAnswers.id })
    if (!row) throw new AppError('ERR_INTERNAL')
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, OWNER)
    return saved(tx, session, row.id, 'create')
  })
}

/** What is not given stays as it is. Throws also `ERR_NO_QUICK_ANSWER_FOUND`. */
export async function editQuickAnswer(
  parts: Parts,
  session: Session,
  id: number,
  form: QuickAnswerForm,
): Promise<QuickAnswer> {
  const before = await getQuickAnswer(parts.db, id)
  check({ shortcut: form.shortcut ?? before.shortcut, message: form.message ?? before.message })
  const file = await storeFile(parts, session, form)
  return saving(parts, async tx => {
    const own = eq(quickAnswers.id, id)
    // As it is now: somebody else may have changed what this form leaves alone.
    const { mediaId, shortcut: known, message: said } = quickAnswers
    const [old] = await tx.select({ mediaId, known, said }).from(quickAnswers).where(own).for('update')
    if (!old) throw new AppError('ERR_NO_QUICK_ANSWER_FOUND')
    const { shortcut, message } = { shortcut: form.shortcut ?? old.known, message: form.message ?? old.said }
    const text = { shortcut, message, updatedAt: sql`now()`, version: sql`${quickAnswers.version} + 1` }
    const anew = file || form.removeMedia
    await tx
      .update(quickAnswers)
      .set(anew ? { ...text, ...fileColumns(file) } : text)
      .where(own)
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, OWNER)
    if (anew && old.mediaId) await releaseFiles(tx, [old.mediaId])
    return saved(tx, session, id, 'update')
  })
}

/** Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export async function deleteQuickAnswer(parts: Parts, session: Session, id: number): Promise<void> {
  await change(parts, async tx => {
    const [row] = await tx.delete(quickAnswers).where(eq(quickAnswers.id, id)).returning()
    if (!row) throw new AppError('ERR_NO_QUICK_ANSWER_FOUND')
    if (row.mediaId) await releaseFiles(tx, [row.mediaId])
    await writeLog(tx, { action: 'quickAnswer.delete', userId: session.viewer.id, entityId: id })
    const event = { event: 'quickAnswer', action: 'delete', version: row.version + 1, quickAnswerId: id } as const
    await appendEvents(tx, [{ event, audience: { to: 'everyone' } }])
  })
}

function check({ shortcut, message }: { shortcut: string; message: string }): void {
  const problems: FieldError[] = []
  const { shortcut: shortcutLimits, message: messageLimits } = LIMITS.quickAnswer
  if (shortcut.length < shortcutLimits[0]) problems.push({ path: 'shortcut', message: 'Too Short!' })
  if (shortcut.length > shortcutLimits[1]) problems.push({ path: 'shortcut', message: 'Too Long!' })
  if (message.length < messageLimits[0]) problems.push({ path: 'message', message: 'Too Short!' })
  if (message.length > messageLimits[1]) problems.push({ path: 'message', message: 'Too Long!' })
  if (problems.length > 0) throw new AppError('ERR_VALIDATION', problems)
}

async function storeFile(parts: Parts, { viewer }: Session, { file }: QuickAnswerForm): Promise<FileToSend | null> {
  if (!file) return null
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  if (!QUICK_ANSWER_EXTENSIONS.some(known => known === ending)) throw new AppError('ERR_FILE_TYPE', { name: file.name })
  const [stored = null] = await storeFiles(parts, viewer.id, [file], FILE_LIMIT)
  return stored
}

async function saving(parts: Parts, work: (tx: Tx) => Promise<QuickAnswer>): Promise<QuickAnswer> {
  try {
    return await change(parts, work)
  } catch (error) {
    throw codeOf(error) === '23505' ? new AppError('ERR_DUPLICATED_SHORTCUT') : error
  }
}

async function saved(tx: Tx, { viewer }: Session, id: number, action: 'create' | 'update') {
  const [quickAnswer] = await loadQuickAnswers(tx, [id])
  if (!quickAnswer) throw new AppError('ERR_NO_QUICK_ANSWER_FOUND')
  await writeLog(tx, { action: `quickAnswer.${action}`, userId: viewer.id, entityId: id })
  const event = { event: 'quickAnswer', action, version: quickAnswer.version, quickAnswer } as const
  await appendEvents(tx, [{ event, audience: { to: 'everyone' } }])
  return quickAnswer
}
