// The report of a month with twenty thousand tickets, as PDF and as sheet, while customers write: how long it takes, what they wait, and
// what the server and its processes hold.
import type { Job, JobReference, ReportFormat } from '@balcao/contract'
import { type Benchmark, type Figure, type Options, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { measureGraph } from './latency.ts'
import { computePercentile, waitUntil, watchMost } from './measure.ts'

const MB = 1024 * 1024
/** Who waits for a report is told by an event: the benchmark asks seldom enough not to be work itself. */
const LOOK_MS = 250
const FORMATS: Readonly<Record<ReportFormat, string>> = { pdf: 'PDF', xlsx: 'sheet' }

export const reports: Benchmark = {
  name: 'reports',
  about:
    'the report of a month with 20,000 tickets as PDF and as sheet, one after the other while customers write over Graph webhooks',
  async run(options) {
    const rows = readNumberOption(options, 'rows', 20_000)
    return withDesk({ cloud: 4, baileys: 0 }, async desk => {
      await withTickets(desk, rows)
      // The first messages find everything cold: they are no reference.
      await measureGraph(desk, options)
      const quiet = computePercentile(await measureGraph(desk, options), 0.99)
      const figures: Figure[] = []
      for (const format of ['pdf', 'xlsx'] as const)
        figures.push(...(await measureReport(desk, options, { rows, format, quiet })))
      return figures
    })
  },
}

interface ReportMeasurement {
  readonly rows: number
  readonly format: ReportFormat
  readonly quiet: number
}

async function measureReport(
  desk: BenchDesk,
  options: Options,
  { rows, format, quiet }: ReportMeasurement,
): Promise<Figure[]> {
  const begun = performance.now()
  await desk.sql`select t.*, c.name, c.number from ticket t join contact c on c.id = t.contact_id where t.closed_at is not null order by t.created_at desc`
  const statement = (performance.now() - begun) / 1000
  const alone = await makeReport(desk, rows, format)
  const before = await desk.memory()
  const held = watchMost(() => desk.memory(), LOOK_MS)
  const taken: number[] = []
  let goesOn = true
  let work: Promise<void> | undefined
  const times = await measureGraph(desk, options, () => {
    work = (async () => {
      while (goesOn) taken.push(await makeReport(desk, rows, format))
    })()
  })
  goesOn = false
  await work
  const label = `${rows.toLocaleString('en-US')} tickets as ${FORMATS[format]}`
  return [
    {
      label,
      value: alone,
      unit: 's',
      aim: 20,
      reference: { label: 'the same rows by one statement', value: statement },
    },
    {
      label: `${label}, while customers write`,
      value: Math.max(...taken),
      unit: 's',
      aim: 20,
      reference: { label: 'alone', value: alone },
    },
    {
      ...{
        label: `Graph webhook to socket beside the ${FORMATS[format]}, p99`,
        value: computePercentile(times, 0.99),
        unit: 'ms',
        aim: 150,
      },
      reference: { label: 'without a report', value: quiet },
    },
    {
      ...{
        label: `memory that the ${FORMATS[format]} takes, its process included`,
        value: (held.stop() - before) / MB,
        unit: 'MB',
        aim: 150,
      },
      reference: { label: 'before', value: before / MB },
    },
  ]
}

/** Tickets of this month that waited, were served and closed; each step is a transaction, as periods are told. */
async function withTickets({ sql }: BenchDesk, rows: number): Promise<void> {
  await sql`insert into queue (name, color) select 'Fila ' || n, '#' || lpad(to_hex(n * 99991), 6, '0') from generate_series(1, 8) n`
  await sql`insert into contact (name, number) select 'Cliente do relatório ' || n, (5531900000000 + n)::text from generate_series(1, 2000) n`
  await sql`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, created_at, last_message_at)
    select 'closed', c.id, w.id, q.first + n % 8, at, at
    from generate_series(1, ${rows}::int) n cross join (select min(id) as first from queue where name like 'Fila %') q
      cross join (select min(id) as id from whatsapp) w join contact c on c.name = 'Cliente do relatório ' || 1 + n % 2000
      cross join lateral (select date_trunc('month', now()) + n * (now() - date_trunc('month', now())) / ${rows + 1}::int as at) made`
  await sql`
    insert into ticket_span (ticket_id, status, queue_id, user_id, begun_at, ended_at, begun_work, ended_work)
    select t.id, s.status, t.queue_id, s.person, s.begun, s.ended, work_at(s.begun), work_at(s.ended)
    from ticket t cross join (select min(id) as id from "user") u cross join lateral (values
      ('pending', null::int, t.created_at, t.created_at + interval '4 minutes'),
      ('open', u.id, t.created_at + interval '4 minutes', t.created_at + interval '19 minutes'),
      ('closed', u.id, t.created_at + interval '19 minutes', t.created_at + interval '19 minutes')) s (status, person, begun, ended)
    where t.status = 'closed' order by t.id, s.begun`
  await sql`
    insert into ticket_figure (span_id, ticket_id, kind, at, queue_id, user_id, whatsapp_id, work)
    select f.span_id, t.id, f.kind, f.at, f.queue_id, f.user_id, t.whatsapp_id, f.work from ticket t cross join lateral ticket_figures_of(t.id) f
    where t.status = 'closed' on conflict do nothing`
  await sql`
    insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, rate, at)
    select id, contact_id, whatsapp_id, queue_id, 1 + id % 5, created_at + interval '19 minutes' from ticket where status = 'closed' and id % 4 = 0`
  await sql`update ticket set closed_at = created_at + interval '19 minutes', user_id = (select min(id) from "user") where status = 'closed'`
  await sql`vacuum analyze`
  // Otherwise the database writes all this to the disk while it is measured.
  await sql`checkpoint`
}

/** From the call to the end of its job, in seconds. */
async function makeReport(desk: BenchDesk, rows: number, format: ReportFormat): Promise<number> {
  const begun = performance.now()
  const today = new Date().toISOString()
  const body = { startDate: `${today.slice(0, 8)}01`, endDate: today.slice(0, 10), status: 'closed', format }
  const { jobId }: JobReference = await (await desk.call('POST', '/report/ticket', body)).json()
  const job = async (): Promise<Job> => (await desk.call('GET', `/jobs/${jobId}`)).json()
  await waitUntil(async () => (await job()).endedAt !== null, 300, 'the report has ended', LOOK_MS)
  const { state, result } = await job()
  // Days of the company begin some hours after those of the database.
  if (state !== 'done' || !result || Math.abs((result.counts.rows ?? 0) - rows) > rows / 50)
    throw new Error(`The report ended ${state}`)
  return (performance.now() - begun) / 1000
}
