// Ctrl+C while something is on its way to the desk: the person is told what became of it (decisions-2 §21, §23).
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { startCompany } from './desk.ts'
import { CTRL_C, runInPipe, runInTerminal, SOURCE, startInPipe } from './terminal.ts'

const company = await startCompany()
const { server, machine } = company
const { url, db } = server

/** Stands before the desk: what is held reaches it, and its answer waits. */
let held: { readonly call: RegExp; readonly came: () => void; readonly go: Promise<Response | undefined> } | null = null
const door = Bun.serve({
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const holding = held?.call.test(`${request.method} ${pathname}`) ? held : null
    const { method, headers } = request
    headers.delete('accept-encoding')
    const answer = await fetch(url + pathname + search, { method, headers, body: await request.bytes() })
    holding?.came()
    const other = await holding?.go
    return other?.clone() ?? answer
  },
})
afterAll(() => door.stop(true))
afterEach(() => {
  held = null
})

/** Holds the answers to a call; `came`: the desk has done it. */
function hold(call: RegExp) {
  const came = Promise.withResolvers<void>()
  const go = Promise.withResolvers<Response | undefined>()
  held = { call, came: came.resolve, go: go.promise }
  return { came: came.promise, go: (other?: Response) => go.resolve(other) }
}

/** Marina, signed in by the door. */
async function env() {
  const { profiles } = await Bun.file(machine.profiles).json()
  return { BALCAO_URL: door.url.origin, BALCAO_TOKEN: String(profiles.loja.token) }
}

/** What was said to the customer. */
async function listMessages(ticketId: number): Promise<string[]> {
  const rows = await db.$client<{ body: string }[]>`
    select body from message where ticket_id = ${ticketId} and from_me and media_type = 'chat' order by id`
  return rows.map(({ body }) => body)
}

function badGateway() {
  return new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })
}

test('whose answer nobody reads has not done what it was asked for: the exit status says so', async () => {
  const program = ['bash', '-c', 'set -o pipefail; "$@" | true', 'sh', ...SOURCE]
  expect((await runInPipe(machine, ['queues'], { program })).code).toBe(141)
})

describe('what was on its way is waited for', () => {
  test('and told as it would have been; the exit code says that it was stopped', async () => {
    const id = String(company.tickets.served)
    const answer = hold(/^POST \/messages/)
    using seen = runInTerminal(machine, ['tickets', 'answer', id, 'Já saiu'], { env: await env() })
    await answer.came
    seen.type(CTRL_C)
    await seen.until('Ctrl+C de novo')
    answer.go()
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([130, true])
    expect(seen.text()).toContain('✓ Na fila para sair')
    expect(await listMessages(company.tickets.served)).toEqual(['Já saiu'])
  })

  test('also for a program, which reads the answer', async () => {
    const answer = hold(/^POST \/messages/)
    const id = String(company.tickets.served)
    const child = startInPipe(machine, ['tickets', 'answer', id, 'Chegou?', '--json'], { env: await env() })
    await answer.came
    child.kill('SIGINT')
    const heard = new Response(child.stderr).text()
    answer.go()
    const report = JSON.parse(await new Response(child.stdout).text())
    expect([await child.exited, report.message.body]).toEqual([130, 'Chegou?'])
    for (const line of (await heard).split('\n').filter(each => each !== '')) JSON.parse(line)
  })

  test('a refusal is told as well', async () => {
    const answer = hold(/^POST \/messages/)
    using seen = runInTerminal(machine, ['tickets', 'answer', '1', 'Oi'], { env: await env() })
    await answer.came
    seen.type(CTRL_C)
    await seen.until('Ctrl+C de novo')
    answer.go(Response.json({ error: 'ERR_NO_PERMISSION' }, { status: 403 }))
    expect(await seen.ended()).toBe(130)
    expect(seen.text()).toMatch(/✗ \S/)
  })

  test('long work that has begun is told, and goes on', async () => {
    const answer = hold(/^POST \/contacts\/export/)
    using seen = runInTerminal(machine, ['export', 'contacts'], { env: await env() })
    await answer.came
    seen.type(CTRL_C)
    await seen.until('Ctrl+C de novo')
    answer.go()
    expect(await seen.ended()).toBe(130)
    expect(seen.text()).toMatch(/A tarefa \d+ continua no servidor/)
  })
})

