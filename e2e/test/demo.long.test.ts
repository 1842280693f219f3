// The demo keeps what it says: both sides know the same, what cannot arrive says so, and it ends as a whole.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CustomerPagePhone } from '@balcao/simulator/page/phones'
import postgres, { type Sql } from 'postgres'
import { signInAdministrator, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

const ROOT = join(import.meta.dir, '../..')

describe('the world of the demo', () => {
  let world: TestSystem
  let sql: Sql

  beforeAll(async () => {
    world = await startTestSystem()
    sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  }, 60_000)

  afterAll(async () => {
    await sql.end()
    await world.stop()
  })

  test('every customer the desk knows has a phone with the same last words', async () => {
    const rows = await sql<{ number: string; name: string; body: string }[]>`
      select distinct on (c.id) c.number, c.name, m.body from contact c join message m on m.contact_id = c.id
      where not c.is_group and m.media_type in ('chat', 'location') and m.state <> 'failed' order by c.id, m.at desc, m.seq desc`
    expect(rows.length).toBeGreaterThan(10)
    for (const { number, name, body } of rows) {
      const last = phoneOf(number).view().bubbles.at(-1)
      expect([name, last?.text ?? last?.location?.name]).toEqual([name, body.split('|').at(-1)])
    }
  })

  test("the company's phone has the same conversations, with their files", () => {
    const company = world.simulator.companies.find(one => one.label === 'Loja Centro')
    const line = company?.lines().find(one => one.number === '+55 31 9876-2210' || one.name === 'Dona Lúcia')
    expect(line?.bubbles(80).map(bubble => bubble.kind)).toEqual(expect.arrayContaining(['image', 'document', 'text']))
  })

  test('who is to be written as in the demo waits at the desk: there is something to accept', async () => {
    const words = await Bun.file(join(ROOT, 'scripts/demo.ts')).text()
    const name = /Escreva como ([^:]+):/.exec(words)?.[1] ?? ''
    expect(world.simulator.find(name)).toBeInstanceOf(CustomerPagePhone)
    const live = await sql`
      select t.status from ticket t join contact c on c.id = t.contact_id where c.name = ${name} and t.status <> 'closed'`
    expect(live.map(one => one.status)).toEqual(['pending'])
  })

  test('what is written before the desk is linked says on the phone why it does not arrive', async () => {
    const phone = world.simulator.find('Rafael Lima')
    await phone?.lines()[0]?.send({ type: 'text', text: 'Tem alguém?' })
    expect(phone?.lines()[0]?.bubbles(1)[0]?.note).toContain('ainda não estava conectado')
  })

  test('a group shows its members as authors', async () => {
    const [ticket] = await sql<{ id: number }[]>`select id from ticket where is_group`
    const admin = await signInAdministrator(world)
    const { messages } = (await admin('GET', `/messages/${ticket?.id}`)) as {
      messages: { fromMe: boolean; contact: { name: string } | null }[]
    }
    const authors = messages.filter(one => !one.fromMe).map(one => one.contact?.name)
    expect(authors).toEqual(expect.arrayContaining(['Padaria Estrela', 'Dona Lúcia Ferreira']))
  })

  function phoneOf(number: string): CustomerPagePhone {
    const phone = world.simulator.find(number)
    if (!(phone instanceof CustomerPagePhone)) throw new Error(`${number} has no phone`)
    return phone
  }
})

describe('a signal', () => {
  for (const [signal, person, words, status] of [
    ['SIGTERM', 'npm, as a supervisor sends it', 'npm run demo', 143],
    ['SIGINT', 'the command', 'scripts/run.mjs', 130],
    ['SIGINT', 'its program', 'scripts/demo.ts', 130],
    ['SIGTERM', 'the server', 'e2e/src/server.ts', 143],
  ] as const) {
    test(`${signal} sent to ${person} ends every process of the demo`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'balcao-demo-'))
      const command = Bun.spawn(['npm', 'run', 'demo'], {
        cwd: ROOT,
        // As a person starts it: from the sources.
        env: { ...process.env, PROCESS_BUNDLES: '', PORT: '0', DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await waitForWords(command.stdout, 'Ctrl+C encerra')
      const all = await family(command.pid)
      const entry = all.find(one => one.command.includes(words))
      if (!entry) throw new Error(`Nobody is ${words}`)
      process.kill(entry.pid, signal)
      expect(await command.exited).toBe(status)
      await waitUntil('all have ended', async () => {
        const left = new Set((await processes()).map(one => one.pid))
        return all.every(one => !left.has(one.pid))
      })
      await rm(dataDir, { recursive: true, force: true })
    })
  }
})

describe('what keeps it from starting is one sentence, and nothing of it is left running', () => {
  test('its port is another program’s', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('other') })
    const dataDir = await mkdtemp(join(tmpdir(), 'balcao-demo-'))
    expect(await tried({ PORT: String(other.port), DATA_DIR: dataDir })).toEqual([
      1,
      '',
      `The environment is not usable:
  - PORT ${other.port} on HOST 127.0.0.1 cannot be taken (EADDRINUSE): another server may be running there
`,
    ])
    await other.stop(true)
    await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  test('its folder is none', async () => {
    const home = await mkdtemp(join(tmpdir(), 'balcao-demo-'))
    const file = join(home, 'file')
    await Bun.write(file, 'kept')
    const [code, out, err] = await tried({ PORT: '0', DATA_DIR: file })
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^The environment is not usable:\n.+\n$/)])
    expect(err).toContain(`DATA_DIR ${file} cannot be written`)
    await rm(home, { recursive: true, force: true })
  })

  test('the environment is wrong: each fault in a line', async () => {
    const [code, out, err] = await tried({ PORT: 'abc', PUBLIC_URL: 'desk', LOG_LEVEL: 'loud' })
    expect([code, out, err?.split('\n').length]).toEqual([1, '', 5])
  })

  async function tried(env: Record<string, string>) {
    const command = Bun.spawn(['node', 'scripts/run.mjs', 'demo'], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err] = await Promise.all([command.stdout, command.stderr].map(each => new Response(each).text()))
    return [await command.exited, out, err] as const
  }
})

async function waitForWords(stream: ReadableStream<Uint8Array>, words: string): Promise<void> {
  let text = ''
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk)
    if (text.includes(words)) return
  }
  throw new Error(`It ended without a word of '${words}': ${text}`)
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** A process and all below it, parents before children. */
async function family(pid: number): Promise<Process[]> {
  const all = await processes()
  const found = all.filter(one => one.pid === pid)
  for (const { pid: parent } of found) found.push(...all.filter(one => one.parent === parent))
  return found
}

/** Those that run; one that has ended and was not collected yet does not. */
async function processes(): Promise<Process[]> {
  const text = await new Response(Bun.spawn(['ps', '-ww', '-eo', 'pid=,ppid=,stat=,args=']).stdout).text()
  return text.split('\n').flatMap(line => {
    const [, pid, parent, state = '', command = ''] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? []
    return pid && !state.startsWith('Z') ? { pid: Number(pid), parent: Number(parent), command } : []
  })
}
