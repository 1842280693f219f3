// What happens at the same moment: a message comes while its ticket is being closed, its contact merged, its connection deleted.
import { beforeEach, describe, expect, test } from 'bun:test'
import { resolveContact } from '../src/desk/contacts/identity.ts'
import { findUnchangedContacts } from '../src/desk/contacts/unchanged.ts'
import { closeUnrated } from '../src/desk/sweeps/close-unrated.ts'
import { findOrOpenTicket } from '../src/messaging/inbox/tickets.ts'
import type { Tx } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'
import { waitUntil } from './until.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const inbox = await makeInbox(db)
const { take, whatsappId } = inbox

const lucia = makePeer({ pn: '5531998762210' })
const byLid = makePeer({ lid: '77' })

beforeEach(async () => {
  await inbox.empty()
  await sql`update whatsapp set deleted_at = null`
})

/** Whether the work is over or waits for a lock: it will not go on by itself. */
async function rests(work: Promise<unknown>): Promise<void> {
  let isOver = false
  work.then(
    () => (isOver = true),
    () => (isOver = true),
  )
  await waitUntil('it is over or waits', async () => {
    if (isOver) return true
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (row?.n ?? 0) > 0
  })
}

/** Runs something in a transaction, lets the other begin, and commits when that one is over or waits. */
async function against(
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<unknown>,
  then?: (tx: Tx) => unknown,
) {
  let other: Promise<unknown> = Promise.resolve()
  await db.transaction(async tx => {
    await first(tx)
    other = second()
    await rests(other)
    await then?.(tx)
  })
  await other
}

const live = () => sql<{ id: number; merged: boolean; deleted: boolean }[]>`
  select t.id, c.merged_into is not null as merged, w.deleted_at is not null as deleted
  from ticket t join contact c on c.id = t.contact_id join whatsapp w on w.id = t.whatsapp_id where t.status <> 'closed'`

describe('a message and the closing of its ticket', () => {
  test('live tickets are read under their lock: what comes while one is being closed waits, and opens the next one', async () => {
    await take(makeMessageEvent(lucia, 'oi'))
    const [before] = await live()
    await against(
      tx => getSql(tx)`update ticket set status = 'closed', closed_at = now() where id = ${before?.id ?? 0}`,
      () => take(makeMessageEvent(lucia, 'mais uma coisa')),
    )
    const rows = await sql`select m.body, t.status from message m join ticket t on t.id = m.ticket_id order by m.id`
    expect([...rows]).toEqual([
      { body: 'oi', status: 'closed' },
      { body: 'mais uma coisa', status: 'pending' },
    ])
  })
})

describe('the answer to a survey and the moment at which it ends', () => {
  const sweeping = { db, ring() {}, log: { error: (fields: object) => console.error(fields) } }
  const surveyed = async (n: number) => {
    const peer = makePeer({ pn: `55319987700${String(n).padStart(2, '0')}` })
    await take(makeMessageEvent(peer, 'oi'))
    const [row] = await sql<{ id: number }[]>`
      update ticket set status = 'nps', unread_messages = 0 where status = 'pending' returning id`
    return { peer, id: row?.id ?? 0 }
  }
  beforeEach(() => setPlainSettings(db))

  test('closeNpsInterval: either it counts, or the survey was over and it is heard as a word: never both, never neither', async () => {
    const all: Awaited<ReturnType<typeof surveyed>>[] = []
    for (let n = 0; n < 24; n++) all.push(await surveyed(n))
    const end = Date.now() + 60 * 60_000 * 24
    await Promise.all([
      closeUnrated(sweeping, () => new Date(end)),
      ...all.map(({ peer }) => take(makeMessageEvent(peer, '5'))),
    ])
    const rows = await sql<{ id: number; status: string; rates: number; fives: number; others: number }[]>`
      select t.id, t.status, (select count(*)::int from rating r where r.ticket_id = t.id) as rates,
        (select count(*)::int from message m where m.contact_id = t.contact_id and m.body = '5') as fives,
        (select count(*)::int from ticket o where o.contact_id = t.contact_id and o.status = 'pending') as others
      from ticket t where t.id = any(${all.map(({ id }) => id)}::int[])`
    for (const { status, rates, fives, others } of rows)
      expect([status, fives, rates + others]).toEqual(['closed', 1, 1])
    const lines = await sql`select ticket_id from message where media_type = 'system' and system->>'code' = 'unrated'`
    expect(lines.length + rows.reduce((sum, { rates }) => sum + rates, 0)).toBe(rows.length)
  })

  test.each([
    ['the answer comes first', true],
    ['the end comes first', false],
  ])('%s: the other one finds it so', async (_, answered) => {
    const { peer, id } = await surveyed(90)
    const answer = () => take(makeMessageEvent(peer, '4'))
    const close = () => closeUnrated(sweeping, () => new Date(Date.now() + 60 * 60_000 * 24))
    if (answered) {
      await answer()
      expect(await close()).toBe(0)
    } else {
      expect(await close()).toBe(1)
      await answer()
    }
    const [row] = await sql`
      select status, (select count(*)::int from rating where ticket_id = t.id) as rates from ticket t where id = ${id}`
    expect({ ...row }).toEqual({ status: 'closed', rates: answered ? 1 : 0 })
  })
})

