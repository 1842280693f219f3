// No call grows: every list, page, search and count of the contract reads as many rows and blocks in a desk with ten times as much of everything
// that comes by itself (contacts, tickets, messages, entries). Both desks have lived: what Postgres knows of them is old, and nobody tidied up.
import { afterAll, expect, test } from 'bun:test'
import { endpoints } from '@balcao/contract'
import type postgres from 'postgres'
import { foldContactTally } from '../src/desk/contacts/tally.ts'
import { foldTally } from '../src/desk/tickets/tally.ts'
import { foldFigures } from '../src/insight/figures/days.ts'
import { countMessages } from '../src/insight/figures/messages.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'
import { LIST_READS } from './manual-lists.ts'
import { describeGrowth } from './read-growth.ts'
import { startReadMeter } from './read-meter.ts'
import { countRounds, takeRounds } from './rounds.ts'
import { waitUntil } from './until.ts'

const FACTOR = 10
const TURNS = 20
const SIZES = { contacts: 1000, said: countRounds({ all: 5000, few: 1500 }) }

/** Calls with what they are asked; several where the answer is found in several ways. `:name` stands for a row of that name. */
const CALLS: readonly string[] = [
  ...['open', 'pending', 'paused', 'group', 'closed'].flatMap(status =>
    ['true', 'false'].map(all => `/tickets?status=${status}&showAll=${all}`),
  ),
  '/tickets?showAll=true',
  '/tickets?status=pending&order=wait&showAll=true',
  '/tickets?status=closed&showAll=true&withUnreadMessages=true',
  '/tickets?searchParam=padaria&showAll=true',
  '/tickets/changes',
  '/messages/changes',
  '/contacts/gone',
  '/tickets/counts?showAll=true',
  '/tickets/load',
  '/tickets/pinned',
  '/tickets/followed',
  '/tickets/counts?showAll=false',
  '/ticket2',
  '/tickets/filter?searchParam=padaria&showAll=true',
  '/tickets/filter?searchMessage=pedido&showAll=true',
  '/tickets/filter?searchMessage=ornitorrinco&showAll=true',
  '/tickets/messages?firstDate=2020-01-01&lastDate=2035-01-01&showAll=true',
  '/tickets/messages?kind=document&showAll=true',
  '/tickets/messages?kind=link&showAll=true',
  '/tickets/messages?kind=photo&writtenBy=contact&lastDate=2035-01-01&showAll=true',
  '/tickets/messages?kind=place&showAll=true',
  '/tickets/messages?searchMessage=pedido&showAll=true',
  '/tickets/messages?searchMessage=ornitorrinco&showAll=true',
  '/tickets/messages?status=open&firstDate=2020-01-01&showAll=true',
  '/tickets/messages?writtenBy=:user&showAll=true',
  '/tickets/messages?searchContact=000001&firstDate=2020-01-01&showAll=true',
  '/tickets/:ticket',
  '/tickets/:ticket/context',
  '/tickets/:ticket/access',
  '/tickets/contact/:contact',
  '/messages/:ticket',
  '/messages/:ticket?unread=true',
  '/messages/:ticket?around=:message',
  '/messages/:ticket?at=2026-01-01',
  '/messages/ios/:ticket',
  '/messages/gallery/:ticket?kind=media',
  '/messages/gallery/:ticket?kind=documents',
  '/messages/gallery/:ticket?kind=audio',
  '/messages/gallery/:ticket?kind=links',
  '/messages/info/:message',
  '/messages/search/:ticket?messageToSearch=pedido',
  '/contacts',
  '/contacts?searchParam=padaria',
  '/contacts?searchParam=padaria&order=match',
  '/contacts/count?searchParam=padaria',
  '/contacts/:contact',
  '/contacts/:contact/history',
  '/contacts/:contact/tickets',
  '/protocolos',
  '/protocolos?searchParam=padaria',
  '/protocolos/:protocol',
  '/protocolos/contact/:contact',
  '/protocolos/ticket/:ticket',
  '/agendamento',
  '/agendamento?searchParam=boas',
  '/agendamento/:schedule',
  '/agendamento/logs/:schedule',
  '/agendamento/logs/ticket/:ticket',
  '/envioMassa',
  '/envioMassa?show=ended',
  '/envioMassa/:send',
  '/envioMassa/:send/recipients',
  '/log',
  '/log?userId=:user',
  '/log?searchParam=padaria',
  '/ticketNPS',
  '/ticketNPS?low=true',
  '/ticketNPS/summary',
  '/dashboard/stats',
  '/dashboard/service-level',
  '/dashboard/cards',
  '/dashboard/users',
  '/dashboard/users/:user',
  '/ticketQueue',
  '/ticketColaborador',
  '/ticketCliente',
  '/chats',
  '/chats/:chat',
  '/chats/unread',
  '/chats/search/:chat?messageToSearch=reuniao',
  '/notifications',
  '/privacy',
  '/jobs',
  '/users',
  '/users/:user',
  '/whatsapp',
  '/whatsapp/:connection',
  '/whatsapp/:connection/health',
  '/whatsapp/:connection/schedules',
  ...LIST_READS.filter(path => !path.includes(':')),
  '/notes',
  '/settings',
  '/auth/devices',
  '/first-steps',
  '/integrations',
  '/integrations/tokens',
  '/contacts?changedSince=2020-01-01T00:00:00Z',
  '/integrations/:webhook/deliveries',
]

