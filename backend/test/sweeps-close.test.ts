// Tickets and surveys that nobody goes on with are closed; sweeps are killed, and read what is due (spec 2 §4).
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { TicketStatus } from '@balcao/contract'
import { buildCommand } from '@balcao/simulator/processes'
import { assignIdle } from '../src/desk/sweeps/assign-idle.ts'
import { closeIdle, shouldCloseIdle } from '../src/desk/sweeps/close-idle.ts'
import { closeUnrated } from '../src/desk/sweeps/close-unrated.ts'
import { sweepJobs } from '../src/desk/sweeps/jobs.ts'
import { wakePaused } from '../src/desk/sweeps/wake-paused.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { sweepLog } from '../src/operations/retention.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { countRowsRead, createRecorder, PLAN_MODES } from './recorded-plans.ts'
import { at, NOON, startSweepsDesk } from './sweeps-desk.ts'
import { waitUntil } from './until.ts'

const {
  db,
  url,
  big,
  sql,
  sweeping,
  queue,
  whatsappId,
  emptied,
  between,
  set,
  idOf,
  aTicketSince,
  waiting,
  namesOf,
  ticket,
  logged,
} = await startSweepsDesk()

describe('closeCron: an open ticket in which nobody writes is closed', () => {
  beforeEach(emptied)
  beforeEach(() => set('closeCron', 'enabled'))

  test('intervalClose: so many minutes after the last message, whoever wrote it', async () => {
    await set('intervalClose', '30')
    const id = await idleSince('2025-11-25T14:30:00Z')
    expect(await closeIdle(sweeping, at('2025-11-25T14:59:59.999Z'))).toBe(0)
    expect(await closeIdle(sweeping, at(NOON))).toBe(1)
    expect((await ticket(id)).status).toBe('closed')
    expect(await closeIdle(sweeping, at(NOON))).toBe(0)
  })

  test('with the farewell, by nobody, and its person stays in it', async () => {
    const id = await idleSince('2025-11-25T10:00:00Z')
    await closeIdle(sweeping, at(NOON))
    expect(await ticket(id)).toEqual({ status: 'closed', userId: idOf('Ana') })
    const [row] = await sql`select closed_at is not null as closed from ticket where id = ${id}`
    expect(row?.closed).toBe(true)
    const rows = await sql`select body, user_id from message where ticket_id = ${id} order by seq`
    expect(rows.map(row => [row.body, row.user_id])).toEqual([
      ['Até logo, Cliente! Ana', null],
      ['Encerrado automaticamente por falta de mensagens', null],
    ])
    expect(await logged()).toEqual([['ticket.idle', null, id]])
    const [told] =
      await sql`select audience from live_event where payload::json->>'event' = 'ticket' order by id desc limit 1`
    expect([told?.audience.before.status, told?.audience.after.status]).toEqual(['open', 'closed'])
  })

  test('what somebody has only just begun is not closed for words of long ago', async () => {
    const id = await idleSince('2025-11-25T10:00:00Z')
    await sql`update ticket_span set begun_at = '2025-11-25T14:30:00Z' where ticket_id = ${id}`
    expect(await closeIdle(sweeping, at(NOON))).toBe(0)
    expect(await closeIdle(sweeping, at('2025-11-25T15:30:00Z'))).toBe(1)
  })

  test('only open ones, and no groups; a contact without automatic answers gets no farewell', async () => {
    for (const status of ['pending', 'paused', 'bot', 'nps'] as const) await idleSince('2025-11-25T10:00:00Z', status)
    const group = await idleSince('2025-11-25T10:00:00Z')
    await sql`update ticket set is_group = true where id = ${group}`
    expect(await closeIdle(sweeping, at(NOON))).toBe(0)
    await idleSince('2025-11-25T10:00:00Z')
    await sql`update contact set resposta_automatica = false`
    expect(await closeIdle(sweeping, at(NOON))).toBe(1)
    expect(await sql`select 1 from outbox`).toHaveLength(0)
  })

  test('off, nothing is closed', async () => {
    await set('closeCron', 'disabled')
    await idleSince('2025-11-25T10:00:00Z')
    expect(await closeIdle(sweeping, at(NOON))).toBe(0)
  })

  test('a customer who writes at that moment is heard: in this ticket or in a new one', async () => {
    const lucia = makePeer({ pn: '5531998762210' })
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(lucia, 'Oi')])
    await sql`update ticket set status = 'open', user_id = ${idOf('Ana')}, last_message_at = '2025-11-25T10:00:00Z'`
    await sql`update ticket_span set begun_at = '2025-11-25T09:00:00Z'`
    await Promise.all([
      closeIdle(sweeping, at('2025-11-25T15:00:00Z')),
      receiveEvents(db, { id: whatsappId }, [makeMessageEvent(lucia, 'Ainda aí?')]),
    ])
    const [row] = await sql`
      select t.status, t.unread_messages > 0 as unread from message m join ticket t on t.id = m.ticket_id where m.body = 'Ainda aí?'`
    expect(row?.status).not.toBe('closed')
    expect(row?.unread).toBe(true)
  })

  test.each([
    ['is paused', (id: number) => sql`update ticket set status = 'paused' where id = ${id}`],
    ['is taken by somebody', (id: number) => sql`update ticket_span set begun_at = ${NOON} where ticket_id = ${id}`],
    ['has a message', (id: number) => sql`update ticket set last_message_at = ${NOON} where id = ${id}`],
  ])('one that %s between the look and the closing stays', async (_, meanwhile) => {
    const id = await idleSince('2025-11-25T10:00:00Z')
    expect(
      await closeIdle(
        between(() => meanwhile(id)),
        at(NOON),
      ),
    ).toBe(0)
    expect((await ticket(id)).status).not.toBe('closed')
    expect(await logged()).toEqual([])
  })

  test('one that somebody holds is passed over, and nobody is waited for', async () => {
    const [held, free] = [await idleSince('2025-11-25T10:00:00Z'), await idleSince('2025-11-25T10:01:00Z')]
    await db.transaction(async tx => {
      await getSql(tx)`select 1 from ticket where id = ${held} for update`
      expect(await closeIdle(sweeping, at(NOON))).toBe(1)
    })
    expect([(await ticket(held)).status, (await ticket(free)).status]).toEqual(['open', 'closed'])
  })

  test('one that cannot be closed stops none behind it, and is tried again', async () => {
    const ids = [await idleSince('2025-11-25T10:00:00Z'), await idleSince('2025-11-25T10:01:00Z')]
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse before update on ticket for each row when (old.id = ${ids[0]}) execute function refuse()`)
    expect(await closeIdle(sweeping, at(NOON))).toBe(1)
    expect((await ticket(ids[1] ?? 0)).status).toBe('closed')
    await sql`drop function refuse cascade`
    expect(await closeIdle(sweeping, at(NOON))).toBe(1)
  })

  test('hundreds that cannot be closed stop none behind them, and fill no log', async () => {
    const { LAST } = await hundredsIdle(205)
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse before update on ticket for each row when (old.id <> ${LAST}) execute function refuse()`)
    const notices: object[] = []
    const log = { error: (fields: object) => notices.push(fields) }
    expect(await closeIdle({ ...sweeping, log }, at(NOON))).toBe(1)
    expect((await ticket(LAST)).status).toBe('closed')
    expect([notices.length, notices.at(-1)]).toEqual([101, { failed: 204 }])
    await sql`drop function refuse cascade`
  })

  test('a sweep that reaches the end of its hours stops there', async () => {
    for (let n = 0; n < 3; n++) await idleSince('2025-11-28T10:00:00Z')
    expect(await closeIdle(sweeping, at('2025-11-28T22:00:00Z'))).toBe(0)
    expect(await closeIdle(sweeping, at('2025-11-28T21:59:00Z'))).toBe(3)
  })

  test('asked to end, it stops after the ticket at hand', async () => {
    for (let n = 0; n < 3; n++) await idleSince('2025-11-25T10:00:00Z')
    const ending = new AbortController()
    const ring = () => ending.abort()
    expect(await closeIdle({ ...sweeping, ring, signal: ending.signal }, at(NOON))).toBe(1)
  })
})

