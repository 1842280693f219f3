// The desk in the terminal: lists, conversations, completion, privacy.
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import type { Ticket } from '@balcao/contract'
import { DATA_KEY, makeContact, makePerson, toEmail } from '../../backend/test/desk-world.ts'
import { takeRounds } from '../../backend/test/rounds.ts'
import { waitUntil } from '../../backend/test/until.ts'
import usersEn from '../locales/users/en.json'
import usersEs from '../locales/users/es.json'
import usersPt from '../locales/users/pt.json'
import { enterAs } from './desk.ts'
import { startDeskCompany } from './desk-company.ts'
import { CTRL_C, createMachine, runInPipe, runInTerminal, SOURCE, startInPipe } from './terminal.ts'

const { company, server, machine, url, db, COLOUR, say } = await startDeskCompany()

const readJson = async (...words: string[]) => {
  const { out, err, code } = await say(...words, '--json')
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}

describe('lists', () => {
  test('each is one JSON document with `--json`', async () => {
    expect(await readJson('whoami')).toMatchObject({
      name: 'Marina',
      profile: 'admin',
      queues: ['Financeiro', 'Vendas'],
    })
    expect((await readJson('queues')).queues.map((queue: { name: string }) => queue.name).sort()).toEqual([
      'Financeiro',
      'Vendas',
    ])
    const people = (await readJson('users')).users
    expect(people).toContainEqual(expect.objectContaining({ name: 'Diego', email: toEmail('Diego') }))
    const waiting = await readJson('tickets', 'list', '--status', 'pending', '--queue', 'financeiro')
    expect(waiting).toMatchObject({ tickets: [{ id: company.tickets.waiting, unreadMessages: 2 }], hasMore: false })
    const shown = await readJson('tickets', 'show', String(company.tickets.served))
    expect(shown.messages[0].body).toContain('\u001b[31mvermelho')
    const today = ['search', 'vermelho', '--kind', 'text', '--status', 'open', '--when', 'últimos 2 dias']
    expect(await readJson(...today)).toMatchObject({ messages: [{ ticketId: company.tickets.served }], hasMore: false })
    expect((await readJson(...today.slice(0, -1), 'ano passado')).messages).toEqual([])
    expect((await say('search', '--when', 'qualquer dia')).code).toBe(2)
    expect((await readJson('profiles')).profiles).toMatchObject([{ name: 'loja', current: true }])
    expect((await readJson('jobs')).jobs).toEqual([])
    expect((await readJson('logs')).logs).toBeArray()
    const down = await say('connections', '--json')
    // As a probe would read it: something is down.
    expect([down.code, JSON.parse(down.out).connections[0].name]).toEqual([1, 'Loja Centro'])
    const sick = await say('doctor', '--json')
    expect(sick.code).toBe(1)
    expect(JSON.parse(sick.out).findings).toContainEqual(
      expect.objectContaining({ code: 'connection.down', level: 'warning' }),
    )
  })

  test('the log says of how many entries it shows the newest, also of what is searched in the words of the reader', async () => {
    await db.$client`insert into log_entry (action, origem, params, created_at)
      select 'queue.update', 'queue', '{}', now() - n * interval '1 minute' from generate_series(1, 66) n`
    const { logs, count, hasMore } = await readJson('logs', 'fila alterada')
    expect([logs.length, count, hasMore]).toEqual([20, 66, true])
    expect((await say('logs', 'fila alterada', '--limit', '60')).err).toContain('60 de 66: use --limit.')
    const english = await runInPipe(machine, ['logs', 'queue changed', '--limit', '100', '--json'], {
      env: { LANG: 'en' },
    })
    expect(JSON.parse(english.out)).toMatchObject({ count: 66, hasMore: false })
    await db.$client`insert into log_entry (action, origem, params, created_at)
      select 'queue.update', 'queue', '{}', now() from generate_series(1, 1000) n`
    expect((await say('logs', 'fila alterada')).err).toContain('20 de 1.000 ou mais: use --limit.')
    await db.$client`delete from log_entry where action = 'queue.update'`
  })

  test('in a pipe they are plain words in rows, and nothing is cut', async () => {
    const { out } = await say('tickets', 'list')
    expect(out).not.toContain('\u001b')
    expect(out).toContain('Padaria ]0;invadidoEstrela')
    expect(out.split('\n')[0]).toMatch(/^CONTATO +ESTADO +FILA +ATENDENTE +ÚLTIMA MENSAGEM +QUANDO +NOVAS +id$/)
  })

  test('a conversation is shown from a day on, and what stands on the card of a link', async () => {
    const id = String(company.tickets.served)
    const link = { address: 'https://loja.example/promo', title: 'Promo\u001b[2Jção' }
    await db.$client`update message set details = ${JSON.stringify({ link })}::text::jsonb where ticket_id = ${company.tickets.served}`
    expect((await say('tickets', 'show', id, '--when', 'ontem')).out).toMatch(/↗ Promo.*ção · loja\.example/)
    expect((await say('tickets', 'show', id, '--when', 'qualquer dia')).code).toBe(2)
    await db.$client`update message set details = null where ticket_id = ${company.tickets.served}`
  })

  test('what customers write steers no terminal', async () => {
    using seen = runInTerminal(machine, ['tickets', 'show', String(company.tickets.served)])
    expect(await seen.ended()).toBe(0)
    expect(seen.text()).toContain('O pedido [31mvermelho[0m já saiu?')
    expect(seen.raw()).not.toContain('\u001b]0;')
    expect(seen.raw()).not.toContain('\u001b[31m')
  })

  test('nor does a name at the privacy desk, however long it is', async () => {
    const [row] = await server.db.$client<{ id: number }[]>`select id from contact where name like 'Padaria%'`
    const id = String(row?.id)
    const long = await makeContact(server.db, `Rosa\u202e\u001b[2J ${'de Oliveira '.repeat(12)}`)
    for (const command of [
      ['show', id],
      ['show', String(long)],
      ['find', 'padaria'],
    ]) {
      using seen = runInTerminal(machine, ['privacy', ...command])
      expect(await seen.ended()).toBe(0)
      expect(['\u001b]0;', '\u202e', '\u001b[2J'].filter(each => seen.raw().includes(each))).toEqual([])
      expect(seen.overflows()).toBe(false)
    }
    await server.db.$client`delete from contact where id = ${long}`
  })

  test('are coloured in a terminal, and not with NO_COLOR', async () => {
    using coloured = runInTerminal(machine, ['queues'])
    using plain = runInTerminal(machine, ['queues'], { env: { NO_COLOR: '1' } })
    expect([await coloured.ended(), await plain.ended()]).toEqual([0, 0])
    expect([coloured.raw().includes('\u001b[1m'), COLOUR.test(plain.raw())]).toEqual([true, false])
    expect(coloured.text()).toBe(plain.text())
  })

  test('fit 40 columns, and so does the help', async () => {
    const commands = [
      ['queues'],
      ['users'],
      ['connections'],
      ['connections', 'Loja'],
      ['tickets', 'list'],
      ['tickets', 'show', String(company.tickets.served)],
      ['devices'],
      ['tokens'],
      ['doctor'],
      ['--help'],
      ['report', '--help'],
      ['privacy', '--help'],
      // What is wrong, too.
      ['send', '12', 'Oi'],
      ['privacy', 'undo', '999'],
      ['tickets', 'list', '--uma-opcao-que-nao-existe'],
    ]
    for (const words of takeRounds(commands, 5)) {
      using seen = runInTerminal(machine, words, { columns: 40, rows: 60 })
      await seen.ended()
      expect({ words, overflows: seen.overflows() }).toEqual({ words, overflows: false })
    }
  })

  test('an English help fits 40 columns as well', async () => {
    using seen = runInTerminal(machine, ['tickets', '--help'], { columns: 40, rows: 60, env: { LANG: 'en_GB' } })
    await seen.ended()
    expect(seen.overflows()).toBe(false)
  })

  test.skipIf(!existsSync('/dev/full'))('that could not be written are failures', async () => {
    for (const words of ['queues', 'queues --json', 'completion bash']) {
      const command = `${SOURCE.join(' ')} ${words} > /dev/full`
      const { err, code } = await runInPipe(machine, [], { program: ['sh', '-c', command] })
      expect([words, code]).toEqual([words, 1])
      expect(err).toContain('A resposta não pôde ser escrita: não há espaço (ENOSPC).')
    }
  })

  test('the help is in the reader’s language', async () => {
    const [pt, en] = await Promise.all([say('--help'), runInPipe(machine, ['--help'], { env: { LANG: 'en_GB' } })])
    expect(pt.out).toStartWith('Uso: balcao [opções] [comando]')
    expect(en.out).toStartWith('Usage: balcao [options] [command]')
    expect([pt.out.includes('complete '), pt.code]).toEqual([false, 0])
  })
})

