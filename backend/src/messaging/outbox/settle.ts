// How a send ended, written down: the outbox row, the message's state, the ticket's last line and their live events.
import { applyAck, type ErrorLog, type MessageState, type Settings } from '@balcao/contract'
import { checkEpoch, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { refreshLastMessage } from '../../desk/messages/last-message.ts'
import { lockMessageSends } from '../../desk/messages/lock-sends.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import type { SendResult } from '../../platform/channel/driver.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { createInboxBatch } from '../inbox/batch.ts'
import { applyWaiting } from '../inbox/changes.ts'
import { sendFailures } from '../sends/events.ts'
import type { Claim } from './claim.ts'

/** What a send came to, after the rules about retrying were applied. `mayBeOut`: the customer may have it all the same. */
export type SendOutcome =
  | ({ readonly state: 'done' } & Omit<Extract<SendResult, { ok: true }>, 'ok'>)
  | { readonly state: 'failed'; readonly error: ErrorLog; readonly mayBeOut?: boolean }
  /** `waitMs`: a receipt may still tell; until then nobody is asked. */
  | { readonly state: 'unknown'; readonly waitMs?: number }
  | {
      readonly state: 'queued'
      readonly afterMs: number
      readonly error: string
      readonly free?: boolean
      readonly mayBeOut?: boolean
    }

const BACKOFF_S = [1, 2, 5, 15, 30, 60, 120, 300]
/** After so many answers "later" it is a failure; a connection that is down does not count as an answer. */
const MOST_ATTEMPTS = 20
const MOST_ATTEMPTS_OTHER = 5

/** Decides what a provider's answer means for a claim (design "Out"). */
export function decideOutcome(result: SendResult, claim: Claim, resendSafe: boolean, traceMs = 0): SendOutcome {
  if (result.ok) {
    const { ok: _, ...sent } = result
    return { state: 'done', ...sent }
  }
  const again = result.outcome === 'retry' || (result.outcome === 'unknown' && isHarmless(claim, resendSafe))
  if (!again)
    return result.outcome === 'unknown'
      ? { state: 'unknown', waitMs: traceMs }
      : { state: 'failed', error: toErrorLog(result) }
  const mayBeOut = result.outcome === 'unknown'
  // Neither is the message's fault, however long it lasts.
  const free = result.code === 'not_connected' || result.code === 'files_away'
  const most = claim.operation === 'message' ? MOST_ATTEMPTS : MOST_ATTEMPTS_OTHER
  if (!free && claim.attempts >= most) return { state: 'failed', error: toErrorLog(result), mayBeOut }
  const afterMs = result.afterMs ?? backoff(claim.attempts)
  return { state: 'queued', afterMs, error: `${result.code} ${result.text}`, free, mayBeOut }
}

/** Whether doing it twice changes nothing at the customer. Everything but a message is so by nature. */
export function isHarmless(claim: Pick<Claim, 'operation'>, resendSafe: boolean): boolean {
  return resendSafe || claim.operation !== 'message'
}

/** Writes an outcome down. An owner whose epoch is over, or a row already settled, changes nothing. */
export async function settle(db: Db, owned: OwnedConnection, claim: Claim, outcome: SendOutcome): Promise<void> {
  // Before the transaction: one that waits for a second connection of the pool can wait for ever.
  const settings = await readSettings(db)
  await runInTransaction(db, async tx => {
    await checkEpoch(tx, owned)
    const sql = getSql(tx)
    if (outcome.state === 'done' && claim.operation === 'message') await learnAddress(tx, owned, claim, outcome.jid)
    if (claim.messageId !== null) await lockMessageSends(tx, [claim.messageId], outcome.state === 'failed')
    const error =
      outcome.state === 'failed' ? JSON.stringify(outcome.error) : outcome.state === 'queued' ? outcome.error : null
    const back = outcome.state === 'queued' && outcome.free ? 1 : 0
    const mayBeOut = (outcome.state === 'queued' || outcome.state === 'failed') && outcome.mayBeOut === true
    const refused = outcome.state === 'done' && (await isRefused(tx, claim, outcome.id))
    const rows = await sql`
      update outbox set state = ${outcome.state}, error = ${error}, attempts = attempts - ${back}, may_be_out = may_be_out or ${mayBeOut},
        next_at = now() + ${getWaitMs(outcome)} * interval '1 millisecond',
        done_at = case when ${outcome.state === 'queued'} then null else now() end
      where id = ${claim.id} and epoch = ${owned.epoch}
        and (state in ('sending', 'unknown') or (state in ('done', 'failed') and ${outcome.state === 'done'} and not ${refused})) returning 1`
    if (rows.length === 0 || claim.messageId === null) return
    if (claim.operation !== 'message') return await noteTrouble(tx, claim.messageId, outcome)
    await moveMessages(tx, [{ id: claim.messageId, outcome }])
    // Where the provider gives the id, receipts may have come before we knew whose they were.
    if (outcome.state === 'done' && claim.providerId === null) await applyReceipts(tx, settings, owned, [outcome.id])
  })
}

/** Whether a receipt says that this very send failed; receipts lock its row, too, so what one of them says now is seen. One that names another try, which a person had repeated, says nothing of it. */
async function isRefused(tx: Tx, claim: Claim, providerId: string): Promise<boolean> {
  const rows = await getSql(tx)`
    select 1 from message where id = ${claim.messageId} and state = 'failed' and coalesce(provider_id, ${providerId}) = ${providerId}`
  return rows.length > 0
}

/** Milliseconds until something more is to be done. */
function getWaitMs(outcome: SendOutcome): number {
  if (outcome.state === 'queued') return outcome.afterMs
  return outcome.state === 'unknown' ? (outcome.waitMs ?? 0) : 0
}

/** Receipts that were stored while the message they name was being settled: neither side saw the other. */
export async function applyLateReceipts(db: Db, owned: OwnedConnection): Promise<boolean> {
  const late = await getSql(db)<{ id: string }[]>`
    select distinct r.waits_for as id from raw_event r
    join message m on m.whatsapp_id = r.whatsapp_id and m.provider_id = r.waits_for
    where r.whatsapp_id = ${owned.whatsappId} and r.waits_for is not null and r.received_at > now() - interval '2 minutes' limit 100`
  if (late.length === 0) return false
  const settings = await readSettings(db)
  const ids = late.map(row => row.id)
  await runInTransaction(db, tx => applyReceipts(tx, settings, owned, ids))
  return true
}

async function applyReceipts(
  tx: Tx,
  settings: Settings,
  { whatsappId }: OwnedConnection,
  ids: readonly string[],
): Promise<void> {
  await applyWaiting(createInboxBatch(tx, whatsappId, settings), ids)
}

/** An edit or revoke the provider refused: the message says so. */
async function noteTrouble(tx: Tx, messageId: number, outcome: SendOutcome): Promise<void> {
  if (outcome.state !== 'failed') return
  await getSql(tx)`update message set error_log = ${JSON.stringify(outcome.error)}::text::jsonb, version = version + 1
    where id = ${messageId}`
  await publishMessageEvents(tx, [messageId], 'update')
}

/** Answers go where the provider says the contact is, unless another address became known while this was on its way. */
async function learnAddress(
  tx: Tx,
  { whatsappId }: OwnedConnection,
  claim: Claim,
  jid: string | undefined,
): Promise<void> {
  if (!jid || jid === claim.to) return
  await getSql(tx)`
    insert into contact_channel as c (contact_id, whatsapp_id, jid) values (${claim.contactId}, ${whatsappId}, ${jid})
    on conflict (contact_id, whatsapp_id) do update set jid = excluded.jid where c.jid = coalesce(${claim.to}, c.jid)`
}

interface Move {
  readonly id: number
  readonly outcome: SendOutcome
}

/** Moves messages to the state an outcome means, never back behind what receipts already proved; appends the events. */
export async function moveMessages(tx: Tx, moves: readonly Move[]): Promise<void> {
  const sql = getSql(tx)
  const ids = moves.map(move => move.id)
  // Tickets before messages, as everywhere.
  await sql`select 1 from ticket where id in (select ticket_id from message where id = any(${ids}::bigint[])) order by id for update`
  const states = await sql<{ id: string; state: MessageState }[]>`
    select id, state from message where id = any(${ids}::bigint[]) order by id for update`
  const known = new Map(states.map(row => [Number(row.id), row.state]))
  const changed: number[] = []
  const failures: number[] = []
  for (const { id, outcome } of moves) {
    const before = known.get(id)
    if (before === undefined) continue
    const state = stateAfter(before, outcome)
    const providerId = outcome.state === 'done' ? outcome.id : null
    const raw = outcome.state === 'done' && outcome.raw !== undefined ? toJsonbText({ event: outcome.raw }) : null
    const error = outcome.state === 'failed' && state === 'failed' ? toJsonbText(outcome.error) : null
    const { jid = null, secret = null } = outcome.state === 'done' ? outcome : {}
    await sql`
      update message set state = ${state}, version = version + 1,
        provider_id = case when ${before} = 'failed' then coalesce(${providerId}, provider_id) else coalesce(provider_id, ${providerId}) end,
        chat = coalesce(${jid}, chat), raw = coalesce(${raw}::text::jsonb, raw), secret = coalesce(${secret}, secret),
        error_log = case when ${state} = 'failed' then coalesce(${error}::text::jsonb, error_log) end,
        sent_at = case when ${outcome.state === 'done'} then coalesce(sent_at, now()) else sent_at end
      where id = ${id}`
    changed.push(id)
    if (before === 'failed' || state === 'failed') failures.push(id)
  }
  await publishMessageEvents(tx, changed, 'update')
  await refreshLastMessage(tx, changed)
  await sendFailures(tx, failures)
}

function stateAfter(before: MessageState, outcome: SendOutcome): MessageState {
  const onItsWay = before === 'queued' || before === 'sending' || before === 'unknown'
  switch (outcome.state) {
    case 'done':
      return applyAck(before === 'failed' ? 'sending' : before, outcome.ack === 'pending' ? 'sent' : outcome.ack)
    case 'failed':
      return applyAck(before, 'error')
    case 'unknown':
      if (outcome.waitMs) return onItsWay ? 'sending' : before
      return onItsWay ? 'unknown' : before
    default:
      return onItsWay ? outcome.state : before
  }
}

function toErrorLog(result: Extract<SendResult, { ok: false }>): ErrorLog {
  const { code, text, details } = result
  return { code, message: text, ...(details === undefined ? {} : { error_data: { details } }) }
}

/** Milliseconds to wait after so many attempts, a fifth more or less by chance. */
function backoff(attempts: number): number {
  const seconds = BACKOFF_S[Math.min(attempts, BACKOFF_S.length) - 1] ?? 1
  return Math.round(seconds * 1000 * (0.8 + Math.random() * 0.4))
}
