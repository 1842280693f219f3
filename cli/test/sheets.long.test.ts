// Sheets in and out at the terminal (decisions-2 §14, §21): looked at first, asked, followed; what goes wrong leaves nothing half done.
import { beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { signIn } from '@balcao/client/session'
import { waitUntil } from '../../backend/test/until.ts'
import { startLossyLine } from './cable.ts'
import { startCompany } from './desk.ts'
import { CTRL_C, runInPipe, runInTerminal } from './terminal.ts'

const { server, machine } = await startCompany()
const { db } = server
const SHEET = [
  'nome,numero,email',
  'Padaria Estrela,31 98450-7712,padaria@estrela.example',
  'Bar da Praça,31 99177-0032,',
  'X,31 98111-1111,',
  'Ana,31 98222-2222,ana@@doce',
].join('\n')
const path = join(machine.folder, 'contatos.csv')
const numbers = async () =>
  (await db.$client`select name from contact where name in ('Padaria Estrela', 'Bar da Praça') order by name`).map(
    row => row.name,
  )

beforeEach(async () => {
  await Bun.write(path, SHEET)
  await db.$client`delete from contact where name in ('Padaria Estrela', 'Bar da Praça')`
})

describe('import contacts', () => {
  test('looks first and writes nothing; with `--preview` that is all, and wrong rows end with 1', async () => {
    const { out, code } = await runInPipe(machine, ['import', 'contacts', 'contatos.csv', '--preview'])
    expect(code).toBe(1)
    expect(out).toContain('Conferi 4 linhas · nada gravado ainda')
    expect(out).toContain('2 novos   0 atualizado   0 igual   2 com erro')
    expect(out).toMatch(/LINHA +NOME +NÚMERO +FICA\n +2 +Padaria Estrela +\+55 31 98450-7712 +novo\n/)
    expect(out).toMatch(/LINHA +CAMPO +VALOR +O QUE HOUVE\n +4 +Nome +X +Nome precisa de 2 a 50 letras\./)
    expect(await numbers()).toEqual([])
  })

  test('numbers without an area code are wrong, or take the one that is given', async () => {
    await Bun.write(join(machine.folder, 'curtos.csv'), 'Nome;Telefone\nPadaria Estrela;98655-4410')
    const preview = async (...more: string[]) =>
      (await runInPipe(machine, ['import', 'contacts', 'curtos.csv', '--preview', ...more])).out
    expect(await preview()).toMatch(/2 +Número +98655-4410 +Falta o DDD\./)
    expect(await preview('--area-code', '31')).toContain('1 novo   0 atualizado   0 igual   0 com erro')
  })

  test('rows with several numbers are counted, and give a contact all of them when told to', async () => {
    await Bun.write(
      join(machine.folder, 'agenda.vcf'),
      'BEGIN:VCARD\nFN:Ana\nTEL:31 3333-2201\nTEL:31 98811-2201\nEND:VCARD',
    )
    const preview = async (...more: string[]) =>
      (await runInPipe(machine, ['import', 'contacts', 'agenda.vcf', '--preview', ...more])).out
    expect(await preview()).toContain('1 linha tem mais de um número; com --all-numbers o contato fica com todos.')
    expect(await preview('--all-numbers')).toMatch(/2 +Ana +\+55 31 98811-2201, \+55 31 3333-2201 +novo/)
  })

  test('says the whole reason of a wrong row however narrow the terminal is', async () => {
    using seen = runInTerminal(machine, ['import', 'contacts', 'contatos.csv', '--preview'], { columns: 40 })
    expect([await seen.ended(), seen.overflows()]).toEqual([1, false])
    expect(seen.text().replace(/\s+/g, ' ')).toContain('Nome precisa de 2 a 50 letras.')
  })

  test('asks in a terminal, and does it with progress when told to; the wrong rows are left in a sheet', async () => {
    using seen = runInTerminal(machine, ['import', 'contacts', 'contatos.csv'])
    await seen.until('Importar sem as 2? [s/N]')
    seen.type('s\r')
    await seen.until('✓ Pronto: 2 novos, 0 atualizado')
    await seen.until(/As linhas com erro estão em \S+\.xlsx/)
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([0, true])
    expect(seen.text()).toContain('100%')
    expect(await numbers()).toEqual(['Bar da Praça', 'Padaria Estrela'])
    const sheets = (await readdir(machine.folder)).filter(file => file.endsWith('.xlsx'))
    expect(sheets).toHaveLength(1)
    // It is full of people.
    expect((await stat(join(machine.folder, sheets[0] ?? ''))).mode & 0o777).toBe(0o600)
  })

  test('does nothing when told not to, or by Ctrl+C at the question', async () => {
    using no = runInTerminal(machine, ['import', 'contacts', 'contatos.csv'])
    using away = runInTerminal(machine, ['import', 'contacts', 'contatos.csv'])
    await Promise.all([no, away].map(seen => seen.until('[s/N]')))
    no.type('\r')
    away.type(CTRL_C)
    expect([await no.ended(), await away.ended(), away.isAsBefore()]).toEqual([1, 130, true])
    expect(await numbers()).toEqual([])
  })

  test('Ctrl+C while the server works leaves the work to it, whole, and says where to find it', async () => {
    // Nobody can write contacts meanwhile: it is certain that the work is not done yet.
    await db.$client.begin(async tx => {
      await tx`lock table contact in exclusive mode`
      using seen = runInTerminal(machine, ['import', 'contacts', 'contatos.csv', '--yes'])
      await seen.until('Importando')
      seen.type(CTRL_C)
      expect([await seen.ended(), seen.isAsBefore()]).toEqual([130, true])
      expect(seen.text()).toMatch(/A tarefa \d+ continua no servidor\. Veja com: balcao jobs/)
    })
    await waitUntil('the server has done it', async () => (await numbers()).length === 2)
  })

  test('the file of work that was left to the server is fetched later, of work that leaves none it is said', async () => {
    const seen = await db.$client.begin(async tx => {
      await tx`lock table contact in access exclusive mode`
      const child = runInTerminal(machine, ['export', 'contacts', 'depois.csv'])
      await child.until('Exportando')
      child.type(CTRL_C)
      expect(await child.ended()).toBe(130)
      return child.text()
    })
    const id = /balcao jobs save (\d+)/.exec(seen.replaceAll('\n', ' '))?.[1] ?? ''
    const saved = await runInPipe(machine, ['jobs', 'save', id, 'depois.csv'])
    expect([saved.code, saved.out]).toEqual([0, '✓ Salvo em depois.csv\n'])
    expect(await Bun.file(join(machine.folder, 'depois.csv')).text()).toContain('nome')
    const again = await runInPipe(machine, ['jobs', 'save', id, 'depois.csv'])
    expect(again.code).toBe(2)
    await runInPipe(machine, ['import', 'contacts', 'contatos.csv', '--yes'])
    const [last] = await db.$client<{ id: number }[]>`select id from job order by id desc limit 1`
    const none = await runInPipe(machine, ['jobs', 'save', String(last?.id)])
    expect(none.code).toBe(1)
    expect(none.err).toEndWith(`✗ A tarefa ${last?.id} não deixou arquivo, ou ele não está mais no servidor.\n`)
  })

  test('without a terminal nobody confirms: `--yes` does, and `--json` answers in one document', async () => {
    const unasked = await runInPipe(machine, ['import', 'contacts', 'contatos.csv'])
    expect([unasked.code, unasked.err.includes('--yes'), await numbers()]).toEqual([2, true, []])
    const { out, code } = await runInPipe(machine, ['import', 'contacts', 'contatos.csv', '--yes', '--json'])
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { preview: { wrong: 2 }, job: { state: 'done', result: { counts: { created: 2 } } } },
    ])
    const whole = await runInPipe(machine, ['import', 'contacts', 'contatos.csv', '--yes', '--all-or-nothing'])
    expect([whole.code, whole.err]).toEqual([1, '✗ Nada foi importado: 2 linhas com erro.\n'])
  })

  test('a sheet that lacks a column is not called the same already; one without rows is called so', async () => {
    await Bun.write(path, 'a;b\n1;2\n')
    for (const more of [[], ['--yes', '--json']]) {
      const { code, err } = await runInPipe(machine, ['import', 'contacts', 'contatos.csv', ...more])
      expect(code).toBe(1)
      expect(err).toContain('Nada foi importado: faltam as colunas nome, numero.')
    }
    const looked = await runInPipe(machine, ['import', 'contacts', 'contatos.csv', '--preview'])
    expect([looked.code, looked.out.includes('ponha este nome no cabeçalho')]).toEqual([1, true])
    await Bun.write(path, 'nome,numero\n')
    const empty = await runInPipe(machine, ['import', 'contacts', 'contatos.csv', '--yes'])
    expect([empty.code, empty.out.includes('A planilha não tem linhas.')]).toEqual([0, true])
  })

  test('what is taken is what was looked at, whatever becomes of the file meanwhile', async () => {
    using seen = runInTerminal(machine, ['import', 'contacts', 'contatos.csv'], { columns: 40 })
    await seen.until('[s/N]')
    await rm(path)
    seen.type('s\r')
    expect([await seen.ended(), seen.overflows()]).toEqual([0, false])
    expect(await numbers()).toEqual(['Bar da Praça', 'Padaria Estrela'])
  })

  test('a file that cannot be a sheet is refused before it is read', async () => {
    await truncate(path, 3 * 2 ** 30)
    const large = await runInPipe(machine, ['import', 'contacts', 'contatos.csv', '--preview'])
    expect([large.code, large.err]).toEqual([1, '✗ A planilha é grande demais. Divida-a em partes menores.\n'])
    await truncate(path, 0)
    const folder = await runInPipe(machine, ['import', 'users', '.', '--preview'])
    expect([folder.code, folder.err]).toEqual([1, '✗ O arquivo . não pode ser lido.\n'])
  })

  test('a file that is no sheet is told in words', async () => {
    await Bun.write(path, new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0]))
    await Bun.write(join(machine.folder, 'quebrada.xlsx'), new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0]))
    const { code, err } = await runInPipe(machine, ['import', 'contacts', 'quebrada.xlsx', '--yes'])
    expect([code, err]).toEqual([
      1,
      '✗ Não foi possível ler a planilha. Salve-a de novo como .xlsx e tente outra vez.\n',
    ])
  })
})

