// What a soak left: counted in the database and on the customers' phones, every message by its own mark.
import type { BenchDesk } from './desk.ts'
import type { SoakSizes } from './soak.ts'

export interface SoakCount {
  readonly stored: number
  readonly lostIn: number
  readonly doubledIn: number
  readonly doubledPeople: number
  readonly undigested: number
  /** On the phones, each counted once. */
  readonly shown: number
  /** Neither on the phone nor shown to the agent as failed or uncertain. */
  readonly lostOut: number
  readonly doubledOut: number
  /** Not on the phone, and shown to the agent as uncertain: a person decides. */
  readonly unknown: number
  /** Still in the outbox. */
  readonly waiting: number
  readonly seconds: number
}

/** How often each mark was shown on a customer's phone. */
export function listenToPhones({ simulator, phones }: BenchDesk): { shown: Map<string, number>; stop(): void } {
  const shown = new Map<string, number>()
  const companies = new Set(phones.map(({ company }) => company.user))
  const note = (content: unknown) => {
    const mark = /OUT-\d+\./.exec(JSON.stringify(content))?.[0]
    if (mark) shown.set(mark, (shown.get(mark) ?? 0) + 1)
  }
  const stops = [
    simulator.whatsapp.on(event => {
      if (event.type === 'message' && !companies.has(event.phone)) note(event.message.content)
    }),
    simulator.graph.on(event => {
      if (event.type === 'message' && event.entry.from === 'business') note(event.entry.content)
    }),
  ]
  return { shown, stop: () => stops.forEach(stop => void stop()) }
}

export async function countAll(
  { sql }: BenchDesk,
  { inbound, outbound, customers }: SoakSizes,
  shown: ReadonlyMap<string, number>,
): Promise<Omit<SoakCount, 'seconds'>> {
  const [row] = await sql<
    { stored: number; rows: number; contacts: number; tickets: number; undigested: number; waiting: number }[]
  >`
    select count(distinct body)::int as stored, count(*)::int as rows,
      (select count(*)::int from contact where merged_into is null) as contacts,
      (select count(*)::int from ticket) as tickets,
      (select count(*)::int from raw_event where error is not null) as undigested,
      (select count(*)::int from outbox where state in ('queued', 'sending')) as waiting
    from message where body like 'IN-%' and not from_me`
  if (!row) throw new Error('The database counts nothing.')
  // One that says `sending` while its outbox row is unknown is put to a person when no receipt tells in time.
  const states = await sql<{ body: string; state: string; n: number }[]>`
    select m.body, max(case when m.state = 'sending' and o.state = 'unknown' then 'unknown' else m.state end) as state, count(distinct m.id)::int as n
    from message m left join outbox o on o.message_id = m.id and o.operation = 'message'
    where m.body like 'OUT-%' and m.from_me group by m.body`
  const missing = states.filter(({ body }) => !shown.has(body))
  const admitted = missing.filter(({ state }) => state === 'unknown' || state === 'failed')
  const accountedFor = new Set([...shown.keys(), ...admitted.map(({ body }) => body)])
  return {
    stored: row.stored,
    lostIn: inbound - row.stored,
    doubledIn: row.rows - row.stored,
    doubledPeople: Math.max(0, row.contacts - 2 * customers) + Math.max(0, row.tickets - 2 * customers),
    undigested: row.undigested,
    shown: shown.size,
    lostOut: outbound - accountedFor.size,
    doubledOut: [...shown.values()].filter(times => times > 1).length + states.filter(({ n }) => n > 1).length,
    unknown: admitted.length,
    waiting: row.waiting,
  }
}
