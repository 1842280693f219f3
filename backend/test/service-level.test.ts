// Until when the answer to a customer is due, who answered in time, and the list by it (docs/decisions/0317).
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { API_SCOPES, getCalendar, type Queue, type Ticket } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { writeAutomaticMessage } from '../src/desk/messages/automatic.ts'
import { refreshDue } from '../src/desk/tickets/answer-due.ts'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { createBrowser } from './desk-server.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { server, db, sql, shop, finance, sales, findId, findSession, openTicket } = await startTwoQueueDesk()
const marina = findSession('Marina')

describe('so many working minutes after an instant', () => {
  const HOURS = {
    ...{ horarioAbertura: '09:00', horarioFechamento: '18:00', horarioAlmoco: '12:00', horarioFimAlmoco: '13:30' },
    ...{ sunday: 'disabled', saturday: 'disabled', holidays: 'disabled', timezone: 'America/Sao_Paulo' },
  }
  test.each([
    ['with lunch and weekends', {}],
    ['in a zone with summer time', { timezone: 'America/Santiago' }],
    [
      'at night, where clocks are put',
      {
        timezone: 'Europe/Lisbon',
        horarioAbertura: '22:00',
        horarioFechamento: '06:00',
        horarioAlmoco: '02:00',
        horarioFimAlmoco: '03:00',
      },
    ],
  ])('are as many by the contract, %s', async (_, values) => {
    await layCalendar({ ...HOURS, ...values })
    const calendar = getCalendar(await readSettings(db))
    const moments = Array.from({ length: 200 }, (_, n) => Date.now() - (n * 37.31 - 3000) * 3_600_000)
    for (const [n, moment] of moments.entries()) {
      const [from, minutes] = [new Date(moment), 1 + ((n * 37) % 700)]
      const due = await workAfter(from, minutes)
      if (!due) throw new Error(`nothing after ${from.toISOString()}`)
      expect(calendar.workingSeconds(from, due)).toBeCloseTo(minutes * 60, 2)
      expect(calendar.workingSeconds(from, new Date(due.getTime() - 1000))).toBeLessThan(minutes * 60)
    }
  })

  test('skip the night and the weekend, and a holiday', async () => {
    await layCalendar(HOURS)
    // Of Friday 17:50 eleven minutes are left: the last minute of the day counts to its end. Christmas is a Friday.
    expect(await workAfter(new Date('2026-12-04T20:50:00Z'), 10)).toEqual(new Date('2026-12-04T21:00:00Z'))
    expect(await workAfter(new Date('2026-12-04T20:50:00Z'), 20)).toEqual(new Date('2026-12-07T12:09:00Z'))
    expect(await workAfter(new Date('2026-12-24T20:50:00Z'), 20)).toEqual(new Date('2026-12-28T12:09:00Z'))
  })

  test('are nowhere where nobody works, and without a calendar', async () => {
    await sql`delete from work_span`
    expect(await workAfter(new Date(), 10)).toBeNull()
    await sql`delete from figure_calendar`
    expect(await workAfter(new Date(), 10)).toBeNull()
  })
})

