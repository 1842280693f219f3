// What the clock does to tickets (decisions §5; decisions-2 §8, §11, §22 "Idle tickets"; spec 2 §4 "Settings interplay"): the time it
// acts on is said by each test.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DEFAULTS, findNoticeReason, type SettingKey, type TicketStatus } from '@balcao/contract'
import { buildCommand } from '@balcao/simulator/processes'
import pino from 'pino'
import { assignIdle } from '../src/desk/sweeps/assign-idle.ts'
import { closeIdle, shouldCloseIdle } from '../src/desk/sweeps/close-idle.ts'
import { closeUnrated } from '../src/desk/sweeps/close-unrated.ts'
import { sweepJobs } from '../src/desk/sweeps/jobs.ts'
import { wakePaused } from '../src/desk/sweeps/wake-paused.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { sweepLog } from '../src/operations/retention.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { countRowsRead, createRecorder, PLAN_MODES } from './recorded-plans.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const big = await createTestDatabase()
const sql = getSql(db)
const sweeping = { db, ring() {}, log: pino({ level: 'silent' }) }
/** A Tuesday, noon in São Paulo, and long ago: what a sweep changes is newer. */
const NOON = '2025-11-25T15:00:00Z'
const NAMES = ['Ana', 'Bruna', 'Carlos', 'Davi'] as const
const people = new Map<string, number>()

const queue = await makeQueue(db, 'Financeiro')
const other = await makeQueue(db, 'Entregas')
const whatsappId = await makeConnection(db, 'Loja Centro')
await sql`update whatsapp set farewell_message = 'Até logo, {{name}}! {{user}}'`
for (const name of NAMES)
  people.set(name, await makePerson(db, { name, profile: 'user', queueIds: name === 'Davi' ? [other] : [queue] }))
people.set('Marina', await makePerson(db, { name: 'Marina', profile: 'admin' }))

