// Figures while others work on them (docs/decisions/0224): nothing is counted twice or lost, whoever folds, dies or changes the calendar.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { buildCommand } from '@balcao/simulator/processes'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { foldFigures } from '../src/insight/figures/days.ts'
import { countMessages } from '../src/insight/figures/messages.ts'
import { findFigureTimezone, findRunningCount } from '../src/insight/figures/zone.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makeContact, makePerson, makeQueue } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'
import { waitUntil } from './until.ts'
import { type FigureCheckOptions, verifyFigures } from './verify-figures.ts'

const { db, url } = await createTestDatabase({ jobs: true })
const other = openDatabase(url, { max: 3 })
const sql = getSql(db)
const [day, nights] = [
  { horarioAbertura: '00:00', horarioFechamento: '00:00' },
  { horarioAbertura: '22:00', horarioFechamento: '04:00' },
]
afterAll(() => closeDatabase(other))

const shop = await makeConnection(db, 'Loja Centro')
const queue = await makeQueue(db, 'Financeiro')
const person = await makePerson(db, { name: 'Rafael', profile: 'user', queueIds: [queue] })

beforeEach(async () => {
  await sql`delete from ticket`
  await set(day)
  await sql`delete from figure_calendar`
  await refreshCalendar(db, new Date(Date.now() - 100 * 86_400_000))
  await refreshCalendar(db, new Date())
})

async function set(values: Readonly<Record<string, string>>): Promise<void> {
  const open = Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'holidays'].map(key => [
      key,
      'enabled',
    ]),
  )
  for (const [key, value] of Object.entries({ ...open, horarioAlmoco: '12:00', horarioFimAlmoco: '12:00', ...values }))
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
  clearSettingsCache(other)
}

/** Waits since some days ago. */
async function aWaitingTicket(days = 5): Promise<number> {
  const contact = await makeContact(db, 'Dona Lúcia')
  const [row] = await sql<{ id: number }[]>`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, created_at)
    values ('pending', ${contact}, ${shop}, ${queue}, now() - make_interval(days => ${days})) returning id`
  return row?.id ?? 0
}

/** Was accepted as it was opened, and is served since then. */
async function anOpenTicket(days = 5): Promise<number> {
  const contact = await makeContact(db, 'Dona Lúcia')
  const [row] = await sql<{ id: number }[]>`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, created_at)
    values ('open', ${contact}, ${shop}, ${queue}, ${person}, now() - make_interval(days => ${days})) returning id`
  return row?.id ?? 0
}

/** Nobody counts days until it is released. */
async function holdCounting(): Promise<{ release(): Promise<void> }> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = other.transaction(async tx => {
    await getSql(tx)`select 1 from figure_count where state = 'counting' for no key update`
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, holding])
  return {
    release() {
      released.resolve()
      return holding
    },
  }
}

function all(): FigureCheckOptions[] {
  const year = new Date().getUTCFullYear()
  const period = { firstDate: `${year - 1}-01-01`, lastDate: `${year + 1}-12-31` }
  return [period, { ...period, queueId: queue }, { ...period, userId: person }]
}

async function act(id: number, status: string): Promise<void> {
  await sql`
    update ticket set status = ${status}, user_id = ${person}, closed_at = case ${status} when 'closed' then now() end where id = ${id}`
}