describe('the answer is due', () => {
  beforeAll(alwaysOpen)
  beforeEach(async () => {
    await sql`delete from ticket`
    await sql`delete from contact`
    await sql`delete from live_event`
    await setTargets(finance, 15, 60)
    await setTargets(sales, 30, null)
  })

  test('from the oldest message that nobody has answered, first by one target and then by the other', async () => {
    const id = await openTicket()
    const first = await write(id, 5)
    await write(id, 2)
    expect(await findDue(id)).toEqual({ since: first, due: inMinutes(first, 15) })
    await say(id)
    expect(await findDue(id)).toEqual({ since: null, due: null })
    const later = await write(id, 1)
    expect(await findDue(id)).toEqual({ since: later, due: inMinutes(later, 60) })
    await say(id)
    expect(await listAnswers(id)).toEqual([
      { kind: 'first', queueId: finance, userId: findId('Bruna'), isKept: true },
      { kind: 'later', queueId: finance, userId: findId('Bruna'), isKept: true },
    ])
  })

  test('an answer that comes later is late, and stays so when the target is another one', async () => {
    const id = await openTicket()
    await write(id, 20)
    await say(id)
    await setTargets(finance, 600, 600)
    await refreshDue(db)
    expect(await listAnswers(id)).toMatchObject([{ kind: 'first', isKept: false }])
  })

  test('a comment, a greeting and what other programs say, as whoever they act, is no answer; one from the phone is', async () => {
    const id = await openTicket()
    const since = await write(id, 5)
    await findSession('Bruna').call('POST', `/messages/${id}`, { body: '--Vou ver', clientId: crypto.randomUUID() })
    await runInTransaction(db, tx =>
      writeAutomaticMessage(tx, { ticketId: id, text: 'Já respondemos', timezone: 'America/Sao_Paulo' }),
    )
    for (const holder of [{ userId: findId('Bruna') }, { queueIds: [finance] }]) {
      await sendAsProgram(holder, id)
      expect(await findDue(id)).toMatchObject({ since })
    }
    await write(id, 0, { fromMe: true })
    expect(await findDue(id)).toEqual({ since: null, due: null })
    expect(await listAnswers(id)).toMatchObject([{ kind: 'first', isKept: true }])
  })

  test('nothing for what rings nobody: the word that ends mass sends, and history that comes in late', async () => {
    const id = await openTicket()
    await write(id, 5)
    await say(id)
    await write(id, 0, { body: 'SAIR' })
    await write(id, 60, { past: true })
    await write(id, 50, { past: true, fromMe: true })
    expect(await findDue(id)).toEqual({ since: null, due: null })
    const later = await write(id, 0)
    await write(id, 40, { past: true })
    expect(await findDue(id)).toMatchObject({ since: later })
  })

  test('a transfer keeps the start and takes the target of the other queue; without a queue there is none', async () => {
    const id = await openTicket()
    const since = await write(id, 5)
    await put(id, { queueId: sales, userId: findId('Solange') })
    expect(await findDue(id)).toEqual({ since, due: inMinutes(since, 30) })
    await sql`update ticket set queue_id = null where id = ${id}`
    expect(await findDue(id)).toEqual({ since, due: null })
  })

  test('nothing while it is paused; what was late by then counts, and the waiting begins with the resuming', async () => {
    const [early, late] = [await openTicket(), await openTicket()]
    await write(early, 5)
    await write(late, 20)
    for (const id of [early, late]) await put(id, { status: 'paused', pauseTag: 'Aguarda' })
    expect((await findDue(late)).due).toBeNull()
    expect([await listAnswers(early), await listAnswers(late)]).toMatchObject([[], [{ isKept: false }]])
    await put(early, { status: 'open', userId: findId('Bruna') })
    const { since, due } = await findDue(early)
    expect(Date.now() - Date.parse(since ?? '')).toBeLessThan(60_000)
    expect(due).toBe(inMinutes(since ?? '', 15))
  })

  test('a closing ends it, in time or late, and a new round begins with a first answer', async () => {
    const id = await openTicket()
    await say(id)
    await write(id, 90)
    await put(id, { status: 'closed' })
    expect(await listAnswers(id)).toMatchObject([{ kind: 'later', isKept: false }])
    await put(id, { status: 'open', userId: findId('Bruna') })
    expect(await findDue(id)).toEqual({ since: null, due: null })
    const since = await write(id, 1)
    expect(await findDue(id)).toEqual({ since, due: inMinutes(since, 15) })
  })

  test('with the bot nobody waits for a person; who comes from it does', async () => {
    const id = await openTicket(null)
    await sql`update ticket set status = 'bot' where id = ${id}`
    await sql`update ticket set answer_since = now() where id = ${id}`
    expect(await findDue(id)).toEqual({ since: null, due: null })
    await sql`update ticket set status = 'pending' where id = ${id}`
    expect((await findDue(id)).due).not.toBeNull()
  })

  test('never in a group', async () => {
    const id = await openTicket()
    await sql`update ticket set is_group = true where id = ${id}`
    await sql`update ticket set answer_since = now() where id = ${id}`
    expect(await findDue(id)).toEqual({ since: null, due: null })
  })

  test('of two tickets that become one the older message counts, and nothing was answered', async () => {
    const [one, two] = [await openTicket(), await openTicket()]
    await write(one, 2)
    const since = await write(two, 9)
    const contacts = await sql<{ id: number }[]>`select contact_id as id from ticket order by id`
    await runInTransaction(db, tx => mergeContacts(tx, contacts[0]?.id ?? 0, contacts[1]?.id ?? 0))
    const [left] = await sql<{ id: number }[]>`select id from ticket where status <> 'closed'`
    expect(await findDue(left?.id ?? 0)).toEqual({ since, due: inMinutes(since, 15) })
    expect(await sql`select 1 from ticket_answer`).toHaveLength(0)
  })

  test('other targets and another calendar change what waits, and pages are told', async () => {
    const id = await openTicket()
    const since = await write(id, 5)
    await setTargets(finance, 45, null)
    await sql`delete from live_event`
    await refreshDue(db)
    expect(await findDue(id)).toEqual({ since, due: inMinutes(since, 45) })
    expect(await sql`select 1 from live_event where payload like '{"event":"ticket",%'`).toHaveLength(1)
    await refreshDue(db)
    expect(await sql`select 1 from live_event where payload like '{"event":"ticket",%'`).toHaveLength(1)
    await sql`delete from work_span`
    await refreshDue(db)
    expect((await findDue(id)).due).toBeNull()
    await alwaysOpen()
  })

  test('who waited before there was a target is late at once, and an answer then counts as late', async () => {
    await setTargets(finance, null, null)
    const id = await openTicket()
    const since = await write(id, 40)
    expect(await findDue(id)).toEqual({ since, due: null })
    await setTargets(finance, 15, 60)
    await refreshDue(db)
    expect(await findDue(id)).toEqual({ since, due: inMinutes(since, 15) })
    await say(id)
    expect(await listAnswers(id)).toMatchObject([{ kind: 'first', isKept: false }])
  })

  test('a target that is taken away lets nobody be late, and nothing is kept of it', async () => {
    const id = await openTicket()
    const since = await write(id, 40)
    await setTargets(finance, null, null)
    await refreshDue(db)
    expect(await findDue(id)).toEqual({ since, due: null })
    await say(id)
    expect(await listAnswers(id)).toEqual([])
  })

  test('what was late before a transfer to a queue with more time is not late there', async () => {
    const id = await openTicket()
    const since = await write(id, 20)
    await put(id, { queueId: sales, userId: findId('Solange') })
    expect(await findDue(id)).toEqual({ since, due: inMinutes(since, 30) })
    await say(id)
    expect(await listAnswers(id)).toMatchObject([{ queueId: sales, userId: findId('Solange'), isKept: true }])
  })

  test('a target that is no number of minutes is refused at its field; empty takes it away', async () => {
    const refused = await marina.call('PUT', `/queue/${finance}`, { firstAnswerMinutes: '0' })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('firstAnswerMinutes')])
    const { body } = await marina.call<Queue>('PUT', `/queue/${finance}`, {
      firstAnswerMinutes: '',
      answerMinutes: '20',
    })
    expect([body.firstAnswerMinutes, body.answerMinutes]).toEqual([null, 20])
    const saved = await marina.call<Queue>('PUT', `/queue/${finance}`, { name: 'Financeiro' })
    expect([saved.body.firstAnswerMinutes, saved.body.answerMinutes]).toEqual([null, 20])
  })
})

