// Rows are locked in one order everywhere (docs/decisions/0153): whoever waits for one holds nothing that comes after it.
import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import type postgres from 'postgres'
import type { OwnedConnection } from '../src/desk/connections/ownership.ts'
import { mergeByHand } from '../src/desk/contacts/merge-by-hand.ts'
import { lockMergedContact } from '../src/desk/contacts/merged-id.ts'
import { undoMerge } from '../src/desk/contacts/unmerge.ts'
import { deleteTicket } from '../src/desk/tickets/delete.ts'
import { findOrCreateTicket } from '../src/desk/tickets/find-or-create.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { type Claim, claimDue } from '../src/messaging/outbox/claim.ts'
import { giveUpWaiting } from '../src/messaging/outbox/give-up.ts'
import { recoverSends, settleDoubts } from '../src/messaging/outbox/recover.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import { eraseDue } from '../src/operations/privacy/erase.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { createTestDatabase } from './database.ts'
import { makeContact, makePerson, makeSession } from './desk-world.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'
import { waitUntil } from './until.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
const parts = { db, ring() {}, config: { dataDir: tmpdir(), s3: null } }

const changing = parts as unknown as Parts

const marina = await makeSession(db, await makePerson(db, { name: 'Marina', profile: 'admin' }))

/** A message on its way: its rows, and what was claimed. */
interface Sending {
  readonly owned: OwnedConnection
  readonly claim: Claim
  readonly ticketId: number
  readonly messageId: number
}

async function aSending(): Promise<Sending> {
  const world = await makeOutgoingFixture(db, 1, 'cloud_api')
  const owned = { whatsappId: world.whatsappId, epoch: 1 }
  await sql`update whatsapp set epoch = 1 where id = ${owned.whatsappId}`
  const messageId = await world.write(0, 'segue o boleto')
  const [claim] = await claimDue(db, owned, 1, true)
  if (!claim) throw new Error('nothing was claimed')
  await sql`update message set provider_id = ${`wamid.${messageId}`} where id = ${messageId}`
  return { owned, claim, ticketId: world.tickets[0]?.id ?? 0, messageId }
}

const WORKS: Record<string, (sending: Sending) => Promise<unknown>> = {
  'writing down how a send ended': ({ owned, claim, messageId }) =>
    settle(db, owned, claim, { state: 'done', ack: 'sent', id: `wamid.${messageId}` }),
  'deleting a ticket': ({ ticketId }) => deleteTicket(parts, marina, ticketId),
  'a receipt': ({ owned, messageId }) => receiveEvents(db, { id: owned.whatsappId }, [receipt(`wamid.${messageId}`)]),
  'a receipt that names its send': ({ owned, claim }) =>
    receiveEvents(db, { id: owned.whatsappId }, [{ ...receipt('wamid.other'), trace: claim.trace ?? '' }]),
  'ending a doubt': async ({ owned, messageId }) => {
    await sql`update outbox set state = 'unknown', next_at = now() where message_id = ${messageId}`
    await settleDoubts(db, owned)
  },
  'taking a connection over': async ({ owned }) => {
    const [row] = await sql<
      { epoch: string }[]
    >`update whatsapp set epoch = epoch + 1 where id = ${owned.whatsappId} returning epoch`
    await recoverSends(db, { ...owned, epoch: Number(row?.epoch) }, false)
  },
  'giving up what waits': ({ owned }) => runInTransaction(db, tx => giveUpWaiting(tx, owned.whatsappId)),
}

/** Held by somebody else, and what must be free although the work has begun and waits. */
const STEPS = { ticket: ['outbox', 'message'], outbox: ['message'] } as const