/** One row, a form, a setting of the server, or what others are asked for: no list, page, search or count of our rows. */
const NOT_WALKED = [
  'GET /system',
  'GET /ai',
  'GET /doctor',
  'GET /invoices',
  // What there is of the one move.
  'GET /move-in',
  'GET /push/public_key',
  'GET /contact/group/:id',
  // As many as the team has people.
  'GET /tickets/:id/colleagues',
  'GET /contacts/:id/merge/:other',
  'GET /contacts/check/:number',
  'GET /contacts/delegation/template',
  'GET /contacts/import/template',
  'GET /users/import/template',
  'GET /jobs/:id',
  'GET /jobs/:id/errors',
  'GET /meta/templates/:ticketId',
  'GET /meta/templates/wpp/:whatsappId',
  'GET /privacy/:contactId',
  'GET /whatsapp/meow/qr/:id',
  'GET /agendamento/count',
  ...LIST_READS.filter(path => path.endsWith('/:id')).map(path => `GET ${path}`),
]

/** What reads more where there is more, and why. */
const GROWS: Readonly<Record<string, string>> = {
  ...name('its answer says how many there are of each', [
    '/tag',
    '/envioMassa',
    '/envioMassa?show=ended',
    '/envioMassa/:send',
    '/envioMassa/:send/recipients',
    '/whatsapp/:connection/health',
    '/whatsapp/:connection/schedules',
    '/dashboard/cards',
  ]),
  // What it goes through at most is held by search-growth.test.ts.
  ...name('a search goes through a fixed number of rows, which the small desk does not have', [
    '/tickets?searchParam=padaria&showAll=true',
    '/tickets/filter?searchParam=padaria&showAll=true',
    '/tickets/filter?searchMessage=pedido&showAll=true',
    '/tickets/filter?searchMessage=ornitorrinco&showAll=true',
    '/tickets/messages?searchMessage=ornitorrinco&showAll=true',
    '/tickets/messages?kind=photo&writtenBy=contact&lastDate=2035-01-01&showAll=true',
    '/contacts?searchParam=padaria',
    '/contacts/count?searchParam=padaria',
    '/log?searchParam=padaria',
  ]),
  ...name('a word is looked for in all of one conversation, and all contacts called so before their protocols', [
    '/messages/search/:ticket?messageToSearch=pedido',
    '/protocolos?searchParam=padaria',
  ]),
  ...name('nothing is indexed by whether it is unread: a mark as read would then write every index of its ticket', [
    '/tickets?status=closed&showAll=true&withUnreadMessages=true',
  ]),
  ...name('who waits stands in one range for each queue, a few hundred, whoever it waits for', [
    '/tickets?status=pending&order=wait&showAll=true',
  ]),
}

function name(why: string, calls: readonly string[]): Record<string, string> {
  return Object.fromEntries(calls.map(call => [call, why]))
}