describe('queueCron: a ticket that waits too long goes to the next person of its queue', () => {
  beforeEach(emptied)
  beforeEach(() => set('queueCron', 'enabled'))

  test('intervalCron: after so many minutes and not before, from when it came to wait there', async () => {
    await set('intervalCron', '15')
    const id = await waitingSince('2025-11-25T14:45:00Z')
    expect(await assignIdle(sweeping, at('2025-11-25T14:59:59.999Z'))).toBe(0)
    expect(await assignIdle(sweeping, at(NOON))).toBe(1)
    expect(await ticket(id)).toEqual({ status: 'open', userId: idOf('Ana') })
    expect(await assignIdle(sweeping, at(NOON))).toBe(0)
  })

  test('a customer who asks again waits no longer for it; one who was sent to another queue waits anew', async () => {
    const [first, moved] = [await waitingSince('2025-11-25T14:40:00Z'), await waitingSince('2025-11-25T14:40:00Z')]
    await sql`update ticket set last_message_at = '2025-11-25T14:59:00Z' where id = ${first}`
    await sql`update ticket set queue_id = ${other} where id = ${moved}`
    await sql`update ticket_span set begun_at = '2025-11-25T14:59:00Z' where ticket_id = ${moved} and ended_at is null`
    await assignIdle(sweeping, at(NOON))
    expect((await ticket(first)).status).toBe('open')
    expect((await ticket(moved)).status).toBe('pending')
  })

  test('turns go round among everybody active of the queue, and on from there after a restart', async () => {
    expect(await listAssignees(4)).toEqual(['Ana', 'Bruna', 'Carlos', 'Ana'])
    const anew = openDatabase(url, { max: 2 })
    try {
      const ids = await waiting(2)
      await assignIdle({ ...sweeping, db: anew }, at(NOON))
      expect(await namesOf(ids)).toEqual(['Bruna', 'Carlos'])
    } finally {
      await closeDatabase(anew)
    }
  })

  test('only those take turns whom the queue names, as long as they have it', async () => {
    await sql`insert into queue_turn (queue_id, user_id) select ${queue}, id from "user" where name in ('Bruna', 'Carlos', 'Davi')`
    expect(await listAssignees(3)).toEqual(['Bruna', 'Carlos', 'Bruna'])
    await sql`delete from queue_turn where user_id <> ${idOf('Davi')}`
    // Whom it names does not have it any more: it names nobody.
    expect(await listAssignees(2)).toEqual(['Carlos', 'Ana'])
  })

  test('who is offline, away or inactive has no turn, and loses none by it', async () => {
    await sql`update "user" set status = 'offline' where name = 'Ana'`
    await sql`update "user" set status = 'away' where name = 'Bruna'`
    expect(await listAssignees(2)).toEqual(['Carlos', 'Carlos'])
    await sql`update "user" set status = 'online'`
    await sql`update "user" set active = false where name = 'Bruna'`
    expect(await listAssignees(3)).toEqual(['Ana', 'Carlos', 'Ana'])
  })

  test('who does not work on holidays has no turn on one', async () => {
    await sql`update "user" set holidays = false where name in ('Ana', 'Bruna')`
    await set('holidayDates', JSON.stringify([{ date: '11-25', name: 'Aniversário da cidade', open: false }]))
    expect(await listAssignees(2)).toEqual(['Carlos', 'Carlos'])
    await set('holidayDates', '[]')
    expect(await listAssignees(2)).toEqual(['Ana', 'Bruna'])
  })

  test('with nobody there it waits', async () => {
    await sql`update "user" set status = 'offline'`
    const [id = 0] = await waiting(1)
    expect(await assignIdle(sweeping, at(NOON))).toBe(0)
    expect(await ticket(id)).toEqual({ status: 'pending', userId: null })
    await sql`update "user" set status = 'online' where name = 'Bruna'`
    expect(await assignIdle(sweeping, at(NOON))).toBe(1)
    expect((await ticket(id)).userId).toBe(idOf('Bruna'))
  })

  test.each([
    ['the minute the hours begin', '08:00', '18:00', '2025-11-25T11:00:00Z', true],
    ['the moment before', '08:00', '18:00', '2025-11-25T10:59:59.999Z', false],
    ['the last minute', '08:00', '18:00', '2025-11-25T21:00:59Z', true],
    ['the minute after', '08:00', '18:00', '2025-11-25T21:01:00Z', false],
    ['midnight in a night shift', '22:00', '06:00', '2025-11-25T03:00:00Z', true],
    ['the end of a night shift', '22:00', '06:00', '2025-11-25T09:01:00Z', false],
    ['Friday’s night shift on a Saturday that is none', '22:00', '06:00', '2025-11-29T05:00:00Z', true],
    ['that Saturday itself', '08:00', '18:00', '2025-11-29T15:00:00Z', false],
  ])('within hours, by the company’s clocks: %s', async (_, from, to, now, takes) => {
    await sql`update "user" set status = 'offline' where name <> 'Ana'`
    await sql`update "user" set start_time = ${from}, end_time = ${to}, saturday = false where name = 'Ana'`
    const id = await waitingSince('2025-11-21T00:00:00Z')
    expect(await assignIdle(sweeping, at(now))).toBe(takes ? 1 : 0)
    expect((await ticket(id)).userId).toBe(takes ? idOf('Ana') : null)
  })

  test.each([
    ['09:00 before the clocks go forward', '2026-03-06T14:00:00Z', true],
    ['an hour early before', '2026-03-06T13:00:00Z', false],
    ['09:00 after', '2026-03-09T13:00:00Z', true],
    ['an hour early after', '2026-03-09T12:00:00Z', false],
    ['17:59 after they go back', '2026-11-02T22:59:00Z', true],
    ['18:30 after', '2026-11-02T23:30:00Z', false],
  ])('timezone: within hours where daylight saving is: %s', async (_, now, takes) => {
    await set('timezone', 'America/New_York')
    await sql`update "user" set status = 'offline' where name <> 'Ana'`
    await sql`update "user" set start_time = '09:00', end_time = '18:00' where name = 'Ana'`
    await waitingSince('2026-01-01T00:00:00Z')
    expect(await assignIdle(sweeping, at(now))).toBe(takes ? 1 : 0)
  })

  test('it is told as a transfer by hand: to who gets it, to the customer, in the log, but by nobody', async () => {
    const [id = 0] = await waiting(1)
    await assignIdle(sweeping, at(NOON))
    const farewells =
      await sql`select body, user_id, automatic, media_type from message where ticket_id = ${id} order by seq`
    expect(farewells.map(row => ({ ...row }))).toEqual([
      {
        body: 'Atendimento encaminhado para Ana, na fila Financeiro.',
        user_id: null,
        automatic: true,
        media_type: 'chat',
      },
      { body: 'Encaminhado automaticamente para Ana', user_id: null, automatic: false, media_type: 'system' },
    ])
    expect(await logged()).toEqual([['ticket.give', null, id]])
    const [found] = await sql`select audience from live_event where payload::json->>'event' = 'ticket'`
    const { before, after, by } = found?.audience ?? {}
    expect([before.userId, after.userId, by]).toEqual([null, idOf('Ana'), undefined])
    const { viewer, settings } = await makeSession(db, idOf('Ana'))
    const staffed = (facts: typeof after) => ({ ...facts, queueStaffed: true })
    const change = {
      action: 'update',
      before: staffed(before),
      after: staffed(after),
      unreadMessages: 1,
      by: null,
    } as const
    expect(findNoticeReason(viewer, change, settings)).toBe('assigned')
  })

  test.each([
    ['is sent to another queue', (id: number) => sql`update ticket set queue_id = ${other} where id = ${id}`],
    [
      'is answered',
      (id: number) => sql`update ticket set status = 'open', user_id = ${idOf('Bruna')} where id = ${id}`,
    ],
    ['comes to wait anew', (id: number) => sql`update ticket_span set begun_at = ${NOON} where ticket_id = ${id}`],
  ])('who %s between the look and the turn is left as he is', async (_, meanwhile) => {
    const [id = 0] = await waiting(1)
    const before = await ticket(id)
    expect(
      await assignIdle(
        between(() => meanwhile(id)),
        at(NOON),
      ),
    ).toBe(0)
    expect((await ticket(id)).userId).toBe(before.userId ?? (await ticket(id)).userId)
    expect(await logged()).toEqual([])
    // And nobody's turn is over for it.
    expect(await listAssignees(1)).toEqual(['Ana'])
  })

  test('a queue that somebody changes is not waited for: its turn comes with the next sweep', async () => {
    const [id = 0] = await waiting(1)
    await db.transaction(async tx => {
      await getSql(tx)`select 1 from queue where id = ${queue} for update`
      expect(await assignIdle(sweeping, at(NOON))).toBe(0)
    })
    expect(await assignIdle(sweeping, at(NOON))).toBe(1)
    expect((await ticket(id)).userId).toBe(idOf('Ana'))
  })

  test('userCron: who is being let out at that moment is waited for, and given nothing', async () => {
    await set('userCron', String(idOf('Ana')))
    const [id = 0] = await waiting(1)
    let giving: Promise<number> = Promise.resolve(0)
    await db.transaction(async tx => {
      await getSql(tx)`update "user" set active = false where name = 'Ana'`
      giving = assignIdle(sweeping, at(NOON))
      await waitUntil('it waits', async () => {
        const held =
          await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return held.length > 0
      })
    })
    await giving
    expect((await ticket(id)).userId).not.toBe(idOf('Ana'))
  })

  test('userCron: without a queue there is none to name, so nothing is said to the customer', async () => {
    await set('userCron', String(idOf('Marina')))
    const id = await waitingSince('2025-11-25T10:00:00Z', null)
    expect(await assignIdle(sweeping, at(NOON))).toBe(1)
    expect((await ticket(id)).userId).toBe(idOf('Marina'))
    const rows = await sql`select body from message where ticket_id = ${id} and media_type <> 'system'`
    expect([...rows]).toEqual([])
  })

  test('it is accepted now, and new to whom it goes to', async () => {
    const [id = 0] = await waiting(1)
    await sql`update ticket set unread_messages = 0 where id = ${id}`
    await assignIdle(sweeping, at(NOON))
    const [row] =
      await sql`select accepted_at is not null as accepted, unread_messages as unread from ticket where id = ${id}`
    expect({ ...row }).toEqual({ accepted: true, unread: 1 })
  })

  test('a look at queues in which nobody waits long enough is one, however many there are', async () => {
    await sql`insert into queue (name, color) select 'Fila ' || n, '#f' || lpad(n::text, 5, '0') from generate_series(1, 40) n`
    await waitingSince('2025-11-25T14:59:00Z')
    const looks: string[] = []
    const counted = openDatabase(url, { max: 1 })
    Object.assign(counted.$client.options, { debug: (_: number, query: string) => looks.push(query) })
    try {
      expect(await assignIdle({ ...sweeping, db: counted }, at(NOON))).toBe(0)
      expect(looks.filter(query => query.includes('ticket_span'))).toHaveLength(1)
    } finally {
      await closeDatabase(counted)
      await sql`delete from queue where name like 'Fila %'`
    }
  })

  test('groups stay, and a contact without automatic answers is given without a word', async () => {
    const [group = 0, quiet = 0] = await waiting(2)
    await sql`update ticket set is_group = true where id = ${group}`
    await sql`update contact set resposta_automatica = false`
    expect(await assignIdle(sweeping, at(NOON))).toBe(1)
    expect((await ticket(group)).status).toBe('pending')
    expect((await ticket(quiet)).status).toBe('open')
    expect(await sql`select 1 from outbox`).toHaveLength(0)
  })

  test('off, nothing moves; a ticket without a queue has no turn to go by', async () => {
    const lost = await waitingSince('2025-11-25T10:00:00Z', null)
    await assignIdle(sweeping, at(NOON))
    expect((await ticket(lost)).status).toBe('pending')
    await set('queueCron', 'disabled')
    await waiting(1)
    expect(await assignIdle(sweeping, at(NOON))).toBe(0)
  })

  test('several processes at once give each ticket once, and the turns stay even', async () => {
    const ids = await waiting(30)
    const pools = [1, 2, 3].map(() => openDatabase(url, { max: 2 }))
    try {
      for (let before = -1, now = 0; now > before; ) {
        before = now
        const done = await Promise.all(pools.map(pool => assignIdle({ ...sweeping, db: pool }, at(NOON))))
        now += done.reduce((sum, n) => sum + n, 0)
      }
    } finally {
      await Promise.all(pools.map(closeDatabase))
    }
    const names = await namesOf(ids)
    expect(NAMES.map(name => names.filter(one => one === name).length)).toEqual([10, 10, 10, 0])
    expect(await logged()).toHaveLength(30)
    expect(await sql`select 1 from outbox`).toHaveLength(30)
  })
})