test('import users shows the one-time passwords, once', async () => {
  await Bun.write(
    join(machine.folder, 'pessoas.csv'),
    'nome,email,perfil\nBruna Dias,bruna@saojose.example,user\nX,sem-arroba,user',
  )
  const { out, code } = await runInPipe(machine, ['import', 'users', 'pessoas.csv', '--yes'])
  expect(code).toBe(0)
  expect(out).toContain('Conferi: 1 nova pessoa · 0 já existe · 1 com erro')
  expect(out).toMatch(/Bruna Dias +bruna@saojose\.example +\S{8,}/)
})

describe('what is shown once, when the answer to it is lost, is asked for again under the same name', () => {
  const throughLossyLine = async (fits: (call: string) => boolean) => {
    const { profiles } = await Bun.file(machine.profiles).json()
    return { BALCAO_URL: await startLossyLine(server.url, fits), BALCAO_TOKEN: String(profiles.loja.token) }
  }

  test('the passwords of an import', async () => {
    await Bun.write(join(machine.folder, 'perdidas.csv'), 'nome,email,perfil\nCaio Lima,caio@saojose.example,user')
    const env = await throughLossyLine(call => call.startsWith('POST /users/import/') && !call.includes('preview=true'))
    const { out, code } = await runInPipe(machine, ['import', 'users', 'perdidas.csv', '--yes'], { env })
    expect(code).toBe(0)
    const password = out.match(/Caio Lima +caio@saojose\.example +(\S{8,})/)?.[1] ?? ''
    // Whoever is imported works by day.
    await db.$client`update "user" set start_time = '00:00', end_time = '23:59', saturday = true, sunday = true, holidays = true
      where name = 'Caio Lima'`
    await signIn(server.url, { email: 'caio@saojose.example', password })
  })

  test('a token of another program, of which there is one', async () => {
    const env = await throughLossyLine(call => call.startsWith('POST /integrations/tokens'))
    const words = ['tokens', 'add', 'Loja virtual', '--scopes', 'send', '--queues', 'Vendas', '--json']
    const { out, err, code } = await runInPipe(machine, words, { env })
    expect([code, err]).toEqual([0, ''])
    const rows = await db.$client`select hint from api_token where name = 'Loja virtual'`
    expect([...rows]).toEqual([{ hint: JSON.parse(out).token.hint }])
  })
})

