// Pausing, resuming and cancelling a send, at any moment it is not over (decisions §15).
import type { MassSend, SendState } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkSend, checkSpeaking } from './access.ts'
import { publishSendUpdates } from './events.ts'
import { releaseRunFiles } from './files.ts'
import { getPace } from './list.ts'
import { loadSends } from './present.ts'
import { enqueueRecipientSnapshot } from './snapshot-recipients.ts'
import { FOR_GOOD } from './stop.ts'
import { sends } from './table.ts'
import { waitForConnection } from './waiting.ts'

export type SendAction = 'pause' | 'resume' | 'cancel'

/** From which states each may be done. What stopped because it has nobody, no file or no connection does not go on. */
const FROM: Readonly<Record<SendAction, readonly SendState[]>> = {
  pause: ['calculating', 'waiting', 'running'],
  resume: ['paused', 'stopped'],
  cancel: ['calculating', 'waiting', 'running', 'paused', 'stopped'],
}

/** Throws `ERR_NO_PERMISSION`, `ERR_NO_SEND_FOUND`, `ERR_INVALID_TRANSITION` with the state it is in. */
export async function changeSendState(
  parts: Parts,
  session: Session,
  id: number,
  action: SendAction,
): Promise<MassSend> {
  await (action === 'resume' ? checkSpeaking : checkSend)(parts.db, session, id)
  const steered = await change(parts, async tx => {
    await changeRunState(tx, id, action, session.viewer.id)
    await writeLog(tx, { action: `send.${action}`, userId: session.viewer.id, entityId: id })
    const [send] = await loadSends(tx, [id], getPace(parts, session))
    if (!send) throw new AppError('ERR_NO_SEND_FOUND')
    return send
  })
  if (steered.state === 'calculating') await enqueueRecipientSnapshot(parts)
  return steered
}

/** The same without rights and log: of a run that its scheduled send takes along. */
export async function changeRunState(tx: Tx, id: number, action: SendAction, userId: number | null): Promise<void> {
  const [send] = await tx.select().from(sends).where(eq(sends.id, id)).for('update')
  if (!send) throw new AppError('ERR_NO_SEND_FOUND')
  const { state, stateReason } = send
  const isOver = action === 'resume' && stateReason !== null && FOR_GOOD.includes(stateReason)
  if (!FROM[action].includes(state) || isOver) throw new AppError('ERR_INVALID_TRANSITION', { status: state })
  const now = new Date().toISOString()
  const by = { stateReason: null, stateAt: now, stateUserId: userId }
  if (action === 'resume') {
    await tx
      .update(sends)
      .set({ ...by, state: send.frozenAt ? 'running' : 'calculating', notBefore: null, resumedAt: now, endedAt: null })
      .where(eq(sends.id, id))
    await endIfOver(tx, id)
    if (send.whatsappId !== null) await waitForConnection(tx, send.whatsappId, false)
  } else {
    const state = action === 'pause' ? 'paused' : 'cancelled'
    await tx
      .update(sends)
      .set({ ...by, state, notBefore: null, ...(action === 'cancel' ? { endedAt: now } : {}) })
      .where(eq(sends.id, id))
  }
  await releaseRunFiles(tx, [id])
  await publishSendUpdates(tx, [id])
}

/** Nobody waits any more: what stopped with its last message is over when it goes on. */
async function endIfOver(tx: Tx, id: number): Promise<void> {
  await getSql(tx)`
    update send set state = 'done', ended_at = now() where id = ${id} and state = 'running'
      and not exists (select 1 from send_recipient where send_id = ${id} and state = 'waiting')`
}
