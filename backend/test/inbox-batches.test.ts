// What comes in together is taken in together: as many statements for fifty people as for five, and all that each was promised alone.
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import type { ChannelEvent } from '../src/platform/channel/driver.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makeQueue } from './desk-world.ts'
import { makeInbox, makeMessageEvent, makePeer, makeRevokeEvent, setPlainSettings } from './inbox-world.ts'

const { db, url } = await createTestDatabase()
const sql = db.$client
const inbox = await makeInbox(db, 'cloud_api')
const { take, whatsappId } = inbox
let statements = 0
/** What is done by the clock: settings read again, and when something last came. */
const BY_CLOCK = /from "setting"|set last_message_at/
const counting = postgres(url, {
  max: 1,
  types: {},
  debug: (_, statement) => {
    if (!BY_CLOCK.test(statement)) statements++
  },
})
const counted = drizzle(counting, { casing: 'snake_case' })
afterAll(() => counting.end())

beforeEach(async () => {
  await inbox.empty()
  await sql`truncate whatsapp_queue`
  await setPlainSettings(db)
})

/** First words of so many people whom nobody knows. */
function makeFirstWords(many: number, first: number): ChannelEvent[] {
  return Array.from({ length: many }, (_, n) => makeMessageEvent(makeNewcomer(first + n), 'Bom dia', { name: 'Ana' }))
}

function makeNewcomer(n: number) {
  return makePeer({ pn: String(5531_970_000_000 + n) })
}

/** How many statements the inbox needs for them, when it knows everything else already. */
async function countStatements(events: readonly ChannelEvent[]): Promise<number> {
  statements = 0
  await receiveEvents(counted, { id: whatsappId }, events)
  return statements
}

