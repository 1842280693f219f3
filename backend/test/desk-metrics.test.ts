// What operators read of the desk under /metrics (docs/operating.md): how much is under way and how long it has waited, never who.
import { expect, test } from 'bun:test'
import { getSql } from '../src/platform/database/raw.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const { db, url } = await startDeskServer({ METRICS_FROM: '127.0.0.1' })
const sql = getSql(db)

async function figures(): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return new Map(
    text.split('\n').flatMap(line => {
      const [, name = '', value = ''] = /^(balcao_\S+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      return name ? [[name, Number(value)] as const] : []
    }),
  )
}

test('counts tickets by status, who waits longest, sends, jobs and what could not be digested', async () => {
  const [queue, shop] = [await makeQueue(db, 'Financeiro'), await makeConnection(db, 'Loja Centro')]
  const userId = await makePerson(db, { name: 'Rafael', profile: 'user', queueIds: [queue] })
  const statuses = ['pending', 'pending', 'open', 'open', 'open', 'paused', 'bot', 'nps', 'closed'] as const
  for (const [n, status] of statuses.entries())
    await makeTicket(db, {
      contactId: await makeContact(db, `Padaria ${n}`),
      whatsappId: shop,
      status,
      queueId: n % 2 ? queue : null,
    })
  await sql`update ticket set answer_since = now() - interval '90 seconds' where status = 'pending' and queue_id is null`
  await sql`update "user" set status = 'online' where id in (1, ${userId})`
  await sql`insert into raw_event (whatsapp_id, key, payload, error) values (${shop}, 'x', '{}', 'unknown'), (${shop}, 'y', '{}', null)`
  const [send] = await sql<{ id: number }[]>`
    insert into send (due_at, state, body, recipients, whatsapp_id) values (now(), 'paused', 'Olá', '{}', ${shop}), (now(), 'done', 'Olá', '{}', ${shop}) returning id`
  await sql`insert into send_recipient (send_id, contact_id, state) select ${send?.id ?? 0}, id, case when id % 2 = 0 then 'waiting' else 'handed' end from contact`
  const [waiting] = await sql<{ n: number }[]>`select count(*)::int as n from contact where id % 2 = 0`
  // One for a task that nobody does: it stays. Until the worker has all its tables there is nowhere to put it, and nothing to count.
  const add = () => sql`select graphile_worker.add_job('nobody', '{}'::json, run_at => now() - interval '1 minute')`
  await waitUntil('the worker has its tables', () =>
    add().then(
      () => true,
      () => false,
    ),
  )
  let figure = await figures()
  await waitUntil('the worker’s tables are read', async () => {
    figure = await figures()
    return figure.has('balcao_company_jobs_due')
  })
  expect(
    Object.fromEntries(
      [...figure].filter(([name]) => /^balcao_company_(tickets|sends|people|send_|events)/.test(name)),
    ),
  ).toEqual({
    'balcao_company_tickets{status="open"}': 3,
    'balcao_company_tickets{status="pending"}': 2,
    'balcao_company_tickets{status="paused"}': 1,
    'balcao_company_tickets{status="bot"}': 1,
    'balcao_company_tickets{status="nps"}': 1,
    'balcao_company_sends{state="calculating"}': 0,
    'balcao_company_sends{state="waiting"}': 0,
    'balcao_company_sends{state="running"}': 0,
    'balcao_company_sends{state="paused"}': 1,
    'balcao_company_sends{state="stopped"}': 0,
    balcao_company_people_online: 1,
    balcao_company_send_recipients_waiting: waiting?.n ?? 0,
    balcao_company_events_undigested: 1,
  })
  // The days are folded every minute.
  await waitUntil('what is not in the days is told', async () => {
    await sql`insert into figure_change (generation, ticket_id, day, whatsapp_id, opened) select id, 1, '2026-01-01', ${shop}, 1 from figure_count where state = 'current'`
    const [changes] = await sql<{ n: number }[]>`select count(*)::int as n from figure_change`
    return (await figures()).get('balcao_company_figure_changes') === changes?.n
  })
  expect(figure.get('balcao_company_oldest_wait_seconds')).toBeWithin(89, 120)
  expect(figure.get('balcao_company_jobs_due')).toBeGreaterThanOrEqual(1)
  expect(figure.get('balcao_company_job_lag_seconds')).toBeGreaterThanOrEqual(60)
  expect([figure.get('balcao_company_jobs_retrying'), figure.get('balcao_company_jobs_given_up')]).toEqual([0, 0])
  const setAttempts = (attempts: number) =>
    sql`update graphile_worker._private_jobs j set attempts = ${attempts} from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'nobody'`
  await setAttempts(3)
  expect((await figures()).get('balcao_company_jobs_retrying')).toBe(1)
  await setAttempts(25)
  expect((await figures()).get('balcao_company_jobs_given_up')).toBe(1)
})

test('names nobody: no name, number, address or text of a customer or a colleague', async () => {
  const text = await (await fetch(`${url}/metrics`)).text()
  for (const word of ['Padaria', 'Rafael', 'Financeiro', 'Loja', 'Olá', '@']) expect(text).not.toContain(word)
})

test('has no figures of the database while that is away, and all others', async () => {
  await sql`alter table ticket_tally rename to ticket_tally_away`
  await sql`alter table figure_change rename to figure_change_away`
  try {
    const figure = await figures()
    expect(figure.has('balcao_company_tickets{status="open"}')).toBe(false)
    expect(figure.has('balcao_company_oldest_wait_seconds')).toBe(false)
    expect(figure.has('balcao_company_jobs_due')).toBe(true)
    expect(figure.has('balcao_sockets')).toBe(true)
  } finally {
    await sql`alter table ticket_tally_away rename to ticket_tally`
    await sql`alter table figure_change_away rename to figure_change`
  }
})
