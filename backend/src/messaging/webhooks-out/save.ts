// Adding, changing and deleting webhooks, and their secrets.
import { type RequestBody, type ResponseBody, type Webhook, webhookRules } from '@balcao/contract'
import { findUnreadable } from '@balcao/contract/webhooks/scopes'
import { eq, sql } from 'drizzle-orm'
import { isConnectionPresent } from '../../desk/connections/existing.ts'
import { areQueuesPresent } from '../../desk/queues/existing.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { AppError, createFieldError, validateFields } from '../../platform/http/errors.ts'
import { seal, unseal } from '../../platform/seal.ts'
import { createRowStore, rejectStale } from '../../policy/kit/kept-rows.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { beginFollowing } from './follow.ts'
import { loadWebhooks } from './list.ts'
import { createSecret } from './signature.ts'
import { webhooks } from './table.ts'
import { publishWebhook } from './turns.ts'

const store = createRowStore({
  name: 'webhook',
  missing: 'ERR_NOT_FOUND',
  load: loadWebhooks,
  seen: { canSee: ({ profile }) => profile === 'admin', toAudience: () => ({ to: 'admins' }) },
})
/** One webhook. Throws `ERR_NOT_FOUND`. */
export const getWebhook = store.get

type WithSecret = ResponseBody<'POST /integrations'>

/** Throws `ERR_VALIDATION`. */
export async function addWebhook(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /integrations'>,
): Promise<WithSecret> {
  const { name, address, events = [], fields = [] } = body
  const values = { ...validateFields(webhookRules, { name, address, events, fields }), ...checkFilters(body) }
  checkReadable(session, values)
  const form = { clientId: body.clientId, content: body }
  const row = await store.add(parts, session, form, make, id => editWebhook(parts, session, id, body))
  return { ...row, secret: await readSecret(parts, row.id) }

  async function make(tx: Tx) {
    await checkPresent(tx, body)
    await beginFollowing(tx)
    const secretSealed = seal(parts.config.dataKey, createSecret())
    const [made] = await tx
      .insert(webhooks)
      .values({ ...values, secretSealed, position: NEWEST })
      .returning()
    return made
  }
}

/** Behind all events there are. */
const NEWEST = sql<string>`(select coalesce(max(id), 0) from webhook_event)`

/** What is not given stays as it is. Throws also `ERR_NOT_FOUND`, `ERR_CHANGED_MEANWHILE` with the webhook as it is now. */
export async function editWebhook(
  parts: Parts,
  session: Session,
  id: number,
  body: RequestBody<'PUT /integrations/:id'>,
): Promise<Webhook> {
  const { name, address, events, fields, active } = body
  const values = { ...validateFields(webhookRules, { name, address, events, fields }), ...checkFilters(body) }
  return store.save(parts, session, async tx => {
    await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, id)).for('no key update')
    const before = await store.get(tx, id)
    rejectStale(before, body.version)
    checkReadable(session, { events: values.events ?? before.events, fields: values.fields ?? before.fields })
    await checkPresent(tx, body)
    const isOn = active ?? before.active
    if (isOn && !before.active) await beginFollowing(tx)
    const [row] = await tx
      .update(webhooks)
      .set({
        ...values,
        ...(isOn === before.active
          ? {}
          : isOn
            ? BEGIN
            : { active: false, stopReason: 'person', stoppedAt: sql`now()` }),
        // Who mends an address need not wait for the next try.
        ...(address !== undefined && address !== before.address && { retryAt: null }),
        version: sql`${webhooks.version} + 1`,
      })
      .where(eq(webhooks.id, id))
      .returning()
    return row
  })
}

/** Switched on: from now on, and as if nothing had failed. */
const BEGIN = {
  active: true,
  stopReason: null,
  stoppedAt: null,
  since: sql`now()`,
  position: NEWEST,
  failures: 0,
  failingSince: null,
  retryAt: null,
} as const

/** Throws `ERR_NOT_FOUND`. */
export function deleteWebhook(parts: Parts, session: Session, id: number): Promise<void> {
  return store.remove(parts, session, async tx => {
    const [before] = await loadWebhooks(tx, [id])
    const gone = await tx.delete(webhooks).where(eq(webhooks.id, id)).returning({ id: webhooks.id })
    return gone.length > 0 ? before : undefined
  })
}

/** A new secret; the one before signs as well for a day. Throws `ERR_NOT_FOUND`, `ERR_NO_PERMISSION`. */
export async function renewSecret(parts: Parts, session: Session, id: number): Promise<WithSecret> {
  const row = await change(parts, async tx => {
    await checkMayRead(tx, session, id)
    const renewed = {
      oldSecretSealed: webhooks.secretSealed,
      oldSecretUntil: sql`now() + interval '1 day'`,
      secretSealed: seal(parts.config.dataKey, createSecret()),
    }
    await tx.update(webhooks).set(renewed).where(eq(webhooks.id, id))
    await writeLog(tx, { action: 'webhook.renewSecret', userId: session.viewer.id, entityId: id })
    await publishWebhook(tx, id)
    return store.get(tx, id)
  })
  return { ...row, secret: await readSecret(parts, id) }
}

async function readSecret({ db, config }: { readonly db: Db; readonly config: Parts['config'] }, id: number) {
  const [row] = await db.select({ sealed: webhooks.secretSealed }).from(webhooks).where(eq(webhooks.id, id))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return unseal(config.dataKey, row.sealed)
}

/** An address that a program has told carries what the program may read itself. Throws `ERR_VALIDATION`. */
function checkReadable({ scopes }: Session, webhook: Pick<Webhook, 'events' | 'fields'>): void {
  const path = scopes === undefined ? null : findUnreadable(webhook, scopes)
  if (path !== null) throw createFieldError(path, 'webhook.scopes')
}

/** The same for what is in hand already. Throws `ERR_NOT_FOUND`, `ERR_NO_PERMISSION`. */
export async function checkMayRead(db: Db | Tx, { scopes }: Session, id: number): Promise<void> {
  const webhook = await getWebhook(db, id)
  if (scopes !== undefined && findUnreadable(webhook, scopes) !== null) throw new AppError('ERR_NO_PERMISSION')
}

/** Nothing chosen is no choice: it would be told nothing, and look as if it were told all. */
function checkFilters({ connectionIds, queueIds }: RequestBody<'PUT /integrations/:id'>) {
  if (connectionIds?.length === 0) throw createFieldError('connectionIds', 'webhook.filter')
  if (queueIds?.length === 0) throw createFieldError('queueIds', 'webhook.filter')
  return { ...(connectionIds !== undefined && { connectionIds }), ...(queueIds !== undefined && { queueIds }) }
}

/** What is there now; what goes later tells no more. Throws `ERR_VALIDATION`. */
async function checkPresent(tx: Tx, { connectionIds, queueIds }: RequestBody<'PUT /integrations/:id'>): Promise<void> {
  for (const id of connectionIds ?? [])
    if (!(await isConnectionPresent(tx, id))) throw createFieldError('connectionIds', 'call.connection')
  if (queueIds && !(await areQueuesPresent(tx, [...new Set(queueIds)])))
    throw createFieldError('queueIds', 'call.queue')
}
