// People from a sheet (spec 2 §5 "Import", decisions §3, decisions-2 §14, §22), and sheets that nobody filled in.
import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWire, type ResponseBody, type User } from '@balcao/contract'
import { readSheet } from '@balcao/formats/sheets/read'
import { strToU8, unzipSync, zipSync } from 'fflate'
import * as XLSX from 'xlsx'
import { type ApiAnswer, createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue, toEmail } from './desk-world.ts'
import { takeRounds } from './rounds.ts'
import { readBase64Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

type Imported = ResponseBody<'POST /users/import/:userId'>
const server = await startDeskServer()
const { db, url, config } = server
const sql = db.$client
const HEADS = ['nome', 'email', 'senha', 'perfil', 'filas', 'ativo', 'inicio', 'fim']
const NEW = 'Outra#Senha9'

const queues = { sales: await makeQueue(db, 'Vendas São Paulo'), finance: await makeQueue(db, 'Financeiro') }
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Rafael', profile: 'gerente' })
const marina = await server.as('Marina')
const rafael = await server.as('Rafael')

const people = async () => (await sql<{ name: string }[]>`select name from "user" order by id`).map(row => row.name)

describe('a sheet of people', () => {
  test('adds each with everything the row says; what it does not say is as the form begins', async () => {
    const answer = await send(
      marina,
      sheet([
        HEADS,
        ['Ana Prado', 'ana@x.example', NEW, 'Gerente', 'vendas sao paulo; Financeiro', 'Sim', '8:00', '17:30'],
        [],
        ['Beto', 'beto@x.example', NEW, '', '', 'não'],
      ]),
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ imported: 2, skipped: 0, errors: [], passwords: [], errorSheet: null })
    const { body } = await marina.call<{ users: User[] }>('GET', '/users?all')
    const [ana, beto] = ['Ana Prado', 'Beto'].map(name => body.users.find(user => user.name === name))
    expect(ana).toMatchObject({
      profile: 'gerente',
      active: true,
      startTime: '08:00',
      endTime: '17:30',
      mustChangePassword: false,
    })
    expect(ana?.queueIds.toSorted()).toEqual([queues.sales, queues.finance].toSorted())
    expect(await openWire(config.sharedSecret, ana?.email ?? '')).toBe('ana@x.example')
    expect(beto).toMatchObject({ profile: 'user', active: false, startTime: '08:00', endTime: '18:00', queueIds: [] })
    const log = await sql`select action, params from log_entry where action like 'user.%' order by id`
    expect(log.map(row => row.action)).toEqual(['user.import', 'user.create', 'user.create'])
    const events = await sql`select 1 from live_event where payload like '{"event":"user","action":"create"%'`
    expect(events).toHaveLength(6)
  })

  test('headings count without accents and case, in Portuguese, English and Spanish; unknown ones are left out', async () => {
    for (const [heads, name] of [
      [['NOME', 'E-mail', 'Observação', 'Início'], 'Carla'],
      [['Full name', 'Email address', 'Notes', 'Start'], 'Carol'],
      [['Nombre', 'Correo electrónico', 'Notas', 'Entrada'], 'Carmen'],
    ] as const) {
      const { body } = await send(marina, sheet([[...heads], [name, `${name}@x.example`, 'x', '07:00']]))
      expect(body.columns.map(({ field }) => field)).toEqual(['nome', 'email', null, 'inicio'])
      expect(body.imported).toBe(1)
    }
  })

  test('who has no password in the row gets one for one sign-in, shown in this answer alone', async () => {
    const { body } = await send(
      marina,
      sheet([
        ['nome', 'email', 'inicio', 'fim'],
        ['Dora', 'dora@x.example', '00:00', '23:59'],
      ]),
    )
    const [password] = body.passwords
    expect(body.passwords).toMatchObject([{ row: 2, name: 'Dora', email: 'dora@x.example' }])
    await sql`update "user" set saturday = true, sunday = true where name = 'Dora'`
    const entered = await createBrowser(url).call<{ user: User }>('POST', '/auth/login', {
      email: 'dora@x.example',
      password: password?.password,
    })
    expect(entered.body.user.mustChangePassword).toBe(true)
    const [row] =
      await sql`select string_agg(l::text, '') || (select string_agg(payload, '') from live_event) as all from log_entry l`
    expect(row?.all).not.toContain(password?.password ?? '')
  })

  test('one wrong row and nobody is added; with partial the others are, and the wrong rows come back as a sheet', async () => {
    const rows = [
      HEADS,
      ['Eva', 'eva@x.example', NEW, 'user', 'Financeiro', 'sim', '08:00', '18:00'],
      ['E', 'nada', 'curta', 'chefe', 'Nenhuma', 'talvez', '25:00', '18h'],
      ['Eva de novo', 'EVA@x.example', NEW],
      ['Já existe', toEmail('Marina'), NEW],
      ['a'.repeat(10_000), 'longo@x.example', NEW],
    ]
    const before = await people()
    const refused = await send(marina, sheet(rows))
    expect(refused.body).toMatchObject({ imported: 0, skipped: 1 })
    expect(refused.body.errors.map(({ message, ...fault }) => fault)).toEqual([
      { row: 3, field: 'nome', error: 'field.tooShort' },
      { row: 3, field: 'email', error: 'contact.email' },
      { row: 3, field: 'senha', error: 'password.length' },
      { row: 3, field: 'inicio', error: 'field.notTime' },
      { row: 3, field: 'perfil', error: 'profile' },
      { row: 3, field: 'ativo', error: 'yesNo' },
      { row: 3, field: 'filas', error: 'ERR_NO_QUEUE_FOUND' },
      { row: 4, field: 'email', error: 'ERR_DUPLICATED_EMAIL' },
      { row: 6, field: 'nome', error: 'field.tooLong' },
    ])
    const inEnglish = await send(marina, sheet(rows), '?language=en')
    expect(inEnglish.body.errors.slice(0, 3).map(({ message }) => message)).toEqual([
      'Write a little more: it is too short',
      'Invalid e-mail',
      'The password must have at least 8 characters',
    ])
    expect(await people()).toEqual(before)
    const { body } = await send(marina, sheet(rows), '?partial=true')
    expect([body.imported, body.skipped, (await people()).slice(before.length)]).toEqual([1, 1, ['Eva']])
    const wrong = XLSX.read(body.errorSheet?.base64 ?? '', { type: 'base64' })
    const lines = XLSX.utils.sheet_to_json<string[]>(wrong.Sheets.Planilha ?? {}, { header: 1 })
    expect(lines.map(line => line[1])).toEqual(['email', 'nada', 'EVA@x.example', 'longo@x.example'])
    expect(lines[0]?.at(-1)).toBe('erro')
    expect(lines[2]?.at(-1)).toBe('E-mail: Este e-mail aparece mais de uma vez na planilha')
    const readRefusal = async (language: string) =>
      readBase64Cells((await send(marina, sheet(rows), `?preview=true&language=${language}`)).body.errorSheet)[1]?.at(
        -1,
      )
    expect(await readRefusal('es')).toContain('Perfil: Usa Administrador, Gerente o Agente')
    expect(await readRefusal('en')).toContain('Queues: Queue not found')
  })

  test('a queue is the one of that very name; a name that could be two is none of them', async () => {
    const [more, fewer] = [await makeQueue(db, 'Loja +'), await makeQueue(db, 'Loja -')]
    await Promise.all(['★', '☆'].map(name => makeQueue(db, name)))
    const rows = [
      ['nome', 'email', 'senha', 'filas'],
      ...['loja +', 'Loja -', 'Loja', '☆'].map((name, n) => [`De Loja ${n}`, `loja${n}@x.example`, NEW, name]),
    ]
    const { body } = await send(marina, sheet(rows), '?partial=true')
    expect(body.errors).toMatchObject([{ row: 4, field: 'filas', error: 'ERR_NO_QUEUE_FOUND' }])
    const given = await sql`
      select q.name, q.id from user_queue x join queue q on q.id = x.queue_id join "user" u on u.id = x.user_id
      where u.name like 'De Loja%' order by u.id`
    expect(given.map(row => row.name)).toEqual(['Loja +', 'Loja -', '☆'])
    await sql`delete from queue where id in (${more}, ${fewer}) or name in ('★', '☆')`
  })

  test('who is one person in two cases and with blanks is added once; a cell longer than a sheet holds is refused in its row', async () => {
    const text = `nome;email;senha\nCaso Um; Caso@X.example ;${NEW}\nCaso Dois;caso@x.EXAMPLE;${NEW}\n=cmd|'/c calc'!A1${'x'.repeat(40_000)};longo@x.example;${NEW}`
    const answer = await send(marina, new File([text], 'a.csv'), '?partial=true')
    expect([answer.status, answer.body.imported]).toEqual([200, 1])
    expect(answer.body.errors).toMatchObject([
      { row: 3, field: 'email', error: 'ERR_DUPLICATED_EMAIL' },
      { row: 4, field: 'nome', error: 'field.tooLong' },
    ])
    const wrong = XLSX.read(answer.body.errorSheet?.base64 ?? '', { type: 'base64' })
    expect(wrong.Sheets.Planilha?.A3).toMatchObject({ t: 's', v: expect.stringMatching(/^'=cmd/) })
  })

  test('twenty megabytes in two lines, of nothing but separators and of one cell, are read for what there is in them', async () => {
    const text = `nome;email${';'.repeat(10_000_000)}\n${'x'.repeat(10_000_000)}`
    const { status, body } = await send(marina, new File([text], 'a.csv'))
    expect([status, body.columns.length, body.errors.map(({ row, error }) => [row, error])]).toEqual([
      ...[200, 2],
      [
        [2, 'field.tooLong'],
        [2, 'contact.email'],
      ],
    ])
  })

  test('whoever loses the profile while passwords are hashed adds nobody', async () => {
    const id = await makePerson(db, { name: 'Deposto', profile: 'admin' })
    const deposed = await server.as('Deposto')
    const row = ['Porta', 'porta@x.example', NEW, 'admin']
    let answer: Promise<ApiAnswer<Imported>> | undefined
    await sql.begin(async tx => {
      await tx`update "user" set profile = 'user' where id = ${id}`
      answer = send(deposed, sheet([HEADS, row]))
      await waitUntil('it waits', async () => {
        const [held] = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return held !== undefined
      })
    })
    expect([(await answer)?.status, (await people()).includes('Porta')]).toEqual([403, false])
  })

  test('the database goes away in the middle: nobody of the sheet is there, whoever asks is told so, and again adds each once', async () => {
    await sql`create sequence paused`
    await sql`
      create function pause_here() returns trigger language plpgsql as $$ begin
        if new.name = 'Queda 7' and nextval('paused') = 1 then perform pg_sleep(30); end if; return new; end $$`
    await sql`create trigger pause_here before insert on "user" for each row execute function pause_here()`
    const rows = Array.from({ length: 8 }, (_, n) => [`Queda ${n}`, `queda${n}@x.example`, NEW])
    const sending = send(marina, sheet([['nome', 'email', 'senha'], ...rows]))
    const sleeping = () => sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await waitUntil('it is in the middle', async () => (await sleeping()).length > 0)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    const { status, body } = await sending
    const there = (await people()).filter(name => name.startsWith('Queda'))
    expect([status, there.length]).toEqual(body.imported === 8 ? [200, 8] : [503, 0])
    const again = await send(marina, sheet([['nome', 'email', 'senha'], ...rows]))
    expect(again.body.imported + again.body.skipped).toBe(8)
    expect((await people()).filter(name => name.startsWith('Queda'))).toHaveLength(8)
    await sql`drop function pause_here cascade`
  })

  test('a look writes nothing, says the same, and hides passwords; columns may be chosen by hand', async () => {
    const before = await people()
    const file = sheet([
      ['quem', 'onde', 'segredo'],
      ['Fabio', 'fabio@x.example', NEW],
    ])
    const lost = await send(marina, file, '?preview=true')
    expect(lost.body).toMatchObject({
      imported: 0,
      errors: [
        { row: 1, field: 'nome', error: 'columnMissing' },
        { row: 1, field: 'email', error: 'columnMissing' },
      ],
    })
    const look = await send(marina, file, '?preview=true', { columns: '["nome","email","senha"]' })
    expect(look.body).toMatchObject({
      imported: 1,
      errors: [],
      passwords: [],
      rows: [['Fabio', 'fabio@x.example', '••••••••']],
    })
    expect(await people()).toEqual(before)
    for (const columns of ['["nome","nome"]', '["x"]', '{', '[null,null,null,null]'])
      expect((await send(marina, file, '', { columns })).status).toBe(422)
  })

  test('is for administrators alone, and the template is an empty sheet that can be imported', async () => {
    expect((await send(rafael, sheet([HEADS]))).status).toBe(403)
    expect((await rafael.call('GET', '/users/import/template')).status).toBe(403)
    const { body } = await marina.call<ResponseBody<'GET /users/import/template'>>('GET', '/users/import/template')
    const answer = await send(marina, new File([Uint8Array.fromBase64(body.base64)], body.name))
    expect(answer.body).toMatchObject({ imported: 0, skipped: 0, errors: [] })
    expect(answer.body.columns.map(({ field }) => field)).toEqual(HEADS)
  })

  test('two at once with the same people add each of them once', async () => {
    const rows = Array.from({ length: 5 }, (_, n) => [`Igual ${n}`, `igual${n}@x.example`])
    const answers = await Promise.all([1, 2].map(() => send(marina, sheet([['nome', 'email'], ...rows]))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.reduce((sum, { body }) => sum + body.imported, 0)).toBe(5)
    expect(answers.reduce((sum, { body }) => sum + body.passwords.length, 0)).toBe(5)
  })
})

describe('a sheet nobody filled in', () => {
  test('a file is required, exactly one, .xlsx, .xls or .csv', async () => {
    const code = async (...files: File[]) => {
      const data = new FormData()
      for (const file of files) data.append('medias', file)
      const { body } = await marina.call('POST', '/users/import/1', data)
      return body.error === 'ERR_VALIDATION' ? body.details : body.error
    }
    expect(await code()).toEqual([{ path: 'medias', message: 'Insira um arquivo para importar' }])
    expect(await code(sheet([HEADS]), sheet([HEADS]))).toEqual([{ path: 'medias', message: 'Envie um arquivo só' }])
    expect(await code(new File(['nome'], 'a.docx'))).toBe('ERR_FILE_TYPE')
  })

  test.each([
    ['a PDF called .xlsx', 'a.xlsx', '%PDF-1.7 …'],
    ['a page called .xls without a table', 'a.xls', '<html><p>nome</p></html>'],
    ['a page called .csv', 'a.csv', '<html></html>'],
    ['an empty zip', 'a.xlsx', zipSync({})],
    ['a zip that is no sheet', 'a.xlsx', zipSync({ 'a.txt': strToU8('a') })],
    [
      'half a sheet',
      'a.xlsx',
      XLSX.write(XLSX.utils.book_new(sheetOf([['nome']]), 'A'), { type: 'buffer' }).slice(0, 3000),
    ],
    ['zeros', 'a.xls', new Uint8Array(8000)],
    ['nothing but blanks', 'a.csv', ' \n \n'],
    ['bytes of a programme', 'a.csv', new Uint8Array([77, 90, 0, 0, 1, 2, 0])],
  ])('%s is refused in words', async (_, name, bytes) => {
    const { status, body } = await sendAs<{ error: string }>(
      marina,
      new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name),
    )
    expect([status, body.error]).toEqual([422, 'ERR_SHEET_UNREADABLE'])
  })

  test('one with a password says so', async () => {
    // The beginning of an encrypted workbook: a compound file with its two streams.
    const book = XLSX.CFB.utils.cfb_new()
    XLSX.CFB.utils.cfb_add(book, '/EncryptionInfo', Buffer.from('0400040040000000', 'hex'))
    XLSX.CFB.utils.cfb_add(book, '/EncryptedPackage', Buffer.alloc(64))
    const bytes = XLSX.CFB.write(book, { type: 'buffer' })
    const { body } = await sendAs<{ error: string }>(marina, new File([Buffer.from(bytes as Uint8Array)], 'a.xlsx'))
    expect(body.error).toBe('ERR_SHEET_PASSWORD')
  })

  test('501 people are too many, and the answer says how many there may be', async () => {
    const rows = (count: number) =>
      sheet([['nome', 'email'], ...Array.from({ length: count }, (_, n) => [`N ${n}`, `n${n}@y.example`])])
    const { status, body } = await sendAs<{ error: string; details: object }>(marina, rows(501))
    expect([status, body.error, body.details]).toEqual([413, 'ERR_SHEET_TOO_LARGE', { most: 500 }])
    expect((await send(marina, rows(500), '?preview=true')).body.imported).toBe(500)
  })

  test('formulas are what they came to, numbers keep their digits, times and days are read as typed', async () => {
    const book = sheetOf([['a'], ['b'], ['c'], ['d'], ['e']])
    Object.assign(book, {
      A1: { t: 'n', v: 3, f: '1+2' },
      A2: { t: 'n', v: 5531987770001 },
      A3: { t: 'n', v: 8.5 / 24, z: 'hh:mm' },
      A4: { t: 'n', v: 46348, z: 'dd/mm/yyyy' },
      A5: { t: 's', v: '00123' },
    })
    const bytes = XLSX.write(XLSX.utils.book_new(book, 'A'), { type: 'buffer', bookType: 'xlsx' })
    const rows = await read(bytes, 'a.xlsx')
    expect(rows.flatMap(({ cells }) => cells)).toEqual(['3', '5531987770001', '08:30', '2026-11-22', '00123'])
  })

  test('text sheets: any separator, any encoding, quotes, zeros at the front, and `ID;` is a heading', async () => {
    const expected = [
      ['ID', 'Nome'],
      ['007', 'São; "João"'],
    ]
    const text = 'ID;Nome\r\n007;"São; ""João"""\r\n'
    const latin = Buffer.from(text, 'latin1')
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      latin,
      Buffer.from(`\ufeff${text}`, 'utf16le'),
    ])
      expect((await read(bytes, 'a.csv')).map(({ cells }) => cells)).toEqual(expected)
    for (const text of ['a,b\n1,2', 'a\tb\n1\t2', 'a; "b"\n 1 ;"2"', 'a;b\r1;2'])
      expect((await read(Buffer.from(text), 'a.csv')).map(({ cells }) => cells)).toEqual([
        ['a', 'b'],
        ['1', '2'],
      ])
  })

  test('an .xls of the nineties is read like any other', async () => {
    const book = sheetOf([['nome', 'número'], ['São João', '00123'], [], ['Ana', 5531987770001]])
    Object.assign(book, { '!ref': 'A1:C4', C4: { t: 'n', v: 46348, z: 'dd/mm/yyyy' } })
    const bytes = XLSX.write(XLSX.utils.book_new(book, 'A'), { type: 'buffer', bookType: 'biff8' })
    expect(await read(bytes, 'a.xls')).toEqual([
      { row: 1, cells: ['nome', 'número'] },
      { row: 2, cells: ['São João', '00123'] },
      { row: 4, cells: ['Ana', '5531987770001', '2026-11-22'] },
    ])
  })

  test('rows with empty ones between them are all read, however far down they stand', async () => {
    const lines = Array.from({ length: 1500 }, (_, n) => (n % 3 === 0 ? [`N ${n}`] : []))
    const book = XLSX.utils.book_new(sheetOf(lines), 'A')
    const files = {
      'a.xlsx': XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }),
      'a.xls': XLSX.write(book, { type: 'buffer', bookType: 'biff8' }),
      'a.csv': Buffer.from(lines.map(([text = '']) => text).join('\n')),
    }
    for (const [name, bytes] of Object.entries(files)) {
      const rows = await read(bytes, name)
      expect([name, rows.length, rows.at(-1)]).toEqual([name, 500, { row: 1498, cells: ['N 1497'] }])
    }
  })

  test('a bomb is refused by the size it tells, and one that lies by the time and the memory it takes', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(101 * 1024 * 1024) }, { level: 1 })
    expect(await refusal(read(bomb, 'a.xlsx'))).toBe('ERR_SHEET_TOO_LARGE')
    // Enough rows to be at work still when its memory is looked at.
    const rows = Array.from({ length: 30_000 }, (_, n) => [`Nome ${n}`, `n${n}@balcao.test`])
    const fine = new Uint8Array(await sheet([HEADS, ...rows]).arrayBuffer())
    const enough = { rows: rows.length }
    expect(await refusal(read(fine, 'a.xlsx', enough))).toBeNull()
    expect(await refusal(read(fine, 'a.xlsx', { ...enough, seconds: 0.001 }))).toBe('ERR_SHEET_TOO_LARGE')
    expect(await refusal(read(fine, 'a.xlsx', { ...enough, memoryMb: 1 }))).toBe('ERR_SHEET_TOO_LARGE')
  })

  test('a zip that lies about its sizes is ended by the memory it takes, without a word of it', async () => {
    const rows = '<row><c><v>1</v></c></row>'.repeat(2_000_000)
    const fine = unzipSync(new Uint8Array(await sheet([HEADS]).arrayBuffer()))
    const data = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`
    const bytes = zipSync({ ...fine, 'xl/worksheets/sheet1.xml': strToU8(data) }, { level: 1 })
    // Each of the two places that tell the size says a kilobyte.
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    for (let at = 0; at + 4 <= bytes.length; at++)
      if (view.getUint32(at, true) === data.length) view.setUint32(at, 1024, true)
    expect(bytes.length).toBeLessThan(2_000_000)
    const limits = { rows: 3_000_000, memoryMb: 300 }
    expect(String(await refusal(read(bytes, 'a.xlsx', limits)))).toMatch(/^ERR_SHEET_(TOO_LARGE|UNREADABLE)$/)
  })

  test('fifty thousand rows of contacts take no more than three hundred megabytes', async () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => [
      ...[
        `Pessoa de nome comprido ${n}`,
        `55319${80_000_000 + n}`,
        `pessoa${n}@exemplo.example`,
        'VIP; Cliente',
        'sim',
      ],
    ])
    const book = XLSX.utils.book_new(sheetOf([['nome', 'numero', 'email', 'tags', 'responde'], ...rows]), 'A')
    const limits = { rows: 50_000, memoryMb: 300, headed: true }
    for (const bookSST of takeRounds([true, false], 1)) {
      const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', bookSST, compression: true })
      expect(await read(bytes, 'a.xlsx', limits)).toHaveLength(50_001)
    }
    const text = Buffer.from(rows.map(row => row.join(';')).join('\n'))
    expect(await read(text, 'a.csv', { ...limits, headed: false })).toHaveLength(50_000)
  })

  test('cells of every kind are what a person would type, also where days are counted from 1904', async () => {
    const book = sheetOf([['a']])
    Object.assign(book, {
      '!ref': 'A1:D2',
      ...{ A1: { t: 's', v: ' linha\ndois ' }, B1: { t: 'b', v: true }, C1: { t: 'e', v: 42 }, D1: { t: 'n', v: 0.5 } },
      ...{ A2: { t: 'n', v: 46348.354166666664, z: 'dd/mm/yyyy hh:mm' }, B2: { t: 'n', v: 3, z: '0.0 "dias"' } },
    })
    const file = XLSX.utils.book_new(book, 'A')
    const rows = await read(XLSX.write(file, { type: 'buffer', bookType: 'xlsx' }), 'a.xlsx')
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['linha\ndois', 'true', '', '0.5'],
      ['2026-11-22 08:30', '3'],
    ])
    const day = sheetOf([['']])
    Object.assign(day, { A1: { t: 'n', v: 46348 - 1462, z: 'dd/mm/yyyy' } })
    const old = XLSX.utils.book_new(day, 'A')
    old.Workbook = { WBProps: { date1904: true } }
    const [first] = await read(XLSX.write(old, { type: 'buffer', bookType: 'xlsx' }), 'a.xlsx')
    expect(first?.cells).toEqual(['2026-11-22'])
  })

  test('one long text that thousands of cells share is refused by what they say together', async () => {
    const rows = Array.from({ length: 1200 }, () => ['x'.repeat(32_000)])
    const book = XLSX.utils.book_new(sheetOf(rows), 'A')
    const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true })
    expect(bytes.length).toBeLessThan(100_000)
    expect(await refusal(read(bytes, 'a.xlsx', { rows: 1200 }))).toBe('ERR_SHEET_TOO_LARGE')
  })

  test('a range to the last column there is gives a hundred and twenty', async () => {
    const wide = sheetOf([['a']])
    Object.assign(wide, {
      '!ref': 'A1:XFD1',
      XFD1: { t: 's', v: 'z' },
      DP1: { t: 's', v: 'fim' },
      DQ1: { t: 's', v: 'fora' },
    })
    const rows = await read(XLSX.write(XLSX.utils.book_new(wide, 'A'), { type: 'buffer', bookType: 'xlsx' }), 'a.xlsx')
    expect([rows[0]?.cells.length, rows[0]?.cells.at(-1)]).toEqual([120, 'fim'])
  })
})

function sheetOf(rows: readonly (readonly unknown[])[]): XLSX.WorkSheet {
  return XLSX.utils.aoa_to_sheet(rows.map(row => [...row]))
}

function sheet(rows: readonly (readonly string[])[], name = 'gente.xlsx'): File {
  const bytes: Uint8Array<ArrayBuffer> = XLSX.write(XLSX.utils.book_new(sheetOf(rows), 'A'), { type: 'buffer' })
  return new File([bytes], name)
}

function sendAs<T>(person: SignedInPerson, file: File, query = '', fields: Readonly<Record<string, string>> = {}) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('medias', file)
  return person.call<T>('POST', `/users/import/1${query}`, data)
}

const send = sendAs<Imported>

async function read(bytes: Uint8Array, name: string, limits: Partial<Parameters<typeof readSheet>[1]> = {}) {
  const path = join(tmpdir(), `${crypto.randomUUID()}.sheet`)
  await Bun.write(path, bytes)
  try {
    return await readSheet({ path, name }, { rows: 500, ...limits })
  } finally {
    await Bun.file(path).delete()
  }
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: Error) => error.message,
  )
}
