// Adding, changing and deleting quick answers, each with an optional file (spec 3 §2, §5).
import { type FieldError, LIMITS, MB, QUICK_ANSWER_EXTENSIONS, type QuickAnswer } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../database/client.ts'
import { AppError, codeOf } from '../http/errors.ts'
import { appendEvents } from '../live/append.ts'
import { writeLog } from '../log/write.ts'
import type { Form } from '../media/form.ts'
import { kindOf } from '../media/sniff.ts'
import { keepFile, type ReceivedFile, removeMedia, type StoredMedia } from '../media/store.ts'
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
  check({ shortcut: form.shortcut ?? '', message: form.message ?? '' })
  const file = form.file && (await storeFile(parts, session, form.file))
  return saving(parts, file, async tx => {
    const given = { shortcut: form.shortcut ?? '', message: form.message ?? '', ...columnsOf(file) }
    const [row] = await tx.insert(quickAnswers).values(given).returning({ id: quickAnswers.id })
    if (!row) throw new AppError('ERR_INTERNAL')
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
  const { shortcut, message } = { shortcut: form.shortcut ?? before.shortcut, message: form.message ?? before.message }
  check({ shortcut, message })
  const file = form.file && (await storeFile(parts, session, form.file))
  const replaced = await mediaIdOf(parts, id)
  const answer = await saving(parts, file, async tx => {
    const changed = { shortcut, message, updatedAt: sql`now()`, version: sql`${quickAnswers.version} + 1` }
    await tx
      .update(quickAnswers)
      .set({ ...changed, ...(file || form.removeMedia ? columnsOf(file) : {}) })
      .where(eq(quickAnswers.id, id))
    return saved(tx, session, id, 'update')
  })
  if (replaced !== null && (file || form.removeMedia)) await removeMedia(placeOf(parts), [replaced])
  return answer
}

/** Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export async function deleteQuickAnswer(parts: Parts, session: Session, id: number): Promise<void> {
  const mediaId = await mediaIdOf(parts, id)
  await change(parts, async tx => {
    const [row] = await tx.delete(quickAnswers).where(eq(quickAnswers.id, id)).returning()
    if (!row) throw new AppError('ERR_NO_QUICK_ANSWER_FOUND')
    await writeLog(tx, { action: 'quickAnswer.delete', userId: session.viewer.id, entityId: id })
    const version = row.version + 1
    const event = { event: 'quickAnswer', action: 'delete', version, quickAnswerId: id } as const
    await appendEvents(tx, [{ event, audience: { to: 'everyone' } }])
  })
  if (mediaId !== null) await removeMedia(placeOf(parts), [mediaId])
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

async function storeFile(parts: Parts, session: Session, file: ReceivedFile): Promise<StoredMedia> {
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  if (!QUICK_ANSWER_EXTENSIONS.some(known => known === ending)) throw new AppError('ERR_FILE_TYPE', { name: file.name })
  const owner = { owner: 'quickAnswer', userId: session.viewer.id } as const
  const given = { name: file.name, declared: file.type, most: FILE_LIMIT, ...owner }
  return keepFile(placeOf(parts), file, given)
}

/** A file that was stored for a change that then failed goes again. */
async function saving(parts: Parts, file: StoredMedia | null, work: (tx: Tx) => Promise<QuickAnswer>) {
  try {
    return await change(parts, work)
  } catch (error) {
    if (file) await removeMedia(placeOf(parts), [file.id])
    if (codeOf(error) === '23505') throw new AppError('ERR_DUPLICATED_SHORTCUT')
    throw error
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

async function mediaIdOf({ db }: Parts, id: number): Promise<string | null> {
  const [row] = await db.select().from(quickAnswers).where(eq(quickAnswers.id, id))
  return row?.mediaId ?? null
}

function columnsOf(file: StoredMedia | null) {
  return { mediaId: file?.id ?? null, mediaType: file && kindOf(file.mime), mediaName: file?.name ?? null }
}

function placeOf({ db, config }: Parts) {
  return { db, dataDir: config.dataDir }
}