describe('userCron: a ticket that waits too long goes to one person', () => {
  beforeEach(emptied)

  test('there or not, within hours or not, with queueCron or without, also without a queue', async () => {
    await set('userCron', String(idOf('Ana')))
    await sql`update "user" set status = 'offline', start_time = '03:00', end_time = '03:01'`
    const ids = [...(await waiting(1)), await waitingSince('2025-11-25T10:00:00Z', null)]
    expect(await assignIdle(sweeping, at(NOON))).toBe(2)
    expect(await namesOf(ids)).toEqual(['Ana', 'Ana'])
    await set('queueCron', 'enabled')
    expect(await listAssignees(2)).toEqual(['Ana', 'Ana'])
  })

  test('but only what the person may have: what is not theirs waits, or goes by turns with queueCron', async () => {
    await set('userCron', String(idOf('Davi')))
    const [id = 0] = await waiting(1)
    expect(await assignIdle(sweeping, at(NOON))).toBe(0)
    await set('onlyAdminSeeEmptyQueue', 'enabled')
    const hidden = await waitingSince('2025-11-25T10:00:00Z', null)
    expect(await assignIdle(sweeping, at(NOON))).toBe(0)
    await set('queueCron', 'enabled')
    expect(await assignIdle(sweeping, at(NOON))).toBe(1)
    expect(await namesOf([id, hidden])).toEqual(['Ana', null])
  })

  test('an administrator may have any, somebody inactive none', async () => {
    await set('userCron', String(idOf('Marina')))
    expect(await listAssignees(1)).toEqual(['Marina'])
    await sql`update "user" set active = false where name = 'Marina'`
    await waiting(1)
    expect(await assignIdle(sweeping, at(NOON))).toBe(0)
  })

  test('while the person is inactive it goes to the substitute in that queue', async () => {
    await set('userCron', String(idOf('Ana')))
    await sql`insert into user_substitute (user_id, queue_id, substitute_id) values (${idOf('Ana')}, ${queue}, ${idOf('Carlos')})`
    expect(await listAssignees(1)).toEqual(['Ana'])
    await sql`update "user" set active = false where name = 'Ana'`
    expect(await listAssignees(1)).toEqual(['Carlos'])
    await sql`update "user" set active = false where name = 'Carlos'`
    expect(await listAssignees(1)).toEqual([null])
    await sql`delete from user_substitute`
  })
})

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