test('import users says what is wrong with a person in the reader’s language', async () => {
  await Bun.write(
    join(machine.folder, 'time.csv'),
    'nome,email,perfil,ativo,inicio\nDora Reis,sem-arroba,rei,talvez,cedo',
  )
  await Bun.write(join(machine.folder, 'colunas.csv'), 'a;b\n1;2')
  const readRefusal = async (file: string) =>
    (await runInPipe(machine, ['import', 'users', file, '--preview'], { env: { LANG: 'es_ES' } })).out
  const person = await readRefusal('time.csv')
  for (const words of ['Correo inválido', 'Usa Administrador, Gerente o Agente', 'Usa sí o no', 'Escribe un horario'])
    expect(person).toContain(words)
  expect(await readRefusal('colunas.csv')).toContain('Columna no encontrada')
})

describe('export and report', () => {
  test('lie down whole, under the name asked for, and take nobody’s place', async () => {
    const file = join(machine.folder, 'todos.csv')
    const { code, out } = await runInPipe(machine, ['export', 'contacts', 'todos.csv', '--format', 'csv'])
    expect([code, out]).toEqual([0, '✓ Salvo em todos.csv\n'])
    expect(await Bun.file(file).text()).toMatch(/^\uFEFF?"?nome/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const again = await runInPipe(machine, ['export', 'contacts', 'todos.csv', '--format', 'csv'])
    expect([again.code, again.err]).toEqual([2, '✗ todos.csv já existe. Use outro nome ou --force.\n'])
    const forced = await runInPipe(machine, ['export', 'contacts', 'todos.csv', '--format', 'csv', '--force', '--json'])
    expect(JSON.parse(forced.out)).toMatchObject({ file: 'todos.csv' })
    expect((await readdir(machine.folder)).filter(name => name.endsWith('.part'))).toEqual([])
  })

  test('where nothing can be laid down nothing is made: no such folder, a folder, what is no file', async () => {
    const jobs = () => db.$client`select id from job order by id`
    const before = await jobs()
    await mkdir(join(machine.folder, 'pasta'), { recursive: true })
    const readRefusal = async (file: string) => (await runInPipe(machine, ['export', 'contacts', file, '--force'])).err
    expect(await readRefusal('longe/a.csv')).toBe('✗ longe não pode ser usado: não existe (ENOENT).\n')
    expect(await readRefusal('pasta')).toBe('✗ pasta não pode ser usado: é uma pasta (EISDIR).\n')
    expect(await readRefusal('/dev/tty')).toBe('✗ /dev/tty não pode ser usado: não é um arquivo comum.\n')
    expect(await jobs()).toEqual(before)
  })

  test('what is asked for wrongly is said in the reader’s language, before anybody is asked', async () => {
    const wrong = async (...words: string[]) => {
      const { code, err } = await runInPipe(machine, ['report', ...words], { env: { LANG: 'es_ES.UTF-8' } })
      return [code, err]
    }
    expect(await wrong('tickets', '--from', '2026-11-30', '--to', '2026-11-01')).toEqual([
      2,
      '✗ El último día (2026-11-01) viene antes del primero (2026-11-30).\n',
    ])
    expect(await wrong('messages', '--from', '2026-11-01', '--to', '2026-11-30')).toEqual([
      2,
      '✗ El informe de mensajes es de un solo contacto: indica cuál con --contact.\n',
    ])
  })

  test('a terminal that knows nothing but lines is not steered', async () => {
    const env = { TERM: 'dumb' }
    using seen = runInTerminal(machine, ['export', 'contacts', 'linhas.csv'], { env })
    expect([await seen.ended(), seen.raw().includes('\u001b')]).toEqual([0, false])
    expect(seen.text()).toContain('✓ Salvo em linhas.csv')
  })

  test('`-` is stdout, for the next program; the list of jobs tells it apart by period and format', async () => {
    const period = ['--from', '2026-01-01', '--to', '2030-12-31']
    const { code, out } = await runInPipe(machine, ['report', 'tickets', '-', '--format', 'pdf', ...period])
    expect([code, out.slice(0, 5)]).toEqual([0, '%PDF-'])
    const listed = await runInPipe(machine, ['jobs'])
    expect(listed.out).toMatch(/Relatório de atendimentos · 01\/01\/2026 a \d\d\/\d\d\/\d{4} · PDF +✓ pronto /)
    expect(listed.out).toMatch(/Exportação de contatos · CSV +✓ pronta /)
  })
})