describe('a message and the merge of its contact', () => {
  const lookUps: [string, (tx: Tx) => Promise<number | null | undefined>][] = [
    ['at a glance', async tx => (await findUnchangedContacts(tx, [{ peer: lucia, hint: {} }]))[0]],
    ['closely', async tx => (await resolveContact(tx, lucia)).id],
  ]
  for (const [how, lookUp] of lookUps)
    test(`who was looked up ${how} is not merged before the ticket is there: no live ticket on a dead contact`, async () => {
      await take(makeMessageEvent(byLid, 'por LID'), makeMessageEvent(lucia, 'por telefone'))
      await sql`update ticket set status = 'closed', closed_at = now() - interval '1 day'`
      const settings = await readSettings(db)
      let contactId: number | null | undefined
      await against(
        async tx => {
          contactId = await lookUp(tx)
        },
        () => take({ type: 'identity', pn: lucia.pn ?? '', lid: '77@lid' }),
        tx => {
          const world = {
            tx,
            connection: { id: whatsappId },
            settings,
            messages: [],
            withMedia: false,
            answered: false,
          }
          return findOrOpenTicket(world, contactId ?? 0, { ...makeMessageEvent(lucia, 'x'), quiet: false })
        },
      )
      await take(makeMessageEvent(lucia, 'de novo'), makeMessageEvent(byLid, 'por LID de novo'))
      expect((await live()).map(ticket => ticket.merged)).toEqual([false])
    })

  test('who comes while a merge goes on waits for it and finds the one that is left', async () => {
    await take(makeMessageEvent(byLid, 'por LID'), makeMessageEvent(lucia, 'por telefone'))
    await sql`update ticket set status = 'closed', closed_at = now() - interval '1 day'`
    await against(
      tx => resolveContact(tx, { ...lucia, lid: '77@lid' }),
      () =>
        Promise.all([
          take(makeMessageEvent(lucia, 'a')),
          take(makeMessageEvent(byLid, 'b')),
          take(makeMessageEvent(lucia, 'c', { name: 'Lúcia' })),
        ]),
    )
    expect((await live()).map(ticket => ticket.merged)).toEqual([false])
    expect((await sql`select distinct contact_id from message`).length).toBe(1)
  })

  test('of two who merge the same two at once both come through', async () => {
    await take(makeMessageEvent(byLid, 'por LID'), makeMessageEvent(lucia, 'por telefone'))
    const both = { ...lucia, lid: '77@lid' }
    await Promise.all(Array.from({ length: 6 }, (_, n) => take(makeMessageEvent(both, `mensagem ${n}`))))
    expect((await sql`select 1 from contact where merged_into is null`).length).toBe(1)
    expect((await sql`select 1 from message`).length).toBe(8)
    expect((await sql`select 1 from raw_event where error is not null`).length).toBe(0)
  })

  test('a contact merged twice is found in one step', async () => {
    await take(
      makeMessageEvent(byLid, 'a'),
      makeMessageEvent(lucia, 'b'),
      makeMessageEvent(makePeer({ bsuid: 'BR.1' }), 'c'),
    )
    await sql`update ticket set status = 'closed'`
    const [first, second, third] = (await sql<{ id: number }[]>`select id from contact order by id`).map(row => row.id)
    await take({ type: 'identity', pn: lucia.pn ?? '', bsuid: 'BR.1' })
    await take({ type: 'identity', pn: lucia.pn ?? '', lid: '77@lid' })
    const rows = await sql`select id, merged_into from contact order by id`
    expect([...rows]).toEqual([
      { id: first, merged_into: null },
      { id: second, merged_into: first },
      { id: third, merged_into: first },
    ])
  })

  test('what both sent under one id of the sender is kept twice, not refused', async () => {
    await take(makeMessageEvent(byLid, 'por LID'), makeMessageEvent(lucia, 'por telefone'))
    await sql`update message set client_id = 'the-same'`
    await take({ type: 'identity', pn: lucia.pn ?? '', lid: '77@lid' })
    expect((await live()).length).toBe(1)
    expect((await sql`select 1 from message`).length).toBe(2)
  })
})