describe('the days', () => {
  test('are folded by two processes at once, while tickets change', async () => {
    const { pick, chance } = createSeededRandom(7)
    const ids = await Promise.all(Array.from({ length: 30 }, () => aWaitingTicket()))
    let isDone = false
    const folding = [db, other].map(async one => {
      while (!isDone) await foldFigures(one)
    })
    await Promise.all(
      Array.from({ length: 6 }, async (_, worker) => {
        const mine = ids.filter((_, n) => n % 6 === worker)
        for (let n = 0; n < countRounds({ all: 40, few: 8 }); n++)
          await act(pick(mine), pick(['open', 'paused', 'pending', 'closed']))
        if (chance(0.5)) await sql`delete from ticket where id = ${mine[0] ?? 0}`
      }),
    )
    isDone = true
    await Promise.all(folding)
    await verifyFigures(db, 'folded by two', all())
  })

  test('are as they were when a process is killed in the middle of folding', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => aWaitingTicket()))
    await foldFigures(db)
    for (const id of ids) await act(id, 'open')
    const before = await sql`select count(*)::int as n from figure_change`
    // The child takes the changes and then waits for a day that we hold.
    await db.transaction(async tx => {
      await getSql(tx)`select 1 from figure_day for update`
      const child = Bun.spawn(buildCommand('backend/test/fold-process.ts'), {
        env: { ...process.env, DATABASE_URL: url },
      })
      await waitUntil('it waits', async () => (await countLockWaits(sql)) > 0)
      child.kill('SIGKILL')
      await child.exited
    })
    await waitUntil(
      'its transaction is undone',
      async () =>
        (
          await sql`select 1 from pg_locks l join pg_class c on c.oid = l.relation where c.relname = 'figure_change' and l.mode = 'RowExclusiveLock'`
        ).length === 0,
    )
    expect(await sql`select count(*)::int as n from figure_change`).toEqual(before)
    await verifyFigures(db, 'killed', all())
    await foldFigures(db)
    await verifyFigures(db, 'folded after all', all())
  })
})

