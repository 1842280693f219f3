// Asking for a person to be erased, and taking that back while it has not begun (decisions-2 §19, §23).
import { ERASE_WORD, type Erasure, type RequestBody } from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { hasProtocol } from '../../desk/contacts/delete.ts'
import { checkStillAdmin } from '../../desk/users/change.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { loadErasures } from './present.ts'
import { erasures } from './table.ts'

/** The job that begins what is due. */
export const ERASE = 'erase-people'

const DAY_MS = 86_400_000

/**
 * Begins the grace. Asked again while it waits, it answers what was asked first. Throws `ERR_NO_CONTACT_FOUND` for who is not a person of
 * the book, `ERR_VALIDATION` without the word, `ERR_PROTOCOL_LINKED` for who has protocols, without a reason.
 */
export async function requestErasure(
  parts: Parts,
  session: Session,
  contactId: number,
  body: RequestBody<'DELETE /privacy/:contactId'>,
): Promise<Erasure> {
  if (body?.confirm?.trim().toUpperCase() !== ERASE_WORD)
    throw createFieldError('confirm', 'call.confirm', { word: ERASE_WORD })
  const { viewer } = session
  const { privacyGraceDays: days } = await readSettings(parts.db)
  return change(parts, async tx => {
    await checkStillAdmin(tx, session)
    const found = await getSql(tx)`
      select 1 from contact where id = ${contactId} and merged_into is null and not is_group for no key update`
    if (found.length === 0) throw new AppError('ERR_NO_CONTACT_FOUND')
    const live = and(eq(erasures.contactId, contactId), inArray(erasures.state, ['waiting', 'running']))
    const [asked] = await loadErasures(tx, live, 1)
    if (asked) return asked
    const reason = body?.reason?.trim() ?? ''
    if (reason === '' && (await hasProtocol(tx, contactId)))
      throw new AppError('ERR_PROTOCOL_LINKED', undefined, {}, 'personHasProtocols')
    const dueAt = new Date(Date.now() + days * DAY_MS).toISOString()
    const [row] = await tx.insert(erasures).values({ contactId, userId: viewer.id, reason, dueAt }).returning()
    await writeLog(tx, { action: 'privacy.ask', params: { days }, userId: viewer.id, contactId })
    if (days === 0) await enqueueJob(tx, ERASE, { key: ERASE, queue: ERASE, attempts: 5 })
    const [erasure] = await loadErasures(tx, eq(erasures.id, row?.id ?? 0), 1)
    if (!erasure) throw new Error('The request was not stored')
    return erasure
  })
}

/** Throws `ERR_NO_ERASURE_FOUND` when nothing waits any more. */
export async function undoErasure(parts: Parts, session: Session, contactId: number): Promise<void> {
  const { viewer } = session
  await change(parts, async tx => {
    await checkStillAdmin(tx, session)
    const undone = await tx
      .update(erasures)
      .set({ state: 'undone', endedAt: new Date().toISOString() })
      .where(and(eq(erasures.contactId, contactId), eq(erasures.state, 'waiting')))
      .returning({ id: erasures.id })
    if (undone.length === 0) throw new AppError('ERR_NO_ERASURE_FOUND')
    await writeLog(tx, { action: 'privacy.undo', userId: viewer.id, contactId })
  })
}
