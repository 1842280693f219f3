// A contact with a long history goes in short transactions.
import { describe, expect, test } from 'bun:test'
import type { JobHelpers } from 'graphile-worker'
import { deleteContact, removalJob } from '../src/desk/contacts/delete.ts'
import type { Db } from '../src/platform/database/client.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import type { Session } from '../src/policy/sessions/authenticate.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makeContact, makePerson, makeSession, makeTicket } from './desk-world.ts'

const { db } = await createTestDatabase({ jobs: true })
const sql = db.$client
const whatsappId = await makeConnection(db, 'Loja')
const session = await makeSession(db, await makePerson(db, { name: 'Marina', profile: 'admin' }))

describe('a contact with a long history', () => {
  test('goes in short transactions, each of a few hundred messages', async () => {
    const id = await withMessages(2500)
    const { counting, counts } = countTransactions()
    await deleteContact({ db: counting, ring() {} }, session, id)
    expect(counts.transactions).toBe(8)
    expect(await left(id)).toEqual({ contacts: 0, tickets: 0, messages: 0 })
  })

  test('a process that is killed on the way leaves the rest to a job, as whoever began it, and the log tells of both', async () => {
    const id = await withMessages(1700)
    const dying = killAfter(2)
    expect(await deleteContact({ db: dying, ring() {} }, session, id).catch(error => error.message)).toBe('killed')
    expect(await left(id)).toEqual({ contacts: 1, tickets: 1, messages: 1100 })
    expect(await loggedOf(id)).toEqual(['contact.deleteStart'])

    const [job] = await sql<{ payload: object; seconds: number }[]>`
      select payload, extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs where payload->>'contactId' = ${String(id)}`
    expect(job?.seconds).toBeGreaterThan(30)
    const lines: object[] = []
    const parts = { db, ring() {}, log: { warn: (line: object) => void lines.push(line) } } as unknown as Parts
    const { work } = removalJob(parts)
    await work(job?.payload, {} as JobHelpers)
    expect(await left(id)).toEqual({ contacts: 0, tickets: 0, messages: 0 })
    expect(await loggedOf(id)).toEqual(['contact.deleteStart', 'contact.delete'])
    // By then it is done: who did it was not killed.
    await work(job?.payload, {} as JobHelpers)
    expect([await loggedOf(id), lines]).toEqual([['contact.deleteStart', 'contact.delete'], []])
  })

  test('who is refused on the way stays for good, however things stand a minute later', async () => {
    const agent = await makePerson(db, { name: 'Bruna', profile: 'user' })
    const other = await makeSession(db, await makePerson(db, { name: 'Caio', profile: 'admin' }))
    const id = await withMessages(1700)
    const [queue] = await sql<
      { id: number }[]
    >`insert into queue (name, color) values ('Outra', '#D0702E') returning id`
    const limited: Session = { ...session, viewer: { id: agent, profile: 'user', queueIds: [] } }
    const refused = runBefore(
      2,
      () =>
        sql`insert into ticket (contact_id, whatsapp_id, status, queue_id) values (${id}, ${whatsappId}, 'open', ${queue?.id ?? 0})`,
    )
    const begun = deleteContact({ db: killAfter(1), ring() {} }, other, id)
    expect(await begun.catch(error => error.message)).toBe('killed')
    expect(await deleteContact({ db: refused, ring() {} }, limited, id).catch(error => error.code)).toBe(
      'ERR_NO_PERMISSION',
    )
    expect(await left(id)).toMatchObject({ contacts: 1 })
    const jobs = await sql<{ viewer: number }[]>`
      select (payload->'viewer'->>'id')::int as viewer from graphile_worker._private_jobs where payload->>'contactId' = ${String(id)}`
    // The deletion that another one began and that nobody refused goes on.
    expect(jobs.map(({ viewer }) => viewer)).toEqual([other.viewer.id])
  })

  test('the log tells who began, however often it was begun before', async () => {
    const other = await makeSession(db, await makePerson(db, { name: 'Davi', profile: 'admin' }))
    const id = await withMessages(2500)
    const start = (by: Session) => deleteContact({ db: killAfter(1), ring() {} }, by, id).catch(() => undefined)
    const starts = async () =>
      (await sql<{ by: number }[]>`select user_id as by from log_entry where contact_id = ${id} order by id`).map(
        ({ by }) => by,
      )
    await start(session)
    await start(session)
    await start(other)
    expect(await starts()).toEqual([session.viewer.id, other.viewer.id])
    await sql`update log_entry set created_at = now() - interval '8 months' where contact_id = ${id}`
    await start(session)
    expect(await starts()).toEqual([session.viewer.id, other.viewer.id, session.viewer.id])
  })

  test('who may not go loses none of it', async () => {
    const id = await withMessages(1500)
    await sql`
      insert into protocol (protocolo, contact_id, ticket_id)
      select 'P' || id, contact_id, id from ticket where contact_id = ${id}`
    expect(await deleteContact({ db, ring() {} }, session, id).catch(error => error.code)).toBe('ERR_PROTOCOL_LINKED')
    expect(await left(id)).toEqual({ contacts: 1, tickets: 1, messages: 1500 })
  })
})

async function withMessages(count: number): Promise<number> {
  const id = await makeContact(db, 'Condomínio')
  const ticketId = await makeTicket(db, { contactId: id, whatsappId, status: 'closed' })
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
    select ${ticketId}, ${id}, ${whatsappId}, n, now(), false, 'Oi', 'received' from generate_series(1, ${count}::int) n`
  return id
}

async function left(id: number) {
  const [row] = await sql`
    select (select count(*)::int from contact where id = ${id}) as contacts,
      (select count(*)::int from ticket where contact_id = ${id}) as tickets,
      (select count(*)::int from message where contact_id = ${id}) as messages`
  return row
}

async function loggedOf(id: number): Promise<string[]> {
  const rows = await sql<{ action: string; user_id: number }[]>`
    select action, user_id from log_entry where contact_id = ${id} order by id`
  expect(rows.every(row => row.user_id === session.viewer.id)).toBe(true)
  return rows.map(({ action }) => action)
}

/** Something happens once so many transactions are done. */
function runBefore(transactions: number, happen: () => Promise<unknown>): Db {
  let done = 0
  return Object.create(db, {
    transaction: {
      value: async (work: Parameters<Db['transaction']>[0]) => {
        if (done === transactions) await happen()
        done += 1
        return db.transaction(work)
      },
    },
  })
}

/** A process that does so many transactions and no more. */
function killAfter(transactions: number): Db {
  let done = 0
  return Object.create(db, {
    transaction: {
      value: (work: Parameters<Db['transaction']>[0]) => {
        done += 1
        return done > transactions ? Promise.reject(new Error('killed')) : db.transaction(work)
      },
    },
  })
}

function countTransactions(): { counting: Db; counts: { transactions: number } } {
  const counts = { transactions: 0 }
  const counting: Db = Object.create(db, {
    transaction: {
      value: (work: Parameters<Db['transaction']>[0]) => {
        counts.transactions += 1
        return db.transaction(work)
      },
    },
  })
  return { counting, counts }
}
