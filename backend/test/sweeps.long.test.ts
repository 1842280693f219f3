// Tickets that wait too long go to somebody (spec 2 §4: queueCron, userCron).
import { beforeEach, describe, expect, test } from 'bun:test'
import { findNoticeReason } from '@balcao/contract'
import { assignIdle } from '../src/desk/sweeps/assign-idle.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { makeSession } from './desk-world.ts'
import { at, NAMES, NOON, startSweepsDesk } from './sweeps-desk.ts'
import { waitUntil } from './until.ts'

const {
  db,
  url,
  sql,
  sweeping,
  queue,
  other,
  emptied,
  between,
  set,
  idOf,
  waitingSince,
  waiting,
  namesOf,
  ticket,
  logged,
} = await startSweepsDesk()

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

/** To whom so many who wait are given. */
async function listAssignees(n: number): Promise<(string | null)[]> {
  const ids = await waiting(n)
  await assignIdle(sweeping, at(NOON))
  return namesOf(ids)
}