interface Desk {
  readonly meter: Awaited<ReturnType<typeof startReadMeter>>
  readonly names: Readonly<Record<string, number>>
  readonly people: Readonly<Record<string, SignedInPerson>>
}

const small = await makeDesk(1)
const large = await makeDesk(FACTOR)
afterAll(() => {
  for (const { meter } of [small, large]) meter.stop()
})

test('every call of the contract that reads is walked here, or is none that could grow', () => {
  const reads = Object.keys(endpoints).filter(key => key.startsWith('GET '))
  const walked = CALLS.map(call => `GET ${call.split('?')[0]}`.replaceAll(/:\w+/g, ':id'))
  const left = reads.filter(key => !walked.includes(key.replaceAll(/:\w+/g, ':id')) && !NOT_WALKED.includes(key))
  expect(left).toEqual([])
  expect(Object.keys(GROWS).filter(call => !CALLS.includes(call))).toEqual([])
})

for (const who of takeRounds(['Bruna', 'Rafael', 'Marina'] as const, 1)) {
  test(`${who}: no call reads more where there is ten times as much`, async () => {
    const grown: string[] = []
    for (const call of CALLS.filter(each => !(each in GROWS))) {
      const few = await measure(small, who, call)
      // Rows that are gone are passed over for as long as anybody at all may still see them; what really grows, does so each time.
      let growth: string | null = ''
      for (let turn = 0; turn < TURNS && growth !== null; turn++) {
        const many = await measure(large, who, call)
        expect([call, many.status]).toEqual([call, few.status])
        growth = describeGrowth(few.read, many.read)
      }
      if (growth !== null) grown.push(`${call}: ${growth}`)
    }
    expect(grown).toEqual([])
  }, 300_000)
}

/** What a call reads the third time: before, it looks at what nobody tidied up. */
async function measure({ meter, names, people }: Desk, who: string, call: string) {
  const path = call.replaceAll(/:(\w+)/g, (_, name: string) => String(names[name] ?? name))
  let status = 0
  for (let turn = 0; turn < 3; turn++) {
    meter.clear()
    status = (await people[who]?.call('GET', path))?.status ?? 0
  }
  return { status, read: [...meter.statements] }
}

async function makeDesk(factor: number): Promise<Desk> {
  const { url, db, beforeDrop } = await createTestDatabase()
  const sql = getSql(db)
  const [sales, finance, deliveries] = [
    await makeQueue(db, 'Vendas'),
    await makeQueue(db, 'Financeiro'),
    await makeQueue(db, 'Entregas'),
  ]
  const [shop, phone] = [await makeConnection(db, 'Loja'), await makeConnection(db, 'Celular')]
  const user = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [sales, finance] })
  const people = [
    await makePerson(db, { name: 'Marina', profile: 'admin' }),
    await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [sales, deliveries] }),
    user,
    await makePerson(db, { name: 'Colega', profile: 'user', queueIds: [sales, finance, deliveries] }),
  ]
  await sql`update whatsapp set is_default = true where id = ${shop}`
  await fill(sql, factor, { queues: [sales, finance, deliveries], connections: [shop, phone], people })
  await live(sql, { queues: [sales, finance, deliveries], user })

  // As the jobs do every minute: these tables never hold more than a minute's changes.
  await foldTally(db)
  await foldContactTally(db)
  await foldFigures(db)
  // Whoever connects at this moment, to whatever database, may still hold the rows that were folded.
  await waitUntil('the folded rows are gone', async () => {
    await sql`vacuum full ticket_tally, contact_tally, figure_change, figure_day`
    const [left] = await sql<{ bytes: number }[]>`
      select (pg_relation_size('ticket_tally') + pg_relation_size('contact_tally') + pg_relation_size('figure_change'))::int as bytes`
    return (left?.bytes ?? 0) < 10 * 8192
  })
  await countMessages(db, new Date())
  const meter = await startReadMeter(url)
  const server = await startDeskServer({ DATABASE_URL: meter.url })
  beforeDrop(() => server.stop())
  const [row] = await sql<Record<string, number>[]>`
    select max(t.id) as ticket, max(t.contact_id) as contact, (select max(id)::int from message m where m.contact_id = 1) as message,
      (select max(id) from protocol) as protocol, (select min(id) from schedule) as schedule, (select max(id) from send) as send,
      (select max(id) from chat) as chat, (select max(id) from webhook) as webhook from ticket t where t.contact_id = 1 and t.queue_id = ${sales}`
  const signedIn: Record<string, SignedInPerson> = {}
  for (const name of ['Marina', 'Rafael', 'Bruna']) signedIn[name] = await server.as(name)
  return { meter, names: { ...row, user, connection: shop }, people: signedIn }
}

