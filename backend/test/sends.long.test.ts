// Sends with a pace: who gets one is settled when it begins, and each connection hands over one message after the other (decisions §15).
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { giveUpWaiting } from '../src/messaging/outbox/give-up.ts'
import { type Sender, startSender } from '../src/messaging/outbox/sender.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { snapshotRecipients } from '../src/messaging/sends/snapshot-recipients.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { expirePace } from './handed-over.ts'
import { startNetwork } from './network.ts'
import { createNetworkDriver } from './network-driver.ts'
import { makeOutgoingFixture, type OutgoingFixture } from './outgoing-world.ts'
import { killOwners, startOwner } from './owner-child.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const place = { db, dataDir: '/nowhere' }
const network = startNetwork()
const PACE = 60_000
const TOMORROW = new Date(Date.now() + 24 * 3_600_000).toISOString()
const senders: Sender[] = []

beforeEach(async () => {
  await sql`truncate send, send_recipient, send_clock, schedule cascade`
})
afterEach(async () => {
  await Promise.all(senders.splice(0).map(sender => sender.stop()))
  await killOwners()
  await sql`update whatsapp set wanted = false`
})
afterAll(() => network.stop())

interface ToMake {
  readonly text?: string
  readonly nextRunAt?: string
  readonly recurrence?: 'once' | 'every_day'
  readonly contacts?: readonly number[]
  readonly allContacts?: boolean
}

/** A connection with customers in service, whose numbers are known. */
async function aWorld(customers: number, api = 'baileys'): Promise<OutgoingFixture & { ids: number[] }> {
  const world = await makeOutgoingFixture(db, customers, api)
  const ids = world.tickets.map(ticket => ticket.contactId)
  await sql`update whatsapp set status = 'CONNECTED' where id = ${world.whatsappId}`
  await sql`update contact c set number = i.value from contact_identity i where i.contact_id = c.id and c.id = any(${ids}::int[])`
  return { ...world, ids }
}

