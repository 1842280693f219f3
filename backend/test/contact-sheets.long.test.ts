// Sheets of contacts: what is shown before, and which numbers they hold (decisions-2 §14, §22).
import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Begun, ended, HEADS, type Looked, makeFileForm, startContactSheetDesk } from './contact-sheet-desk.ts'
import { takeRounds } from './rounds.ts'
import { readBase64Cells } from './sheet-files.ts'

const { server, sql, whatsappId, marina, contact, send, preview, imported, exported, contacts, names } =
  await startContactSheetDesk()

describe('§14, §22: a look at a sheet of contacts', () => {
  test('says what is new, changed, the same and wrong, row by row, and writes nothing', async () => {
    await contact('Padaria Estrela', '5531984507712', { email: 'padaria@estrela.example' })
    await contact('Bar da Praça', '5531991770032')
    const { status, body } = await preview([
      HEADS,
      ['Açougue Bom Corte', '31 98655-4410', 'bom@corte.example', 'Recorrente', 'sim'],
      ['Padaria Estrela', '31 98450-7712', 'padaria@estrela.example'],
      ['Bar da Praça Nova', '(31) 99177-0032'],
      ['X', '31 98111-1111'],
      ['Número curto', '3199-87'],
      ['Ana', '31 98222-2222', 'ana@@doce', '', 'talvez'],
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 6, created: 1, updated: 1, skipped: 1, wrong: 3 })
    expect(body.columns).toEqual(HEADS.map(head => ({ head, field: head })))
    expect(body.rows?.length).toBe(3)
    expect(body.rows?.[1]).toEqual(['Padaria Estrela', '31 98450-7712', 'padaria@estrela.example', '', ''])
    expect([body.several, body.contacts]).toEqual([
      0,
      [
        toBe(2, 'created', 'Açougue Bom Corte', '5531986554410', 'bom@corte.example', ['Recorrente']),
        toBe(3, 'skipped', 'Padaria Estrela', '5531984507712', 'padaria@estrela.example'),
        toBe(4, 'updated', 'Bar da Praça Nova', '5531991770032', ''),
      ],
    ])
    expect(body.errors).toEqual([
      { row: 5, field: 'nome', code: 'nameLength', error: 'Nome precisa de 2 a 50 letras', value: 'X' },
      { row: 6, field: 'numero', code: 'numberLength', error: 'Número precisa de 8 a 50 dígitos', value: '3199-87' },
      { row: 7, field: 'email', code: 'email', error: 'E-mail inválido', value: 'ana@@doce' },
      { row: 7, field: 'resposta_automatica', code: 'answer', error: 'Use sim ou não', value: 'talvez' },
    ])
    expect(await names()).toEqual(['Bar da Praça', 'Padaria Estrela'])
    expect(await sql`select 1 from job`).toHaveLength(0)
    expect(await sql`select 1 from tag`).toHaveLength(0)
    const wrong = readBase64Cells(body.errorSheet)
    expect(wrong.map(row => row[0])).toEqual(['nome', 'X', 'Número curto', 'Ana'])
    expect(wrong[3]?.at(-1)).toBe('E-mail: E-mail inválido; Resp. automática: Use sim ou não')
  })

  test('shows ten rows of a longer sheet as they will be, those that are wrong not among them', async () => {
    const rows = Array.from({ length: 13 }, (_, n) => [`Cliente Doze ${'abcdefghijklm'[n]}`, `31 98333-00${10 + n}`])
    const { body } = await preview([HEADS, ['X', '31 98111-1111'], ...rows])
    expect(body).toMatchObject({ total: 14, created: 13, wrong: 1 })
    expect(body.contacts?.map(({ row, name }) => [row, name])).toEqual(
      rows.slice(0, 10).map(([name], n) => [n + 3, name ?? '']),
    )
  })

  test('finds columns by their headings in three languages without accents and case, or takes them as chosen', async () => {
    for (const heads of [
      ['NOME', 'Celular', 'E-mail', 'Etiquetas', 'Resposta automática', 'Vendedor'],
      ['Full name', 'Phone', 'Email address', 'Labels', 'Automatic reply', 'Seller'],
      ['Nombre', 'Teléfono', 'Correo electrónico', 'Etiqueta', 'Respuesta automática', 'Vendedor'],
    ])
      expect((await preview([heads])).body.columns?.map(({ field }) => field)).toEqual([...HEADS, null])
    const makeOdd = (place: string) => [
      ['quem', 'onde se acha', 'obs'],
      ['Ana Prado', place, 'x'],
    ]
    const proposed = await preview(makeOdd('31 98655-4410'))
    expect(proposed.body.columns?.map(({ field }) => field)).toEqual(['nome', 'numero', null])
    const odd = makeOdd('na loja')
    const unknown = await preview(odd)
    expect(unknown.body).toMatchObject({ created: 0, updated: 0, skipped: 0, total: 1 })
    expect(unknown.body.errors?.map(({ row, field, code }) => [row, field, code])).toEqual([
      [1, 'nome', 'columnMissing'],
      [1, 'numero', 'columnMissing'],
    ])
    const chosen = await preview(makeOdd('31 98655-4410'), '', { columns: '["nome","numero",null]' })
    expect(chosen.body).toMatchObject({ created: 1, errors: [] })
    for (const columns of ['["nome","nome"]', '["x"]', '{', '[null,null,null,null]'])
      expect((await preview(odd, '', { columns })).status).toBe(422)
    // To import it like that is refused in words.
    const refused = await send(odd)
    expect([refused.status, refused.body.error]).toEqual([422, 'ERR_VALIDATION'])
  })

  test('of two numbers the first mobile one counts, and the other column is for who has none in the first', async () => {
    const rows = [
      ['nome', 'telefone', 'celular'],
      ['Ana Prado', '31 98655-4410', '31 98655-4411'],
    ]
    expect((await preview(rows)).body.columns?.map(({ field }) => field)).toEqual(['nome', 'numero', 'outro_numero'])
    await imported(rows)
    expect((await contacts()).map(({ number }) => number)).toEqual(['5531986554410'])
  })

  test('a contact has all numbers of its row where that is chosen, is met by each, and takes nobody else’s', async () => {
    await contact('Da loja', '553133332209')
    const rows = [
      ['nome', 'celular', 'telefone'],
      ['Ana Prado', '31 98655-4410', '31 3222-4010'],
      ['Beto', '31 98655-4411', '31 3333-2209'],
      ['Caio', '31 98655-4412', '31 3222-4010'],
    ]
    expect((await preview(rows)).body).toMatchObject({ several: 3, created: 3 })
    const fields = { numbers: 'all' }
    const looked = (await preview(rows, '', fields)).body
    expect(looked).toMatchObject({ several: 3, created: 2, updated: 1, wrong: 0 })
    expect(looked.contacts?.map(({ name, number, otherNumbers }) => [name, number, otherNumbers])).toEqual([
      ['Ana Prado', '5531986554410', ['553132224010']],
      ['Beto', '553133332209', ['5531986554411']],
      ['Caio', '5531986554412', []],
    ])
    const job = await ended(marina, (await send(rows, '', fields)).body.jobId)
    expect(job.result?.counts).toEqual({ created: 2, updated: 1, skipped: 0, failed: 0 })
    const values = await sql<{ name: string; values: string[] }[]>`
      select c.name, array_agg(i.value order by i.value) as values from contact c join contact_identity i on i.contact_id = c.id
      group by c.id order by c.name`
    expect(values.map(one => [one.name, ...one.values])).toEqual([
      ['Ana Prado', '553132224010', '553186554410', '5531986554410'],
      ['Beto', '553133332209', '553186554411', '5531986554411'],
      ['Caio', '553186554412', '5531986554412'],
    ])
    const again = (await preview(rows, '', fields)).body
    expect([again.created, again.updated, again.skipped, again.wrong]).toEqual([0, 0, 3, 0])
  })

  test('tells the first thousand wrong rows, and how many there are', async () => {
    const { body } = await preview([
      ['nome', 'numero'],
      ...Array.from({ length: 1200 }, (_, n) => [`Pessoa ${n}`, 'não tem']),
    ])
    expect([body.wrong, body.errors?.length, readBase64Cells(body.errorSheet).length]).toEqual([1200, 1000, 1001])
    expect(body.errors?.[0]?.code).toBe('numberUnreadable')
  })
})