test('the first words of fifty people, each answered with menu and closed hours, take as many statements as those of five', async () => {
  await sql`update whatsapp set greeting_message = 'Oi, {{name}}! Com quem quer falar?'`
  for (const name of ['Vendas', 'Suporte'])
    await sql`insert into whatsapp_queue (whatsapp_id, queue_id) values (${whatsappId}, ${await makeQueue(db, name)})`
  for (const day of ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
    await sql`insert into setting (key, value) values (${day}, 'disabled') on conflict (key) do update set value = 'disabled'`
  for (const key of ['sendGreetingMessage', 'greetingWithQueue'])
    await sql`insert into setting (key, value) values (${key}, 'enabled') on conflict (key) do update set value = 'enabled'`
  clearSettingsCache(db)
  clearSettingsCache(counted)
  await countStatements(makeFirstWords(3, 0))
  const few = await countStatements(makeFirstWords(5, 10))
  const many = await countStatements(makeFirstWords(50, 20))
  expect(many).toBe(few)
  const [row] = await sql`
    select count(*)::int as tickets, count(*) filter (where menus_shown = 1 and told_closed_at is not null)::int as answered,
      (select count(*)::int from contact where name = 'Ana') as contacts, (select count(*)::int from outbox) as replies from ticket`
  expect(row).toEqual({ tickets: 58, answered: 58, contacts: 58, replies: 116 })
})

test('what fifty people write who are known by number and id, named with every message, takes as many statements as what five write', async () => {
  const write = (many: number, body: string) =>
    Array.from({ length: many }, (_, n): ChannelEvent[] => {
      const names = { pn: String(5531_970_000_000 + n), bsuid: `BR.${n}` }
      return [{ type: 'identity', ...names }, makeMessageEvent(makePeer(names), body)]
    }).flat()
  await take(...write(50, 'primeira'))
  await countStatements(write(5, 'segunda'))
  const few = await countStatements(write(5, 'terceira'))
  const many = await countStatements(write(50, 'quarta'))
  expect(many).toBe(few)
  const [row] = await sql`
    select (select count(*)::int from contact) as contacts, (select count(*)::int from contact_identity where kind = 'bsuid') as ids,
      (select count(*)::int from message where not from_me) as messages`
  expect(row).toEqual({ contacts: 50, ids: 50, messages: 110 })
})

/** What Meta tells in a busy minute: words of each person, and the receipt of what was written to them, each with their names. */
function makeMixedEvents(many: number, round: string): ChannelEvent[] {
  return Array.from({ length: many }, (_, n): ChannelEvent[] => {
    const names = { pn: String(5531_970_000_000 + n), bsuid: `BR.${n}` }
    const ref = { chat: names.pn, id: `OURS${round}${n}`, fromMe: true }
    return [
      { type: 'identity', ...names },
      { type: 'ack', ref, ack: 'delivered', at: Date.now() },
      { type: 'identity', ...names },
      makeMessageEvent(makePeer(names), round),
      { type: 'ack', ref, ack: 'read', at: Date.now() },
    ]
  }).flat()
}

test('words, names and receipts of fifty people, mixed as they come, take as many statements as those of five', async () => {
  const people = Array.from({ length: 50 }, (_, n) => makePeer({ pn: String(5531_970_000_000 + n), bsuid: `BR.${n}` }))
  await take(...people.map(person => makeMessageEvent(person, 'oi')))
  for (const round of ['a', 'b', 'c', 'last'])
    await take(
      ...people.map((person, n) => makeMessageEvent(person, 'nossa', { id: `OURS${round}${n}`, fromMe: true })),
    )
  await countStatements(makeMixedEvents(5, 'a'))
  const few = await countStatements(makeMixedEvents(5, 'b'))
  const many = await countStatements(makeMixedEvents(50, 'c'))
  expect(many).toBe(few)
  const [row] = await sql`
    select count(*) filter (where state = 'read' and delivered_at is not null and read_at is not null)::int as read,
      count(*) filter (where body = 'c')::int as words from message`
  expect(row).toEqual({ read: 60, words: 50 })
})

test('what one person says, is told of and is called stays in its order, whatever others do in between', async () => {
  const [ana, rui] = [makePeer({ pn: '5531970000001' }), makePeer({ pn: '5531970000002' })]
  const typed = makeMessageEvent(ana, 'do celular', { id: 'TYPED', fromMe: true })
  await take(
    makeMessageEvent(ana, 'um'),
    { type: 'identity', pn: '5531970000001', bsuid: 'BR.1' },
    makeMessageEvent(rui, 'dois'),
    typed,
    { type: 'ack', ref: { ...typed.ref, chat: 'BR.1' }, ack: 'read', at: Date.now() },
    makeMessageEvent(makePeer({ bsuid: 'BR.1' }), 'três'),
    makeRevokeEvent(rui, 'LATER'),
    makeMessageEvent(rui, 'quatro', { id: 'LATER' }),
    makeMessageEvent(ana, 'cinco'),
  )
  const rows = await sql`
    select c.id, array_agg(m.body order by m.seq) as said, count(*) filter (where m.state = 'read')::int as read,
      count(*) filter (where m.is_deleted)::int as gone
    from message m join contact c on c.id = m.contact_id where not m.automatic group by c.id order by c.id`
  expect(rows.map(({ said, read, gone }) => ({ said, read, gone }))).toEqual([
    { said: ['um', 'do celular', 'três', 'cinco'], read: 1, gone: 0 },
    { said: ['dois', 'quatro'], read: 0, gone: 1 },
  ])
})

test('several processes that meet the same people at once, in any order, make one contact and one ticket of each', async () => {
  const batches = Array.from({ length: 4 }, (_, n) => {
    const events = makeFirstWords(20, 0)
    return n % 2 === 0 ? events : events.reverse()
  })
  await Promise.all(batches.map(events => take(...events)))
  const [row] = await sql`
    select (select count(*)::int from contact) as contacts, (select count(*)::int from contact_identity) as names,
      (select count(*)::int from ticket) as tickets, (select count(*)::int from message where not from_me) as messages`
  expect(row).toEqual({ contacts: 20, names: 40, tickets: 20, messages: 80 })
})

test('people of one batch who turn out to be one are one, and who has a number that another left is another', async () => {
  const [account, later] = [makePeer({ bsuid: 'BR.1', pn: '5531970000001' }), makePeer({ bsuid: 'BR.2' })]
  await take(makeMessageEvent(account, 'sou eu'))
  await take({ type: 'moved', id: 'm', from: { pn: '5531970000001', bsuid: 'BR.1' }, to: { pn: '5531970000002' } })
  await take(
    makeMessageEvent(makePeer({ bsuid: 'BR.2', pn: '5531970000001' }), 'o número é meu agora'),
    makeMessageEvent(makePeer({ lid: '77', pn: '5531970000009' }), 'por dois nomes'),
    makeMessageEvent(makePeer({ pn: '5531970000009' }), 'por um'),
    makeMessageEvent(later, 'de novo'),
  )
  const rows = await sql`
    select array_agg(m.body order by m.seq) as said from message m join ticket t on t.id = m.ticket_id where not m.from_me group by t.contact_id order by t.contact_id`
  expect(rows.map(({ said }) => said)).toEqual([
    ['sou eu'],
    ['o número é meu agora', 'de novo'],
    ['por dois nomes', 'por um'],
  ])
})

test('of a new contact no other’s names are read, also in a session that began when they were few', async () => {
  const own = postgres(url, { max: 1, types: {} })
  const make = (n: number) =>
    own.begin(async tx => {
      const countRead = async () => {
        const [row] = await tx<{ read: number }[]>`
          select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'contact_identity'`
        return row?.read ?? 0
      }
      const before = await countRead()
      const [made] = await tx<{ id: number }[]>`insert into contact (name) values ('') returning id`
      await tx`insert into contact_identity (kind, value, contact_id) values ('pn', ${String(n)}, ${made?.id ?? 0})`
      return (await countRead()) - before
    })
  try {
    await own`insert into contact (name) select '' from generate_series(1, 500)`
    await own`insert into contact_identity (kind, value, contact_id) select 'lid', id::text, id from contact`
    await own`analyze contact_identity`
    for (let n = 0; n < 10; n++) await make(n)
    expect(await make(10)).toBeLessThan(5)
  } finally {
    await own.end()
  }
})

test('what is more than goes together is taken in by several transactions, in its order, and a repeat of it by none', async () => {
  const events = Array.from({ length: 1010 }, (_, n): ChannelEvent => {
    const ref = { chat: '5531970000000@s.whatsapp.net', id: `wamid.${n}`, fromMe: true }
    return { type: 'ack', ref, ack: 'read', at: Date.now() }
  })
  expect(await receiveEvents(db, { id: whatsappId }, events)).toMatchObject({ stored: 1010, repeated: 0 })
  const [row] = await sql`select count(distinct xmin::text)::int as transactions from raw_event`
  expect(row).toEqual({ transactions: 3 })
  expect(await receiveEvents(db, { id: whatsappId }, events)).toMatchObject({ stored: 0, repeated: 1010 })
})

test('what is told twice in one notification is taken in once', async () => {
  const [words] = makeFirstWords(1, 3000)
  const twice = words ? [words, words] : []
  expect(await receiveEvents(db, { id: whatsappId }, twice)).toMatchObject({ stored: 1, repeated: 1 })
})