describe('the calendar', () => {
  test('that changes waits for who is stamping by the old one', async () => {
    const id = await aWaitingTicket()
    let isLaid = false
    let laying: Promise<void> | undefined
    await other.transaction(async tx => {
      await getSql(tx)`set constraints all immediate`
      await getSql(tx)`update ticket set status = 'open', user_id = ${person} where id = ${id}`
      await set(nights)
      laying = refreshCalendar(db, new Date()).then(() => {
        isLaid = true
      })
      await waitUntil('it is laid or waits', async () => isLaid || (await countLockWaits(sql)) > 0)
      expect(isLaid).toBe(false)
    })
    await laying
    await verifyFigures(db, 'stamped by the old one', all())
  })

  test('counts anew what is closed while it counts', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => anOpenTicket()))
    await set(nights)
    // It has come to the periods of these tickets, of which somebody is closing those that it has read.
    const [first = 0, ...rest] = ids
    let counting: Promise<void> | undefined
    await other.transaction(async tx => {
      await getSql(tx)`select 1 from ticket_span where ticket_id = any(${rest}::int[]) for update`
      counting = refreshCalendar(db, new Date())
      await waitUntil('it waits for a period', async () => (await countLockWaits(sql)) > 0)
      await getSql(tx)`set constraints all immediate`
      await getSql(tx)`update ticket set status = 'closed', closed_at = now() where id = any(${rest}::int[])`
    })
    await counting
    await act(first, 'closed')
    await verifyFigures(db, 'closed while it counts', all())
  })

  test('that moves to another time zone counts what was being changed when it began', async () => {
    const id = await aWaitingTicket()
    let isCounted = false
    let counting: Promise<void> | undefined
    await other.transaction(async tx => {
      await getSql(tx)`update ticket set queue_id = null where id = ${id}`
      await set({ timezone: 'Asia/Tokyo' })
      counting = refreshCalendar(db, new Date()).then(() => {
        isCounted = true
      })
      await waitUntil(
        'it has begun to count',
        async () => isCounted || (await sql`select 1 from figure_count where state = 'counting'`).length > 0,
      )
      // Nobody else waits for it meanwhile, and what is shown is as it was.
      await act(await aWaitingTicket(), 'closed')
      expect(await findFigureTimezone(db)).toBe('America/Sao_Paulo')
      expect(isCounted).toBe(false)
    })
    await counting
    expect(await findFigureTimezone(db)).toBe('Asia/Tokyo')
    await verifyFigures(db, 'moved', all())
    await set({ timezone: 'America/Sao_Paulo' })
  })

  test('that moves to another time zone and back before it is counted leaves the days as they are; other hours begin nothing anew', async () => {
    await aWaitingTicket()
    const counts = () => sql<{ id: number; state: string }[]>`
      select id, state from figure_count where state <> 'gone' order by id`
    const stopped = (values: Readonly<Record<string, string>>) =>
      set(values).then(() => refreshCalendar(db, new Date(), AbortSignal.abort()))
    const shown = [...(await counts())]
    await stopped({ timezone: 'Asia/Tokyo' })
    const begun = [...(await counts())]
    expect(begun.map(count => count.state)).toEqual(['current', 'counting'])
    await stopped({ timezone: 'Asia/Tokyo', ...nights })
    expect([...(await counts())]).toEqual(begun)
    await stopped({ timezone: 'America/Sao_Paulo' })
    expect([...(await counts())]).toEqual(shown)
    await set(day)
    await refreshCalendar(db, new Date())
    expect((await sql<{ state: string }[]>`select state from figure_count`).map(count => count.state)).toEqual([
      'current',
    ])
    await verifyFigures(db, 'moved there and back', all())
  })

  test('that moves to another time zone is counted on by the next process where one was killed, while tickets change and days are folded', async () => {
    const older = await Promise.all(Array.from({ length: 12 }, (_, n) => aWaitingTicket(1 + n)))
    const contact = await makeContact(db, 'Dona Lúcia')
    await sql`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, created_at, closed_at)
      select 'closed', ${contact}, ${shop}, ${queue}, ${person}, at, at + interval '1 hour'
      from (select now() - n * interval '7 minutes' as at from generate_series(10, 2000) n) made`
    const ids = [...older, ...(await Promise.all(Array.from({ length: 12 }, () => aWaitingTicket())))]
    const { pick } = createSeededRandom(13)
    await set({ timezone: 'Asia/Tokyo' })
    await refreshCalendar(db, new Date(), AbortSignal.abort())
    const waiting = async (n: number) => (await countLockWaits(sql)) >= n
    const first = await holdCounting()
    const child = Bun.spawn(buildCommand('backend/test/count-process.ts'), {
      env: { ...process.env, DATABASE_URL: url },
    })
    await waitUntil('it waits for its first tickets', () => waiting(1))
    const coming = holdCounting()
    await waitUntil('so do we', () => waiting(2))
    await first.release()
    // Between two pieces, and then killed in the second.
    const second = await coming
    await waitUntil('it waits for the next', () => waiting(1))
    child.kill('SIGKILL')
    await child.exited
    // Who changes a ticket meanwhile does not wait, be it counted or not.
    for (const id of ids) await act(id, 'open')
    await foldFigures(db)
    const [count] = await sql<{ to: number; until: number }[]>`
      select counted_to as to, counted_until as until from figure_count where state = 'counting'`
    expect(count?.to).toBeWithin(Math.min(...older), count?.until ?? 0)
    expect(await findRunningCount(db)).toMatchObject({ what: 'days', timezone: 'America/Sao_Paulo' })
    await second.release()
    let isDone = false
    const folding = (async () => {
      while (!isDone) await foldFigures(db)
    })()
    const working = Array.from({ length: 3 }, async (_, worker) => {
      const mine = ids.filter((_, n) => n % 3 === worker)
      while (!isDone) {
        await act(pick(mine), pick(['open', 'paused', 'pending', 'closed']))
        await sql`delete from ticket where id = ${pick(mine)} + 100`
        await aWaitingTicket()
      }
    })
    await refreshCalendar(other, new Date())
    isDone = true
    await Promise.all([folding, ...working])
    expect([await findFigureTimezone(db), await findRunningCount(db)]).toEqual(['Asia/Tokyo', null])
    await verifyFigures(db, 'counted on', all())
    await foldFigures(db)
    await verifyFigures(db, 'counted on and folded', all())
    expect((await sql<{ state: string }[]>`select state from figure_count`).map(count => count.state)).toEqual([
      'current',
    ])
    await set({ timezone: 'America/Sao_Paulo' })
  })

  test('is changed again and again, its time zone too, while tickets change and days are folded', async () => {
    const { pick } = createSeededRandom(11)
    const ids = await Promise.all(Array.from({ length: 24 }, (_, n) => aWaitingTicket(1 + n)))
    let isDone = false
    const folding = (async () => {
      while (!isDone) await foldFigures(db)
    })()
    const working = Array.from({ length: 4 }, async (_, worker) => {
      const mine = ids.filter((_, n) => n % 4 === worker)
      while (!isDone) await act(pick(mine), pick(['open', 'paused', 'pending', 'closed', 'nps']))
    })
    for (let n = 0; n < countRounds({ all: 12, few: 3 }); n++) {
      await set({ ...pick([day, nights]), timezone: pick(['America/Sao_Paulo', 'Asia/Kolkata', 'America/New_York']) })
      await refreshCalendar(other, new Date())
    }
    isDone = true
    await Promise.all([folding, ...working])
    await refreshCalendar(db, new Date())
    await verifyFigures(db, 'changed again and again', all())
    await set({ timezone: 'America/Sao_Paulo' })
  })

  test('whose process was killed is counted to its end by the next', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => aWaitingTicket()))
    for (const id of ids) await act(id, 'open')
    for (const id of ids) await act(id, 'closed')
    await set(nights)
    // It had laid the spans, and died before it counted.
    const stop = new AbortController()
    stop.abort()
    await refreshCalendar(db, new Date(), stop.signal)
    await foldFigures(db)
    const [state] = await sql<{ to: string | null }[]>`select counted_to as to from figure_calendar`
    expect(state?.to).not.toBeNull()
    await refreshCalendar(db, new Date())
    await verifyFigures(db, 'counted by the next', all())
  })
})

