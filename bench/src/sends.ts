// What a send to many costs: how long its recipients take to be frozen, and whether an agent's own messages notice that one runs.

import { silenceSignal } from '@balcao/backend/messaging/channels/baileys/library-logger'
import { countReached } from '@balcao/backend/messaging/sends/preview'
import { snapshotRecipients } from '@balcao/backend/messaging/sends/snapshot-recipients'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { getSql } from '@balcao/backend/platform/database/raw'
import type postgres from 'postgres'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { withDatabase } from './engine.ts'
import { computePercentile, waitUntil } from './measure.ts'
import { makeCustomers, openTickets } from './soak-load.ts'

/** Seconds between two messages of the send while the agent writes: far faster than any desk may. */
const PACE_S = 0.2
const AGENTS_TICKETS = 10

export const sends: Benchmark = {
  name: 'sends',
  about:
    'recipients of a send frozen, in process; an agent’s own messages over WhatsApp with Baileys while a send runs',
  async run(options) {
    silenceSignal()
    const written = readNumberOption(options, 'written', 150)
    const figures = await measureFreezing(readNumberOption(options, 'recipients', 100_000))
    return written === 0 ? figures : [...figures, ...(await measureAgents(written))]
  },
}

async function measureFreezing(count: number): Promise<Figure[]> {
  return withDatabase('sends', async url => {
    const db = openDatabase(url, { max: 4 })
    const sql = getSql(db)
    try {
      const [line, tag] = await fillCompany(sql, count)
      const figures: Figure[] = []
      const bare = await measureTime(() => measureCopy(sql, count))
      const whom = { allContacts: true, contactsIds: [], tagsIds: [] }
      const byTag = { allContacts: false, contactsIds: [], tagsIds: [tag] }
      for (const [label, recipients] of [
        ['all contacts', whom],
        ['a tag', byTag],
      ] as const) {
        await sql`insert into send (due_at, body, recipients, whatsapp_id, only_who_wrote)
          values (now(), 'Oi, {{name}}', ${JSON.stringify(recipients)}::text::jsonb, ${line}, true)`
        const seconds = await measureTime(() => snapshotRecipients(db))
        const reference = { label: 'the same rows by one bare insert', value: bare }
        figures.push({
          label: `recipients frozen, ${label} of ${count}`,
          value: seconds,
          unit: 's',
          reference,
          aim: 10,
        })
      }
      const exclusions = { whatsappId: line, onlyWhoWrote: false, hasTemplate: false, isConversation: false }
      const reached = await measureTime(() => countReached(db, whom, exclusions))
      figures.push({ label: `what a send to ${count} would come to, asked by its form`, value: reached, unit: 's' })
      return figures
    } finally {
      await closeDatabase(db)
    }
  })
}