describe('§14, §22: numbers', () => {
  const numbers = [
    ['31986554410', '5531986554410'],
    ['(31) 8655-4410', '553186554410'],
    ['031 98655-4410', '5531986554410'],
    ['5531986554410', '5531986554410'],
    ['+351 912 345 678', '351912345678'],
    ['00351912345678', '351912345678'],
    ['+1 415 555 2671', '14155552671'],
    ['005531986554410', '5531986554410'],
  ] as const
  test.each(takeRounds(numbers, 3))('%s is %s', async (written, kept) => {
    await imported([HEADS, ['Ana Prado', written]])
    expect((await contacts()).map(({ number }) => number)).toEqual([kept])
  })

  test('a number cell keeps its digits, and a text its zeros', async () => {
    await imported([HEADS, ['Ana Prado', 31986554410], ['Beto', '0031612345678']])
    expect((await contacts()).map(({ number }) => number)).toEqual(['5531986554410', '31612345678'])
  })

  test('what a spreadsheet made of a number is no number', async () => {
    const { body } = await preview([HEADS, ['Ana Prado', '5,53199E+12'], ['Beto', 'ramal 12345678'], ['Caio', '']])
    expect(body.errors?.map(({ code }) => code)).toEqual(['numberUnreadable', 'numberUnreadable', 'numberRequired'])
  })

  test('nobody is doubled who is known with or without the ninth digit, or was typed in without the country', async () => {
    await contact('Com nono', '5531986554410')
    await contact('Sem nono', '553186554411')
    await contact('Sem país', '31986554412')
    await contact('Com zero', '031986554413')
    await contact('Sem país e sem nono', '3186554414')
    const job = await imported([
      HEADS,
      ['Com nono', '31 8655-4410'],
      ['Sem nono', '+55 31 98655-4411'],
      ['Sem país', '31 98655-4412'],
      ['Com zero', '31 98655-4413'],
      ['Sem país e sem nono', '31 98655-4414'],
    ])
    expect(job.result?.counts).toEqual({ created: 0, updated: 3, skipped: 2, failed: 0 })
    expect((await contacts()).map(({ name, number }) => [name, number])).toEqual([
      ['Com nono', '5531986554410'],
      ['Com zero', '5531986554413'],
      ['Sem nono', '553186554411'],
      ['Sem país', '5531986554412'],
      ['Sem país e sem nono', '5531986554414'],
    ])
    // From now on the whole number finds him, in both its forms, whoever looks: who writes has it as the phone does.
    expect((await send([HEADS, ['Sem país', '5531986554412']], '?preview=true')).body).toMatchObject({ skipped: 1 })
    const values = await sql`
      select i.value from contact_identity i join contact c on c.id = i.contact_id where c.name = 'Sem país' order by i.value`
    expect(values.map(({ value }) => value)).toEqual(['31986554412', '553186554412', '5531986554412'])
  })

  test('who has the whole number comes before who was typed in without the country', async () => {
    const older = await contact('Sem país', '31986554410')
    const whole = await contact('Completa', '5531986554410')
    await imported([HEADS, ['Ana Prado', '31 98655-4410']])
    expect((await contacts()).map(({ id, name }) => [id, name])).toEqual([
      [whole, 'Ana Prado'],
      [older, 'Sem país'],
    ])
  })

  test('who has several numbers keeps the one he is shown with; who is shown with none gets that of the sheet', async () => {
    const several = await contact('Ana Prado', '5531986554410')
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '553132224010', ${several})`
    const hidden = await contact('Beto', '5531986554411')
    await sql`update contact set number = null where id = ${hidden}`
    await imported([HEADS, ['Ana Prado', '31 3222-4010', 'ana@prado.example'], ['Beto', '31 98655-4411']])
    expect((await contacts()).map(({ number, email }) => [number, email])).toEqual([
      ['5531986554410', 'ana@prado.example'],
      ['5531986554411', ''],
    ])
  })

  test('two numbers of one contact in a sheet are two rows about him: the later one is the last word', async () => {
    const id = await contact('Ana', '5531986554410')
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '553132224010', ${id})`
    const job = await imported([HEADS, ['Ana Prado', '31 98655-4410', '', 'VIP'], ['Ana da Padaria', '31 3222-4010']])
    expect(job.result?.counts).toMatchObject({ created: 0, updated: 2 })
    const [ana] = await contacts()
    expect([ana?.name, ana?.number, ana?.tags.length]).toEqual(['Ana da Padaria', '5531986554410', 1])
    const log = await sql`select params from log_entry where action = 'contact.update' order by id`
    expect(log.map(({ params }) => params.changes[0])).toEqual([
      { field: 'name', from: 'Ana', to: 'Ana Prado' },
      { field: 'name', from: 'Ana Prado', to: 'Ana da Padaria' },
    ])
  })

  test("a foreign customer who wrote is not taken for somebody whose number lacks the country's code", async () => {
    const peru = await contact('Do Peru', '51987654321')
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${peru}, ${whatsappId}, '51987654321@s.whatsapp.net')`
    const hidden = await contact('Do Peru, escondido', '51987654322')
    await sql`insert into contact_identity (kind, value, contact_id) values ('lid', '111222333', ${hidden})`
    await imported([HEADS, ['De Porto Alegre', '51 98765-4321'], ['De Porto Alegre também', '51 98765-4322']])
    expect((await contacts()).map(({ number }) => number)).toEqual([
      ...['5551987654321', '5551987654322'],
      ...['51987654321', '51987654322'],
    ])
  })

  test('one number twice in a sheet is wrong at the second row, in whatever form; the same row once more is nothing new', async () => {
    const job = await imported([
      HEADS,
      ['Ana Prado', '31 98655-4410'],
      ['Ana Prado', '(31) 8655-4410'],
      ['Outra Ana', '5531986554410'],
    ])
    expect(job.result?.counts).toEqual({ created: 1, updated: 0, skipped: 1, failed: 1 })
    expect(await names()).toEqual(['Ana Prado'])
  })
})

describe('bad input: a sheet nobody filled in', () => {
  test.each([
    ['a PDF called .xlsx', 'a.xlsx', '%PDF-1.7 …', 'ERR_SHEET_UNREADABLE'],
    ['a page called .csv', 'a.csv', '<html></html>', 'ERR_SHEET_UNREADABLE'],
    ['a document', 'a.docx', 'x', 'ERR_FILE_TYPE'],
  ])('%s is refused in words', async (_, name, text, code) => {
    const form = new FormData()
    form.set('medias', new File([text], name))
    expect((await marina.call('POST', '/contacts/import', form)).body.error).toBe(code)
    expect(await sql`select 1 from job`).toHaveLength(0)
  })

  test('more than twenty megabytes are refused, and nothing of them is kept', async () => {
    const form = new FormData()
    form.set('medias', new File(['nome;numero\n', 'a'.repeat(20 * 1024 * 1024)], 'a.csv'))
    const { status, body } = await marina.call('POST', '/contacts/import', form)
    expect([status, body.error]).toEqual([413, 'ERR_FILE_TOO_LARGE'])
    expect(await sql`select 1 from job`).toHaveLength(0)
    expect(await sql`select 1 from media where size > 20000000`).toHaveLength(0)
    const incoming = join(server.config.dataDir, 'media', 'incoming')
    expect(await readdir(incoming).catch(() => [])).toEqual([])
  })

  test('50,001 rows are too many, and the answer says how many there may be', async () => {
    const lines = Array.from({ length: 50_001 }, (_, n) => `Pessoa ${n};${31_980_000_000 + n}`)
    const form = new FormData()
    form.set('medias', new File([`nome;numero\n${lines.join('\n')}`], 'a.csv'))
    const { status, body } = await marina.call('POST', '/contacts/import?preview=true', form)
    expect([status, body.error, body.details]).toEqual([413, 'ERR_SHEET_TOO_LARGE', { most: 50_000 }])
  })

  test('hostile texts are texts', async () => {
    const hostile = [
      "'; drop table contact; --",
      '<script>alert(1)</script>',
      '\u202eAna',
      'Ana\u0007B',
      '👩‍👩‍👧‍👦 Ana',
      '_x0041_ Ana',
    ]
    const lines = hostile.map((name, n) => `"${name}";31 98000-000${n};;<b>${n}`)
    const file = new File([['nome;numero;email;tags', ...lines].join('\n')], 'a.csv')
    const { body } = await marina.call<Begun>('POST', '/contacts/import', makeFileForm(file))
    await ended(marina, body.jobId)
    const kept = hostile.map(name => name.replace('\u0007', ' ').replace('\u202e', '')).sort()
    expect((await names()).sort()).toEqual(kept)
    const back = await exported('POST', '/contacts/export')
    expect(
      back
        .slice(1)
        .map(([name]) => name ?? '')
        .sort(),
    ).toEqual(kept)
  })
})

/** A contact as a look says it will be. */
function toBe(
  row: number,
  outcome: Looked['contacts'][number]['outcome'],
  name: string,
  number: string,
  email: string,
  tags: string[] = [],
): Looked['contacts'][number] {
  return { ...{ row, outcome, name, number }, otherNumbers: [], email, tags }
}