describe('messages', () => {
  test('that are written while the mark moves past them are counted once', async () => {
    const id = await aWaitingTicket()
    await countMessages(db, new Date())
    await sql`update figure_message_until set until = date_bin('15 minutes', now() - interval '10 days', 'epoch')`
    const says = (seq: number, days: number) => sql`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select id, contact_id, whatsapp_id, ${seq}, now() - make_interval(days => ${days}), false, 'Oi', 'received' from ticket where id = ${id}`
    await says(1, 6)
    let counting: Promise<void> | undefined
    let isCounted = false
    await other.transaction(async tx => {
      await getSql(tx)`
        insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
        select id, contact_id, whatsapp_id, 2, now() - interval '5 days', false, 'De antes', 'received' from ticket where id = ${id}`
      counting = countMessages(db, new Date()).then(() => {
        isCounted = true
      })
      await waitUntil('it waits', async () => isCounted || (await countLockWaits(sql)) > 0)
      expect(isCounted).toBe(false)
    })
    await counting
    await verifyFigures(db, 'as the mark moved', all())
    await says(3, 4)
    await says(4, 0)
    await sql`delete from message where seq in (1, 4)`
    await verifyFigures(db, 'late and gone', all())
    await Promise.all([countMessages(db, new Date()), countMessages(other, new Date())])
    await verifyFigures(db, 'counted by two', all())
  })
})

describe('what has become much', () => {
  /** Asks to stop once a piece is done. */
  function stopAfterOne(): AbortSignal {
    let looks = 0
    return Object.defineProperty(new AbortController().signal, 'aborted', { get: () => looks++ > 0 })
  }

  async function count(table: string): Promise<number> {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`
    return row?.n ?? 0
  }

  test('is folded in pieces, and the sums are the same between them', async () => {
    await aWaitingTicket()
    await foldFigures(db)
    await sql`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, created_at, closed_at)
      select 'closed', contact_id, whatsapp_id, queue_id, created_at - make_interval(hours => n), created_at
      from ticket cross join generate_series(1, 600) n`
    const changes = await count('figure_change')
    expect(changes).toBeGreaterThanOrEqual(1200)
    await foldFigures(db, stopAfterOne())
    expect(await count('figure_change')).toBe(changes - 500)
    await verifyFigures(db, 'in the middle', all())
    await foldFigures(db)
    expect(await count('figure_change')).toBe(0)
    await verifyFigures(db, 'at the end', all())
  })

  test('messages of a past that came late become one row for each quarter, in pieces', async () => {
    const id = await aWaitingTicket()
    await countMessages(db, new Date())
    await sql`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select id, contact_id, whatsapp_id, n, date_bin('15 minutes', now() - make_interval(days => 2, mins => n / 3 * 15), 'epoch'), false, 'Oi', 'received'
      from ticket cross join generate_series(3, 1202) n where id = ${id}`
    const quarters = await count('figure_message')
    await countMessages(db, new Date(), stopAfterOne())
    expect(await count('figure_message')).toBe(quarters)
    await countMessages(db, new Date())
    expect(await count('figure_message')).toBeLessThan(quarters - 700)
    const [several] = await sql`select quarter from figure_message group by quarter having count(*) > 1`
    expect(several).toBeUndefined()
    await verifyFigures(db, 'one row each', all())
  })
})
