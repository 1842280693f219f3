// The real server on a database of its own, and people who talk to it over HTTP as a browser would.
import { afterAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, type ServerOptions, startServer } from '../src/app/server.ts'
import type { Db } from '../src/platform/database/client.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY, PASSWORD, toEmail } from './desk-world.ts'

export interface DeskServer extends RunningServer {
  /** Signs somebody in; throws when that is refused. */
  as(name: string): Promise<SignedInPerson>
}

export interface ApiAnswer<T = Record<string, unknown>> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

/** A signed-in browser: it keeps its cookies and its token. */
export interface SignedInPerson {
  token: string
  cookies: Map<string, string>
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiAnswer<T>>
}

/** Starts one; it stops after the file's tests. `ready` fills the database before anybody is served. */
export async function startDeskServer(
  env: Record<string, string> = {},
  jobs: NonNullable<ServerOptions['jobs']> = () => [],
): Promise<DeskServer> {
  // Hooks run in the order they were made: the server stops before its database is dropped.
  let stop = async () => {}
  afterAll(() => stop(), 20_000)
  const { url } = await createTestDatabase({ jobs: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-desk-'))
  const server = await startServer({
    jobs,
    env: {
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      DATA_KEY,
      PORT: '0',
      LOG_LEVEL: 'silent',
      ADMIN_EMAIL: 'dono@saojose.example',
      ADMIN_PASSWORD: PASSWORD,
      // Nobody listens there: no test may reach the outside.
      GRAPH_URL: 'http://127.0.0.1:9',
      WHATSAPP_WEB_URL: 'ws://127.0.0.1:9',
      ...env,
    },
  })
  await holdClock(server.db)
  stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    ...server,
    as: name => signInPerson(server.url, name),
  }
}

/** Signs somebody in at a desk; throws when that is refused. */
export async function signInPerson(url: string, name: string): Promise<SignedInPerson> {
  const person = createBrowser(url)
  const account = { email: toEmail(name), password: PASSWORD }
  const { status, body } = await person.call<{ token: string }>('POST', '/auth/login', account)
  if (status !== 200) throw new Error(`${name} was not let in: ${status} ${JSON.stringify(body)}`)
  person.token = body.token
  return person
}

/** What begins by itself every few minutes would come between two lines of a test, now and then: nothing does any more. */
async function holdClock({ $client: sql }: Db): Promise<void> {
  await sql`create function hold_clock() returns trigger language plpgsql as $$ begin return null; end $$`
  await sql`create trigger hold_clock before update on graphile_worker._private_known_crontabs
    for each row execute function hold_clock()`
}

/** A browser that is nobody yet. */
export function createBrowser(url: string): SignedInPerson {
  const person: SignedInPerson = {
    token: '',
    cookies: new Map(),
    async call<T>(
      method: string,
      path: string,
      body?: unknown,
      more: Readonly<Record<string, string>> = {},
    ): Promise<ApiAnswer<T>> {
      const headers = headersFor(person, path, body)
      for (const [name, value] of Object.entries(more)) headers.set(name, value)
      const answer = await fetch(url + path, { method, headers, body: bodyOf(body) })
      for (const cookie of answer.headers.getSetCookie()) keep(person, cookie)
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      return { status: answer.status, headers: answer.headers, body: text !== '' && isJson ? JSON.parse(text) : text }
    },
  }
  return person
}

function headersFor(person: SignedInPerson, path: string, body: unknown): Headers {
  const headers = new Headers()
  if (person.token !== '') headers.set('authorization', `Bearer ${person.token}`)
  if (typeof body === 'string' || (body !== undefined && !isRaw(body))) headers.set('content-type', 'application/json')
  const fitting = [...person.cookies].filter(([name]) => path.startsWith(pathOfCookie.get(name) ?? '/'))
  if (fitting.length > 0) headers.set('cookie', fitting.map(([name, value]) => `${name}=${value}`).join('; '))
  return headers
}

function bodyOf(body: unknown): string | FormData | Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null
  if (typeof body === 'string' || isRaw(body)) return body
  return JSON.stringify(body)
}

function isRaw(body: unknown): body is FormData | Uint8Array<ArrayBuffer> {
  return body instanceof FormData || body instanceof Uint8Array
}

const pathOfCookie = new Map<string, string>()

function keep(person: SignedInPerson, cookie: string): void {
  const [pair = '', ...rest] = cookie.split(';')
  const [name = '', value = ''] = pair.split('=')
  const path = rest.find(part => part.trim().startsWith('Path='))
  if (path) pathOfCookie.set(name, path.trim().slice(5))
  if (value === '') person.cookies.delete(name)
  else person.cookies.set(name, value)
}