/** Nobody waits, everybody is there, and every setting is as it comes. */
async function emptied(): Promise<void> {
  // Rows are few: to delete them takes a tenth of what truncating takes.
  await sql.unsafe(`
    delete from outbox; delete from message; delete from ticket; delete from contact; delete from live_event; delete from log_entry;
    delete from setting; delete from queue_turn; delete from raw_event; update queue set last_turn = null;
    update "user" set status = 'online', active = true, start_time = '00:00', end_time = '23:59', weekdays = true, saturday = true, sunday = true,
      holidays = true`)
  clearSettingsCache(db)
}

/** A sweep during which something happens once, after its look at what is due and before its first change. */
function between(meanwhile: () => PromiseLike<unknown>): typeof sweeping {
  let done = false
  const transaction: typeof db.transaction = async (work, config) => {
    if (!done) await meanwhile()
    done = true
    return db.transaction(work, config)
  }
  return { ...sweeping, db: Object.create(db, { transaction: { value: transaction } }) }
}

function at(instant: string): () => Date {
  return () => new Date(instant)
}

async function set(key: SettingKey, value: string): Promise<void> {
  expect(Object.hasOwn(DEFAULTS, key)).toBe(true)
  await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}

function idOf(name: string): number {
  return people.get(name) ?? 0
}

