// The next conversation over HTTP: who gets which, with which queue, and what several people get who ask at once.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ResponseBody, Ticket } from '@balcao/contract'
import postgres from 'postgres'
import { countServed } from '../src/desk/tickets/counts.ts'
import { OWNER_ID } from '../src/policy/access/hidden-owner.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { longTest } from './rounds.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const finance = await makeQueue(db, 'Financeiro')
const sales = await makeQueue(db, 'Comercial')
const shop = await makeConnection(db, 'Loja Centro')
await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
const carlosId = await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [finance, sales] })
await makePerson(db, { name: 'Davi', profile: 'user', queueIds: [] })
const marina = await server.as('Marina')
const bruna = await server.as('Bruna')
const carlos = await server.as('Carlos')
const davi = await server.as('Davi')

let minutes = 0
beforeEach(async () => {
  await sql`update ticket set status = 'closed', closed_at = now()`
  await sql`delete from whatsapp_queue`
  minutes = 0
})

test('whoever has been waiting longest is accepted, though another wrote later', async () => {
  const first = await waiting(finance)
  const second = await waiting(finance)
  await sql`update ticket set last_message_at = now() + interval '1 minute' where id = ${second}`
  expect(await next(bruna)).toMatchObject({ id: first, status: 'open', userId: brunaId, queueId: finance })
  expect(await next(bruna)).toMatchObject({ id: second, status: 'open' })
  expect(await next(bruna)).toBeNull()
})

test('what one may not see, a colleague has, is a group or stands in a queue that was not chosen is passed over', async () => {
  await waiting(sales)
  await waiting(finance, { userId: carlosId })
  await waiting(finance, { isGroup: true })
  const own = await waiting(finance, { userId: brunaId })
  expect(await next(bruna)).toMatchObject({ id: own })
  expect(await next(bruna)).toBeNull()
  const chosen = await waiting(sales)
  await waiting(finance)
  await sql`update ticket set created_at = now() where id = ${chosen}`
  expect(await next(carlos, { queueIds: [sales] })).toMatchObject({ queueId: sales })
})

test('it is the first of the list as it was chosen: by what is due, of what is late, of what is unread', async () => {
  await waiting(finance)
  const due = await waiting(finance)
  const unread = await waiting(finance)
  const late = await waiting(finance)
  await sql`update ticket set answer_due_at = now() + interval '1 hour' where id = ${due}`
  await sql`update ticket set answer_due_at = now() - interval '1 hour' where id = ${late}`
  await sql`update ticket set unread_messages = 2 where id = ${unread}`
  expect(await next(bruna, { late: true })).toMatchObject({ id: late, status: 'open' })
  expect(await next(bruna, { late: true })).toBeNull()
  expect(await next(bruna, { order: 'due' })).toMatchObject({ id: due, status: 'open' })
  expect(await next(bruna, { withUnreadMessages: true })).toMatchObject({ id: unread, status: 'open' })
  expect(await next(bruna, { withUnreadMessages: true })).toBeNull()
})

describe('one clock says since when somebody waits, in the order of the next one, in the row and on the dashboard', () => {
  test('who was closed and writes again waits from then on', async () => {
    const old = await waiting(finance)
    await sql`update ticket set status = 'closed', closed_at = now() where id = ${old}`
    const hour = await waiting(finance)
    await sql`update ticket set status = 'pending', closed_at = null where id = ${old}`
    expect(await readLongestWait()).toEqual(await readWait(hour))
    expect(await next(bruna)).toMatchObject({ id: hour })
    expect(await readLongestWait()).toEqual(await readWait(old))
    expect(await next(bruna)).toMatchObject({ id: old })
  })

  test('who is put back after an answer waits from then on, unanswered as before', async () => {
    const answered = await waiting(finance)
    const unanswered = await waiting(finance)
    const other = await waiting(finance)
    for (const id of [answered, unanswered]) {
      await sql`update ticket set answer_since = created_at where id = ${id}`
      expect(await next(bruna)).toMatchObject({ id, status: 'open' })
    }
    await sql`update ticket set answer_since = null, answered_at = now() where id = ${answered}`
    for (const id of [answered, unanswered])
      expect((await bruna.call('PUT', `/tickets/${id}`, { status: 'pending', userId: null })).status).toBe(200)
    for (const id of [unanswered, other, answered]) {
      expect(await readLongestWait()).toEqual(await readWait(id))
      expect(await next(bruna)).toMatchObject({ id })
    }
  })

  /** As the row and the head have it. */
  async function readWait(id: number): Promise<string> {
    const { answerSince, createdAt } = (await bruna.call<Ticket>('GET', `/tickets/${id}`)).body
    return answerSince ?? createdAt
  }

  /** As the dashboard has it, of a queue and of all. */
  async function readLongestWait(): Promise<string | null> {
    const ask = async (query: string) =>
      (await marina.call<ResponseBody<'GET /dashboard/stats'>>('GET', `/dashboard/stats${query}`)).body.waitingSince
    const [all, queue] = [await ask(''), await ask(`?queueId=${finance}`)]
    expect(queue).toEqual(all)
    return all
  }
})

