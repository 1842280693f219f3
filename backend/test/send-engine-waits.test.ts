// A send waits and goes on by itself (decisions-2 §15).
import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import type { JobHelpers } from 'graphile-worker'
import { wakeWaitingSends } from '../src/desk/connections/wake-waiting-sends.ts'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { storeStatus } from '../src/messaging/owner/status.ts'
import { scheduleJobs } from '../src/messaging/schedules/jobs.ts'
import { readConfig } from '../src/platform/config.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { countLockWaits } from './lock-waits.ts'
import { owned, PACE, type SendFixture, startSendEngine } from './send-engine-world.ts'
import { waitUntil } from './until.ts'

const { db, sql, aWorld, aSend, hand, stateOf, state, eventsOf, wentOut } = await startSendEngine()

async function settings(values: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = ${value}`
  clearSettingsCache(db)
}

/** What the worker does once a minute. */
async function beginSends(): Promise<void> {
  const config = readConfig({ DATA_DIR: tmpdir(), DATA_KEY: 'ab'.repeat(32) })
  const job = scheduleJobs({ db, config, ring() {} }).find(({ kind }) => kind === 'begin-sends')
  await job?.work({}, {} as JobHelpers)
}

/** A zone whose clocks show this hour now. */
function zoneAt(hour: number): string {
  const ahead = (((hour - new Date().getUTCHours()) % 24) + 24) % 24
  return ahead <= 12 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`
}

const EVERY_DAY = { saturday: 'enabled', sunday: 'enabled', holidays: 'enabled' }

