// Adding, changing and deleting quick answers, each with an optional file (spec 3 §2, §5).
import {
  canSeeQuickAnswer,
  getScope,
  MB,
  QUICK_ANSWER_EXTENSIONS,
  type QuickAnswer,
  quickAnswerRules,
} from '@balcao/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { AppError, createFieldError, validateFields } from '../../platform/http/errors.ts'
import { parseVersion } from '../../platform/http/validate.ts'
import { appendEvent } from '../../platform/live/append.ts'
import type { Audience } from '../../platform/live/table.ts'
import { createRowStore, rejectStale } from '../../policy/kit/kept-rows.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { claimUpload, releaseFiles } from '../media/claim.ts'
import type { UploadForm } from '../media/form.ts'
import type { FileToSend } from '../media/table.ts'
import { storeFiles, toFileColumns } from '../media/to-send.ts'
import { areQueuesPresent } from '../queues/existing.ts'
import { loadQuickAnswers, visibleAnswersSql } from './list.ts'
import { quickAnswers } from './table.ts'

const FILE_LIMIT = 20 * MB
const OWNER = { owner: 'quickAnswer' } as const

const rows = createRowStore<Owner & Pick<QuickAnswer, 'id' | 'version'>, QuickAnswer>({
  name: 'quickAnswer',
  missing: 'ERR_NO_QUICK_ANSWER_FOUND',
  taken: 'ERR_DUPLICATED_SHORTCUT',
  load: loadQuickAnswers,
  seen: { canSee: canSeeQuickAnswer, toAudience },
})
/** One quick answer that the person may see. Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export const findQuickAnswer = rows.find

type Owner = Pick<QuickAnswer, 'queueId' | 'userId'>

function toAudience({ userId, queueId }: Owner): Audience {
  if (userId !== null) return { to: 'user', userId }
  return queueId === null ? { to: 'everyone' } : { to: 'queue', queueId }
}

/** The whole team's unless the form says otherwise. Throws `ERR_VALIDATION`, `ERR_DUPLICATED_SHORTCUT`, `ERR_FILE_TYPE`, `ERR_FILE_TOO_LARGE`. */
export async function addQuickAnswer(parts: Parts, session: Session, form: UploadForm): Promise<QuickAnswer> {
  const fields = { shortcut: form.text('shortcut') ?? '', message: form.text('message') ?? '' }
  const values = validateFields(quickAnswerRules, fields)
  const file = await storeFile(parts, session, form)
  const scope = form.text('scope') ?? 'team'
  const content = { ...values, scope, file: form.files('medias').map(({ name, sha256 }) => [name, sha256]) }
  const again = (id: number) =>
    change(parts, session, id, { values, scope, file, anew: true, version: undefined, isAgain: true })
  return rows.add(parts, session, { clientId: form.text('clientId'), content }, make, again)

  async function make(tx: Tx) {
    const owner = await resolveScope(tx, session, scope)
    const [row] = await tx
      .insert(quickAnswers)
      .values({ ...values, ...owner, ...toFileColumns(file) })
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
  rejectStale(await findQuickAnswer(parts.db, session, id), version)
  const file = await storeFile(parts, session, form)
  const anew = file !== null || form.text('removeMedia') === 'true'
  const scope = form.text('scope') ?? undefined
  return change(parts, session, id, { values, scope, file, anew, version })
}

interface News {
  readonly values: { readonly shortcut?: string; readonly message?: string }
  readonly scope: string | undefined
  readonly file: FileToSend | null
  /** It has this file from now on, or none. */
  readonly anew: boolean
  readonly version: number | undefined
  /** By the form that made it, which is still open. */
  readonly isAgain?: boolean
}

function change(parts: Parts, session: Session, id: number, news: News) {
  const { values, scope, file, anew, version, isAgain = false } = news
  return rows.save(parts, session, async tx => {
    const own = eq(quickAnswers.id, id)
    const [old] = await tx.select({ mediaId: quickAnswers.mediaId }).from(quickAnswers).where(own).for('update')
    const before = await findQuickAnswer(tx, session, id)
    rejectStale(before, version)
    const moves = scope !== undefined && scope !== getScope(before)
    // What the team has somebody may delete, but not keep for themselves; who has just written it has not given it away yet.
    const isUntouched = isAgain && before.version === 1
    if (moves && scope === 'own' && !isUntouched) throw createFieldError('scope', 'schema.fieldInvalid')
    const owner = moves ? await resolveScope(tx, session, scope) : {}
    // Who does not see it any more hears that it is gone; who still does, or does from now on, that it is another one.
    const gone = { event: 'quickAnswer', action: 'delete', version: before.version + 1, quickAnswerId: id } as const
    if (moves) await appendEvent(tx, toAudience(before), gone)
    const [row] = await tx
      .update(quickAnswers)
      .set({
        ...values,
        ...owner,
        ...(anew && toFileColumns(file)),
        updatedAt: sql`now()`,
        version: sql`${quickAnswers.version} + ${moves ? 2 : 1}`,
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
    const [row] = await tx
      .delete(quickAnswers)
      .where(and(eq(quickAnswers.id, id), visibleAnswersSql(session.viewer)))
      .returning()
    if (row?.mediaId) await releaseFiles(tx, [row.mediaId])
    return row
  })
}

/** Those that somebody who leaves had for themselves. */
export async function deleteOwnQuickAnswers(tx: Tx, userId: number): Promise<void> {
  const gone = await tx.delete(quickAnswers).where(eq(quickAnswers.userId, userId)).returning()
  await releaseFiles(
    tx,
    gone.flatMap(({ mediaId }) => mediaId ?? []),
  )
}

/** Whose an answer of this scope is. Throws `ERR_VALIDATION` for a queue that is not there, or not this person's. */
async function resolveScope(tx: Tx, { viewer }: Session, scope: string): Promise<Owner> {
  if (scope === 'own') return { queueId: null, userId: viewer.id }
  if (scope === 'team') return { queueId: null, userId: null }
  if (!/^[1-9]\d{0,8}$/.test(scope)) throw createFieldError('scope', 'schema.fieldInvalid')
  const owner = { queueId: Number(scope), userId: null }
  if (!canSeeQuickAnswer(viewer, owner) || !(await areQueuesPresent(tx, [owner.queueId])))
    throw createFieldError('scope', 'call.queue')
  return owner
}

async function storeFile(parts: Parts, { viewer }: Session, form: UploadForm): Promise<FileToSend | null> {
  const file = form.files('medias').find(each => each.size > 0)
  if (!file) return null
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  if (!QUICK_ANSWER_EXTENSIONS.some(known => known === ending)) throw new AppError('ERR_FILE_TYPE', { name: file.name })
  const [stored = null] = await storeFiles(parts, viewer.id, [file], FILE_LIMIT)
  return stored
}
