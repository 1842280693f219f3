// Signing in and out by the terminal, and what is said when something is wrong.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resumeSession } from '@balcao/client/session'
import { makePerson, PASSWORD, toEmail } from '../../backend/test/desk-world.ts'
import { takeRounds } from '../../backend/test/rounds.ts'
import { enterAs } from './desk.ts'
import { startDeskCompany } from './desk-company.ts'
import { createMachine, runInPipe, runInTerminal } from './terminal.ts'

const { server, machine, url, db, other, say } = await startDeskCompany()

describe('signing in', () => {
  test('asks for what it needs, shows no password and keeps none; the token lies in a file for the person alone', async () => {
    using seen = runInTerminal(other, ['login', url])
    await seen.until('E-mail:')
    seen.type(`${toEmail('Marina')}\r`)
    await seen.until('Senha:')
    seen.type(`${PASSWORD}x\u007f\r`)
    await seen.until(`✓ Marina entrou em ${url}`)
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([0, true])
    expect(seen.raw()).not.toContain(PASSWORD)
    const before = await Bun.file(other.profiles).text()
    expect([(await stat(other.profiles)).mode & 0o777, before.includes(PASSWORD)]).toEqual([0o600, false])
    expect((await runInPipe(other, ['whoami'])).out).toContain(toEmail('Marina'))
    const { token } = JSON.parse(before).profiles[new URL(url).host]
    // The session of the password has ended with the command.
    const devices = await db.$client`select terminal from refresh_token r join "user" u on u.id = r.user_id
      where u.name = 'Marina' and revoked_at is null and terminal is not null and terminal <> 'teste'`
    expect(devices).toHaveLength(1)
    expect((await runInPipe(other, ['logout'])).code).toBe(0)
    const again = await runInPipe(other, ['whoami'], { env: { BALCAO_URL: url, BALCAO_TOKEN: token } })
    expect([again.code, again.err]).toEqual([
      1,
      `✗ A chave de BALCAO_TOKEN não vale em ${url}. Outra: balcao login ${url} --print-token\n`,
    ])
    expect((await runInPipe(other, ['whoami'])).err).toContain('balcao login')
  })

  test('takes the password from the pipe, and says what is wrong with it', async () => {
    const words = ['login', url, '--email', toEmail('Diego'), '--password-stdin', '--json']
    const wrong = await runInPipe(other, words, { input: 'errada\n' })
    expect([wrong.code, wrong.out, JSON.parse(wrong.err).error]).toEqual([1, '', 'ERR_INVALID_CREDENTIALS'])
    const right = await runInPipe(other, words, { input: `${PASSWORD}\n` })
    expect([right.code, JSON.parse(right.out)]).toEqual([0, { url, user: 'Diego', profile: new URL(url).host }])
    expect((await runInPipe(other, ['login', url], { input: PASSWORD })).code).toBe(2)
    const aside = await runInPipe(other, [...words, '--profile', 'segunda'], { input: `${PASSWORD}\n` })
    expect([aside.code, JSON.parse(aside.out).profile]).toEqual([0, 'segunda'])
    const { current, profiles } = await Bun.file(other.profiles).json()
    expect([current, Object.keys(profiles).sort()]).toEqual([new URL(url).host, [new URL(url).host, 'segunda'].sort()])
  })

  test.skipIf(!existsSync('/proc/self'))('leaves no token on the desk where it cannot be kept', async () => {
    const tokens = () => db.$client`select id from refresh_token where revoked_at is null order by id`
    const before = await tokens()
    const words = ['login', url, '--email', toEmail('Marina'), '--password-stdin']
    const env = { XDG_CONFIG_HOME: '/proc/nowhere' }
    const { code, err } = await runInPipe(other, words, { env, input: PASSWORD })
    expect(code).toBe(1)
    expect(err).toContain('/proc/nowhere/balcao/profiles.json não pode ser usado: não existe (ENOENT).')
    expect(await tokens()).toEqual(before)
  })

  test('decisions-2 §23 `--print-token`: a program is given it once and takes it again and again, until it is ended', async () => {
    const words = ['login', url, '--email', toEmail('Marina'), '--password-stdin', '--print-token']
    const token = (await runInPipe(other, words, { input: PASSWORD })).out.trim()
    const env = { BALCAO_URL: url, BALCAO_TOKEN: token }
    const several = await Promise.all([1, 2, 3].map(() => runInPipe(other, ['queues'], { env })))
    expect(several.map(({ code, err }) => `${code}${err}`)).toEqual(['0', '0', '0'])
    const { devices } = JSON.parse((await runInPipe(other, ['devices', '--json'], { env })).out)
    const { id } = devices.find((each: { current: boolean }) => each.current)
    expect((await say('devices', 'end', id)).code).toBe(0)
    const ended = await runInPipe(other, ['queues', '--json'], { env })
    expect([ended.code, JSON.parse(ended.err).error]).toEqual([1, 'ERR_SESSION_EXPIRED'])
  })
})