describe('connection, contact, ticket, outbox, message is the order of', () => {
  for (const [name, work] of Object.entries(WORKS))
    test(name, async () => {
      for (const held of ['ticket', 'outbox'] as const) {
        const sending = await aSending()
        const holder = await sql.reserve()
        const [me] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`
        await holder`begin`
        await lock(holder, held, sending)
        const done = work(sending)
        await waitUntil('it waits for what is held', () => somebodyWaitsFor(me?.pid ?? 0))
        for (const after of STEPS[held]) await lock(holder, after, sending)
        await holder`rollback`
        holder.release()
        await done
      }
    })
})

describe('a send is locked before contacts and tickets, as who hands its next message over does, by', () => {
  const FAILS: Record<string, (sending: Sending) => Promise<unknown>> = {
    'a message that fails': ({ owned, claim }) =>
      settle(db, owned, claim, { state: 'failed', error: { code: 'recipient', message: 'no such number' } }),
    'a receipt that says so': ({ owned, messageId }) =>
      receiveEvents(db, { id: owned.whatsappId }, [{ ...receipt(`wamid.${messageId}`), ack: 'error' }]),
  }
  for (const [name, work] of Object.entries(FAILS))
    test(name, async () => {
      const sending = await aSending()
      const sendId = await aSendWith(sending)
      await whileHeld(sendId, () => work(sending), `select 1 from ticket where id = ${sending.ticketId}`)
      const [send] = await sql<{ version: number }[]>`select version::int as version from send where id = ${sendId}`
      expect(send?.version).toBe(2)
    })

  test('the erasure of the only person it is for', async () => {
    const sending = await aSending()
    const [row] = await sql<
      { contactId: number }[]
    >`select contact_id as "contactId" from ticket where id = ${sending.ticketId}`
    const contactId = row?.contactId ?? 0
    const [schedule] = await sql<{ id: number }[]>`
      insert into schedule (message, recurrence, send_time, whatsapp_id) values ('oi', 'once', '', ${sending.owned.whatsappId}) returning id`
    const scheduleId = schedule?.id ?? 0
    await sql`insert into schedule_contact (schedule_id, contact_id) values (${scheduleId}, ${contactId})`
    const sendId = await aSendWith(sending, scheduleId)
    await sql`insert into privacy_erasure (contact_id, user_id, due_at) values (${contactId}, ${marina.viewer.id}, now())`
    const log = { error: (fields: unknown) => expect(fields).toBe('no error'), info() {}, warn() {} }
    const erasing = () => eraseDue({ ...parts, log } as never)
    await whileHeld(
      sendId,
      erasing,
      `select 1 from contact, schedule where contact.id = ${contactId} and schedule.id = ${scheduleId}`,
    )
    expect(await sql`select 1 from schedule where id = ${scheduleId}`).toHaveLength(0)
  })
})

describe('a contact that lives is locked before one that was merged into it, by', () => {
  const WRITES: Record<string, (contactId: number, whatsappId: number) => Promise<unknown>> = {
    'a program that writes to the one that was': (contactId, whatsappId) =>
      db.transaction(tx => findOrCreateTicket(tx, { contactId, whatsappId, queueId: null, userId: null })),
    'what still comes for the one that was': contactId => db.transaction(tx => lockMergedContact(tx, contactId)),
    'who takes the merge back': async contactId => {
      const [merge] = await sql<{ id: number }[]>`select id from contact_merge where from_id = ${contactId}`
      const undone = await undoMerge(
        changing,
        { ...marina, mayContacts: { add: true, edit: true, del: true } },
        merge?.id ?? 0,
      )
      expect(undone.other.id).toBe(contactId)
    },
  }
  for (const [name, work] of Object.entries(WRITES))
    test.each(['older', 'younger'])(`${name}, whose contact is the %s one`, async which => {
      const [first, second] = [await makeContact(db, 'Uma'), await makeContact(db, 'Outra')]
      const [from, into] = which === 'older' ? [first, second] : [second, first]
      await mergeByHand(changing, { ...marina, mayContacts: { add: true, edit: true, del: true } }, into, from)
      const { whatsappId } = await makeOutgoingFixture(db, 0)
      const holder = await sql.reserve()
      const [me] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`
      await holder`begin`
      await holder`select 1 from contact where id = ${into} for no key update`
      const done = work(from, whatsappId)
      await waitUntil('it waits for the one that lives', () => somebodyWaitsFor(me?.pid ?? 0))
      await holder`select 1 from contact where id = ${from} for no key update nowait`
      await holder`rollback`
      holder.release()
      await done
    })
})

/** Does the work while somebody holds the send: it waits for that, and what comes after it is free meanwhile. */
async function whileHeld(sendId: number, work: () => Promise<unknown>, after: string): Promise<void> {
  const holder = await sql.reserve()
  const [me] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`
  await holder`begin`
  await holder`select 1 from send where id = ${sendId} for update`
  const done = work()
  await waitUntil('it waits for the send', () => somebodyWaitsFor(me?.pid ?? 0))
  expect(await holder.unsafe(`${after} for update nowait`)).toHaveLength(1)
  await holder`rollback`
  holder.release()
  await done
}

/** A send that the message was handed over by. */
async function aSendWith({ owned, messageId }: Sending, scheduleId: number | null = null): Promise<number> {
  const [send] = await sql<{ id: number }[]>`
    with s as (insert into send (due_at, whatsapp_id, state, body, recipients, schedule_id)
        values (now(), ${owned.whatsappId}, 'running', 'oi', '{}', ${scheduleId}) returning id),
      r as (insert into send_recipient (send_id, contact_id, state, message_id)
        select s.id, m.contact_id, 'handed', m.id from s, message m where m.id = ${messageId})
    select id from s`
  return send?.id ?? 0
}

test('a change that lost a deadlock is made again', async () => {
  const [one, other] = [await aSending(), await aSending()]
  const bothHold = Promise.withResolvers<void>()
  let holding = 0
  let tries = 0
  const crosswise = (from: number, to: number) =>
    runInTransaction(db, async tx => {
      tries++
      await getSql(tx)`update ticket set pause_tag = 'x' where id = ${from}`
      if (++holding === 2) bothHold.resolve()
      await bothHold.promise
      await getSql(tx)`update ticket set pause_tag = 'x' where id = ${to}`
    })
  await Promise.all([crosswise(one.ticketId, other.ticketId), crosswise(other.ticketId, one.ticketId)])
  // Who notices it at the same moment loses it too.
  expect([3, 4]).toContain(tries)
})

async function lock(
  holder: postgres.ReservedSql,
  table: 'ticket' | 'outbox' | 'message',
  { ticketId, messageId }: Sending,
): Promise<void> {
  if (table === 'ticket') await holder`select 1 from ticket where id = ${ticketId} for update nowait`
  else if (table === 'outbox') await holder`select 1 from outbox where message_id = ${messageId} for update nowait`
  else await holder`select 1 from message where id = ${messageId} for update nowait`
}

/** Asked outside of the transaction, which would see the activity of its beginning. */
async function somebodyWaitsFor(pid: number): Promise<boolean> {
  const rows = await sql`select 1 from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`
  return rows.length > 0
}

function receipt(id: string) {
  return { type: 'ack', ref: { chat: '5531999990001', id, fromMe: true }, ack: 'delivered' } as const
}