/** A customer who has waited since then. */
async function waitingSince(since: string, queueId: number | null = queue): Promise<number> {
  return aTicketSince(since, { status: 'pending', queueId, userId: null })
}

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

async function aTicketSince(
  since: string,
  place: { status: TicketStatus; queueId: number | null; userId: number | null },
): Promise<number> {
  const contactId = await makeContact(db, 'Cliente')
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${contactId}, ${whatsappId}, ${`${contactId}@s.whatsapp.net`})`
  const id = await makeTicket(db, { contactId, whatsappId, ...place })
  await sql`update ticket set last_message_at = ${since} where id = ${id}`
  await sql`update ticket_span set begun_at = ${since} where ticket_id = ${id}`
  return id
}

/** So many who have waited long enough, the first the longest. */
async function waiting(n: number): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < n; i++)
    ids.push(await waitingSince(new Date(Date.parse('2025-11-25T10:00:00Z') + i).toISOString()))
  return ids
}

/** To whom so many who wait are given. */
async function listAssignees(n: number): Promise<(string | null)[]> {
  const ids = await waiting(n)
  await assignIdle(sweeping, at(NOON))
  return namesOf(ids)
}

async function namesOf(ids: readonly number[]): Promise<(string | null)[]> {
  const rows = await sql<{ id: number; name: string | null }[]>`
    select t.id, u.name from ticket t left join "user" u on u.id = t.user_id where t.id = any(${[...ids]}::int[])`
  return ids.map(id => rows.find(row => row.id === id)?.name ?? null)
}

async function ticket(id: number): Promise<{ status: string; userId: number | null }> {
  const [row] = await sql`select status, user_id from ticket where id = ${id}`
  return { status: row?.status, userId: row?.user_id }
}

async function logged(): Promise<[string, number | null, number][]> {
  const rows = await sql`select action, user_id, ticket_id from log_entry order by id`
  return rows.map(row => [row.action, row.user_id, row.ticket_id])
}