describe('conversations', () => {
  test('are answered from arguments and from the pipe; a comment stays inside', async () => {
    const id = String(company.tickets.served)
    expect(await readJson('tickets', 'answer', id, 'Já saiu sim!')).toMatchObject({
      message: { body: 'Já saiu sim!', fromMe: true },
    })
    const piped = await runInPipe(machine, ['tickets', 'answer', id, '--comment', '--json'], {
      input: 'ligar\namanhã\n',
    })
    expect(JSON.parse(piped.out)).toMatchObject({ message: { body: 'ligar\namanhã', mediaType: 'comment' } })
    expect((await runInPipe(machine, ['tickets', 'answer', id], { input: ' \n' })).code).toBe(2)
    const [entry] = await db.$client`select count(*)::int as n from message where ticket_id = ${company.tickets.served}`
    expect(entry?.n).toBe(3)
  })

  test('what is pasted into the question is sent whole, whatever line breaks are in it', async () => {
    const id = String(company.tickets.served)
    using seen = runInTerminal(machine, ['tickets', 'answer', id])
    await seen.until('Texto:')
    await waitUntil('pastes are marked', () => seen.raw().includes('\u001b[?2004h'))
    seen.type('\u001b[200~Segue o orçamento:\r- dois pneus\r- uma câ')
    seen.type('mara\u001b[201')
    seen.type('~ ok\r')
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([0, true])
    const [last] = await db.$client`
      select body from message where ticket_id = ${company.tickets.served} order by seq desc limit 1`
    expect(last?.body).toBe('Segue o orçamento:\n- dois pneus\n- uma câmara ok')
  })

  test('a colleague is asked in by name, finds the conversation in the list of what they follow, and leaves', async () => {
    const id = String(company.tickets.served)
    const answer = await say('tickets', 'ask-in', id, 'dieg')
    expect([answer.code, answer.out, answer.err]).toEqual([0, '✓ Diego acompanha a conversa\n', ''])
    const diego = await server.as('Diego')
    expect((await diego.call<Ticket[]>('GET', '/tickets/followed')).body.map(ticket => ticket.id)).toEqual([Number(id)])
    await readJson('tickets', 'ask-in', String(company.tickets.waiting), 'Marina')
    const followed = async () => (await readJson('tickets', 'list', '--followed')).tickets.map(({ id }: Ticket) => id)
    expect(await followed()).toEqual([company.tickets.waiting])
    expect((await say('tickets', 'list', '--followed', '--late')).code).toBe(2)
    // What is for the team alone does not look sent.
    expect((await say('tickets', 'show', id)).out).toMatch(/ · Marina\n {2}Marina chamou Diego/)
    expect((await say('tickets', 'leave', String(company.tickets.waiting))).code).toBe(0)
    expect(await followed()).toEqual([])
    const [row] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Diego'`
    await diego.call('DELETE', `/tickets/${id}/followers/${row?.id}`)
    expect((await say('tickets', 'ask-in', id, 'Zé')).code).toBe(2)
  })

  test('a conversation that is not in service takes no answer, and it is said so', async () => {
    const sent = await say('tickets', 'answer', String(company.tickets.waiting), 'Oi')
    expect([sent.code, sent.err]).toEqual([1, '✗ Nada foi enviado: a conversa não está em atendimento.\n'])
  })

  test('`send` goes into the live conversation with a number, or begins one of one’s own', async () => {
    const marina = await server.as('Marina')
    await marina.call('POST', '/contacts', { name: 'Ana Prado', number: '5531988887777' })
    const unsaid = await say('send', '31 98888-7777', 'Olá')
    expect([unsaid.code, unsaid.err]).toEqual([2, expect.stringContaining('--queue: Financeiro, Vendas')])
    const first = await readJson('send', '31 98888-7777', 'Olá', '--queue', 'vendas')
    const again = await readJson('send', '+55 31 8888-7777', 'Tudo bem?')
    expect(first.ticket).toMatchObject({ status: 'open', queue: { name: 'Vendas' }, contact: { name: 'Ana Prado' } })
    expect([again.ticket.id, again.message.body]).toEqual([first.ticket.id, 'Tudo bem?'])
  })

  test('`send` makes nothing where it is used wrongly: no such queue, none named, no number of a phone', async () => {
    const contacts = () => db.$client`select id from contact order by id`
    const before = await contacts()
    const wrong = [
      ['31 96666-5555', 'Olá', '--queue', 'Compras'],
      ['31 96666-5555', 'Olá'],
      ['9'.repeat(24), 'Olá', '--queue', 'Vendas'],
    ]
    for (const words of wrong) expect((await runInPipe(machine, ['send', ...words])).code).toBe(2)
    expect(await contacts()).toEqual(before)
  })

  test('are watched: a line of JSON each, until Ctrl+C, which ends with 130', async () => {
    const marina = await server.as('Marina')
    const child = startInPipe(machine, ['tickets', 'watch', '--queue', 'Financeiro', '--json'])
    let heard = ''
    const reading = (async () => {
      for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) heard += part
    })()
    // Nothing says that the line stands: something is changed until it is heard.
    let turn = 0
    await waitUntil(
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
  })
})