describe('decisions-2 §15: a send waits and goes on by itself', () => {
  test('while its connection is down', async () => {
    const world = await aWorld(2)
    const id = await aSend(world)
    await storeStatus(db, owned(world), { type: 'status', status: 'TIMEOUT' })
    expect(await state(id)).toEqual(['waiting', 'disconnected'])
    const second = await aSend(world)
    expect(await state(second)).toEqual(['waiting', 'disconnected'])
    await storeStatus(db, owned(world), { type: 'status', status: 'CONNECTED', trouble: null })
    expect(await state(id)).toEqual(['running', null])
    expect(await hand(world)).toBe(0)
  })

  test('what waits for the connection of another number, or for the hour, does not go on when this one is back', async () => {
    const [world, other] = [await aWorld(2), await aWorld(2)]
    const [down, elsewhere, capped] = [await aSend(world), await aSend(other), await aSend(world)]
    await storeStatus(db, owned(world), { type: 'status', status: 'TIMEOUT' })
    await storeStatus(db, owned(other), { type: 'status', status: 'TIMEOUT' })
    await sql`update send set state_reason = 'daily_cap', not_before = now() + interval '9 hours' where id = ${capped}`
    await sql`truncate live_event`
    await storeStatus(db, owned(world), { type: 'status', status: 'CONNECTED', trouble: null })
    expect(await state(down)).toEqual(['running', null])
    expect(await state(elsewhere)).toEqual(['waiting', 'disconnected'])
    expect(await state(capped)).toEqual(['waiting', 'daily_cap'])
    expect((await eventsOf('envioMassa')).map(one => JSON.parse(one.payload).envioMassaId)).toEqual([down])
  })

  test('until the company opens, and what is left goes on the next day; other sends do not wait for it', async () => {
    await settings({ ...EVERY_DAY, timezone: zoneAt(20) })
    const world = await aWorld(2)
    const [ofHours, any] = [await aSend(world, { onlyWorkingHours: true }), await aSend(world)]
    expect(await hand(world)).toBe(0)
    const { state: is, reason, until } = await stateOf(ofHours)
    expect([is, reason]).toEqual(['waiting', 'working_hours'])
    // It opens at eight: in eleven to twelve hours.
    const hours = (Date.parse(until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(11)
    expect(hours).toBeLessThanOrEqual(12)
    expect((await stateOf(any)).sent).toBe(1)
    await wentOut('sent')
    expect(await hand(world)).toBe(0)
    expect((await stateOf(any)).sent).toBe(2)
    await wentOut('sent')
    expect(await hand(world)).toBe(PACE)
    // The calendar changes: it is ten o'clock there.
    await settings({ timezone: zoneAt(10) })
    await db.transaction(tx => wakeWaitingSends(tx))
    expect(await hand(world)).toBe(0)
    expect(await stateOf(ofHours)).toMatchObject({ state: 'running', reason: null, sent: 1 })
  })

  test('not at lunch, and for ever where the company never opens', async () => {
    await settings({ ...EVERY_DAY, timezone: zoneAt(12) })
    const world = await aWorld(1)
    const id = await aSend(world, { onlyWorkingHours: true })
    await hand(world)
    expect(await state(id)).toEqual(['waiting', 'working_hours'])
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    await settings(Object.fromEntries(days.map(day => [day, 'disabled'])))
    await db.transaction(tx => wakeWaitingSends(tx))
    await hand(world)
    const { reason, until } = await stateOf(id)
    expect(reason).toBe('working_hours')
    expect(Date.parse(until)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  })

  test('when the day’s limit is reached: all sends of the connection together, until the company’s midnight', async () => {
    await settings({ dailyCap: '3', timezone: zoneAt(15) })
    const [world, other] = [await aWorld(2), await aWorld(1)]
    const [first, second, beside] = [await aSend(world), await aSend(world), await aSend(other)]
    for (let n = 0; n < 3; n++) {
      expect(await hand(world)).toBe(0)
      await wentOut('sent')
    }
    expect(await hand(world)).toBe(PACE)
    expect(await state(first)).toEqual(['done', null])
    const { state: is, reason, until } = await stateOf(second)
    expect([is, reason]).toEqual(['waiting', 'daily_cap'])
    const hours = (Date.parse(until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(8)
    expect(hours).toBeLessThanOrEqual(9)
    expect(new Date(until).getUTCMinutes()).toBe(0)
    expect(await hand(other)).toBe(0)
    expect(await state(beside)).toEqual(['done', null])
    // It is tomorrow.
    await sql`update send_recipient set at = at - interval '1 day'`
    await sql`update send_clock set day_from = day_from - interval '1 day'`
    await sql`update send set not_before = now() - interval '1 minute' where not_before is not null`
    expect(await hand(world)).toBe(0)
    expect(await state(second)).toEqual(['done', null])
  })

  test('what was sent counts for the day’s limit also when its contacts or its schedule are deleted', async () => {
    await settings({ dailyCap: '2' })
    const world = await aWorld(3)
    const [first, second] = [await aSend(world), await aSend(world)]
    for (let n = 0; n < 2; n++) {
      expect(await hand(world)).toBe(0)
      await wentOut('sent')
      // As deleting the scheduled send, or its contacts, does by its foreign keys.
      await sql`delete from send_recipient where state = 'handed'`
    }
    await sql`delete from send where id = ${first}`
    expect(await hand(world)).toBe(PACE)
    expect(await state(second)).toEqual(['waiting', 'daily_cap'])
  })

  test('is over when the last who waits is deleted, however it stood, and holds up no other', async () => {
    const [world, others] = [await aWorld(1), await aWorld(2)]
    const [running, paused] = [await aSend(world), await aSend(world)]
    const next = await aSend({ ...others, whatsappId: world.whatsappId })
    await sql`update send set state = 'paused', state_reason = 'asked' where id = ${paused}`
    await sql`delete from ticket where contact_id = ${world.ids[0] ?? 0}`
    await sql`delete from contact where id = ${world.ids[0] ?? 0}`
    expect(await hand(world)).toBe(0)
    expect(await stateOf(running)).toMatchObject({ state: 'done', reason: null, sent: 0 })
    expect(await state(paused)).toEqual(['paused', 'asked'])
    expect((await stateOf(next)).sent).toBe(1)
    const [ended] = await sql`select ended_at is not null as is from send where id = ${running}`
    expect(ended?.is).toBe(true)
    await sql`update send set state = 'waiting', state_reason = 'working_hours', not_before = now() + interval '1 day' where id = ${paused}`
    await wentOut('sent')
    await hand(world)
    expect(await state(paused)).toEqual(['done', null])
  })

  test('is over so also while its phone is off, which gives it no turn', async () => {
    const [world, others] = [await aWorld(1), await aWorld(1)]
    const [left, waiting] = [await aSend(world), await aSend(others)]
    for (const fixture of [world, others]) await storeStatus(db, owned(fixture), { type: 'status', status: 'TIMEOUT' })
    await sql`delete from ticket where contact_id = ${world.ids[0] ?? 0}`
    await sql`delete from contact where id = ${world.ids[0] ?? 0}`
    await beginSends()
    expect([await state(left), await state(waiting)]).toEqual([
      ['done', null],
      ['waiting', 'disconnected'],
    ])
  })

  test('who is left out takes none of the day’s limit', async () => {
    await settings({ dailyCap: '2' })
    const world = await aWorld(3)
    const id = await aSend(world)
    await sql`update contact set opted_out_at = now() where id = ${world.ids[0] ?? 0}`
    for (let n = 0; n < 2; n++) {
      expect(await hand(world)).toBe(0)
      await wentOut('sent')
    }
    expect(await stateOf(id)).toMatchObject({ state: 'done', sent: 2 })
  })

  test('a new day begins at nothing, and has the same limit', async () => {
    await settings({ dailyCap: '2' })
    const world = await aWorld(5)
    const id = await aSend(world)
    for (const sent of [2, 4]) {
      for (let n = 0; n < 2; n++) {
        expect(await hand(world)).toBe(0)
        await wentOut('sent')
      }
      expect(await hand(world)).toBe(PACE)
      expect(await stateOf(id)).toMatchObject({ state: 'waiting', reason: 'daily_cap', sent })
      await sql`update send_recipient set at = at - interval '1 day'`
      await sql`update send_clock set day_from = day_from - interval '1 day'`
      await sql`update send set not_before = now() - interval '1 minute'`
    }
  })

  test('a connection’s own cap counts in place of the setting, over the official API no other', async () => {
    await settings({ dailyCap: '1' })
    const [own, official] = [await aWorld(3), await aWorld(3, 'cloud_api')]
    const capped = await aWorld(3, 'cloud_api')
    await sql`update whatsapp set daily_cap = 2 where id = any(${[own.whatsappId, capped.whatsappId]}::int[])`
    for (const world of [own, official, capped]) await aSend(world)
    const handed = async (world: SendFixture) => {
      let n = 0
      for (; n < 4 && (await hand(world)) === 0; n++) await wentOut('sent')
      return n
    }
    expect(await handed(own)).toBe(2)
    expect(await handed(official)).toBe(3)
    expect(await handed(capped)).toBe(2)
  })

  test('a new number takes 50 a day: the reason says so', async () => {
    const world = await aWorld(3)
    await sql`update whatsapp set number = '553132224010' where id = ${world.whatsappId}`
    const before = await aSend(world)
    await sql`update send set state = 'done' where id = ${before}`
    await sql`update send_recipient set state = 'handed', at = now() where send_id = ${before}`
    const more = await sql<
      { id: number }[]
    >`insert into contact (name) select 'Antes ' || n from generate_series(1, 46) n returning id`
    await sql`insert into send_recipient (send_id, contact_id, state, at)
      select ${before}, unnest(${more.map(({ id }) => id)}::int[]), 'handed', now()`
    const id = await aSend(world)
    expect(await hand(world)).toBe(0)
    await wentOut('sent')
    expect(await hand(world)).toBe(PACE)
    expect(await state(id)).toEqual(['waiting', 'warm_up'])
  })
})

describe('two processes and one send', () => {
  test('who asks at once hands over one message, not two', async () => {
    const world = await aWorld(6)
    await aSend(world)
    const came = await Promise.all(Array.from({ length: 6 }, () => hand(world)))
    expect(came.filter(ms => ms === 0)).toHaveLength(1)
    expect(await sql`select 1 from outbox`).toHaveLength(1)
  })

  test('a pause that comes while the next is handed over stays, and nobody gets it', async () => {
    const world = await aWorld(2)
    const id = await aSend(world)
    const handing = await sql.begin(async tx => {
      await tx`update send set state = 'paused' where id = ${id}`
      const begun = hand(world)
      await waitUntil('it waits for the send', async () => (await countLockWaits(sql)) === 1)
      return { begun }
    })
    await handing.begun
    expect(await state(id)).toEqual(['paused', null])
    expect(await sql`select 1 from outbox`).toHaveLength(0)
  })

  describe('a contact that is merged while its message is handed over', () => {
    /** Has the second customer become the first at the moment its message is to be written. */
    async function mergeMeanwhile(world: SendFixture): Promise<readonly [number, number]> {
      const [into = 0, from = 0] = world.ids
      const handing = await db.transaction(async tx => {
        await mergeContacts(tx, into, from)
        const begun = hand(world)
        await waitUntil('it waits for the contact', async () => (await countLockWaits(sql)) === 1)
        return { begun }
      })
      await handing.begun
      return [into, from]
    }
    const messages = async (world: SendFixture) => {
      const rows = await sql<{ contactId: number }[]>`
        select contact_id as "contactId" from outbox where whatsapp_id = ${world.whatsappId} order by id`
      return rows.map(row => row.contactId)
    }

    test('has it once, by who it turned out to be', async () => {
      const world = await aWorld(2)
      await sql`delete from ticket where contact_id = any(${world.ids}::int[])`
      const id = await aSend(world)
      await sql`delete from send_recipient where send_id = ${id} and contact_id = ${world.ids[0] ?? 0}`
      const [into, from] = await mergeMeanwhile(world)
      expect(await messages(world)).toEqual([into])
      expect(await sql`select 1 from ticket where contact_id = ${from}`).toHaveLength(0)
      expect(await state(id)).toEqual(['done', null])
    })

    test('has it no second time', async () => {
      const world = await aWorld(2)
      const id = await aSend(world)
      expect(await hand(world)).toBe(0)
      await wentOut('sent')
      const [into] = await mergeMeanwhile(world)
      expect(await messages(world)).toEqual([into])
      expect((await state(id))[0]).toBe('done')
    })

    test('has none where who it turned out to be wants none', async () => {
      const world = await aWorld(2)
      const id = await aSend(world)
      await sql`delete from send_recipient where send_id = ${id} and contact_id = ${world.ids[0] ?? 0}`
      await sql`update contact set opted_out_at = now() where id = ${world.ids[0] ?? 0}`
      await mergeMeanwhile(world)
      expect(await messages(world)).toEqual([])
      expect(await sql`select reason from send_recipient where send_id = ${id}`).toMatchObject([
        { reason: 'opted_out' },
      ])
    })
  })

  test('an owner whose time is over hands over nothing', async () => {
    const world = await aWorld(1)
    await aSend(world)
    await sql`update whatsapp set epoch = 1 where id = ${world.whatsappId}`
    await expect(hand(world)).rejects.toThrow('another owner')
    expect(await sql`select 1 from outbox`).toHaveLength(0)
  })
})