describe('the list by it', () => {
  test('begins with what is due first, ends with what has no target, page by page, and shows the late ones alone', async () => {
    await sql`delete from ticket`
    await setTargets(finance, 15, 60)
    const ids: number[] = []
    for (let n = 0; n < 7; n++) ids.push(await openTicket())
    // Of the last two nobody waits.
    for (const [n, id] of ids.slice(0, 5).entries()) await write(id, 5 * ((n * 3) % 5))
    const order = [ids[3], ids[1], ids[4], ids[2], ids[0], ids[5], ids[6]]
    for (const name of ['Marina', 'Rafael', 'Bruna']) {
      const all = await list(name, 'status=open&order=due&showAll=true&limit=100')
      expect(all.map(({ id }) => id)).toEqual(order as number[])
      expect(await walk(name)).toEqual(order as number[])
      expect((await list(name, 'status=open&late=true&showAll=true')).map(({ id }) => id)).toEqual([
        ids[3],
        ids[1],
      ] as number[])
    }
    expect(await list('Solange', 'status=open&order=due&showAll=true')).toEqual([])
  })

  test('is of those to be answered', async () => {
    const { status, body } = await marina.call('GET', '/tickets?status=closed&order=due')
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('order')])
  })

  async function walk(name: string): Promise<number[]> {
    const found: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { tickets: Ticket[]; nextCursor: string | null } } = await findSession(name).call(
        'GET',
        `/tickets?status=open&order=due&showAll=true&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      found.push(...body.tickets.map(({ id }) => id))
      cursor = body.nextCursor
    }
    return found
  }
})

describe('the figures', () => {
  test('say by queue and person what came in time, and what is late now', async () => {
    await sql`delete from ticket`
    await setTargets(finance, 15, 60)
    const ids: number[] = []
    for (const minutesAgo of [5, 20, 40]) {
      const id = await openTicket()
      ids.push(id)
      await write(id, minutesAgo)
      await say(id)
    }
    await write(ids[0] ?? 0, 90)
    await put(ids[1] ?? 0, { userId: findId('Marina') })
    const { status, body } = await marina.call<object>('GET', '/dashboard/service-level')
    expect(status).toBe(200)
    const level = { first: { inTime: 1, total: 3 }, later: { inTime: 0, total: 0 }, late: 1, lateWaiting: 0 }
    expect(body).toEqual({
      ...{ ...level, hasTargets: true, counting: null },
      queues: [{ id: finance, name: 'Financeiro', color: expect.any(String), ...level }],
      people: [{ id: findId('Bruna'), name: 'Bruna', ...level }],
    })
  })
})

async function list(name: string, query: string): Promise<Ticket[]> {
  return (await findSession(name).call<{ tickets: Ticket[] }>('GET', `/tickets?${query}`)).body.tickets
}

/** The company opens by other hours. */
async function layCalendar(values: Record<string, string>): Promise<void> {
  expect((await marina.call('PUT', '/settings', { values })).status).toBe(200)
  await refreshCalendar(db, new Date())
}

async function alwaysOpen(): Promise<void> {
  await sql`delete from work_span`
  await sql`insert into work_span (begins, ends, before) values ('2020-01-01', '2090-01-01', 0)`
}

async function workAfter(from: Date, minutes: number): Promise<Date | null> {
  const [row] = await sql<{ at: string | null }[]>`
    select work_after(${from.toISOString()}::timestamptz, ${minutes}::int)::timestamptz(3) as at`
  return row?.at ? new Date(row.at) : null
}

async function setTargets(id: number, first: number | null, later: number | null): Promise<void> {
  await sql`update queue set first_answer_minutes = ${first}, answer_minutes = ${later} where id = ${id}`
}

async function findDue(id: number) {
  const [row] = await sql<{ since: string | null; due: string | null }[]>`
    select answer_since as since, answer_due_at as due from ticket where id = ${id}`
  return { since: toText(row?.since), due: toText(row?.due) }
}

function toText(at: string | null | undefined): string | null {
  return at ? new Date(at).toISOString() : null
}

async function listAnswers(id: number): Promise<object[]> {
  const rows = await sql<{ kind: string; queueId: number; userId: number; isKept: boolean }[]>`
    select kind, queue_id as "queueId", user_id as "userId", at <= due_at as "isKept" from ticket_answer where ticket_id = ${id} order by id`
  return [...rows]
}

function inMinutes(since: string, minutes: number): string {
  return new Date(Date.parse(since) + minutes * 60_000).toISOString()
}

async function say(id: number): Promise<void> {
  const { status } = await findSession('Marina').call('POST', `/messages/${id}`, {
    body: 'Já vejo',
    clientId: crypto.randomUUID(),
  })
  expect(status).toBeLessThan(300)
}

/** A program answers, by either call. */
async function sendAsProgram(holder: object, ticketId: number): Promise<void> {
  const form = { name: crypto.randomUUID(), scopes: API_SCOPES, perMinute: 600, ...holder }
  const program = createBrowser(server.url)
  program.token = (await marina.call<{ token: string }>('POST', '/integrations/tokens', form)).body.token
  expect((await program.call('POST', `/messages/${ticketId}`, { body: 'Recebemos' })).status).toBeLessThan(300)
  expect((await program.call('POST', '/api/messages/send', { ticketId, body: 'Recebemos' })).status).toBe(201)
}

async function put(id: number, body: object): Promise<void> {
  expect((await marina.call('PUT', `/tickets/${id}`, body)).status).toBe(200)
}

let written = 0
/** The customer of a ticket wrote so many minutes ago, or one of the company from the phone. Gives when. */
async function write(
  ticketId: number,
  minutesAgo: number,
  { fromMe = false, body = 'Chegou?', past = false } = {},
): Promise<string> {
  const pn = `55319${String(80000000 + ticketId)}`
  const jid = `${pn}@s.whatsapp.net`
  const at = Math.floor(Date.now() / 1000) * 1000 - minutesAgo * 60_000
  await sql`update contact set number = ${pn} where id = (select contact_id from ticket where id = ${ticketId})`
  await sql`
    insert into contact_identity (contact_id, kind, value)
    select contact_id, 'pn', ${pn} from ticket where id = ${ticketId} on conflict do nothing`
  await receiveEvents(db, { id: shop }, [
    {
      ...{ type: 'message', ref: { chat: jid, id: `s-${++written}`, fromMe }, chat: { jid, pn, group: false } },
      ...{ at, mediaType: 'chat', body, replay: past, raw: null, ...(past && { past }) },
    } as const,
  ])
  return new Date(at).toISOString()
}