describe('spec 2 §4: when idle tickets are closed', () => {
  const unchecked = { timezone: 'America/Sao_Paulo', saturday: false, sunday: false }
  test.each([
    ['Friday, 18:59:59', '2026-11-27T21:59:59.999Z', true],
    ['Friday, 19:00', '2026-11-27T22:00:00Z', false],
    ['Friday, a moment before midnight', '2026-11-28T02:59:59Z', false],
    ['Saturday, midnight', '2026-11-28T03:00:00Z', false],
    ['Saturday, noon', '2026-11-28T15:00:00Z', false],
    ['Sunday, a moment before midnight', '2026-11-30T02:59:59Z', false],
    ['Monday, midnight', '2026-11-30T03:00:00Z', false],
    ['Monday, 09:59:59', '2026-11-30T12:59:59.999Z', false],
    ['Monday, 10:00', '2026-11-30T13:00:00Z', true],
    ['Tuesday, midnight', '2026-12-01T03:00:00Z', true],
    ['Thursday, a moment before midnight', '2026-11-27T02:59:59Z', true],
    ['Friday, midnight', '2026-11-27T03:00:00Z', true],
  ])('%s', (_, now, closes) => {
    expect(shouldCloseIdle(unchecked, new Date(now))).toBe(closes)
  })

  test('saturday, sunday: a weekend day that is worked is as the others', () => {
    const saturday = new Date('2026-11-28T15:00:00Z')
    const sunday = new Date('2026-11-29T15:00:00Z')
    expect(shouldCloseIdle({ ...unchecked, saturday: true }, saturday)).toBe(true)
    expect(shouldCloseIdle({ ...unchecked, saturday: true }, sunday)).toBe(false)
    expect(shouldCloseIdle({ ...unchecked, sunday: true }, sunday)).toBe(true)
  })

  test.each([
    ['in summer time Monday’s 10:00 is an hour earlier for the world', '2026-03-09T14:00:00Z', true],
    ['a moment before', '2026-03-09T13:59:59Z', false],
    ['after the clocks went back it is an hour later again', '2026-11-02T14:59:59Z', false],
    ['and begins', '2026-11-02T15:00:00Z', true],
    ['Friday’s 19:00 in summer time', '2026-03-13T23:00:00Z', false],
    ['and before', '2026-03-13T22:59:59Z', true],
  ])('timezone: where daylight saving is: %s', (_, now, closes) => {
    expect(shouldCloseIdle({ ...unchecked, timezone: 'America/New_York' }, new Date(now))).toBe(closes)
  })
})

