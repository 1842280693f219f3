// Adding, changing and deleting queues (spec 2 §5, decisions §3 and §22).
import {
  LIVE_STATUSES,
  type Queue,
  type QueueInUse,
  queueRules,
  queueTargetRules,
  type RequestBody,
} from '@balcao/contract'
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { AppError, createFieldError, validateFields } from '../../platform/http/errors.ts'
import { createRowStore, rejectStale } from '../../policy/kit/kept-rows.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { publishUserEvents } from '../../policy/users/present.ts'
import { users } from '../../policy/users/table.ts'
import { publishQuestions, touchQuestions } from '../bot-questions/save.ts'
import { publishConnectionEvents } from '../connections/present.ts'
import { connections } from '../connections/table.ts'
import { touchContactsLater } from '../contact-sheets/touch.ts'
import { contactRedirects } from '../contacts/table.ts'
import { enqueueDueRefresh } from '../tickets/answer-due.ts'
import { tickets } from '../tickets/table.ts'
import { loadQueues } from './list.ts'
import { connectionQueues, queues, queueTurns, userQueues } from './table.ts'

const store = createRowStore({
  name: 'queue',
  missing: 'ERR_NO_QUEUE_FOUND',
  taken: 'ERR_QUEUE_COLOR_ALREADY_EXISTS',
  load: loadQueues,
  logged: queueId => ({ queueId }),
})
/** One queue. Throws `ERR_NO_QUEUE_FOUND`. */
export const getQueue = store.get

/** Throws `ERR_VALIDATION` also for who is inactive, `ERR_QUEUE_COLOR_ALREADY_EXISTS`, `ERR_USER_NO_LINKED_IN_QUEUE`. */
export async function addQueue(parts: Parts, session: Session, body: RequestBody<'POST /queue'>): Promise<Queue> {
  const values = validateFields(queueRules, { ...pickFields(body), name: body.name, color: body.color ?? '#7a7a7a' })
  return store.add(parts, session, { clientId: body.clientId, content: body }, make, id =>
    editQueue(parts, session, id, body),
  )

  async function make(tx: Tx) {
    const [row] = await tx
      .insert(queues)
      .values({ ...values, ...pickTargets(body) })
      .returning()
    if (row) await setTurns(tx, row.id, body.userIds)
    return row
  }
}

/** What is not given stays as it is. Throws also `ERR_NO_QUEUE_FOUND`, `ERR_CHANGED_MEANWHILE` with the queue as it is now. */
export async function editQueue(
  parts: Parts,
  session: Session,
  id: number,
  body: RequestBody<'PUT /queue/:id'>,
): Promise<Queue> {
  const values = validateFields(queueRules, { ...pickFields(body), name: body.name })
  return store.save(parts, session, async tx => {
    await lock(tx, id)
    rejectStale(await getQueue(tx, id), body.version)
    await setTurns(tx, id, body.userIds)
    const targets = pickTargets(body)
    if (Object.keys(targets).length > 0) await enqueueDueRefresh(tx)
    const news = { ...values, ...targets, version: sql`${queues.version} + 1` }
    const [row] = await tx.update(queues).set(news).where(eq(queues.id, id)).returning()
    await publishQuestions(tx, await touchQuestions(tx, id))
    return row
  })
}

/**
 * Its people and connections are told that they have it no more; closed tickets keep its name and colour (a trigger, decisions §3).
 * Throws `ERR_NO_QUEUE_FOUND`, `ERR_QUEUE_IN_USE` with the counts while tickets that are not closed use it.
 */
export function deleteQueue(parts: Parts, session: Session, id: number): Promise<void> {
  return store.remove(parts, session, async tx => {
    await lock(tx, id)
    await refuseInUse(tx, id)
    const own = tx.select({ id: userQueues.userId }).from(userQueues).where(eq(userQueues.queueId, id))
    const served = tx
      .select({ id: connectionQueues.whatsappId })
      .from(connectionQueues)
      .where(eq(connectionQueues.queueId, id))
    const people = await tx
      .update(users)
      .set({ version: sql`${users.version} + 1` })
      .where(inArray(users.id, own))
      .returning({ id: users.id })
    const lines = await tx
      .update(connections)
      .set({ version: sql`${connections.version} + 1` })
      .where(inArray(connections.id, served))
      .returning({ id: connections.id })
    const questions = await touchQuestions(tx, id)
    const redirected = await tx
      .select({ id: contactRedirects.contactId })
      .from(contactRedirects)
      .where(eq(contactRedirects.queueId, id))
    await touchContactsLater(tx, toIds(redirected), `queue:${id}`)
    const [row] = await tx.delete(queues).where(eq(queues.id, id)).returning()
    await publishUserEvents(tx, parts.config, toIds(people), 'update')
    await publishConnectionEvents(tx, toIds(lines), 'update')
    await publishQuestions(tx, questions)
    return row
  })
}

/** Nobody puts a ticket into it meanwhile, and of two who save it one comes first. */
async function lock(tx: Tx, id: number): Promise<void> {
  await tx.select({ id: queues.id }).from(queues).where(eq(queues.id, id)).for('update')
}

async function refuseInUse(tx: Tx, id: number): Promise<void> {
  const { status, queueId } = tickets
  const rows = await tx
    .select({ status, many: sql<number>`count(*)::int` })
    .from(tickets)
    .where(and(eq(queueId, id), inArray(status, [...LIVE_STATUSES])))
    .groupBy(status)
  if (rows.length === 0) return
  const counts = { pending: 0, open: 0, paused: 0, bot: 0, nps: 0 }
  const inUse: QueueInUse = {
    ...counts,
    ...Object.fromEntries(rows.map(row => [row.status, row.many])),
    tickets: rows.reduce((sum, row) => sum + row.many, 0),
  }
  throw new AppError('ERR_QUEUE_IN_USE', inUse)
}

/** Who takes turns: only who has the queue, and is active unless named before. */
async function setTurns(tx: Tx, queueId: number, named: readonly number[] | undefined): Promise<void> {
  if (named === undefined) return
  const userIds = [...new Set(named)]
  const linked = and(eq(userQueues.queueId, queueId), inArray(userQueues.userId, userIds))
  if ((await tx.$count(userQueues, linked)) < userIds.length) throw new AppError('ERR_USER_NO_LINKED_IN_QUEUE')
  const inactive = tx.select({ id: users.id }).from(users).where(eq(users.active, false))
  const before = tx.select({ id: queueTurns.userId }).from(queueTurns).where(eq(queueTurns.queueId, queueId))
  const gone = and(linked, inArray(userQueues.userId, inactive), notInArray(userQueues.userId, before))
  if ((await tx.$count(userQueues, gone)) > 0) throw createFieldError('userIds', 'setting.nobody')
  await tx.delete(queueTurns).where(eq(queueTurns.queueId, queueId))
  if (userIds.length > 0) await tx.insert(queueTurns).values(userIds.map(userId => ({ queueId, userId })))
}

function pickFields(body: RequestBody<'PUT /queue/:id'>) {
  const { color, customOrder, greetingMessage } = body
  return { color, customOrder, greetingMessage }
}

/** Targets that are given: null and an empty text take one away. Throws `ERR_VALIDATION`. */
function pickTargets({ firstAnswerMinutes, answerMinutes }: RequestBody<'PUT /queue/:id'>) {
  return validateFields(queueTargetRules, {
    ...(firstAnswerMinutes === undefined ? {} : { firstAnswerMinutes: firstAnswerMinutes ?? '' }),
    ...(answerMinutes === undefined ? {} : { answerMinutes: answerMinutes ?? '' }),
  })
}
