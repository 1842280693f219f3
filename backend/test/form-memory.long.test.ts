import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from './database.ts'
import { freePort, killDesks, startDeskProcess } from './desk-process.ts'
import { createBrowser } from './desk-server.ts'
import { DATA_KEY, makeServedTicket, PASSWORD, toEmail } from './desk-world.ts'
import { createFilmForm } from './film-form.ts'
import { countRounds } from './rounds.ts'

const MB = 1024 * 1024
const SIZE = countRounds({ all: 90, few: 30 })
const { db, url: databaseUrl } = await createTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-forms-'))
afterAll(async () => {
  await killDesks()
  await rm(dataDir, { recursive: true, force: true })
})

test(`forms with files are streamed: five of ${SIZE} MB at once cost the server less than 60 MB`, async () => {
  const ticketId = await makeServedTicket(db, 'user', 'meow')
  const own = { PORT: String(await freePort()), DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATA_KEY }
  const desk = await startDeskProcess({ ...own, WHATSAPP_WEB_URL: 'ws://127.0.0.1:9', GRAPH_URL: 'http://127.0.0.1:9' })
  const bruna = createBrowser(desk.url)
  const login = { email: toEmail('Bruna'), password: PASSWORD }
  bruna.token = (await bruna.call<{ token: string }>('POST', '/auth/login', login)).body.token
  const send = async (megabytes: number) => {
    const answer = await fetch(`${desk.url}/messages/${ticketId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bruna.token}`, 'content-type': 'multipart/form-data; boundary=fim' },
      body: createFilmForm(megabytes),
    })
    return answer.status
  }
  // What the first request of a kind loads is no cost of a file.
  expect(await send(1)).toBe(201)

  const before = await memoryOf(desk.pid, 'VmRSS')
  await writeFile(`/proc/${desk.pid}/clear_refs`, '5')
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(SIZE)))
  expect(answers).toEqual(Array(5).fill(201))
  expect(((await memoryOf(desk.pid, 'VmHWM')) - before) / MB).toBeLessThan(60)
})

async function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024
}
