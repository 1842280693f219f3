// What a request costs, over HTTP with a token: one client's milliseconds and eight clients' requests a second, through the real server
// process. Another checkout of the desk may be asked in turn (`--beside=folder`), each on a copy of the same database.
import { mkdir } from 'node:fs/promises'
import { readConfig } from '@balcao/backend/platform/config'
import { createAccessToken } from '@balcao/backend/policy/sessions/tokens'
import { createApiToken, splitStoredToken } from '@balcao/backend/policy/settings/api-token'
import postgres from 'postgres'
import { type Benchmark, type Figure, type Options, readNumberOption } from './benchmark.ts'
import { withDatabase, withFolder } from './engine.ts'
import { computePercentile } from './measure.ts'
import { DATA_KEY, makePeople } from './people.ts'
import { type MeasuredServer, readProcessorTime, startProcess } from './processes.ts'
import { nameSeededDatabase, openSeededDatabase } from './seeded.ts'

const TICKETS = 10_000
const CLIENTS = 8

export const requests: Benchmark = {
  name: 'requests',
  about: 'what a request costs over HTTP: one client and eight, beside another checkout with --beside=folder',
  async run(options) {
    const { close } = await openSeededDatabase(TICKETS)
    await close()
    const { beside } = options
    if (beside === undefined) return withSubject(options, undefined, own => compare(options, own))
    return withSubject({}, beside, other => withSubject(options, undefined, own => compare(options, own, other)))
  },
}

/** A server with an administrator's token, and what is asked of it. */
interface Subject {
  readonly server: MeasuredServer
  readonly sql: postgres.Sql
  readonly headers: Readonly<Record<string, string>>
  readonly calls: readonly { readonly label: string; readonly path: string; readonly aim?: number }[]
}

