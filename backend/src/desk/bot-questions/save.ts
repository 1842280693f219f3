// Adding, changing, ordering and deleting questions of the bot (spec 3 §2, §5; decisions-2 §9): the team's own, whatever the profile
// (decisions §4). A queue is locked before the questions that name it.
import { MOST_QUESTIONS, type Question, questionRules, type RequestBody } from '@balcao/contract'
import { eq, inArray, max, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError, validateFields } from '../../platform/http/errors.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { createRowStore, rejectStale } from '../../policy/kit/kept-rows.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { queues } from '../queues/table.ts'
import { listQuestions, loadQuestions } from './list.ts'
import { questions } from './table.ts'

const store = createRowStore({ name: 'pergunta', missing: 'ERR_NO_QUESTION_FOUND', load: loadQuestions })
/** One question. Throws `ERR_NO_QUESTION_FOUND`. */
export const getQuestion = store.get

const NEWER = sql`${questions.version} + 1`

/** Behind all others. Throws `ERR_VALIDATION`, `ERR_NO_QUEUE_FOUND`, `ERR_TOO_MANY_QUESTIONS`. */
export async function addQuestion(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /pergunta'>,
): Promise<Question> {
  const values = validateFields(questionRules, { pergunta: body.pergunta, resposta: body.resposta })
  return store.add(parts, session, { clientId: body.clientId, content: body }, make, id =>
    editQuestion(parts, session, id, body),
  )

  async function make(tx: Tx) {
    const queueId = (await lockQueue(tx, body)) ?? null
    await lockOrder(tx)
    if ((await tx.$count(questions)) >= MOST_QUESTIONS) throw new AppError('ERR_TOO_MANY_QUESTIONS')
    const [last] = await tx.select({ position: max(questions.position) }).from(questions)
    const own = { queueId, openTicket: body.openTicket ?? false, position: (last?.position ?? 0) + 1 }
    const [row] = await tx
      .insert(questions)
      .values({ ...values, ...own })
      .returning()
    return row
  }
}

/** What is not given stays as it is. Throws also `ERR_NO_QUESTION_FOUND`, `ERR_CHANGED_MEANWHILE` with the question as it is now. */
export async function editQuestion(
  parts: Parts,
  session: Session,
  id: number,
  body: RequestBody<'PUT /pergunta/:id'>,
): Promise<Question> {
  const values = validateFields(questionRules, { pergunta: body.pergunta, resposta: body.resposta })
  return store.save(parts, session, async tx => {
    const queueId = await lockQueue(tx, body)
    await tx.select({ id: questions.id }).from(questions).where(eq(questions.id, id)).for('no key update')
    rejectStale(await getQuestion(tx, id), body.version)
    const { openTicket } = body
    const news = {
      ...values,
      ...(queueId !== undefined && { queueId }),
      ...(openTicket !== undefined && { openTicket }),
    }
    const [row] = await tx
      .update(questions)
      .set({ ...news, version: NEWER })
      .where(eq(questions.id, id))
      .returning()
    return row
  })
}

/** Those behind it have other numbers then. Throws `ERR_NO_QUESTION_FOUND`. */
export function deleteQuestion(parts: Parts, session: Session, id: number): Promise<void> {
  return store.remove(parts, session, async tx => {
    await lockOrder(tx)
    const [row] = await tx.delete(questions).where(eq(questions.id, id)).returning()
    await number(tx, toIds(await listQuestions(tx)))
    return row
  })
}

/**
 * In this order; what is not named comes behind, as it was: a colleague may have added it meanwhile. Gives all of them. Throws
 * `ERR_VALIDATION` for an id that is named twice, `ERR_NO_QUESTION_FOUND` for one that is gone.
 */
export async function reorderQuestions(parts: Parts, session: Session, ids: readonly number[]): Promise<Question[]> {
  if (new Set(ids).size < ids.length) throw createFieldError('ids', 'call.list')
  return change(parts, async tx => {
    await lockOrder(tx)
    const before = await listQuestions(tx)
    const known = new Set(toIds(before))
    if (ids.some(id => !known.has(id))) throw new AppError('ERR_NO_QUESTION_FOUND')
    const named = new Set(ids)
    const moved = await number(tx, [...ids, ...toIds(before).filter(id => !named.has(id))])
    if (moved > 0) await writeLog(tx, { action: 'pergunta.order', userId: session.viewer.id })
    return listQuestions(tx)
  })
}

/** Numbers all questions, locked, in this order, and tells of those that have another number now; gives how many. */
async function number(tx: Tx, ids: readonly number[]): Promise<number> {
  const moved = await getSql(tx)<{ id: number }[]>`
    update question q set position = x.place::int, version = q.version + 1
    from unnest(${[...ids]}::int[]) with ordinality as x(id, place)
    where q.id = x.id and q.position <> x.place returning q.id`
  const changed = new Set(toIds(moved))
  await publishQuestions(
    tx,
    ids.filter(id => changed.has(id)),
  )
  return moved.length
}

/** Tells everybody of questions that changed. */
export async function publishQuestions(tx: Tx, ids: readonly number[]): Promise<void> {
  const rows = ids.length === 0 ? [] : await loadQuestions(tx, ids)
  const events = rows.map(pergunta => ({
    audience: { to: 'everyone' as const },
    event: { event: 'pergunta' as const, action: 'update' as const, version: pergunta.version, pergunta },
  }))
  await appendEvents(tx, events)
}

/** The questions that name a queue, which is another one now, or goes: whoever changes it has locked it, and tells of them behind. */
export async function touchQuestions(tx: Tx, queueId: number): Promise<number[]> {
  const rows = await tx
    .update(questions)
    .set({ version: NEWER })
    .where(
      inArray(
        questions.id,
        tx
          .select({ id: questions.id })
          .from(questions)
          .where(eq(questions.queueId, queueId))
          .orderBy(questions.id)
          .for('no key update'),
      ),
    )
    .returning({ id: questions.id })
  return toIds(rows)
}

/** The queue that is named, which stays until the transaction ends; undefined: none was given. Throws `ERR_VALIDATION`, `ERR_NO_QUEUE_FOUND`. */
async function lockQueue(
  tx: Tx,
  { queueId: value }: RequestBody<'PUT /pergunta/:id'>,
): Promise<number | null | undefined> {
  if (value === undefined) return undefined
  const text = String(value ?? '').trim()
  if (text === '') return null
  if (!/^[1-9]\d{0,8}$/.test(text)) throw createFieldError('queueId', 'call.queue')
  const id = Number(text)
  const [queue] = await tx.select({ id: queues.id }).from(queues).where(eq(queues.id, id)).for('key share')
  if (!queue) throw new AppError('ERR_NO_QUEUE_FOUND')
  return id
}

/** Of two who add or order at once one comes first. */
async function lockOrder(tx: Tx): Promise<void> {
  await tx.select({ id: questions.id }).from(questions).orderBy(questions.id).for('no key update')
}