describe('of one without a queue', () => {
  test('the queue is the only one of its connection that the person serves', async () => {
    const id = await waiting(null)
    await sql`insert into whatsapp_queue (whatsapp_id, queue_id) values (${shop}, ${sales})`
    expect(await next(carlos)).toMatchObject({ id, status: 'open', queueId: sales })
  })

  test('the queue is the only one of the person, where the connection says nothing', async () => {
    const id = await waiting(null)
    expect(await next(bruna)).toMatchObject({ id, status: 'open', queueId: finance })
  })

  test('it stays waiting where there are several, and is accepted by its id', async () => {
    const id = await waiting(null)
    expect(await next(carlos)).toMatchObject({ id, status: 'pending', userId: null })
    expect(await next(marina)).toMatchObject({ id, status: 'pending', userId: null })
    const { body } = await carlos.call<Ticket>('PUT', `/tickets/${id}`, {
      ...{ status: 'open', userId: carlosId, queueId: sales },
    })
    expect(body).toMatchObject({ id, status: 'open', queueId: sales })
  })

  test('who serves no queue gets it without one', async () => {
    const id = await waiting(null)
    expect(await next(davi)).toMatchObject({ id, status: 'open', queueId: null })
  })
})

test('twenty who ask at once get twenty conversations, and the twenty-first gets none', async () => {
  const ids: number[] = []
  for (let n = 0; n < 20; n++) ids.push(await waiting(finance))
  const got = await Promise.all(Array.from({ length: 20 }, (_, n) => next(n % 2 === 0 ? bruna : carlos)))
  expect(got.map(ticket => ticket?.id ?? 0).sort((a, b) => a - b)).toEqual(ids)
  expect(await next(bruna)).toBeNull()
})

longTest(
  'of three hundred who ask at once each gets another conversation or none, and nobody an error',
  async () => {
    const ids: number[] = []
    for (let n = 0; n < 250; n++) ids.push(await waiting(finance))
    const got = await Promise.all(Array.from({ length: 300 }, (_, n) => next(n % 2 === 0 ? bruna : carlos)))
    const taken = got.flatMap(ticket => ticket?.id ?? [])
    expect(taken.sort((a, b) => a - b)).toEqual(ids)
    const owners =
      await sql`select id from ticket where id = any(${ids}::int[]) and status = 'open' and user_id is not null`
    expect(owners).toHaveLength(ids.length)
  },
  180_000,
)

test('what one has pinned is first, in the order of the list and as it narrows that; to others it is as any', async () => {
  const longest = await waiting(finance)
  const pinned = [await waiting(finance), await waiting(finance), await waiting(sales)] as const
  const [first, second, ofSales] = pinned
  const others = await waiting(finance)
  for (const id of pinned.toReversed())
    expect((await carlos.call('PUT', `/tickets/${id}/pin`, { pinned: true })).status).toBe(204)
  // Far behind those that are asked for at once.
  for (let n = 0; n < 60; n++) await waiting(finance)
  await sql`update ticket set created_at = now() where id = any(${[...pinned]}::int[]) and id <> ${first}`
  expect(await next(bruna)).toMatchObject({ id: longest })
  expect(await next(carlos, { queueIds: [sales] })).toMatchObject({ id: ofSales })
  expect(await next(carlos)).toMatchObject({ id: first })
  await sql`update ticket set unread_messages = 1 where id = ${others}`
  expect(await next(carlos, { withUnreadMessages: true })).toMatchObject({ id: others })
  expect(await next(carlos)).toMatchObject({ id: second })
})

test('one that is pinned and waits for a colleague is passed over', async () => {
  const theirs = await waiting(finance)
  expect((await carlos.call('PUT', `/tickets/${theirs}/pin`, { pinned: true })).status).toBe(204)
  await sql`update ticket set user_id = ${brunaId} where id = ${theirs}`
  const free = await waiting(finance)
  expect([await next(carlos), await next(carlos)]).toMatchObject([{ id: free }, null])
})

test('one that is being changed just now is waited for, not said to be nobody', async () => {
  const id = await waiting(finance)
  const answer = await askDuring(tx => tx`update ticket set unread_messages = unread_messages + 1 where id = ${id}`)
  expect(answer).toMatchObject({ id, status: 'open' })
})

test('one that a colleague is given, or that goes out of sight, just now is waited for, and then nobody waits', async () => {
  const id = await waiting(finance)
  const taken = await askDuring(tx => tx`update ticket set status = 'open', user_id = ${carlosId} where id = ${id}`)
  const [row] = await sql`select status, user_id from ticket where id = ${id}`
  expect([taken, { ...row }]).toEqual([null, { status: 'open', user_id: carlosId }])
  const other = await waiting(finance)
  expect(await askDuring(tx => tx`update ticket set queue_id = ${sales} where id = ${other}`)).toBeNull()
  const own = await waiting(finance)
  await sql`update ticket set status = 'closed', closed_at = now() where id = ${other}`
  // An administrator sees it, and takes it from nobody.
  expect(await askDuring(tx => tx`update ticket set user_id = ${carlosId} where id = ${own}`, marina)).toBeNull()
})

