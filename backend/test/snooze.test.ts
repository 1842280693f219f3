// Pauses that end by themselves: at their time, or when the customer answers, whichever comes first (docs/decisions/0310).
import { beforeEach, describe, expect, test } from 'bun:test'
import { findNoticeReason, type Ticket } from '@balcao/contract'
import { listMoments } from '@balcao/contract/calendar/moments'
import pino from 'pino'
import { wakePaused } from '../src/desk/sweeps/wake-paused.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { server, db, sql, shop, findId, findSession, openTicket } = await startTwoQueueDesk()
const sweeping = { db, ring() {}, log: pino({ level: 'silent' }) }

beforeEach(async () => {
  await sql`delete from message`
  await sql`delete from ticket`
  await sql`delete from contact`
  await sql`delete from live_event`
  await sql`update "user" set active = true`
})

describe('pausing until', () => {
  test.each(['Marina', 'Rafael', 'Bruna'])('%s says until when, and ticket, line and event say it', async name => {
    const id = await openTicket()
    const until = inHours(20)
    const { status, body } = await pause(name, id, until)
    expect([status, body.status, body.pauseUntil]).toEqual([200, 'paused', until])
    const line = await lastLine(id)
    expect(line).toMatch(/^\w+ pausou até \d\d\/\d\d\/\d{4} \d\d:\d\d: Aguarda estoque$/)
    const [row] = await sql<{ until: string }[]>`
      select payload::jsonb #>> '{ticket,pauseUntil}' as until from live_event where payload like '{"event":"ticket",%' order by id desc limit 1`
    expect(row?.until).toBe(until)
  })

  test('who does not see the ticket pauses nothing', async () => {
    const id = await openTicket()
    expect((await pause('Solange', id, inHours(1))).status).toBe(403)
    expect(await stateOf(id)).toEqual({ status: 'open', userId: findId('Bruna'), unread: 0 })
  })

  test('until the customer answers is a choice of its own; without either nothing wakes it', async () => {
    const [answer, none] = [await openTicket(), await openTicket()]
    expect((await pause('Bruna', answer, 'answer')).body.pauseUntil).toBe('answer')
    expect((await pause('Bruna', none)).body.pauseUntil).toBeNull()
    expect(await lastLine(answer)).toBe('Bruna pausou até o cliente responder: Aguarda estoque')
    expect(await lastLine(none)).toBe('Bruna pausou o atendimento: Aguarda estoque')
    expect(await wakePaused(sweeping, () => new Date(Date.now() + 900 * 3_600_000))).toBe(0)
  })

  test.each([
    ['no time', 'ontem'],
    ['a day', '2030-11-30'],
    ['a time of no zone', '2030-11-30T09:00'],
    ['one that has passed', '2020-11-30T09:00:00Z'],
    ['one in more than a year', inHours(24 * 400)],
  ])('%s is refused at its field', async (_, until) => {
    const id = await openTicket()
    const { status, body } = await pause('Bruna', id, until)
    expect([status, body.error]).toEqual([422, 'ERR_VALIDATION'])
    expect(JSON.stringify(body)).toContain('pauseUntil')
  })

  test('resumed, transferred or paused anew, the time of before is over', async () => {
    const id = await openTicket()
    await pause('Bruna', id, inHours(1))
    await put('Bruna', id, { status: 'open', userId: null })
    expect(await wakePaused(sweeping, later(2))).toBe(0)
    await put('Bruna', id, { status: 'open' })
    expect((await pause('Bruna', id)).body.pauseUntil).toBeNull()
    expect(await wakePaused(sweeping, later(2))).toBe(0)
    expect((await stateOf(id)).status).toBe('paused')
  })
})