/** So many people with a number; nine in ten wrote, one in fifty wants no sends, all have the tag. */
async function fillCompany(sql: postgres.Sql, count: number): Promise<[line: number, tag: number]> {
  const [line] = await sql<
    { id: number }[]
  >`insert into whatsapp (name, api, status) values ('Loja', 'baileys', 'CONNECTED') returning id`
  const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Todos', '#7a7a7a') returning id`
  await sql`
    insert into contact (name, number, opted_out_at)
    select 'Cliente ' || n, (5531900000000 + n)::text, case when n % 50 = 0 then now() end from generate_series(1, ${count}::int) n`
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
    select id, ${line?.id ?? 0}, number || '@s.whatsapp.net', now() from contact where id % 10 <> 0`
  await sql`insert into contact_tag (contact_id, tag_id) select id, ${tag?.id ?? 0} from contact`
  await sql`insert into ticket (status, contact_id, whatsapp_id, closed_at) select 'closed', id, ${line?.id ?? 0}, now() from contact where id % 2 = 0`
  await sql`vacuum analyze`
  return [line?.id ?? 0, tag?.id ?? 0]
}

async function measureCopy(sql: postgres.Sql, count: number): Promise<void> {
  await sql`create table bare (id bigserial primary key, send_id int, contact_id int, state text, at timestamptz default now())`
  await sql`create unique index on bare (send_id, contact_id)`
  await sql`insert into bare (send_id, contact_id, state) select 1, id, 'waiting' from contact order by id limit ${count}`
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** From the agent's call until the customer's phone shows it, with and without a send. */
async function measureAgents(messages: number): Promise<Figure[]> {
  return withDesk(
    { cloud: 0, baileys: 1, whatsapp: { ackDelayMs: 20 }, env: { SEND_PACE_SECONDS: String(PACE_S) } },
    async desk => {
      const people = makeCustomers(desk, AGENTS_TICKETS)
      await openTickets(desk, { whatsapp: people.whatsapp, graph: [] })
      const shown = new Map<string, number>()
      let sent = 0
      const stop = desk.simulator.whatsapp.on(event => {
        if (event.type !== 'message') return
        const text = JSON.stringify(event.message.content)
        const mark = /AGENTE-\d+\./.exec(text)?.[0]
        if (mark && !shown.has(mark)) shown.set(mark, performance.now())
        if (text.includes('ENVIO')) sent++
      })
      try {
        await write(desk, shown, 20)
        const alone = await write(desk, shown, messages)
        const id = await begin(desk, messages * 3)
        const busy = await write(desk, shown, messages)
        if (sent < messages / 10) throw new Error(`Only ${sent} messages of the send went out meanwhile`)
        await desk.call('PUT', `/envioMassa/${id}/cancel`)
        const ms = (share: number) => ({
          label: `an agent's message to the phone while a send runs: p${share * 100}`,
          value: computePercentile(busy, share),
          unit: 'ms',
          reference: { label: 'without a send', value: computePercentile(alone, share) },
        })
        return [ms(0.5), ms(0.95), { ...ms(0.99), ratioAim: 2 }]
      } finally {
        stop()
      }
    },
  )
}

let marks = 0

async function write(desk: BenchDesk, shown: ReadonlyMap<string, number>, messages: number): Promise<number[]> {
  const tickets = await desk.sql<
    { id: number }[]
  >`select id from ticket where status = 'open' order by id limit ${AGENTS_TICKETS}`
  const times: number[] = []
  for (let n = 0; n < messages; n++) {
    const mark = `AGENTE-${++marks}.`
    const start = performance.now()
    await desk.call('POST', `/messages/${tickets[n % tickets.length]?.id}`, { body: mark })
    await waitUntil(() => shown.has(mark), 30, `${mark} is on the phone`)
    times.push((shown.get(mark) ?? 0) - start)
    // An agent does not write to a beat: the send's messages must be able to come at any moment.
    await Bun.sleep(60 + ((n * 37) % 110))
  }
  return times
}

async function begin(desk: BenchDesk, customers: number): Promise<number> {
  const { simulator, sql, call } = desk
  for (let n = 0; n < customers; n++) {
    const number = `553196${String(n).padStart(7, '0')}`
    simulator.whatsapp.customer({ number, name: `Cliente ${n}`, addressing: 'lid' })
    await sql`with c as (insert into contact (name, number) values (${`Cliente ${n}`}, ${number}) returning id)
      insert into contact_identity (kind, value, contact_id) select 'pn', ${number}, id from c`
  }
  await sql`insert into setting (key, value) values ('dailyCap', '1000000') on conflict (key) do update set value = excluded.value`
  await sql`update whatsapp set number_since = now() - interval '30 days'`
  const ids = (await sql<{ id: number }[]>`select id from contact where number like '553196%'`)
    .map(({ id }) => id)
    .slice(0, 1900)
  const body = { mensagem: 'ENVIO {{name}}', contactsIds: ids.join(','), whatsappId: desk.baileys[0]?.whatsappId }
  const answer = await call('POST', '/envioMassa', body)
  const { id }: { id: number } = await answer.json()
  if (answer.status !== 201) throw new Error(`The send was refused: ${answer.status}`)
  const state = async () => (await sql<{ state: string }[]>`select state from send where id = ${id}`)[0]?.state
  await waitUntil(async () => (await state()) === 'running', 90, 'the send runs')
  return id
}