describe('where no answer comes', () => {
  test('a second Ctrl+C ends at once and says that it may have been done', async () => {
    const answer = hold(/^POST \/messages/)
    const id = String(company.tickets.served)
    using seen = runInTerminal(machine, ['tickets', 'answer', id, 'Sem volta'], { env: await env(), columns: 40 })
    await answer.came
    seen.type(CTRL_C)
    await seen.until('Ctrl+C de')
    seen.type(CTRL_C)
    expect([await seen.ended(), seen.isAsBefore(), seen.overflows()]).toEqual([130, true, false])
    expect(seen.text().replace(/\s+/g, ' ')).toContain('pode ter sido feito')
    answer.go()
  })

  test('a broken line says the same', async () => {
    const answer = hold(/^POST \/messages/)
    using seen = runInTerminal(machine, ['tickets', 'answer', '1', 'Oi'], { env: await env() })
    await answer.came
    seen.type(CTRL_C)
    await seen.until('Ctrl+C de novo')
    answer.go(badGateway())
    expect(await seen.ended()).toBe(130)
    expect(seen.text().replace(/\s+/g, ' ')).toContain('pode ter sido feito')
  })

  test('without Ctrl+C: a text whose fate nobody knows is not called unsent', async () => {
    held = { call: /^POST \/messages/, came: () => undefined, go: Promise.resolve(badGateway()) }
    const id = String(company.tickets.served)
    const result = await runInPipe(machine, ['tickets', 'answer', id, 'Talvez'], { env: await env() })
    expect([result.code, result.out]).toEqual([1, ''])
    expect(result.err).toContain(
      `a mensagem pode ter sido enviada. Confira antes de repetir: balcao tickets show ${id}`,
    )
    // It was asked twice and said once.
    expect((await listMessages(company.tickets.served)).filter(body => body === 'Talvez')).toHaveLength(1)
  })
})

test('long work is followed past a restart of the desk', async () => {
  held = { call: /^GET \/jobs/, came: () => undefined, go: Promise.resolve(badGateway()) }
  using seen = runInTerminal(machine, ['export', 'contacts', 'depois.csv'], { env: await env(), columns: 40 })
  await seen.until('Sem resposta do Balcão; espero.')
  held = null
  expect([await seen.ended(), seen.overflows()]).toEqual([0, false])
  expect(seen.text()).toContain('✓ Salvo em depois.csv')
})

test('long work goes on where the sign-in was ended meanwhile, and that is said', async () => {
  const go = Promise.resolve(Response.json({ error: 'ERR_SESSION_EXPIRED' }, { status: 401 }))
  held = { call: /^GET \/jobs/, came: () => undefined, go }
  const { code, err } = await runInPipe(machine, ['export', 'contacts', 'longe.csv'], { env: await env() })
  expect(code).toBe(1)
  expect(err).toMatch(/A tarefa \d+ continua no servidor/)
})

test('without Ctrl+C: what changes something and gets no answer may have been done; what only looks has not', async () => {
  const readRefusal = async (call: RegExp, ...words: string[]) => {
    held = { call, came: () => undefined, go: Promise.resolve(badGateway()) }
    const { code, err } = await runInPipe(machine, words, { env: await env() })
    return [code, err.includes('pode ter sido feito')]
  }
  expect(await readRefusal(/^DELETE \/jobs/, 'jobs', 'cancel', '1')).toEqual([1, true])
  expect(await readRefusal(/^POST \/contacts\/export/, 'export', 'contacts', 'nada.csv')).toEqual([1, true])
  expect(await readRefusal(/^GET \/queue/, 'queues')).toEqual([1, false])
})

describe('nothing new is begun', () => {
  test('`send`: a conversation that was opened is told, and no message goes', async () => {
    const answer = hold(/^POST \/tickets/)
    const words = ['send', '31 97777-6666', 'Olá', '--queue', 'Vendas']
    using seen = runInTerminal(machine, words, { env: await env() })
    await answer.came
    seen.type(CTRL_C)
    await seen.until('Ctrl+C de novo')
    answer.go()
    expect(await seen.ended()).toBe(130)
    const id = Number(/conversa (\d+)/.exec(seen.text())?.[1])
    expect(seen.text()).toContain('Nada foi enviado')
    expect(await listMessages(id)).toEqual([])
    const [ticket] = await db.$client<{ status: string }[]>`select status from ticket where id = ${id}`
    expect(ticket?.status).toBe('open')
  })

  test('`send`: a message that is queued is told with its conversation', async () => {
    const answer = hold(/^POST \/messages/)
    using seen = runInTerminal(machine, ['send', '31 97777-6666', 'Olá'], { env: await env() })
    await answer.came
    seen.type(CTRL_C)
    await seen.until('Ctrl+C de novo')
    answer.go()
    expect(await seen.ended()).toBe(130)
    expect(seen.text()).toMatch(/✓ Na fila para .+ \(conversa \d+\)/)
  })

  test('what only looks is given up at once', async () => {
    const answer = hold(/^GET \/queue/)
    using seen = runInTerminal(machine, ['queues'], { env: await env() })
    await answer.came
    seen.type(CTRL_C)
    expect(await seen.ended()).toBe(130)
    expect(seen.text()).not.toContain('pode ter')
    answer.go()
  })
})