interface Ids {
  readonly queues: readonly number[]
  readonly connections: readonly number[]
  readonly people: readonly number[]
}

/** The first customer has thirty tickets in all queues, in which most was said; everybody else one or several, half of the last ones live. */
async function fill(sql: postgres.Sql, factor: number, { queues, connections, people }: Ids): Promise<void> {
  const [contacts, said] = [SIZES.contacts * factor, SIZES.said * factor]
  const everyday = sql`${[...queues]}::int[]`
  const team = sql`${[...people]}::int[]`
  const lines = sql`${[...connections]}::int[]`
  for (const table of [sql`ticket`, sql`message`, sql`contact`, sql`log_entry`, sql`ticket_span`])
    await sql`alter table ${table} set (autovacuum_enabled = false)`
  await sql`insert into tag (name, color) select 'Etiqueta ' || n, '#' || lpad(to_hex(n * 12345), 6, '0') from generate_series(1, 20) n`
  await sql`
    insert into contact (name, number, is_group)
    select case when n % 3 = 1 then 'Padaria ' else 'Cliente ' end || lpad(n::text, 6, '0'), (5531990000000 + n)::text, n % 2 = 0
    from generate_series(1, ${contacts}) n order by n`
  await sql`insert into contact_identity (kind, value, contact_id) select 'pn', number, id from contact`
  // One that is off: nothing of it goes out.
  await sql`
    with hook as (insert into webhook (name, address, secret_sealed, events, fields, active)
        values ('ERP', 'https://erp.example/', '', '{}', '{}', false) returning id),
      happened as (insert into webhook_event (type, lane, data, happened_at)
        select 'contact.created', n::text, '{}', now() from generate_series(1, ${contacts}) n returning id)
    insert into webhook_delivery (webhook_id, event_id, lane, state) select hook.id, happened.id, '', 'done' from hook, happened`
  await sql`insert into contact_tag (contact_id, tag_id) select c.id, t.id from contact c join tag t on t.id % 20 = c.id % 20 where c.id % 2 = 0`
  await sql`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, last_message_at, created_at, closed_at)
    select 'closed', case when g <= 30 then 1 else c.id end, (${lines})[1 + g % 2], (${everyday})[1 + g % 3], (${team})[1 + g % 4],
      c.is_group and g > 30, d.at, d.at, d.at
    from generate_series(1, ${contacts}) g join contact c on c.id = 1 + g % ${contacts}
      cross join lateral (select now() - interval '50 days' * (1 - g / ${contacts}::float8) - interval '1 hour' as at) d order by g`
  await sql`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, last_message_at, created_at)
    select s.status, c.id, (${lines})[1], (${everyday})[1 + c.id / 5 % 3], case when s.status in ('pending', 'bot') then null else (${team})[1 + c.id / 15 % 4] end,
      c.is_group, now() - c.id * interval '1 second', now() - c.id * interval '1 second'
    from contact c cross join lateral (select (array['open', 'pending', 'paused', 'open', 'paused'])[1 + c.id / 2 % 5] as status) s where c.id > 1 order by c.id`
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, media_id, media_type, provider_id, read)
    select t.id, t.contact_id, t.whatsapp_id, s, t.last_message_at + s * interval '1 second', s % 2 = 0,
      case when (t.id + s) % 7 = 3 then 'veja https://exemplo.example/' || s else 'o pedido ' || t.id || ' da linha ' || s end, 'received',
      case when s % 5 = 2 then 'f' || t.id || '-' || s end, case when s % 5 = 2 then (array['image', 'application', 'audio'])[1 + s % 3] else 'chat' end,
      'p' || t.id || '-' || s, t.status = 'closed'
    from ticket t cross join lateral generate_series(1, case when t.contact_id = 1 then ${Math.ceil(said / 30)}::int else 2 end) s order by t.id, s`
  await sql`update message set body = 'um ornitorrinco' where id in (select id from message order by id limit 3)`
  await sql`update ticket t set message_seq = m.seq from (select ticket_id, max(seq) as seq from message group by 1) m where m.ticket_id = t.id`
  await sql`
    insert into protocol (protocolo, mensagem, ticket_id, contact_id, user_id)
    select to_char(t.created_at, 'YYYYMMDD') || lpad(t.id::text, 6, '0'), 'troca', t.id, t.contact_id, t.user_id from ticket t where t.id % 10 <> 0`
  await sql`
    insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at)
    select t.id, t.contact_id, t.whatsapp_id, t.queue_id, t.user_id, 1 + t.id % 5, t.closed_at from ticket t where t.status = 'closed' and t.id % 4 = 0`
  await sql`
    insert into log_entry (descricao, origem, action, user_id, ticket_id, contact_id, queue_id, created_at)
    select 'mudou', 'ticket', 'ticket.update', t.user_id, t.id, t.contact_id, t.queue_id, t.created_at from ticket t, generate_series(1, 3)`
  await sql`
    insert into schedule (title, message, recurrence, send_time, user_id, next_run_at)
    select 'Boas festas ' || n, 'boas festas', 'daily', '08:00', (${team})[1 + n % 4], now() + interval '1 day' from generate_series(1, ${contacts}) n`
  await sql`
    insert into send (due_at, whatsapp_id, state, body, recipients, user_id, ended_at, total)
    select now() - n * interval '1 minute', (${lines})[1], 'done', 'promocao', '{}', (${team})[1 + n % 2], now(), 1 from generate_series(1, ${contacts}) n`
  await sql`insert into send_recipient (send_id, contact_id, state) select (select max(id) from send), id, 'sent' from contact`
  await sql`insert into chat (user_id) values (${people[0] ?? 0})`
  await sql`insert into chat_member (chat_id, user_id) select c.id, u from chat c, unnest(${team}) u`
  await sql`
    insert into chat_message (chat_id, seq, sender_id, body, created_at)
    select c.id, n, (${team})[1 + n % 4], 'reuniao ' || n, now() - (${contacts} - n) * interval '1 minute' from chat c, generate_series(1, ${contacts}) n`
  await sql`insert into job (kind, user_id, state, params, created_at) select 'report', u, 'done', '{}', now() - n * interval '1 hour' from unnest(${team}) u, generate_series(1, ${contacts / 4}) n`
  await sql`analyze`
}

/** Weeks at the desk: what was closed opens again, people have other queues than they had, every row was written anew. */
async function live(
  sql: postgres.Sql,
  { queues, user }: { readonly queues: readonly number[]; readonly user: number },
): Promise<void> {
  const [sales = 0, finance = 0, deliveries = 0] = queues
  for (let part = 0; part < 3; part++) {
    await sql`update ticket set unread_messages = unread_messages + 1, version = version + 1 where id % 3 = ${part} and status <> 'closed'`
    await sql`update message set read = true, version = version + 1 where id % 3 = ${part} and read = false and id % 10 <> 0`
    await sql`update contact set updated_at = now(), version = version + 1 where id % 3 = ${part}`
  }
  await sql`update ticket set status = 'closed', closed_at = now() where status = 'open' and id % 4 = 0`
  await sql`update ticket set status = 'open', closed_at = null where status = 'closed' and closed_at = (select max(closed_at) from ticket)`
  await sql`update ticket set queue_id = ${deliveries} where queue_id = ${finance} and user_id = ${user} and id % 7 = 0`
  await sql`delete from user_queue where user_id = ${user} and queue_id = ${finance}`
  await sql`insert into user_queue (user_id, queue_id) values (${user}, ${deliveries})`
  await sql`update ticket set user_id = ${user} where queue_id = ${sales} and id % 11 = 0`
}