describe('a message and the deletion of its connection', () => {
  const remove = (tx: Tx) => getSql(tx)`
    with gone as (select id from whatsapp where id = ${whatsappId} for update) update whatsapp w set deleted_at = now() from gone where w.id = gone.id`

  test('no live ticket begins on a deleted connection; the words stay with the last one', async () => {
    await take(makeMessageEvent(lucia, 'oi'))
    await sql`update ticket set status = 'closed', closed_at = now()`
    await sql`update whatsapp set deleted_at = now()`
    await take(makeMessageEvent(lucia, 'alguém aí?'), makeMessageEvent(makePeer({ pn: '5531911112222' }), 'sou novo'))
    expect((await live()).length).toBe(0)
    const rows = await sql`select body from message order by id`
    expect(rows.map(row => row.body)).toEqual(['oi', 'alguém aí?'])
  })

  test('what comes while one is being deleted waits for that', async () => {
    await against(remove, () => take(makeMessageEvent(lucia, 'oi')))
    expect((await live()).length).toBe(0)
  })
})

describe('a message and what it leads to, that goes at the same moment', () => {
  const waiting = async () => [...(await sql`select status, queue_id, user_id from ticket`)]
  beforeEach(async () => {
    await setPlainSettings(db)
    await sql`truncate whatsapp_queue`
  })

  test('a queue deleted while the customer chooses it: the words are kept, and the ticket waits without a queue', async () => {
    const queueId = await makeQueue(db, 'Vendas')
    await sql`insert into whatsapp_queue values (${whatsappId}, ${queueId})`
    await against(
      tx => getSql(tx)`delete from queue where id = ${queueId}`,
      () => take(makeMessageEvent(lucia, 'oi')),
    )
    expect([...(await sql`select body, media_type from message where not from_me`)]).toEqual([
      { body: 'oi', media_type: 'chat' },
    ])
    expect(await waiting()).toEqual([{ status: 'pending', queue_id: null, user_id: null }])
    expect([...(await sql`select error from raw_event where error is not null`)]).toEqual([])
  })

  test('a person let out while a redirect gives it: the ticket waits in its queue', async () => {
    const queueId = await makeQueue(db, 'Suporte')
    const userId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
    await sql`insert into whatsapp_queue values (${whatsappId}, ${queueId})`
    await take({ ...makeMessageEvent(lucia, 'antes'), past: true })
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) select id, ${queueId}, ${userId} from contact`
    await against(
      async tx => {
        await getSql(tx)`select 1 from "user" where id = ${userId} for no key update`
        await getSql(tx)`update "user" set active = false where id = ${userId}`
      },
      () => take(makeMessageEvent(lucia, 'oi')),
    )
    const rows = await sql`select status, queue_id, user_id from ticket where status <> 'closed'`
    expect([...rows]).toEqual([{ status: 'pending', queue_id: queueId, user_id: null }])
  })
})

test('who turns out to be one person within a batch has all that was said in it', async () => {
  await take(makeMessageEvent(byLid, 'antes'))
  await sql`update ticket set status = 'closed', closed_at = now() - interval '1 day'`
  await take(makeMessageEvent(lucia, 'um'), makeMessageEvent(makePeer({ pn: '5531998762210', lid: '77' }), 'dois'))
  const rows = await sql`
    select m.body, m.contact_id = t.contact_id and c.merged_into is null as alive
    from message m join ticket t on t.id = m.ticket_id join contact c on c.id = m.contact_id order by m.id`
  expect([...rows]).toEqual(['antes', 'um', 'dois'].map(body => ({ body, alive: true })))
})