describe('what is wrong is told', () => {
  test('in the language of LANG, with exit code 1, and as JSON for programs', async () => {
    await makePerson(db, { name: 'Paula', profile: 'user' })
    const paulas = await createMachine()
    await enterAs(server, paulas, 'Paula')
    await db.$client`update "user" set active = false where name = 'Paula'`
    const answers = await Promise.all(
      ['pt_BR.UTF-8', 'en_US.UTF-8', 'es_ES.UTF-8'].map(LANG => runInPipe(paulas, ['queues'], { env: { LANG } })),
    )
    expect(answers.map(({ code, out, err }) => [code, out, err])).toEqual([
      [1, '', '✗ Seu usuário foi desativado. Acesso temporariamente bloqueado.\n'],
      [1, '', '✗ Your user was deactivated. Access is blocked for now.\n'],
      [1, '', expect.stringMatching(/^✗ .+\n$/)],
    ])
    const { err } = await runInPipe(paulas, ['queues', '--json'])
    expect(JSON.parse(err).error).toBe('ERR_USER_NO_ACTIVE')
    await paulas.leave()
  })

  test('an address where something else answers, or nothing for long, is no desk', async () => {
    const page = Bun.serve({
      port: 0,
      fetch: () => new Response('<h1>nginx</h1>', { headers: { 'content-type': 'text/html' } }),
    })
    const data = Bun.serve({ port: 0, fetch: ({ method }) => Response.json({ status: 'ok', method }) })
    const gone = Bun.serve({ port: 0, fetch: () => new Response('404 page not found', { status: 404 }) })
    const other = Bun.serve({ port: 0, fetch: () => Response.json({ error: 'Method not allowed' }, { status: 405 }) })
    const list = Bun.serve({ port: 0, fetch: () => Response.json(null) })
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    for (const { url } of takeRounds([page, data, gone, other, list], 2)) {
      const env = { BALCAO_URL: url.origin, BALCAO_TOKEN: 'x' }
      for (const words of [['queues'], ['login', url.origin, '--email', 'a@b.example', '--password-stdin']]) {
        const { code, out, err } = await runInPipe(machine, words, { env, input: 'senha' })
        const sentence = expect.stringMatching(/^✗ O Balcão em \S+ não respondeu\. Confira o endereço e a rede\.\n$/)
        expect([words[0], code, out, err]).toEqual([words[0], 1, '', sentence])
      }
    }
    await expect(resumeSession(`http://127.0.0.1:${silent.port}`, 'x', { patienceMs: 50 })).rejects.toMatchObject({
      code: 'OFFLINE',
    })
    silent.stop(true)
    for (const server of [page, data, gone, other, list]) await server.stop(true)
  })

  test('a desk that does not answer is named', async () => {
    const env = { BALCAO_URL: 'http://127.0.0.1:9', BALCAO_TOKEN: 'x' }
    const { code, err } = await runInPipe(machine, ['queues'], { env })
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
  })

  test('what a profile may not do is refused by the server', async () => {
    const diegos = await createMachine()
    await enterAs(server, diegos, 'Diego')
    const refused = await Promise.all([runInPipe(diegos, ['logs', '--json']), runInPipe(diegos, ['pair', 'Loja'])])
    expect(refused.map(({ code }) => code)).toEqual([1, 1])
    expect(JSON.parse(refused[0]?.err ?? '').error).toBe('ERR_NO_PERMISSION')
    await diegos.leave()
  })
})

describe('signing in again', () => {
  test('ends the token that was there before: nobody holds it any more', async () => {
    const words = ['login', url, '--email', toEmail('Diego'), '--password-stdin', '--json']
    const enter = async () => {
      expect((await runInPipe(other, words, { input: PASSWORD })).code).toBe(0)
      return JSON.parse(await Bun.file(other.profiles).text()).profiles[new URL(url).host].token
    }
    const [first, second] = [await enter(), await enter()]
    const runWhoami = (token: string) => runInPipe(other, ['whoami'], { env: { BALCAO_URL: url, BALCAO_TOKEN: token } })
    const [ended, good] = [await runWhoami(first), await runWhoami(second)]
    expect([ended.code, good.code]).toEqual([1, 0])
    expect(ended.err).toBe(`✗ A chave de BALCAO_TOKEN não vale em ${url}. Outra: balcao login ${url} --print-token\n`)
  })
})