describe('at its time a paused ticket comes back', () => {
  test('not a moment before, unread, to whom it belongs, with a line, an entry and a notice of its own', async () => {
    const id = await openTicket()
    const until = inHours(1)
    await pause('Rafael', id, until)
    expect(await wakePaused(sweeping, () => new Date(Date.parse(until) - 1))).toBe(0)
    expect(await wakePaused(sweeping, () => new Date(until))).toBe(1)
    expect(await stateOf(id)).toEqual({ status: 'open', userId: findId('Bruna'), unread: 1 })
    expect(await lastLine(id)).toBe('A pausa acabou: voltou para Bruna')
    const { body } = await findSession('Bruna').call<Ticket>('GET', `/tickets/${id}`)
    expect([body.pauseUntil, body.pauseTag]).toEqual([null, null])
    expect(await sql`select 1 from log_entry where action = 'ticket.wake' and ticket_id = ${id}`).toHaveLength(1)
    expect(await wakePaused(sweeping, later(3))).toBe(0)
  })

  test('one that nobody had goes to who paused it', async () => {
    const id = await openTicket(null)
    await pause('Rafael', id, inHours(1))
    await wakePaused(sweeping, later(2))
    expect(await stateOf(id)).toEqual({ status: 'open', userId: findId('Rafael'), unread: 1 })
  })

  test('whose person is inactive, or without the queue by now, waits in the queue', async () => {
    const [gone, moved] = [await openTicket(null), await openTicket(null)]
    await pause('Bruna', gone, inHours(1))
    await pause('Marina', moved, inHours(1))
    await sql`update "user" set active = false where name = 'Bruna'`
    await sql`update "user" set profile = 'user' where name = 'Marina'`
    expect(await wakePaused(sweeping, later(2))).toBe(2)
    await sql`update "user" set profile = 'admin' where name = 'Marina'`
    for (const id of [gone, moved]) {
      expect(await stateOf(id)).toEqual({ status: 'pending', userId: null, unread: 1 })
      expect(await lastLine(id)).toBe('A pausa acabou: espera na fila')
    }
  })

  test('out of the hours of its person too: it lies there unread when they come back', async () => {
    await sql`update "user" set start_time = '00:00', end_time = '00:01' where name = 'Bruna'`
    const id = await openTicket()
    await pause('Rafael', id, inHours(1))
    await wakePaused(sweeping, later(2))
    await sql`update "user" set start_time = '00:00', end_time = '23:59' where name = 'Bruna'`
    expect(await stateOf(id)).toEqual({ status: 'open', userId: findId('Bruna'), unread: 1 })
  })

  test('whatever is done to the company’s clocks or its zone meanwhile, at the instant that was chosen', async () => {
    const id = await openTicket()
    const until = inHours(30)
    await pause('Bruna', id, until)
    expect((await findSession('Marina').call('PUT', '/settings/timezone', { value: 'America/New_York' })).status).toBe(
      200,
    )
    expect(await wakePaused(sweeping, () => new Date(Date.parse(until) - 1))).toBe(0)
    expect(await wakePaused(sweeping, () => new Date(until))).toBe(1)
    await findSession('Marina').call('PUT', '/settings/timezone', { value: 'America/Sao_Paulo' })
  })

  test('nine o’clock tomorrow is nine o’clock, also where the clocks change in that night', async () => {
    const eve = findEveOfClockChange('America/New_York')
    const until = findNineTomorrow(eve, 'America/New_York')
    const id = await openTicket()
    await pause('Bruna', id, until.toISOString())
    expect(await wakePaused(sweeping, () => new Date(until.getTime() - 1))).toBe(0)
    expect(await wakePaused(sweeping, () => until)).toBe(1)
    const nights = [eve, until].map(at => at.toLocaleTimeString('pt-BR', { timeZone: 'America/New_York' }))
    expect([nights, until.getTime() - eve.getTime() === DAY_MS]).toEqual([['09:00:00', '09:00:00'], false])
  })

  test('when no process ran at that time, by the one that starts next, the longest due first', async () => {
    const ids = [await openTicket(), await openTicket(), await openTicket()]
    for (const [at, hours] of [2, 9, 5].entries()) {
      await pause('Rafael', ids[at] ?? 0, inHours(hours))
      await sql`update ticket set pause_until = now() - make_interval(hours => ${hours}) where id = ${ids[at] ?? 0}`
    }
    const anew = openDatabase(server.config.databaseUrl ?? '', { max: 2 })
    try {
      expect(await wakePaused({ ...sweeping, db: anew })).toBe(3)
    } finally {
      await closeDatabase(anew)
    }
    const woken = await sql<{ id: number }[]>`
      select ticket_id as id from log_entry where action = 'ticket.wake' and ticket_id = any(${ids}::int[]) order by log_entry.id`
    expect(woken.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]].map(Number))
  })

  test('once, however many processes look at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => openTicket()))
    for (const id of all) await pause('Bruna', id, inHours(1))
    const woken = await Promise.all([1, 2, 3].map(() => wakePaused(sweeping, later(2))))
    expect(woken.reduce((sum, n) => sum + n, 0)).toBe(6)
    expect(
      await sql`select 1 from log_entry where action = 'ticket.wake' and ticket_id = any(${all}::int[])`,
    ).toHaveLength(6)
  })
})