async function aSchedule(
  { whatsappId, ids }: { whatsappId: number; ids: number[] },
  options: ToMake = {},
): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into schedule (message, recurrence, send_time, next_run_at, whatsapp_id, all_contacts)
    values (${options.text ?? 'Seu boleto vence amanhã'}, ${options.recurrence ?? 'once'}, '09:00',
      ${options.nextRunAt ?? new Date().toISOString()}, ${whatsappId}, ${options.allContacts ?? false}) returning id`
  const contacts = options.contacts ?? (options.allContacts ? [] : ids)
  await sql`insert into schedule_contact (schedule_id, contact_id) select ${row?.id ?? 0}, unnest(${[...contacts]}::int[])`
  return row?.id ?? 0
}

const recipients = async () => [
  ...(await sql<{ contact_id: number; state: string; reason: string | null }[]>`
    select contact_id, state, reason from send_recipient order by contact_id`),
]
const sendsNow = async () => [
  ...(await sql<{ state: string; sent: number; total: number }[]>`select state, sent, total from send order by id`),
]
const owned = ({ whatsappId }: OutgoingFixture) => ({ whatsappId, epoch: 0 })

/** As if the pace had passed since the last. */
async function timePasses(): Promise<void> {
  await expirePace(sql)
  await sql`update outbox set state = 'done', done_at = now() - interval '1 hour'`
}

async function connect(world: OutgoingFixture, paceMs: number): Promise<void> {
  const driver = createNetworkDriver({ emit: async () => {} }, { url: network.url, ownIds: true })
  const log = { warn: () => {}, error: () => {} }
  const handPaced = () => dispatchNext(db, owned(world), paceMs)
  const sender = await startSender({
    db,
    owned: owned(world),
    driver,
    ring: () => {},
    fenced: () => {},
    handPaced,
    log,
  })
  senders.push(sender)
  sender.setConnected(true)
}

const arrivedAt = (world: OutgoingFixture) =>
  network.arrived.filter(one => world.tickets.some(({ to }) => to === one.to))

describe('the outbox never holds the future', () => {
  test('what would wait there until tomorrow holds up what its contact is told today', async () => {
    const world = await aWorld(1)
    const later = await world.write(0, 'Bom dia de amanhã')
    await sql`update outbox set next_at = ${TOMORROW} where message_id = ${later}`
    await world.write(0, 'A resposta de agora')
    expect(await claimDue(db, owned(world), 10)).toEqual([])
  })

  test('a send of tomorrow holds up nothing', async () => {
    const world = await aWorld(1)
    await aSchedule(world, { nextRunAt: TOMORROW })
    expect(await startDueSchedules(place)).toBe(0)
    expect(await dispatchNext(db, owned(world), PACE)).toBeNull()
    await world.write(0, 'A resposta de agora')
    expect((await claimDue(db, owned(world), 10)).map(({ payload }) => payload)).toEqual([
      { type: 'text', text: 'A resposta de agora' },
    ])
  })
})

describe('a schedule that is due begins', () => {
  test('once, however many look, and one that goes out once is over', async () => {
    const world = await aWorld(2)
    const id = await aSchedule(world)
    await Promise.all([startDueSchedules(place), startDueSchedules(place), startDueSchedules(place)])
    expect(await sendsNow()).toEqual([{ state: 'running', sent: 0, total: 2 }])
    const [row] = await sql`select next_run_at, last_run_at is not null as ran from schedule where id = ${id}`
    expect(row).toEqual({ next_run_at: null, ran: true })
  })

  test('a recurring one again tomorrow, at its hour', async () => {
    const world = await aWorld(1)
    const id = await aSchedule(world, { recurrence: 'every_day' })
    await startDueSchedules(place)
    const [row] = await sql<{ hour: string; ahead: boolean }[]>`
      select to_char(next_run_at at time zone ${(await readSettings(db)).timezone}, 'HH24:MI') as hour, next_run_at > now() as ahead
      from schedule where id = ${id}`
    expect(row).toEqual({ hour: '09:00', ahead: true })
  })

  test('what was due for longer than half a day says nothing any more', async () => {
    const world = await aWorld(1)
    await aSchedule(world, { nextRunAt: new Date(Date.now() - 13 * 3_600_000).toISOString() })
    await startDueSchedules(place)
    expect(await sql`select state, state_reason from send`).toMatchObject([{ state: 'stopped', state_reason: 'late' }])
    expect(await dispatchNext(db, owned(world), PACE)).toBeNull()
  })

  test('where its connection is gone it stops and says why', async () => {
    const world = await aWorld(1)
    await aSchedule(world)
    await sql`update whatsapp set deleted_at = now() where id = ${world.whatsappId}`
    await startDueSchedules(place)
    expect(await sql`select state, state_reason from send`).toMatchObject([
      { state: 'stopped', state_reason: 'connection_deleted' },
    ])
  })
})

describe('recipients are frozen when a send begins', () => {
  test('who is left out stands there with the reason, and nobody twice', async () => {
    const world = await aWorld(3)
    const [out = 0, unknown = 0, plain = 0] = world.ids
    await sql`update contact set opted_out_at = now() where id = ${out}`
    await sql`update contact set number = null where id = ${unknown}`
    const [tag] = await sql`insert into tag (name, color) values (${crypto.randomUUID()}, '#B8860B') returning id`
    await sql`insert into contact_tag (contact_id, tag_id) values (${plain}, ${tag?.id})`
    const id = await aSchedule(world)
    await sql`insert into schedule_tag (schedule_id, tag_id) values (${id}, ${tag?.id})`
    await startDueSchedules(place)
    await sql`delete from contact_tag`
    expect(await recipients()).toEqual([
      { contact_id: out, state: 'excluded', reason: 'opted_out' },
      { contact_id: unknown, state: 'excluded', reason: 'no_number' },
      { contact_id: plain, state: 'waiting', reason: null },
    ])
    expect(await sendsNow()).toEqual([{ state: 'running', sent: 0, total: 1 }])
  })

  test('in batches: what a killed process had frozen is not frozen again', async () => {
    const world = await aWorld(5)
    await aSchedule(world)
    await startDueSchedules(place)
    await sql`delete from send_recipient where contact_id > ${world.ids[1] ?? 0}`
    await sql`update send set state = 'calculating', frozen_to = ${world.ids[1] ?? 0}, total = 2`
    await snapshotRecipients(db, 2)
    expect((await recipients()).map(row => row.contact_id)).toEqual(world.ids)
    expect(await sendsNow()).toEqual([{ state: 'running', sent: 0, total: 5 }])
  })

  test('who has a row already, of somebody merged into him meanwhile, does not end the count', async () => {
    const world = await aWorld(5)
    await aSchedule(world)
    await startDueSchedules(place)
    await sql`delete from send_recipient where contact_id <> ${world.ids[1] ?? 0}`
    await sql`update send set state = 'calculating', frozen_to = 0, total = 1`
    await snapshotRecipients(db, 2)
    expect((await recipients()).map(row => row.contact_id)).toEqual(world.ids)
    expect(await sendsNow()).toEqual([{ state: 'running', sent: 0, total: 5 }])
  })
})

describe('a connection hands over one message after the other', () => {
  test('the next follows 15 seconds after, a fifth more or less, for all its sends together, which take turns', async () => {
    const world = await aWorld(2)
    await aSchedule(world, { text: 'primeiro' })
    await aSchedule(world, { text: 'segundo' })
    await startDueSchedules(place)
    const waits: number[] = []
    for (let n = 0; n < 4; n++) {
      expect(await dispatchNext(db, owned(world), PACE)).toBe(0)
      waits.push((await dispatchNext(db, owned(world), PACE)) ?? PACE)
      await timePasses()
    }
    for (const wait of waits.slice(0, 3)) {
      expect(wait).toBeGreaterThan(0.79 * PACE)
      expect(wait).toBeLessThanOrEqual(1.2 * PACE)
    }
    expect((await world.states()).map(({ body }) => body)).toEqual(['primeiro', 'segundo', 'primeiro', 'segundo'])
    expect(await sendsNow()).toEqual([
      { state: 'done', sent: 2, total: 2 },
      { state: 'done', sent: 2, total: 2 },
    ])
    expect(await dispatchNext(db, owned(world), PACE)).toBeNull()
  })

  test('no two pauses are alike: a beat would be a machine’s', async () => {
    const world = await aWorld(12)
    await aSchedule(world)
    await startDueSchedules(place)
    const waits = new Set<number>()
    for (let n = 0; n < 10; n++) {
      expect(await dispatchNext(db, owned(world), PACE)).toBe(0)
      waits.add(Math.round(((await dispatchNext(db, owned(world), PACE)) ?? 0) / 100))
      await timePasses()
    }
    expect(waits.size).toBeGreaterThan(3)
  })

  test('the clock runs from when the one before went out, not from when it was handed over', async () => {
    const world = await aWorld(2)
    await aSchedule(world)
    await startDueSchedules(place)
    expect(await dispatchNext(db, owned(world), PACE)).toBe(0)
    await sql`update send_clock set next_at = now() - interval '1 hour'`
    // It waits still: the connection is down.
    expect(await dispatchNext(db, owned(world), PACE)).toBeGreaterThan(0.79 * PACE)
    await sql`update outbox set state = 'done', done_at = now()`
    await sql`update send_clock set next_at = now() - interval '1 hour'`
    expect(await dispatchNext(db, owned(world), PACE)).toBeGreaterThan(0.79 * PACE)
  })

  test('what people write goes first', async () => {
    const world = await aWorld(20)
    await aSchedule(world, { contacts: world.ids.slice(0, 3), text: 'agendada' })
    await startDueSchedules(place)
    for (let customer = 0; customer < 20; customer++) await world.write(customer, 'de um atendente')
    await connect(world, 1)
    await waitUntil('all went out', () => arrivedAt(world).length === 23)
    const texts = arrivedAt(world).map(({ message }) => ('text' in message ? message.text : ''))
    // Eight are on their way at a time: what was begun before may arrive after.
    expect(texts.slice(0, 12)).toEqual(Array(12).fill('de um atendente'))
    expect(texts.filter(text => text === 'agendada')).toHaveLength(3)
  })

  test.each(['calculating', 'waiting', 'paused', 'stopped', 'cancelled', 'done'])(
    'nothing of a send that is %s',
    async state => {
      const world = await aWorld(2)
      await aSchedule(world)
      await startDueSchedules(place)
      await sql`update send set state = ${state}, not_before = ${TOMORROW}`
      const wait = await dispatchNext(db, owned(world), PACE)
      expect(wait).toBe(state === 'waiting' ? PACE : null)
      await sql`update send set state = 'running', not_before = null`
      expect(await dispatchNext(db, owned(world), PACE)).toBe(0)
    },
  )

  test('who may not be written to is left out with the code, and costs no time', async () => {
    const world = await aWorld(2, 'cloud_api')
    const [closed = 0, open = 0] = world.ids
    await aSchedule(world)
    await startDueSchedules(place)
    await sql`update contact_channel set last_inbound_at = now() - interval '25 hours' where contact_id = ${closed}`
    expect(await dispatchNext(db, owned(world), PACE)).toBe(0)
    expect(await recipients()).toEqual([
      { contact_id: closed, state: 'excluded', reason: 'window_closed' },
      { contact_id: open, state: 'handed', reason: null },
    ])
    expect(await sendsNow()).toEqual([{ state: 'done', sent: 1, total: 2 }])
  })

  test('who asked for no more after it began gets nothing of it', async () => {
    const world = await aWorld(2)
    const [gone = 0, open = 0] = world.ids
    await aSchedule(world)
    await startDueSchedules(place)
    await sql`update contact set opted_out_at = now() where id = ${gone}`
    expect(await dispatchNext(db, owned(world), PACE)).toBe(0)
    expect(await recipients()).toEqual([
      { contact_id: gone, state: 'excluded', reason: 'opted_out' },
      { contact_id: open, state: 'handed', reason: null },
    ])
  })

  test('a send ends with its connection', async () => {
    const world = await aWorld(1)
    await aSchedule(world)
    await startDueSchedules(place)
    await db.transaction(tx => giveUpWaiting(tx, world.whatsappId))
    expect(await sql`select state, state_reason from send`).toMatchObject([
      { state: 'stopped', state_reason: 'connection_deleted' },
    ])
  })
})

describe('the power is cut between any two steps', () => {
  for (const point of [
    'send:before-commit',
    'send:handed',
    'outbox:after-claim',
    'outbox:after-send',
    'outbox:after-settle',
  ])
    test(`killed at ${point}, every contact gets it once`, async () => {
      const world = await aWorld(6)
      await aSchedule(world)
      await startDueSchedules(place)
      const env = { DATABASE_URL: url, NETWORK_URL: network.url, SEND_PACE_SECONDS: '0.02' }
      const first = await startOwner({ ...env, CRASH_AT: `${point}#3` })
      expect(await first.ended).not.toBe(0)
      await startOwner(env)
      await waitUntil(
        'all are sent',
        async () => {
          const states = await world.states()
          return states.length === 6 && states.every(({ state, rows }) => state === 'sent' && rows === 'done')
        },
        20_000,
      )
      for (const { to } of world.tickets) expect(network.shown.filter(one => one.to === to)).toHaveLength(1)
      expect(await sendsNow()).toEqual([{ state: 'done', sent: 6, total: 6 }])
    })
})
