// The parts of a request, each by itself and again and again in this process: what it takes of this process and of Postgres. What a whole request
// costs over HTTP says `requests`.
import { loadMessagePage } from '@balcao/backend/desk/messages/page'
import { findNewestTickets, listTickets } from '@balcao/backend/desk/tickets/list'
import { readConfig } from '@balcao/backend/platform/config'
import { closeDatabase, type Db, getPageDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { createJsonResponse } from '@balcao/backend/platform/http/json-response'
import { createValidator } from '@balcao/backend/platform/http/validate'
import { canWork } from '@balcao/backend/policy/calendar/working-time'
import { loadSession } from '@balcao/backend/policy/sessions/authenticate'
import { keepSession, type SessionRow } from '@balcao/backend/policy/sessions/known-sessions'
import { verifyAccessOnce } from '@balcao/backend/policy/sessions/proven-tokens'
import { createAccessToken, verifyAccess } from '@balcao/backend/policy/sessions/tokens'
import { parseSettings, TicketListQuery } from '@balcao/contract'
import { type Benchmark, type Figure, type Options, readNumberOption } from './benchmark.ts'
import { withDatabase, withFolder } from './engine.ts'
import { makeSession } from './lists.ts'
import { DATA_KEY, makePeople } from './people.ts'
import { nameSeededDatabase, openSeededDatabase } from './seeded.ts'

const TICKETS = 10_000
const STATUS = { status: 'open', showAll: 'true' } as const

export const requestParts: Benchmark = {
  name: 'request-parts',
  about: 'the parts of a request one by one, in process: processor time of the server and of Postgres',
  async run(options) {
    const { close } = await openSeededDatabase(TICKETS)
    await close()
    return withDatabase(
      'parts',
      url => withFolder(folder => measureParts(options, url, folder)),
      nameSeededDatabase(TICKETS),
    )
  },
}

interface RequestPart {
  readonly label: string
  /** In µs of this process and of Postgres. */
  readonly aim?: number
  readonly asksPostgres?: boolean
  readonly run: () => unknown
}

async function measureParts(options: Options, url: string, folder: string): Promise<Figure[]> {
  const db = openDatabase(url, { purpose: 'web' })
  try {
    const parts = await listParts(db, url, folder)
    const figures: Figure[] = []
    for (const part of parts) {
      const times = readNumberOption(options, 'times', part.asksPostgres ? 2000 : 20_000)
      figures.push(...(await measure(db, part, times)))
    }
    return figures
  } finally {
    await closeDatabase(db)
  }
}

async function listParts(db: Db, url: string, folder: string): Promise<RequestPart[]> {
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: folder,
    DATA_KEY,
    JWT_SECRET: crypto.randomUUID().repeat(2),
  })
  const [person] = await makePeople(db.$client, 1, 'admin')
  if (!person) throw new Error('There is nobody to ask.')
  const claims = { userId: person.id, family: person.family }
  const token = await createAccessToken(config, claims, 3600)
  const session = await loadSession({ db }, claims)
  const bruna = makeSession(7, 'user', [7, 8])
  const row: SessionRow = {
    ...bruna.works,
    ...bruna.mayContacts,
    ...{ id: 7, name: 'Bruna', active: true, mustChangePassword: false, queueIds: [7, 8], settings: '{}', alive: true },
  }
  const [long] = await db.$client<{ id: number }[]>`
    select id from ticket where message_seq > 40 and status = 'open' order by id desc limit 1`
  const ticketId = long?.id ?? 0
  const settings = await db.$client<{ key: string; value: string }[]>`select key, value from setting`
  const stored = Object.fromEntries(settings.map(({ key, value }) => [key, value]))
  const checkQuery = createValidator(TicketListQuery, 'text')
  const [list, conversation] = [
    await listTickets(db, session, STATUS),
    await loadMessagePage(db, session, ticketId, {}),
  ]
  const answer = (value: unknown) =>
    createJsonResponse(value, { status: 200, headers: new Headers({ 'cache-control': 'no-store' }) })
  const pages = getPageDatabase(db).$client
  const ask = (prepare: boolean) => () =>
    db.$client.unsafe('select * from ticket where id = $1', [ticketId], { prepare })
  return [
    { label: 'token, its signature proven before', aim: 5, run: () => verifyAccessOnce(config, token) },
    { label: 'token, the first time', run: () => verifyAccess(config, token) },
    {
      label: 'session that is as it was',
      aim: 5,
      run: () => keepSession(db, { userId: 7, family: 'bench' }, { ...row }),
    },
    { label: 'settings, read out of their texts', aim: 50, run: () => parseSettings(stored) },
    { label: 'working hours of an attendant', aim: 20, run: () => canWork(bruna.works, bruna.settings, new Date()) },
    { label: 'query of a list, checked and cleaned', aim: 2, run: () => checkQuery({ ...STATUS, limit: '40' }) },
    {
      label: 'address, headers and JSON of a short answer',
      aim: 5,
      run: () => [new URL('http://desk.example/tag?all=true'), answer([])],
    },
    { label: 'JSON of a list of 40, as bytes', aim: 100, run: () => answer(list).arrayBuffer() },
    { label: 'JSON of a conversation, as bytes', aim: 100, run: () => answer(conversation).arrayBuffer() },
    { label: 'a statement with nothing to do', asksPostgres: true, run: () => pages`select 1` },
    { label: 'session, rights and settings', aim: 100, asksPostgres: true, run: () => loadSession({ db }, claims) },
    { label: 'ids of an open list', asksPostgres: true, run: () => findNewestTickets(db, session, LIVE, 41) },
    { label: 'an open list of 40', aim: 600, asksPostgres: true, run: () => listTickets(db, session, STATUS) },
    {
      label: 'a conversation of 41',
      aim: 500,
      asksPostgres: true,
      run: () => loadMessagePage(db, session, ticketId, {}),
    },
    { label: 'a row, planned each time, as what the query builder sends', asksPostgres: true, run: ask(false) },
    { label: 'the same, planned once', asksPostgres: true, run: ask(true) },
  ]
}

const LIVE = { kinds: [{ status: 'open', isGroup: false }], showAll: true, queueIds: undefined } as const

/** One after the other; what is made with the first uses is left out. */
async function measure(db: Db, { label, aim, asksPostgres, run }: RequestPart, times: number): Promise<Figure[]> {
  for (let n = 0; n < times / 10; n++) await run()
  const read = async () => ({ server: process.cpuUsage(), database: asksPostgres ? await readPostgresTime(db) : 0 })
  const before = await read()
  for (let n = 0; n < times; n++) await run()
  const server = process.cpuUsage(before.server)
  const database = asksPostgres ? ((await readPostgresTime(db)) - before.database) / 1000 / times : 0
  const own = (server.user + server.system) / times
  const total: Figure = { label, value: own + database, unit: 'µs', ...(aim === undefined ? {} : { aim }) }
  return asksPostgres ? [total, { label: `${label}: of that Postgres`, value: database, unit: 'µs' }] : [total]
}

/** What the backends of this database have used of a processor, in ns, as the scheduler counts it. */
async function readPostgresTime(db: Db): Promise<number> {
  const rows = await db.$client<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()`
  const times = await Promise.all(rows.map(({ pid }) => Bun.file(`/proc/${pid}/schedstat`).text()))
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0)
}