test('one that is being deleted just now is waited for, and then nobody waits', async () => {
  const id = await waiting(finance)
  expect(await askDuring(tx => tx`delete from ticket where id = ${id}`)).toBeNull()
})

test('behind more than are looked at first, which somebody holds, a free one is accepted without waiting', async () => {
  const held: number[] = []
  for (let n = 0; n < 130; n++) held.push(await waiting(finance))
  const free = await waiting(finance)
  await sql.begin(async tx => {
    await tx`select 1 from ticket where id = any(${held}::int[]) for update`
    expect(await next(bruna)).toMatchObject({ id: free, status: 'open' })
  })
})

test('who is slower than colleagues eleven times over gets the one that is left, and no error', async () => {
  const colleagues = postgres(server.config.databaseUrl ?? '', { max: 12 })
  const holders = []
  for (let n = 0; n < 12; n++) holders.push(await holdWaiting(await colleagues.reserve(), n < 11))
  const answer = next(bruna)
  for (const holder of holders) {
    await untilSomebodyWaits(holder.pid)
    await holder.end()
  }
  expect(await answer).toMatchObject({ id: holders.at(-1)?.id, status: 'open', userId: brunaId })
  await colleagues.end()
})

/** One more who waits, held by a colleague until `end`, who then has it or leaves it. */
async function holdWaiting(connection: postgres.ReservedSql, isTaken: boolean) {
  const id = await waiting(finance)
  await connection`begin`
  const [row] = await connection<{ pid: number }[]>`
    select pg_backend_pid() as pid from ticket where id = ${id} for update`
  if (isTaken) await connection`update ticket set status = 'open', user_id = ${carlosId} where id = ${id}`
  return {
    id,
    pid: row?.pid ?? 0,
    async end() {
      await connection`commit`
      connection.release()
    },
  }
}

test('who serves how many is told to everybody, but of the owner to the owner alone', async () => {
  for (const userId of [OWNER_ID, brunaId]) await waiting(finance, { userId })
  await sql`update ticket set status = 'open' where status = 'pending'`
  const load = async (person: SignedInPerson) => (await person.call<unknown>('GET', '/tickets/load')).body
  const brunas = { userId: brunaId, tickets: 1 }
  expect([await load(bruna), await load(marina)]).toEqual([[brunas], [brunas]])
  const owner = await makeSession(db, OWNER_ID)
  expect(await countServed(db, owner)).toEqual([{ userId: OWNER_ID, tickets: 1 }, brunas])
})

test('one that is unread already is not marked again: nobody is told of nothing', async () => {
  const id = await waiting(finance)
  const mark = async () => {
    expect((await bruna.call('POST', `/tickets/${id}/unread`)).status).toBe(204)
    return (await sql`select unread_messages, version from ticket where id = ${id}`)[0]
  }
  const once = await mark()
  expect(once?.unread_messages).toBe(1)
  expect(await mark()).toEqual(once)
})

test('of one without a queue it is the only one of the company, for an administrator who has none', async () => {
  const id = await waiting(null)
  await sql`delete from queue where id = ${sales}`
  expect(await next(marina)).toMatchObject({ id, status: 'open', queueId: finance })
})

/** For one process, where it is given. */
async function untilSomebodyWaits(holder: number | null = null): Promise<void> {
  for (;;) {
    const rows = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and (${holder}::int is null or ${holder} = any(pg_blocking_pids(pid)))`
    if (rows.length > 0) return
  }
}

async function next(person: SignedInPerson, body: object = {}): Promise<Ticket | null> {
  const answer = await person.call<Ticket | null>('POST', '/tickets/next', body)
  expect(answer.status).toBe(200)
  return answer.body
}

/** A customer of their own, each a minute later than the one before. */
async function waiting(queueId: number | null, more: { userId?: number; isGroup?: boolean } = {}): Promise<number> {
  const contactId = await makeContact(db, `Cliente ${crypto.randomUUID().slice(0, 8)}`)
  const id = await makeTicket(db, { contactId, whatsappId: shop, status: 'pending', queueId, ...more })
  minutes += 1
  await sql`update ticket set created_at = now() - interval '1 day' + ${minutes} * interval '1 minute' where id = ${id}`
  return id
}

/** What somebody is answered who asks for the next one while a change is not committed yet. */
async function askDuring(change: (tx: postgres.TransactionSql) => PromiseLike<unknown>, person = bruna) {
  const { promise: commitSignal, resolve: commit } = Promise.withResolvers<void>()
  const { promise: lockSignal, resolve: lock } = Promise.withResolvers<void>()
  const holder = sql.begin(async tx => {
    await change(tx)
    lock()
    await commitSignal
  })
  await lockSignal
  const answer = next(person)
  await untilSomebodyWaits()
  commit()
  await holder
  return answer
}
