// Sends of a desk without a server: customers, runs, and their turns.
import { beforeEach } from 'bun:test'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { snapshotRecipients } from '../src/messaging/sends/snapshot-recipients.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { expirePace, settleMessages } from './handed-over.ts'
import { makeOutgoingFixture, type OutgoingFixture } from './outgoing-world.ts'

export type SendFixture = OutgoingFixture & { readonly ids: number[] }

export const PACE = 60_000

export const owned = ({ whatsappId }: SendFixture) => ({ whatsappId, epoch: 0 })

export async function startSendEngine() {
  const { db } = await createTestDatabase()
  const sql = getSql(db)

  beforeEach(async () => {
    await sql`truncate send, send_recipient, send_clock, schedule, outbox, live_event, log_entry, setting cascade`
    clearSettingsCache(db)
  })

  async function aWorld(customers: number, api = 'baileys'): Promise<SendFixture> {
    const world = await makeOutgoingFixture(db, customers, api)
    const ids = world.tickets.map(ticket => ticket.contactId)
    await sql`update whatsapp set status = 'CONNECTED' where id = ${world.whatsappId}`
    await sql`update contact c set number = i.value from contact_identity i where i.contact_id = c.id and c.id = any(${ids}::int[])`
    return { ...world, ids }
  }

  /** A mass send to all customers of a world, frozen. */
  async function aSend(
    { whatsappId, ids }: SendFixture,
    options: { onlyWorkingHours?: boolean; body?: string } = {},
  ): Promise<number> {
    const whom = JSON.stringify({ allContacts: false, contactsIds: ids, tagsIds: [] })
    const [row] = await sql<{ id: number }[]>`
    insert into send (due_at, body, recipients, whatsapp_id, only_working_hours)
    values (now(), ${options.body ?? 'Chegou a farinha'}, ${whom}::text::jsonb, ${whatsappId}, ${options.onlyWorkingHours ?? false}) returning id`
    await snapshotRecipients(db)
    return row?.id ?? 0
  }

  const hand = (world: SendFixture) => dispatchNext(db, owned(world), PACE)
  const stateOf = async (id: number) => {
    const [row] = await sql`select state, state_reason as reason, sent, not_before from send where id = ${id}`
    return { state: row?.state, reason: row?.reason, sent: row?.sent, until: row?.not_before ?? null }
  }
  const state = async (id: number) => {
    const { state, reason } = await stateOf(id)
    return [state, reason]
  }
  const eventsOf = async (name: string) => sql`select payload from live_event where payload::jsonb->>'event' = ${name}`

  /** What is on its way comes to this, an hour ago; the clock lets the next follow. */
  async function wentOut(to: 'sent' | 'failed', code = '500'): Promise<void> {
    await settleMessages(sql, to, code)
    await expirePace(sql)
  }

  return { db, sql, aWorld, aSend, hand, stateOf, state, eventsOf, wentOut }
}