describe('an answer of the customer', () => {
  test.each([
    ['an answer', 'answer'],
    ['tomorrow', inHours(20)],
  ])('ends a pause until %s', async (_, until) => {
    const id = await openTicket()
    await pause('Rafael', id, until)
    await answer(id)
    expect(await stateOf(id)).toEqual({ status: 'open', userId: findId('Bruna'), unread: 1 })
    const [event] = await sql<{ action: string; was: string }[]>`
      select payload::jsonb ->> 'action' as action, audience #>> '{before,status}' as was from live_event
      where payload like '{"event":"ticket",%' order by id desc limit 1`
    expect(event).toEqual({ action: 'updateUnread', was: 'paused' })
    expect(await wakePaused(sweeping, later(30))).toBe(0)
  })

  test('leaves a pause without an end as it is, and counts as unread there', async () => {
    const id = await openTicket()
    await pause('Rafael', id)
    await answer(id)
    expect(await stateOf(id)).toEqual({ status: 'paused', userId: findId('Bruna'), unread: 1 })
  })

  test('what one of the company writes from the phone ends no pause', async () => {
    const id = await openTicket()
    await pause('Rafael', id, 'answer')
    await answer(id, true)
    expect((await stateOf(id)).status).toBe('paused')
  })
})

test('who has a ticket is told that its pause is over; who resumes one by hand tells nobody that', () => {
  const facts = { queueId: 1, ownerProfile: 'user', isGroup: false, queueStaffed: true, userId: 7 } as const
  const change = {
    action: 'update',
    before: { ...facts, status: 'paused' },
    after: { ...facts, status: 'open' },
    unreadMessages: 1,
    by: null,
  } as const
  const settings = {
    ...{ onlyAdminSeeEmptyQueue: false, userClosedQueues: false, groupPerUser: false, hierarchy: false },
    ...{ adminChatInterno: false, userShowAll: false, notificateAllTickets: false, notifyGroupToAllUsers: false },
  }
  const viewer = { id: 7, profile: 'user', queueIds: [1] } as const
  expect(findNoticeReason(viewer, change, settings)).toBe('woken')
  expect(findNoticeReason(viewer, { ...change, by: 8 }, settings)).toBeNull()
  expect(findNoticeReason({ ...viewer, id: 9 }, change, settings)).toBeNull()
})

function put(name: string, id: number, body: object) {
  return findSession(name).call<Ticket & { error?: string }>('PUT', `/tickets/${id}`, body)
}

function pause(name: string, id: number, pauseUntil?: string) {
  return put(name, id, { status: 'paused', pauseTag: 'Aguarda estoque', ...(pauseUntil ? { pauseUntil } : {}) })
}

const DAY_MS = 86_400_000

/** Nine o'clock on the day before the next night that is longer or shorter than others. */
function findEveOfClockChange(zone: string): Date {
  for (let eve = findNineTomorrow(new Date(), zone); ; ) {
    const next = findNineTomorrow(eve, zone)
    if (next.getTime() - eve.getTime() !== DAY_MS) return eve
    eve = next
  }
}

function findNineTomorrow(now: Date, zone: string): Date {
  const [tomorrow] = listMoments(['tomorrow'], now, zone)
  if (!tomorrow) throw new Error('There is a tomorrow')
  return tomorrow.at
}

function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

function later(hours: number): () => Date {
  return () => new Date(Date.now() + hours * 3_600_000)
}

async function stateOf(id: number) {
  const [row] = await sql<{ status: string; userId: number | null; unread: number }[]>`
    select status, user_id as "userId", unread_messages as unread from ticket where id = ${id}`
  return { ...row, status: row?.status }
}

async function lastLine(id: number): Promise<string | undefined> {
  const [row] = await sql<{ body: string }[]>`
    select body from message where ticket_id = ${id} and media_type = 'system' order by seq desc limit 1`
  return row?.body
}

/** The customer of a ticket writes, or one of the company from the phone. */
async function answer(ticketId: number, fromMe = false): Promise<void> {
  const pn = `55319${String(80000000 + ticketId)}`
  const jid = `${pn}@s.whatsapp.net`
  await sql`update contact set number = ${pn} where id = (select contact_id from ticket where id = ${ticketId})`
  await sql`
    insert into contact_identity (contact_id, kind, value)
    select contact_id, 'pn', ${pn} from ticket where id = ${ticketId} on conflict do nothing`
  await receiveEvents(db, { id: shop }, [
    {
      ...{ type: 'message', ref: { chat: jid, id: `m-${ticketId}`, fromMe }, chat: { jid, pn, group: false } },
      ...{ at: Date.now(), mediaType: 'chat', body: 'Chegou?', replay: false, raw: null },
    } as const,
  ])
}
