// What an administrator sends by hand: the sample of an event, and a delivery once more.
import { type ResponseBody, WEBHOOK_SAMPLES, type WebhookDelivery, type WebhookEventType } from '@balcao/contract'
import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { showAnswer } from './answer.ts'
import { buildBody } from './body.ts'
import { isDelivered } from './call.ts'
import { callSafely, openSecrets } from './deliver.ts'
import { loadDeliveries } from './list.ts'
import { checkMayRead } from './save.ts'
import { webhookCursor, webhookDeliveries, webhookEvents, webhooks } from './table.ts'

/** Sends the sample of an event at once, whether the address is switched on or not, and once only. Throws `ERR_NOT_FOUND`, `ERR_NO_PERMISSION`. */
export async function sendTest(
  parts: Parts,
  session: Session,
  id: number,
  type: WebhookEventType,
): Promise<ResponseBody<'POST /integrations/:id/test'>> {
  const { db, config } = parts
  await checkMayRead(db, session, id)
  const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, id))
  if (!webhook) throw new AppError('ERR_NOT_FOUND')
  const sample = { ...WEBHOOK_SAMPLES[type], test: true }
  const { deliveryId, uid, data, happenedAt } = await change(parts, async tx => {
    // Whoever holds the cursor gives out the ids: nobody's position passes one that is not there yet.
    await tx.select({ id: webhookCursor.id }).from(webhookCursor).for('update')
    const [event] = await tx
      .insert(webhookEvents)
      .values({ type, lane: 'test', data: sample, test: true, happenedAt: sql`now()` })
      // As it is stored: sent once more it is the same text.
      .returning({ id: webhookEvents.id, data: webhookEvents.data, happenedAt: webhookEvents.happenedAt })
    const [delivery] = event
      ? await tx
          .insert(webhookDeliveries)
          .values({ webhookId: id, eventId: event.id, lane: 'test', state: 'failed' })
          .returning({ id: webhookDeliveries.id, uid: webhookDeliveries.uid })
      : []
    if (!event || !delivery) throw new Error('The test was not stored')
    await writeLog(tx, { action: 'webhook.test', userId: session.viewer.id, entityId: id })
    return { deliveryId: delivery.id, uid: delivery.uid, data: event.data, happenedAt: event.happenedAt }
  })
  const body = buildBody({ type, data, happenedAt }, webhook.fields)
  const outcome = await callSafely(parts, {
    address: webhook.address,
    secrets: openSecrets(config, webhook),
    uid,
    body,
  })
  const { status, fault, milliseconds } = outcome
  await db
    .update(webhookDeliveries)
    .set({
      attempts: 1,
      triedAt: sql`now()`,
      ...{ status, fault, milliseconds },
      answer: showAnswer(outcome.answer, data),
      state: isDelivered(outcome) ? 'done' : 'failed',
    })
    .where(eq(webhookDeliveries.id, deliveryId))
  return getDelivery(parts, deliveryId)
}

/** Puts a delivery back, under the same id. Throws `ERR_NOT_FOUND`, `ERR_NO_PERMISSION`, and `ERR_WEBHOOK_OFF` where nobody would send it. */
export async function replayDelivery(
  parts: Parts,
  session: Session,
  webhookId: number,
  deliveryId: number,
): Promise<WebhookDelivery> {
  await change(parts, async tx => {
    await checkMayRead(tx, session, webhookId)
    const [webhook] = await tx.select({ active: webhooks.active }).from(webhooks).where(eq(webhooks.id, webhookId))
    if (webhook && !webhook.active) throw new AppError('ERR_WEBHOOK_OFF')
    const rows = await tx
      .update(webhookDeliveries)
      .set({ state: 'pending', nextAt: sql`now()`, attempts: 0, createdAt: sql`now()` })
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.webhookId, webhookId)))
      .returning({ id: webhookDeliveries.id })
    if (rows.length === 0) throw new AppError('ERR_NOT_FOUND')
    await tx.update(webhooks).set({ retryAt: null }).where(eq(webhooks.id, webhookId))
    await writeLog(tx, { action: 'webhook.replay', userId: session.viewer.id, entityId: webhookId })
  })
  return getDelivery(parts, deliveryId)
}

async function getDelivery({ db }: Parts, id: number): Promise<WebhookDelivery> {
  const [delivery] = await loadDeliveries(db, [id])
  if (!delivery) throw new AppError('ERR_NOT_FOUND')
  return delivery
}
