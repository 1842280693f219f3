// The commands against the real server: in a terminal, in a pipe, and as JSON (decisions-2 §21, §23).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import { aPerson, emailOf, PASSWORD } from '../../backend/test/desk-world.ts'
import { until } from '../../backend/test/until.ts'
import { aCompany, enterAs } from './desk.ts'
import { aMachine, CTRL_C, inPipe, inTerminal, type Machine, startInPipe } from './terminal.ts'

const company = await aCompany()
const { server, machine } = company
const { url, db } = server
/** A second machine, on which nobody is signed in. */
let other: Machine

beforeAll(async () => {
  other = await aMachine()
})
afterAll(() => other.leave())

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`)
const say = (...words: string[]) => inPipe(machine, words)
const jsonOf = async (...words: string[]) => {
  const { out, err, code } = await say(...words, '--json')
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}

describe('signing in', () => {
  test('asks for what it needs, shows no password and keeps none; the token lies in a file for the person alone', async () => {
    using seen = inTerminal(other, ['login', url])
    await seen.until('E-mail:')
    seen.type(`${emailOf('Marina')}\r`)
    await seen.until('Senha:')
    seen.type(`${PASSWORD}x\u007f\r`)
    await seen.until(`✓ Marina entrou em ${url}`)
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([0, true])
    expect(seen.raw()).not.toContain(PASSWORD)
    const kept = await Bun.file(other.profiles).text()
    expect([(await stat(other.profiles)).mode & 0o777, kept.includes(PASSWORD)]).toEqual([0o600, false])
    expect((await inPipe(other, ['whoami'])).out).toContain(emailOf('Marina'))
    const { token } = JSON.parse(kept).profiles[new URL(url).host]
    // The session of the password has ended with the command.
    const devices = await db.$client`select terminal from refresh_token r join "user" u on u.id = r.user_id
      where u.name = 'Marina' and revoked_at is null and terminal is not null and terminal <> 'teste'`
    expect(devices).toHaveLength(1)
    expect((await inPipe(other, ['logout'])).code).toBe(0)
    const again = await inPipe(other, ['whoami'], { env: { BALCAO_URL: url, BALCAO_TOKEN: token } })
    expect([again.code, again.err]).toEqual([
      1,
      '✗ Esta entrada acabou ou foi encerrada. Entre de novo com: balcao login\n',
    ])
    expect((await inPipe(other, ['whoami'])).err).toContain('balcao login')
  }, 60_000)

  test('takes the password from the pipe, and says what is wrong with it', async () => {
    const words = ['login', url, '--email', emailOf('Diego'), '--password-stdin', '--json']
    const wrong = await inPipe(other, words, { input: 'errada\n' })
    expect([wrong.code, wrong.out, JSON.parse(wrong.err).error]).toEqual([1, '', 'ERR_INVALID_CREDENTIALS'])
    const right = await inPipe(other, words, { input: `${PASSWORD}\n` })
    expect([right.code, JSON.parse(right.out)]).toEqual([0, { url, user: 'Diego', profile: new URL(url).host }])
    expect((await inPipe(other, ['login', url], { input: PASSWORD })).code).toBe(2)
  }, 60_000)

  test('decisions-2 §23 `--print-token`: a program is given it once and takes it again and again, until it is ended', async () => {
    const words = ['login', url, '--email', emailOf('Marina'), '--password-stdin', '--print-token']
    const token = (await inPipe(other, words, { input: PASSWORD })).out.trim()
    const env = { BALCAO_URL: url, BALCAO_TOKEN: token }
    const several = await Promise.all([1, 2, 3].map(() => inPipe(other, ['queues'], { env })))
    expect(several.map(({ code, err }) => `${code}${err}`)).toEqual(['0', '0', '0'])
    const { devices } = JSON.parse((await inPipe(other, ['devices', '--json'], { env })).out)
    const { id } = devices.find((each: { current: boolean }) => each.current)
    expect((await say('devices', 'end', id)).code).toBe(0)
    const ended = await inPipe(other, ['queues', '--json'], { env })
    expect([ended.code, JSON.parse(ended.err).error]).toEqual([1, 'ERR_SESSION_EXPIRED'])
  }, 60_000)
})

describe('what is wrong is told', () => {
  test('in the language of LANG, with exit code 1, and as JSON for programs', async () => {
    await aPerson(db, { name: 'Paula', profile: 'user' })
    const paulas = await aMachine()
    await enterAs(server, paulas, 'Paula')
    await db.$client`update "user" set active = false where name = 'Paula'`
    const told = await Promise.all(
      ['pt_BR.UTF-8', 'en_US.UTF-8', 'es_ES.UTF-8'].map(LANG => inPipe(paulas, ['queues'], { env: { LANG } })),
    )
    expect(told.map(({ code, out, err }) => [code, out, err])).toEqual([
      [1, '', '✗ Seu usuário foi desativado. Acesso temporariamente bloqueado.\n'],
      [1, '', '✗ Your user was deactivated. Access is blocked for now.\n'],
      [1, '', expect.stringMatching(/^✗ .+\n$/)],
    ])
    const { err } = await inPipe(paulas, ['queues', '--json'])
    expect(JSON.parse(err).error).toBe('ERR_USER_NO_ACTIVE')
    await paulas.leave()
  }, 60_000)

  test('a desk that does not answer is named', async () => {
    const env = { BALCAO_URL: 'http://127.0.0.1:9', BALCAO_TOKEN: 'x' }
    const { code, err } = await inPipe(machine, ['queues'], { env })
    expect([code, err]).toEqual([1, '✗ O Balcão em http://127.0.0.1:9 não respondeu. Confira o endereço e a rede.\n'])
  })

  test('wrong use ends with 2, before anybody is asked', async () => {
    const used = await Promise.all([
      say('telefonar'),
      say('tickets', 'list', '--status', 'perdido'),
      say('tickets', 'show', 'doze'),
      say('report', 'tickets'),
      say('import', 'contacts', 'nao-existe.csv', '--yes'),
      say('tickets'),
    ])
    expect(used.map(({ code, out }) => [code, out])).toEqual(used.map(() => [2, '']))
    expect(used[0]?.err).toBe('✗ Não há o comando telefonar.\n  Ajuda: balcao --help\n')
  }, 60_000)

  test('what a profile may not do is refused by the server', async () => {
    const diegos = await aMachine()
    await enterAs(server, diegos, 'Diego')
    const refused = await Promise.all([inPipe(diegos, ['logs', '--json']), inPipe(diegos, ['pair', 'Loja'])])
    expect(refused.map(({ code }) => code)).toEqual([1, 1])
    expect(JSON.parse(refused[0]?.err ?? '').error).toBe('ERR_NO_PERMISSION')
    await diegos.leave()
  }, 60_000)
})

describe('lists', () => {
  test('each is one JSON document with `--json`', async () => {
    expect(await jsonOf('whoami')).toMatchObject({ name: 'Marina', profile: 'admin', queues: ['Financeiro', 'Vendas'] })
    expect((await jsonOf('queues')).queues.map((queue: { name: string }) => queue.name).sort()).toEqual([
      'Financeiro',
      'Vendas',
    ])
    const people = (await jsonOf('users')).users
    expect(people).toContainEqual(expect.objectContaining({ name: 'Diego', email: emailOf('Diego') }))
    const waiting = await jsonOf('tickets', 'list', '--status', 'pending', '--queue', 'financeiro')
    expect(waiting).toMatchObject({ tickets: [{ id: company.tickets.waiting, unreadMessages: 2 }], hasMore: false })
    const shown = await jsonOf('tickets', 'show', String(company.tickets.served))
    expect(shown.messages[0].body).toContain('\u001b[31mvermelho')
    expect((await jsonOf('profiles')).profiles).toMatchObject([{ name: 'loja', current: true }])
    expect((await jsonOf('jobs')).jobs).toEqual([])
    expect((await jsonOf('logs')).logs).toBeArray()
    const down = await say('connections', '--json')
    // As a probe would read it: something is down.
    expect([down.code, JSON.parse(down.out).connections[0].name]).toEqual([1, 'Loja Centro'])
    const sick = await say('doctor', '--json')
    expect(sick.code).toBe(1)
    expect(JSON.parse(sick.out).findings).toContainEqual(
      expect.objectContaining({ code: 'connection.down', level: 'warning' }),
    )
  }, 60_000)

  test('in a pipe they are plain words in rows, and nothing is cut', async () => {
    const { out } = await say('tickets', 'list')
    expect(out).not.toContain('\u001b')
    expect(out).toContain('Padaria ]0;invadidoEstrela')
    expect(out.split('\n')[0]).toMatch(/^CONTATO +ESTADO +FILA +ATENDENTE +ÚLTIMA MENSAGEM +QUANDO +NOVAS +id$/)
  })

  test('what customers write steers no terminal', async () => {
    using seen = inTerminal(machine, ['tickets', 'show', String(company.tickets.served)])
    expect(await seen.ended()).toBe(0)
    expect(seen.text()).toContain('O pedido [31mvermelho[0m já saiu?')
    expect(seen.raw()).not.toContain('\u001b]0;')
    expect(seen.raw()).not.toContain('\u001b[31m')
  })

  test('are coloured in a terminal, and not with NO_COLOR', async () => {
    using coloured = inTerminal(machine, ['queues'])
    using plain = inTerminal(machine, ['queues'], { env: { NO_COLOR: '1' } })
    expect([await coloured.ended(), await plain.ended()]).toEqual([0, 0])
    expect([coloured.raw().includes('\u001b[1m'), COLOUR.test(plain.raw())]).toEqual([true, false])
    expect(coloured.text()).toBe(plain.text())
  })

  test('fit 40 columns, and so does the help', async () => {
    for (const words of [
      ['queues'],
      ['users'],
      ['connections'],
      ['tickets', 'list'],
      ['tickets', 'show', String(company.tickets.served)],
      ['devices'],
      ['doctor'],
      ['--help'],
      ['report', '--help'],
    ]) {
      using seen = inTerminal(machine, words, { columns: 40, rows: 60 })
      await seen.ended()
      expect({ words, overflows: seen.overflows() }).toEqual({ words, overflows: false })
    }
  }, 60_000)

  test('the help is in the reader’s language', async () => {
    const [pt, en] = await Promise.all([say('--help'), inPipe(machine, ['--help'], { env: { LANG: 'en_GB' } })])
    expect(pt.out).toStartWith('Uso: balcao [opções] [comando]')
    expect(en.out).toStartWith('Usage: balcao [options] [command]')
    expect([pt.out.includes('complete '), pt.code]).toEqual([false, 0])
  })
})

describe('conversations', () => {
  test('are answered from arguments and from the pipe; a comment stays inside', async () => {
    const id = String(company.tickets.served)
    expect(await jsonOf('tickets', 'answer', id, 'Já saiu sim!')).toMatchObject({
      message: { body: 'Já saiu sim!', fromMe: true },
    })
    const piped = await inPipe(machine, ['tickets', 'answer', id, '--comment', '--json'], { input: 'ligar\namanhã\n' })
    expect(JSON.parse(piped.out)).toMatchObject({ message: { body: 'ligar\namanhã', mediaType: 'comment' } })
    expect((await inPipe(machine, ['tickets', 'answer', id], { input: ' \n' })).code).toBe(2)
    const [entry] = await db.$client`select count(*)::int as n from message where ticket_id = ${company.tickets.served}`
    expect(entry?.n).toBe(3)
  }, 60_000)

  test('`send` goes into the live conversation with a number, or begins one of one’s own', async () => {
    const marina = await server.as('Marina')
    await marina.call('POST', '/contacts', { name: 'Ana Prado', number: '5531988887777' })
    const unsaid = await say('send', '31 98888-7777', 'Olá')
    expect([unsaid.code, unsaid.err]).toEqual([2, expect.stringContaining('--queue: Financeiro, Vendas')])
    const first = await jsonOf('send', '31 98888-7777', 'Olá', '--queue', 'vendas')
    const again = await jsonOf('send', '+55 31 8888-7777', 'Tudo bem?')
    expect(first.ticket).toMatchObject({ status: 'open', queue: { name: 'Vendas' }, contact: { name: 'Ana Prado' } })
    expect([again.ticket.id, again.message.body]).toEqual([first.ticket.id, 'Tudo bem?'])
  }, 60_000)

  test('are watched: a line of JSON each, until Ctrl+C, which ends with 130', async () => {
    const marina = await server.as('Marina')
    const child = startInPipe(machine, ['tickets', 'watch', '--queue', 'Financeiro', '--json'])
    let heard = ''
    const reading = (async () => {
      for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) heard += part
    })()
    // Nothing says that the line stands: something is changed until it is heard.
    let turn = 0
    await until(
      'the change is heard',
      async () => {
        turn += 1
        const status = turn % 2 === 1 ? 'open' : 'pending'
        await marina.call('PUT', `/tickets/${company.tickets.waiting}`, { status })
        await Bun.sleep(200)
        return heard !== ''
      },
      30_000,
    )
    child.kill('SIGINT')
    await reading
    expect(await child.exited).toBe(130)
    const lines = heard
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines[0]).toMatchObject({ event: 'ticket', ticket: { id: company.tickets.waiting } })
  }, 60_000)
})

test('who is deactivated watches no longer: the command ends by itself and says why', async () => {
  await aPerson(db, { name: 'Elisa', profile: 'user' })
  const elisas = await aMachine()
  await enterAs(server, elisas, 'Elisa')
  using seen = inTerminal(elisas, ['tickets', 'watch'])
  await seen.until('Acompanhando')
  const marina = await server.as('Marina')
  const [elisa] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Elisa'`
  expect((await marina.call('PUT', `/users/${elisa?.id}`, { active: false })).status).toBe(200)
  await seen.until('Seu usuário foi desativado.')
  expect([await seen.ended(), seen.isAsBefore()]).toEqual([1, true])
  await elisas.leave()
}, 60_000)

describe('Ctrl+C at every step leaves the terminal as it was and ends with 130', () => {
  test.each([
    [['login'], 'Endereço do Balcão:', ''],
    [['login', url], 'E-mail:', 'marina'],
    [['login', url, '--email', emailOf('Marina')], 'Senha:', 'meia senha'],
    [['tickets', 'watch'], 'Acompanhando', ''],
    [['tickets', 'answer', '1'], 'Texto:', 'meio texto'],
  ])('%j at “%s”', async (words, shown, typed) => {
    using seen = inTerminal(machine, words)
    await seen.until(shown)
    seen.type(typed)
    seen.type(CTRL_C)
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([130, true])
  })
})

test('a bash with the script of `completion` offers commands and options', async () => {
  const { out: script } = await say('completion', 'bash')
  const balcao = `balcao() { ${process.execPath} ${import.meta.dir}/../src/main.ts "$@"; }`
  const lines = [balcao, script, 'COMP_WORDS=(balcao tickets l); COMP_CWORD=2; _balcao; echo "$COMPREPLY"']
  const shell = Bun.spawn(['bash', '-c', lines.join('\n')], { env: machine.env, stdout: 'pipe' })
  expect((await new Response(shell.stdout).text()).trim()).toBe('list')
})
