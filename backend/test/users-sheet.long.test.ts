// People come in by a sheet (decisions §3, decisions-2 §22).
import { describe, expect, test } from 'bun:test'
import { openWire, type ResponseBody, type User } from '@balcao/contract'
import * as XLSX from 'xlsx'
import { type ApiAnswer, createBrowser } from './desk-server.ts'
import { makePerson, makeQueue, toEmail } from './desk-world.ts'
import { readBase64Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'
import { HEADS, type Imported, send, sheet, startUsersSheetDesk } from './users-sheet-desk.ts'

const { server, db, url, config, queues, marina, rafael } = await startUsersSheetDesk()

const sql = db.$client

const NEW = 'Outra#Senha9'

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

  test('whose answer was lost says the one-time passwords again under its own name, but not of who has been in', async () => {
    const rows = [HEADS, ...['Um', 'Dois'].map(name => [name, `${name.toLowerCase()}@perdida.example`])]
    const importAs = (clientId: string) => send(marina, sheet(rows), '', { clientId })
    const clientId = crypto.randomUUID()
    const { body: lost } = await importAs(clientId)
    const { body: again } = await importAs(clientId)
    expect([lost.imported, again.imported]).toEqual([2, 0])
    expect(again.passwords.toSorted((a, b) => a.row - b.row)).toEqual(lost.passwords)
    expect(new Set(lost.passwords.map(({ password }) => password)).size).toBe(2)
    expect((await importAs(crypto.randomUUID())).body.passwords).toEqual([])

    await sql`update "user" set must_change_password = false where name = 'Um'`
    expect((await importAs(clientId)).body.passwords.map(({ name }) => name)).toEqual(['Dois'])
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