test('what is watched stays within a narrow terminal, broken between words', async () => {
  using seen = runInTerminal(machine, ['tickets', 'watch'], { columns: 40, rows: 20 })
  const marina = await server.as('Marina')
  await waitUntil(
    'a long message is shown',
    async () => {
      const body = `O pedido \u001b[2Jsai ${Math.random()} hoje à tarde`
      await marina.call('POST', `/messages/${company.tickets.served}`, { body })
      await Bun.sleep(300)
      return seen.text().includes('tarde')
    },
    30_000,
  )
  expect(seen.overflows()).toBe(false)
  expect(seen.text()).toMatch(/\n {2}#\d+ em atendimento · Vendas · Marina\n {2}→ O pedido \[2Jsai/)
  seen.type(CTRL_C)
  expect(await seen.ended()).toBe(130)
})

test('who is there, away or not there is called differently in every language', () => {
  for (const { now } of [usersPt, usersEn, usersEs]) {
    const words = Object.values(now)
    expect(new Set(words).size).toBe(words.length)
  }
})

test('who is deactivated watches no longer: the command ends by itself and says why', async () => {
  await makePerson(db, { name: 'Elisa', profile: 'user' })
  const elisas = await createMachine()
  await enterAs(server, elisas, 'Elisa')
  using seen = runInTerminal(elisas, ['tickets', 'watch'])
  await seen.until('Acompanhando')
  const marina = await server.as('Marina')
  const [elisa] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Elisa'`
  expect((await marina.call('PUT', `/users/${elisa?.id}`, { active: false })).status).toBe(200)
  await seen.until('Seu usuário foi desativado.')
  expect([await seen.ended(), seen.isAsBefore()]).toEqual([1, true])
  await elisas.leave()
})

describe('Ctrl+C at every step leaves the terminal as it was and ends with 130', () => {
  test.each([
    [['login'], 'Endereço do Balcão:', ''],
    [['login', url], 'E-mail:', 'marina'],
    [['login', url, '--email', toEmail('Marina')], 'Senha:', 'meia senha'],
    [['tickets', 'watch'], 'Acompanhando', ''],
    [['tickets', 'answer', '1'], 'Texto:', 'meio texto'],
  ])('%j at “%s”', async (words, shown, typed) => {
    using seen = runInTerminal(machine, words)
    await seen.until(shown)
    seen.type(typed)
    seen.type(CTRL_C)
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([130, true])
  })
})

describe('shells complete words by the script of `completion`', () => {
  const main = SOURCE.join(' ')
  const runVersion = async (program: readonly string[], env = machine.env) =>
    (await new Response(Bun.spawn([...program], { env, stdout: 'pipe' }).stdout).text()).trim()
  const scriptOf = async (shell: string) => (await say('completion', shell)).out
  /** Only bash is everywhere. */
  const isThere = (shell: string) => Bun.which(shell) !== null

  test('a bash', async () => {
    const balcao = `balcao() { ${main} "$@"; }`
    const lines = [
      balcao,
      await scriptOf('bash'),
      'COMP_WORDS=(balcao tickets li); COMP_CWORD=2; _balcao; echo "$COMPREPLY"',
    ]
    expect(await runVersion(['bash', '-c', lines.join('\n')])).toBe('list')
  })

  test.skipIf(!isThere('fish'))('a fish (left out where there is none)', async () => {
    const lines = [`function balcao; ${main} $argv; end`, await scriptOf('fish'), 'complete -C "balcao tickets li"']
    expect(await runVersion(['fish', '-N', '-c', lines.join('\n')])).toBe('list')
  })

  test.skipIf(!isThere('zsh'))(
    'a zsh, as soon as Tab is pressed (left out where there is none)',
    async () => {
      await Bun.write(`${machine.folder}/.zshrc`, `PS1='> '\nbalcao() { ${main} "$@"; }\n${await scriptOf('zsh')}`)
      using seen = runInTerminal(machine, ['-i'], { program: ['zsh'] })
      await seen.until('>')
      seen.type('balcao tickets wa\t')
      await seen.until('balcao tickets watch')
    },
    60_000,
  )
})

describe('§19 privacy', () => {
  const NUMBER = '5531998762210'
  let id = ''

  beforeAll(async () => {
    const [row] = await db.$client<{ id: number }[]>`
      insert into contact (name, number) values ('Rosa Ferreira', ${NUMBER}) returning id`
    id = String(row?.id)
    await db.$client`insert into contact_identity (kind, value, contact_id) values ('pn', ${NUMBER}, ${id})`
  })

  test('a person is found, shown and handed over, in the language of the terminal', async () => {
    expect((await readJson('privacy', 'find', 'rosa ferreira')).people).toMatchObject([
      { id: Number(id), number: NUMBER },
    ])
    expect((await say('privacy', 'find', 'ninguém assim')).code).toBe(1)
    const { out } = await say('privacy', 'show', id)
    expect(out).toMatch(/Contato +1 nome, 1 número +some\n/)
    expect(out).toMatch(/Cópias de segurança +Nada +somem quando vencem/)
    const LANG = 'es_ES.UTF-8'
    const { code } = await runInPipe(machine, ['privacy', 'export', id, 'rosa.zip'], { env: { LANG } })
    expect(code).toBe(0)
    // Names stand in an archive as they are.
    const archive = Buffer.from(await Bun.file(`${machine.folder}/rosa.zip`).bytes())
    expect(['datos.json', 'conversaciones.pdf'].filter(name => !archive.includes(name))).toEqual([])
    expect((await stat(`${machine.folder}/rosa.zip`)).mode & 0o777).toBe(0o600)
  })

  test('erasing asks for the word, also in 40 columns; without it, or by Ctrl+C, nothing is asked of the server', async () => {
    using wrong = runInTerminal(machine, ['privacy', 'erase', id], { columns: 40 })
    using away = runInTerminal(machine, ['privacy', 'erase', id])
    for (const seen of [wrong, away]) await seen.until('Escreva APAGAR para apagar:')
    expect(wrong.overflows()).toBe(false)
    wrong.type('sim\r')
    away.type(`apagar${CTRL_C}`)
    expect([await wrong.ended(), await away.ended(), away.isAsBefore()]).toEqual([1, 130, true])
    expect(wrong.text()).toEndWith('Nada foi apagado.')
    expect((await readJson('privacy', 'list')).requests).toEqual([])
    expect((await say('privacy', 'erase', id)).code).toBe(2)

    using right = runInTerminal(machine, ['privacy', 'erase', id])
    await right.until('Escreva APAGAR para apagar:')
    right.type('apagar\r')
    await right.until(`balcao privacy undo ${id}`)
    expect(await right.ended()).toBe(0)
    expect((await readJson('privacy', 'list')).requests).toMatchObject([{ contactId: Number(id), state: 'waiting' }])
    expect((await say('privacy', 'undo', id)).code).toBe(0)
    const again = await runInPipe(machine, ['privacy', 'undo', id, '--json'])
    expect([again.code, JSON.parse(again.err).error]).toEqual([1, 'ERR_NO_ERASURE_FOUND'])
  })

  test('what the owner asked for is under the name of the main account, as on the page', async () => {
    await db.$client`update privacy_erasure set user_id = null`
    expect((await say('privacy', 'list')).out).toContain('Conta principal')
  })

  test('who has protocols is held back until there is a reason', async () => {
    await db.$client`
      insert into protocol (protocolo, mensagem, ticket_id, contact_id) values ('20261123-9', 'x', ${company.tickets.waiting}, ${id})`
    const held = await say('privacy', 'erase', id, '--yes')
    expect([held.code, held.err]).toEqual([2, '✗ 1 protocolo segura este pedido. Dê o motivo com --reason.\n'])
    const erasure = await readJson('privacy', 'erase', id, '--yes', '--reason', 'Pedido por escrito')
    expect(erasure).toMatchObject({ state: 'waiting', reason: 'Pedido por escrito' })
    expect((await readJson('privacy', 'undo', id)).undone).toBe(Number(id))
  })
})

describe('on the server’s machine', () => {
  const { databaseUrl, dataDir } = server.config
  const env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, DATA_KEY }

  test('decisions 0233: where files are is told, and what is missing for a bucket', async () => {
    const count = await runInPipe(machine, ['files', '--json'], { env })
    expect([count.code, Object.keys(JSON.parse(count.out)).sort()]).toEqual([0, ['folder', 's3', 'waiting']])
    const moved = await runInPipe(machine, ['files', 'move'], { env })
    expect([moved.code, moved.err]).toEqual([
      1,
      '✗ S3_BUCKET, S3_ACCESS_KEY_ID e S3_SECRET_ACCESS_KEY não estão definidos.\n',
    ])
    expect((await runInPipe(machine, ['files', 'take-over'], { env })).code).toBe(2)
  })

  test('§20: Ctrl+C in the middle of a backup ends with 130, and nothing of it is left', async () => {
    const folder = `${machine.folder}/copias`
    await mkdir(folder)
    const locked = await db.$client.reserve()
    await locked`begin`
    await locked`lock table message in access exclusive mode`
    using seen = runInTerminal(machine, ['backup', 'create', `${folder}/mesa.backup`], { env })
    // It has begun, and waits for the table.
    await waitUntil(
      'it waits',
      async () => {
        const waiting = await db.$client`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return waiting.length > 0
      },
      30_000,
    )
    seen.type(CTRL_C)
    expect([await seen.ended(), seen.isAsBefore(), await readdir(folder)]).toEqual([130, true, []])
    await locked`rollback`
    locked.release()
    using narrow = runInTerminal(machine, ['backup', 'create', `${folder}/mesa.backup`], { env, columns: 40 })
    expect([await narrow.ended(), narrow.overflows()]).toEqual([0, false])
    expect(await readdir(folder)).toEqual(['mesa.backup'])
  })
})
