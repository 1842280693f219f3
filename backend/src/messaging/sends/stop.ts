// A send that stops by itself, and says so to the administrators (decisions §6): the rule of its last fifty, a block, a file that is gone.
import { LIVE_SEND_STATES, type SendReason, type SendState } from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { storeNews } from '../../desk/connections/news.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { writeLog } from '../../policy/log/write.ts'
import { publishSendUpdates } from './events.ts'
import { releaseRunFiles } from './files.ts'
import { lockConnection } from './quota.ts'
import { sends } from './table.ts'

/** Stops one that goes on still, in a transaction of its own: the connection is locked before its sends. */
export async function stopSend(db: Db, whatsappId: number, id: number, reason: SendReason): Promise<void> {
  await runInTransaction(db, async tx => {
    await lockConnection(tx, whatsappId)
    await stop(tx, [id], reason)
    await notifyAdmins(tx, whatsappId, reason)
  })
}

/** Stops all that go on by a connection whose provider reports a block; the connection is the caller's, locked. */
export async function stopConnectionSends(tx: Tx, whatsappId: number, reason: SendReason): Promise<void> {
  const going = await tx
    .select({ id: sends.id })
    .from(sends)
    .where(and(eq(sends.whatsappId, whatsappId), inArray(sends.state, [...stoppable(reason)])))
    .orderBy(sends.id)
  if (going.length === 0) return
  await stop(
    tx,
    going.map(({ id }) => id),
    reason,
  )
  await notifyAdmins(tx, whatsappId, reason)
}

/** Without its connection nothing goes on, whoever held it up. */
function stoppable(reason: SendReason): readonly SendState[] {
  return reason === 'connection_deleted' ? LIVE_SEND_STATES : ['calculating', 'waiting', 'running']
}

async function stop(tx: Tx, ids: readonly number[], reason: SendReason): Promise<void> {
  const stateAt = new Date().toISOString()
  const stopped = await tx
    .update(sends)
    .set({
      state: 'stopped',
      stateReason: reason,
      stateAt,
      stateUserId: null,
      notBefore: null,
      ...toEndColumns(reason, stateAt),
    })
    .where(and(inArray(sends.id, [...ids]), inArray(sends.state, [...stoppable(reason)])))
    .returning({ id: sends.id })
  for (const { id } of stopped) await writeLog(tx, { action: 'send.stop', params: { reason }, entityId: id })
  await releaseRunFiles(tx, toIds(stopped))
  await publishSendUpdates(tx, toIds(stopped))
}

/** In the bell of every administrator, until one has seen it. */
export async function notifyAdmins(tx: Tx, whatsappId: number, reason: SendReason): Promise<void> {
  await storeNews(tx, whatsappId, { at: Date.now(), code: 'send_stopped', name: reason })
}

/** What cannot go on any more is over, and its file with it. */
function toEndColumns(reason: SendReason, endedAt: string) {
  return FOR_GOOD.includes(reason) ? { endedAt } : {}
}

/** Reasons that nobody can do anything about: the send does not go on. */
export const FOR_GOOD: readonly SendReason[] = ['connection_deleted', 'file_gone', 'no_recipients', 'token_ended']