function withSubject<T>(
  { profile }: Options,
  root: string | undefined,
  body: (subject: Subject) => Promise<T>,
): Promise<T> {
  const onDatabase = (url: string) =>
    withFolder(async folder => {
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      const env = { DATABASE_URL: url, DATA_DIR: folder, DATA_KEY, JWT_SECRET: crypto.randomUUID().repeat(2) }
      const [person] = await makePeople(sql, 1, 'admin')
      if (!person) throw new Error('There is nobody to ask.')
      // No line is taken up, and a list of tags is as short as an answer can be.
      await sql`update whatsapp set wanted = false, is_default = false, deleted_at = now()`
      await sql`delete from contact_tag`
      await sql`delete from tag`
      if (process.env.LOGSQL)
        await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set log_min_duration_statement = 0`)
      const config = readConfig(env)
      const token = await createAccessToken(config, { userId: person.id, family: person.family }, 3600)
      if (profile !== undefined) await mkdir(profile, { recursive: true })
      const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-md', `--cpu-prof-dir=${profile}`]
      const flags = ['--smol', ...profiling]
      const server = await startProcess('backend/src/main.ts', { env, path: '/ready', flags, ...(root && { root }) })
      try {
        return await body({ server, sql, headers: { authorization: `Bearer ${token}` }, calls: await listCalls(sql) })
      } finally {
        await server.stop()
        await sql.end()
      }
    })
  return withDatabase('requests', onDatabase, nameSeededDatabase(TICKETS))
}

async function listCalls(sql: postgres.Sql): Promise<Subject['calls']> {
  const [long] = await sql`select id from ticket where message_seq > 40 and status = 'open' order by id desc limit 1`
  const [short] = await sql`select id from ticket where message_seq = 1 and status = 'open' order by id desc limit 1`
  return [
    { label: 'health', path: '/health', aim: 0.3 },
    { label: 'tags, none', path: '/tag', aim: 0.6 },
    { label: 'one ticket', path: `/tickets/${short?.id}`, aim: 1 },
    { label: 'settings', path: '/settings', aim: 0.8 },
    { label: 'badges', path: '/tickets/counts?showAll=true', aim: 1.2 },
    { label: 'open list of 40', path: '/tickets?status=open&showAll=true', aim: 1.2 },
    { label: 'conversation, first page', path: `/messages/${long?.id}`, aim: 1.2 },
  ]
}

/** In turns at each call, so that what else the machine does hits both. */
async function compare(options: Options, own: Subject, other?: Subject): Promise<Figure[]> {
  const times = readNumberOption(options, 'times', 2000)
  const rounds = readNumberOption(options, 'rounds', 4)
  const chosen = options.only?.split(',')
  const subjects = other ? [own, other] : [own]
  const figures: Figure[] = []
  for (const [at, { label, aim }] of own.calls.entries()) {
    if (chosen && !chosen.some(word => label.includes(word))) continue
    const runs = subjects.map((): { samples: number[]; crowds: Crowd[] } => ({ samples: [], crowds: [] }))
    for (const subject of subjects) await ask(subject, at, 300)
    for (let round = 0; round < rounds; round++)
      for (const [n, subject] of subjects.entries()) runs[n]?.samples.push(...(await ask(subject, at, times / rounds)))
    for (let round = 0; round < rounds; round++)
      for (const [n, subject] of subjects.entries())
        runs[n]?.crowds.push(await askTogether(subject, at, times / rounds))
    const figure = (name: string, unit: string, read: (run: (typeof runs)[number]) => number): Figure => {
      const [value = Number.NaN, beside] = runs.map(read)
      return {
        label: `${label}, ${name}`,
        value,
        unit,
        ...(beside === undefined ? {} : { reference: { label: 'beside', value: beside } }),
      }
    }
    const median = (name: keyof Crowd) => (run: (typeof runs)[number]) =>
      computePercentile(
        run.crowds.map(crowd => crowd[name]),
        0.5,
      )
    figures.push(
      {
        ...figure('p50', 'ms', ({ samples }) => computePercentile(samples, 0.5)),
        ...(aim === undefined ? {} : { aim }),
      },
      figure(`${CLIENTS} clients`, '/s', median('rate')),
      figure('processor of the server', 'ms', median('server')),
      figure('processor of Postgres', 'ms', median('database')),
    )
  }
  return !chosen || chosen.includes('program') ? [...figures, await compareProgram(own, times, rounds)] : figures
}

/** What a list costs a program, whose token is read and whose call is counted at each, beside the same person's session. */
async function compareProgram(own: Subject, times: number, rounds: number): Promise<Figure> {
  const program = { ...own, headers: await createProgramHeaders(own.sql) }
  const at = own.calls.findIndex(({ label }) => label.startsWith('open list'))
  const sides = [own, program].map(subject => ({ subject, samples: [] as number[] }))
  for (const { subject } of sides) await ask(subject, at, 300)
  for (let round = 0; round < rounds; round++)
    for (const { subject, samples } of sides) samples.push(...(await ask(subject, at, times / rounds)))
  const [session = Number.NaN, value = Number.NaN] = sides.map(({ samples }) => computePercentile(samples, 0.5))
  return {
    label: "a program's open list of 40, p50",
    value,
    unit: 'ms',
    reference: { label: 'session', value: session },
  }
}

async function createProgramHeaders(sql: postgres.Sql): Promise<Subject['headers']> {
  const { token, stored } = createApiToken()
  const { hint, hash } = splitStoredToken(stored)
  await sql`
    insert into api_token (name, hint, hash, scopes, user_id, per_minute)
    select 'Benchmark', ${hint}, ${hash}, '{readTickets}', max(id), 1000000 from "user"`
  return { authorization: `Bearer ${token}` }
}

/** Milliseconds of each of so many requests, one after the other. */
async function ask(subject: Subject, at: number, times: number): Promise<number[]> {
  const samples: number[] = []
  for (let n = 0; n < times; n++) {
    const begun = performance.now()
    await askOnce(subject, at)
    samples.push(performance.now() - begun)
  }
  return samples
}

/** Requests a second, and what each takes of a processor in ms: that depends least on what else the machine does. */
interface Crowd {
  readonly rate: number
  readonly server: number
  readonly database: number
}

/** Several clients that ask without a pause. */
async function askTogether(subject: Subject, at: number, times: number): Promise<Crowd> {
  const before = await readProcessors(subject)
  const begun = performance.now()
  let requests = 0
  const client = async () => {
    for (; requests < times; requests++) await askOnce(subject, at)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const seconds = (performance.now() - begun) / 1000
  const after = await readProcessors(subject)
  const spent = (name: keyof typeof before) => ((after[name] - before[name]) * 1000) / requests
  return { rate: requests / seconds, server: spent('server'), database: spent('database') }
}

async function readProcessors({ server, sql }: Subject): Promise<{ server: number; database: number }> {
  const rows = await sql<
    { pid: number }[]
  >`select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  const backends = await Promise.all(rows.map(({ pid }) => readProcessorTime(pid)))
  return { server: await server.processor(), database: backends.reduce((sum, seconds) => sum + seconds, 0) }
}

async function askOnce({ server, headers, calls }: Subject, at: number): Promise<void> {
  const path = calls[at]?.path ?? ''
  const answer = await fetch(`${server.url}${path}`, { headers })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
}