describe('closeNpsInterval: a survey that nobody answers', () => {
  beforeEach(emptied)

  test('is closed unrated so many minutes after it was asked, without a word', async () => {
    await set('closeNpsInterval', '5')
    const id = await idleSince('2025-11-25T10:00:00Z', 'nps')
    await sql`update ticket_span set begun_at = '2025-11-25T14:55:00Z' where ticket_id = ${id}`
    expect(await closeUnrated(sweeping, at('2025-11-25T14:59:59.999Z'))).toBe(0)
    expect(await closeUnrated(sweeping, at(NOON))).toBe(1)
    expect(await ticket(id)).toEqual({ status: 'closed', userId: idOf('Ana') })
    expect(await sql`select 1 from outbox`).toHaveLength(0)
    expect(await logged()).toEqual([['ticket.unrated', null, id]])
    expect(await closeUnrated(sweeping, at(NOON))).toBe(0)
  })
})

describe('closeNpsInterval: a survey at the moment at which it ends', () => {
  beforeEach(emptied)

  test.each([
    ['is answered', (id: number) => sql`update ticket set status = 'pending' where id = ${id}`],
    ['is asked anew', (id: number) => sql`update ticket_span set begun_at = ${NOON} where ticket_id = ${id}`],
  ])('one that %s between the look and the closing stays', async (_, meanwhile) => {
    const id = await idleSince('2025-11-25T10:00:00Z', 'nps')
    expect(
      await closeUnrated(
        between(() => meanwhile(id)),
        at(NOON),
      ),
    ).toBe(0)
    expect((await ticket(id)).status).not.toBe('closed')
    expect(await logged()).toEqual([])
  })
})

test('every sweep goes every minute, one process at a time', () => {
  const jobs = sweepJobs(Object.create(null))
  expect(new Set(jobs.map(({ cron, alone }) => `${cron} ${alone}`))).toEqual(new Set(['* * * * * true']))
  expect(jobs.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['give-idle', 'close-idle', 'close-unrated']))
})

test('logMonths: entries older than so many months go, and no others', async () => {
  await emptied()
  await set('logMonths', '2')
  await sql`insert into log_entry (action, origem, created_at) values ('ticket.close', 'ticket', '2025-09-25T14:59:59Z'), ('ticket.close', 'ticket', '2025-09-25T15:00:00Z')`
  expect(await sweepLog(db, new Date(NOON))).toBe(1)
  expect(await sweepLog(db, new Date(NOON))).toBe(0)
  expect(await sql`select 1 from log_entry`).toHaveLength(1)
})

test.each(['sweep:before-commit#3', 'sweep:after-commit#3', 'sweep:before-commit#8', 'sweep:after-commit#9'])(
  'killed at %s a sweep has done no ticket twice or by half, and the next one does the rest',
  async place => {
    await emptied()
    await set('queueCron', 'enabled')
    await set('closeCron', 'enabled')
    const wait = await waiting(5)
    const idle = [
      await idleSince('2025-11-25T10:00:00Z'),
      await idleSince('2025-11-25T10:00:00Z'),
      await idleSince('2025-11-25T10:00:00Z'),
    ]
    const paused = [
      await idleSince('2025-11-25T10:00:00Z', 'paused'),
      await idleSince('2025-11-25T10:00:00Z', 'paused'),
    ]
    await sql`update ticket set pause_until = ${NOON}, paused_by = ${idOf('Marina')} where status = 'paused'`
    const child = Bun.spawn(buildCommand('backend/test/sweep-process.ts'), {
      env: { ...process.env, DATABASE_URL: url, NOW: NOON, CRASH_AT: place },
    })
    await child.exited
    expect(child.signalCode).toBe('SIGKILL')
    // What it had at hand stays locked until Postgres has found out: passed over, and met by a later run.
    await waitUntil('everything is done', async () => {
      await assignIdle(sweeping, at(NOON))
      await closeIdle(sweeping, at(NOON))
      await wakePaused(sweeping, at(NOON))
      return (await logged()).length >= 10
    })
    expect(await namesOf(wait)).toEqual(['Ana', 'Bruna', 'Carlos', 'Ana', 'Bruna'])
    expect(await Promise.all(idle.map(async id => (await ticket(id)).status))).toEqual(['closed', 'closed', 'closed'])
    expect((await logged()).map(([, , id]) => id).sort()).toEqual([...wait, ...idle, ...paused].sort())
    expect(await namesOf(paused)).toEqual(['Ana', 'Ana'])
    expect(await sql`select 1 from outbox`).toHaveLength(8)
  },
)

describe('with twenty thousand live tickets', () => {
  const DUE = 40
  beforeAll(async () => {
    await big.db.transaction(async tx => {
      const quick = getSql(tx)
      await quick`set local session_replication_role = replica`
      await quick`insert into whatsapp (name, api) values ('Loja Centro', 'baileys')`
      await quick`insert into queue (name, color) values ('Financeiro', '#123456')`
      await quick`insert into setting (key, value) values ('queueCron', 'enabled'), ('closeCron', 'enabled')`
      await quick`insert into "user" (name, email_sealed, email_hash, password_hash) values ('Ana', '', '', '')`
      await quick`insert into contact (name) select 'Cliente ' || g from generate_series(1, 20000) g`
      await quick`
        insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, last_message_at, pause_until)
        select (array['open', 'pending', 'nps', 'paused'])[1 + n % 4], id, 1, case when n % 3 > 0 then 1 end,
          case when n % 4 <> 1 then 1 end, case when n < ${4 * DUE} then '2025-11-25T10:00:00Z' else '2025-11-25T14:59:00Z' end::timestamptz,
          case when n < ${4 * DUE} then '2025-11-25T14:00:00Z' else '2025-11-26T14:00:00Z' end::timestamptz
        from (select id, row_number() over (order by id) - 1 as n from contact) c`
      await quick`
        insert into ticket_span (ticket_id, status, queue_id, user_id, begun_at)
        select id, status, queue_id, user_id, last_message_at from ticket`
    })
    await big.db.$client`analyze`
  }, 60_000)

  for (const mode of PLAN_MODES)
    test(`a sweep reads what is due and nothing else, ${mode}`, async () => {
      const recorded = createRecorder(big.url, mode)
      big.beforeDrop(() => recorded.end())
      // Nobody's tickets are changed: they are looked at, and another holds them.
      await big.db.transaction(async tx => {
        await getSql(tx)`select 1 from ticket where last_message_at = '2025-11-25T10:00:00Z' for update`
        for (const sweep of [assignIdle, closeIdle, closeUnrated, wakePaused]) {
          const nodes = await recorded.nodesOf(() => sweep({ ...sweeping, db: recorded.db }, at(NOON)))
          const scans = nodes.filter(node => ['ticket', 'ticket_span'].includes(node['Relation Name'] ?? ''))
          expect(scans.length).toBeGreaterThan(1)
          expect(scans.filter(node => node['Node Type'] === 'Seq Scan')).toEqual([])
          const most = Math.max(...scans.map(countRowsRead))
          expect(most).toBeLessThanOrEqual(DUE)
        }
      })
    })
})

/** A conversation of Ana's whose last message is of then. */
async function idleSince(since: string, status: TicketStatus = 'open'): Promise<number> {
  return aTicketSince(since, { status, queueId: queue, userId: status === 'pending' ? null : idOf('Ana') })
}

/** So many of Ana's, the last of them idle for the shortest time. */
async function hundredsIdle(n: number): Promise<{ LAST: number }> {
  const rows = await sql<{ id: number }[]>`
    with c as (insert into contact (name) select 'Cliente ' || g from generate_series(1, ${n}) g returning id)
    insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id, last_message_at)
    select id, ${whatsappId}, 'open', ${queue}, ${idOf('Ana')}, '2025-11-25T10:00:00Z'::timestamptz + id * interval '1 millisecond' from c
    returning id`
  await sql`update ticket_span set begun_at = '2025-11-25T10:00:00Z'`
  return { LAST: Math.max(...rows.map(({ id }) => id)) }
}
