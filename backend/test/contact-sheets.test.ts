// Contacts by sheet, from phones and in bulk (decisions §3; decisions-2 §13, §14, §22 "Contacts' sheets" and "Contacts").
import { beforeEach, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CONTACT_COLUMNS,
  type Contact,
  DELEGATION_COLUMNS,
  type Job,
  type JobReference,
  type ResponseBody,
} from '@balcao/contract'
import { toSheetText } from '@balcao/formats/sheets/write'
import { importContacts, importDelegation } from '../src/desk/contact-sheets/import.ts'
import { sweepJobs } from '../src/desk/jobs/jobs.ts'
import { isStillAllowed } from '../src/desk/jobs/rights.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { type ApiAnswer, createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { longTest, takeRounds } from './rounds.ts'
import { type Cells, makeSheetFile, parseSheetRows, readBase64Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

type Looked = Exclude<ResponseBody<'POST /contacts/import'>, JobReference>
type Begun = Partial<Looked & JobReference> & { readonly error?: string; readonly details?: unknown }

const server = await startDeskServer()
const { db, url } = server
const sql = db.$client
const HEADS = [...CONTACT_COLUMNS]

const queues = { sales: await makeQueue(db, 'Vendas'), finance: await makeQueue(db, 'Financeiro') }
const people = {
  marina: await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [queues.sales] }),
  diego: await makePerson(db, { name: 'Diego', profile: 'user' }),
  bruna: await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queues.sales, queues.finance] }),
}
const whatsappId = await makeConnection(db, 'Loja Centro')
await sql`update whatsapp set is_default = true`
await sql`update "user" set del_contact = true where name = 'Marina'`
await sql`update "user" set add_contact = false, edit_contact = false, del_contact = false where name = 'Diego'`
const marina = await server.as('Marina')
const diego = await server.as('Diego')

beforeEach(async () => {
  // All at once: row by row, fifty thousand take a slow machine longer than a statement may.
  await sql`truncate contact, ticket, protocol cascade`
  await sql`delete from tag`
  await sql`delete from job`
  await sql`delete from live_event`
  await sql`delete from log_entry`
})

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

describe('§14: an import', () => {
  test('adds and changes what the rows say, keeps what they do not, and tells the screens', async () => {
    await contact('Bar', '5531991770032', { email: 'bar@praca.example', answers: false })
    const vip = await tag('VIP')
    const job = await imported([
      HEADS,
      ['Ana Prado', '31 98655-4410', 'ana@prado.example', 'vip; "Feira, livre"', 'não'],
      ['Bar da Praça', '31 99177-0032', '', 'VIP', ''],
    ])
    expect(job).toMatchObject({ state: 'done', done: 2, total: 2 })
    expect(job.result?.counts).toEqual({ created: 1, updated: 1, skipped: 0, failed: 0 })
    const [ana, bar] = await contacts()
    expect(ana).toMatchObject({ name: 'Ana Prado', email: 'ana@prado.example', respostaAutomatica: false })
    expect(ana?.tags.map(({ name }) => name)).toEqual(['Feira, livre', 'VIP'])
    expect(bar).toMatchObject({ name: 'Bar da Praça', email: 'bar@praca.example', respostaAutomatica: false })
    expect(bar?.tags.map(({ id }) => id)).toEqual([vip])
    const events = await sql<
      { payload: string }[]
    >`select payload from live_event where payload like '{"event":"contact"%' order by id`
    const payloads = events.map(({ payload }) => JSON.parse(payload))
    expect(payloads.map(({ action, contact: one }) => [action, one])).toEqual([
      ['create', ana],
      ['update', bar],
    ])
    const log = await sql`select action, params, user_id from log_entry order by id`
    expect(log.map(({ action }) => action)).toEqual([
      'tag.create',
      'contact.create',
      'contact.update',
      'contact.import',
    ])
    expect(log.at(-1)).toMatchObject({
      params: { created: 1, updated: 1, skipped: 0, failed: 0 },
      user_id: people.marina,
    })
  })

  test('who is new is answered automatically unless the sheet says no, and is known in both forms of the number', async () => {
    await imported([
      ['nome', 'numero'],
      ['Ana Prado', '31 98655-4410'],
    ])
    expect((await contacts()).map(({ respostaAutomatica }) => respostaAutomatica)).toEqual([true])
    const values = await sql`select value from contact_identity where kind = 'pn' order by value`
    expect(values.map(({ value }) => value)).toEqual(['553186554410', '5531986554410'])
  })

  test('nothing of a sheet stays on the disk but the file that was sent', async () => {
    const rows = [HEADS, ['Ana Prado', '31 98655-4410']]
    await preview(rows)
    await imported(rows)
    expect(await readdir(join(server.config.dataDir, 'media', 'incoming'))).toEqual([])
  })

  test('the log says that there is another e-mail, and neither the old nor the new one', async () => {
    await contact('Ana Prado', '5531986554410', { email: 'antes@prado.example' })
    await imported([HEADS, ['Ana Prado', '31 98655-4410', 'depois@prado.example']])
    const [entry] = await sql`select params from log_entry where action = 'contact.update'`
    expect(entry?.params).toEqual({ changes: [{ field: 'email' }] })
  })

  test('of two tags of one name the oldest is meant', async () => {
    const [old, newer] = [await tag('VIP'), await tag('VIP')]
    await imported([HEADS, ['Ana Prado', '31 98655-4410', '', 'vip']])
    expect([...(await sql`select tag_id from contact_tag`)]).toEqual([{ tag_id: Math.min(old, newer) }])
    expect(await sql`select 1 from tag`).toHaveLength(2)
  })

  test('who is merged while it waits is looked at anew, as the survivor is by then', async () => {
    const from = await contact('Ana', '5531986554410')
    const into = await contact('Ana Prado', '5531986554411')
    // As it will be found, so that nothing of the survivor is written when the number becomes its own.
    await sql`update contact set search_digits = (
      select contact_digits(string_agg(value, ' ' order by value collate "C")) from contact_identity where kind = 'pn') where id = ${into}`
    const survivor = await sql.reserve()
    await survivor`begin`
    await survivor`select 1 from contact where id = ${into} for no key update`
    const job = await sql.begin(async tx => {
      await tx`update contact set merged_into = ${into} where id = ${from}`
      await tx`update contact_identity set contact_id = ${into} where contact_id = ${from}`
      const { body } = await send([HEADS, ['Ana Prado', '31 98655-4410', 'ana@doce.example']])
      await waitUntil('it waits for who is merged', async () => (await countLockWaits(sql)) === 1)
      return body.jobId
    })
    await waitUntil('it waits for the survivor', async () => {
      const [waits] = await sql`select 1 from pg_stat_activity where (select pg_backend_pid()) <> pid
        and datname = current_database() and wait_event_type = 'Lock' and query like '%contact%'`
      return waits !== undefined
    })
    await survivor`update contact set email = 'ana@doce.example' where id = ${into}`
    await survivor`commit`
    survivor.release()
    expect((await ended(marina, job)).result?.counts).toMatchObject({ updated: 0, skipped: 1, created: 0 })
  })

  test('tags of a cell stand between commas, strokes or lines', async () => {
    await imported([HEADS, ['Ana Prado', '31 98655-4410', '', 'Feira|VIP\nSábado, Bairro']])
    expect((await contacts())[0]?.tags.map(({ name }) => name)).toEqual(['Bairro', 'Feira', 'Sábado', 'VIP'])
  })

  test('its file is the job’s from the beginning, and goes with it; so do its wrong rows', async () => {
    const job = await imported([HEADS, ['X', '31 98655-4410']])
    expect(await sql`select 1 from media where owner = 'job' and job_id = ${job.id}`).toHaveLength(1)
    expect((await marina.call('GET', `/jobs/${job.id}/errors`)).status).toBe(200)
    await sql`update job set ended_at = now() - interval '25 hours' where id = ${job.id}`
    await sweepJobs(db)
    expect((await marina.call('GET', `/jobs/${job.id}/errors`)).body.error).toBe('ERR_NO_FILE_FOUND')
    // Nor is there one left of jobs that are gone themselves.
    expect(await sql`select 1 from media where owner = 'job'`).toHaveLength(0)
  })

  test('more than a thousand wrong rows are all in their sheet', async () => {
    const rows = Array.from({ length: 1200 }, (_, n) => [`Pessoa ${n}`, 'não tem'])
    const job = await imported([['nome', 'numero'], ...rows])
    const { body } = await marina.call<{ base64: string }>('GET', `/jobs/${job.id}/errors`)
    expect([job.result?.counts.failed, readBase64Cells(body).length, readBase64Cells(body).at(-1)?.[0]]).toEqual([
      ...[1200, 1201],
      'Pessoa 1199',
    ])
  })

  test('a name that the phone gave gives way to that of the sheet; the number finds who writes', async () => {
    const id = await contact('push', '5531986554410')
    await sql`update contact set name_source = 'push' where id = ${id}`
    await imported([HEADS, ['Ana Prado', '31 98655-4410']])
    const [row] = await sql`select name, name_source from contact where id = ${id}`
    expect(row).toEqual({ name: 'Ana Prado', name_source: 'manual' })
  })

  test('wrong rows are left out and can be had as a sheet; the right ones are in', async () => {
    const rows = [HEADS, ['Ana Prado', '31 98655-4410'], ['X', '31 98111-1111'], ['=cmd()', '31 98222-2222', 'nada']]
    const job = await imported(rows)
    expect(job.result?.counts).toEqual({ created: 1, updated: 0, skipped: 0, failed: 2 })
    const { body } = await marina.call<{ name: string; base64: string }>('GET', `/jobs/${job.id}/errors`)
    const lines = readBase64Cells(body)
    expect(lines[0]).toEqual([...HEADS, 'erro'])
    expect(lines.slice(1).map(line => [line[0], line.at(-1)])).toEqual([
      ['X', 'Nome: Nome precisa de 2 a 50 letras'],
      // What begins like a formula is a text.
      ["'=cmd()", 'E-mail: E-mail inválido'],
    ])
  })

  test('with partial=false nothing at all is written while a row is wrong', async () => {
    const rows = [HEADS, ['Ana Prado', '31 98655-4410', '', 'Nova'], ['X', '31 98111-1111']]
    const { body } = await send(rows, '?partial=false')
    const job = await ended(marina, body.jobId)
    expect(job).toMatchObject({ state: 'failed', error: 'ERR_SHEET_ROWS' })
    expect(job.result?.counts).toEqual({ failed: 1 })
    expect([await names(), (await sql`select 1 from tag`).length]).toEqual([[], 0])
    const errors = await marina.call<{ base64: string }>('GET', `/jobs/${job.id}/errors`)
    expect(readBase64Cells(errors.body).map(line => line[0])).toEqual(['nome', 'X'])
    await imported(rows.slice(0, 2), '?partial=false')
    expect(await names()).toEqual(['Ana Prado'])
  })

  test('a name that is kept as it is need not be one a form would take; a new one must', async () => {
    await contact('J', '5531986554410')
    await contact('', '5531986554411')
    const job = await imported([HEADS, ['J', '31986554410', 'j@x.example'], ['', '31986554411'], ['', '31986554412']])
    expect(job.result?.counts).toEqual({ created: 0, updated: 1, skipped: 1, failed: 1 })
  })

  test('of very many who lists contacts is told that there are others, not of each; who stands in a list of tickets is', async () => {
    const id = await contact('Cliente 0', '5531980000000')
    await makeTicket(db, { contactId: id, whatsappId, status: 'pending' })
    const rows = Array.from({ length: 300 }, (_, n) => [`Novo ${n}`, `31 98000-${String(n).padStart(4, '0')}`])
    await imported([HEADS, ...rows])
    const events = await sql<
      { payload: string }[]
    >`select payload from live_event where payload like '{"event":"contact"%'`
    const payloads = events.map(({ payload }) => JSON.parse(payload))
    expect(payloads.filter(({ action }) => action !== 'reload').map(one => one.contact.name)).toEqual(['Novo 0'])
    expect(payloads.filter(({ action }) => action === 'reload').length).toBeGreaterThan(0)
    expect((await marina.call<{ count: number }>('GET', '/contacts')).body.count).toBe(300)
  })

  test('two at once with the same people add each of them once', async () => {
    await sql`update "user" set edit_contact = true where name = 'Diego'`
    const rows = Array.from({ length: 150 }, (_, n) => [
      `Igual ${n}`,
      `31 98000-${String(n).padStart(4, '0')}`,
      '',
      'Igual',
    ])
    const begun = await Promise.all([marina, diego].map(person => send([HEADS, ...rows], '', {}, person)))
    const jobs = [await ended(marina, begun[0]?.body.jobId), await ended(diego, begun[1]?.body.jobId)]
    await sql`update "user" set edit_contact = false where name = 'Diego'`
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done'])
    expect(jobs.reduce((sum, { result }) => sum + (result?.counts.created ?? 0), 0)).toBe(150)
    const [count] = await sql`select count(*)::int as n, count(distinct number)::int as numbers from contact`
    expect(count).toEqual({ n: 150, numbers: 150 })
    expect(await sql`select name from tag`).toHaveLength(1)
  })

  test('§13: tells how far it is, and one that is cancelled keeps what it did', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => [`Pessoa ${n}`, `31 98${String(n).padStart(3, '0')}-0000`])
    // Somebody is just being added who stands far down in the sheet: the import waits there for as long as it takes.
    const [isThere, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = sql
      .begin(async tx => {
        await tx`set local idle_in_transaction_session_timeout = 0`
        const [made] = await tx<{ id: number }[]>`insert into contact (name) values ('Quem escreve agora') returning id`
        await tx`insert into contact_identity (kind, value, contact_id) values ('pn', '5531982500000', ${made?.id ?? 0})`
        isThere.resolve()
        await over.promise
        throw new Error('undone')
      })
      .catch(() => {})
    await isThere.promise
    const { body } = await send([['nome', 'numero'], ...lines])
    await waitUntil('some of it is done', async () => (await own(marina, body.jobId ?? 0)).done > 0, 30_000)
    const { body: cancelled } = await marina.call<Job>('DELETE', `/jobs/${body.jobId}`)
    expect(cancelled).toMatchObject({ state: 'cancelled', total: 300 })
    expect(cancelled.done).toBeLessThan(300)
    over.resolve()
    await other
    await waitUntil('nobody works on it', async () => {
      const left = await sql`select 1 from graphile_worker.jobs where key = ${`job:${body.jobId}`}`
      return left.length === 0
    })
    const [count] = await sql`select count(*)::int as n from contact`
    expect(count?.n).toBe(cancelled.done)
    expect(cancelled.result?.counts.created).toBe(cancelled.done)
    // The same sheet once more goes on where it stopped.
    const job = await imported([['nome', 'numero'], ...lines])
    expect(job.result?.counts).toMatchObject({ created: 300 - cancelled.done, skipped: cancelled.done })
  })

  test('a sheet makes no more than two hundred tags', async () => {
    const rows = Array.from({ length: 210 }, (_, n) => [
      `Pessoa ${n}`,
      `31 98000-${String(n).padStart(4, '0')}`,
      '',
      `Tag ${n}`,
    ])
    expect((await preview([HEADS, ...rows])).body).toMatchObject({ created: 200, wrong: 10 })
    const job = await imported([HEADS, ...rows])
    expect(job.result?.counts).toMatchObject({ created: 200, failed: 10 })
    expect(await sql`select 1 from tag`).toHaveLength(200)
  })
})

describe('§14: the address book of the phone', () => {
  const book = (number: string, name: string) =>
    sql`insert into phone_book (whatsapp_id, number, name) values (${whatsappId}, ${number}, ${name})`

  test('comes in without a file; names of the team stay, and nobody is doubled', async () => {
    await contact('Dona Lúcia', '5531998762210')
    await book('553198762210', 'Lucia casa')
    await book('5531986554410', 'Ana')
    await book('553186554410', 'Ana antiga')
    const { status, body } = await marina.call<Begun>('POST', '/contacts/import')
    expect(status).toBe(202)
    expect((await ended(marina, body.jobId)).result?.counts).toEqual({ created: 1, updated: 0, skipped: 1, failed: 0 })
    expect((await contacts()).map(({ name, number }) => [name, number])).toEqual([
      ['Ana antiga', '553186554410'],
      ['Dona Lúcia', '5531998762210'],
    ])
    const [row] = await sql`select name_source from contact where name = 'Ana antiga'`
    expect(row?.name_source).toBe('phone')
    const again = await marina.call<Begun>('POST', `/contacts/import?whatsappId=${whatsappId}`)
    expect((await ended(marina, again.body.jobId)).result?.counts).toMatchObject({ created: 0, skipped: 2 })
    await sql`delete from phone_book`
  })

  test('its name comes before what somebody calls himself, and may be as short as a phone lets it be', async () => {
    const pushed = await contact('lulu ✨', '5531998762210')
    await sql`update contact set name_source = 'push' where id = ${pushed}`
    await book('5531998762210', 'Lúcia')
    await book('5531986554410', 'B')
    const { body } = await marina.call<Begun>('POST', '/contacts/import')
    expect((await ended(marina, body.jobId)).result?.counts).toEqual({ created: 1, updated: 1, skipped: 0, failed: 0 })
    expect([...(await sql`select name, name_source as source from contact order by name`)]).toEqual([
      { name: 'B', source: 'phone' },
      { name: 'Lúcia', source: 'phone' },
    ])
    await sql`delete from phone_book`
  })

  test('is refused where the connection told of none, is unknown, and by blockImportContacts', async () => {
    const code = async (query = '') => (await marina.call('POST', `/contacts/import${query}`)).body.error
    expect(await code()).toBe('ERR_NO_PHONE_BOOK')
    expect(await code('?whatsappId=999999')).toBe('ERR_NO_WAPP_FOUND')
    await book('5531986554410', 'Ana')
    await sql`insert into setting (key, value) values ('blockImportContacts', 'enabled') on conflict (key) do update set value = 'enabled'`
    expect(await code()).toBe('ERR_IMPORT_BLOCKED')
    // A sheet is no address book.
    expect((await send([HEADS, ['Ana Prado', '31 98655-4410']])).status).toBe(202)
    await sql`update setting set value = 'disabled' where key = 'blockImportContacts'`
    await sql`delete from phone_book`
  })
})

describe('§14: an export', () => {
  test('is a sheet behind a link, and imports again without a change', async () => {
    await contact('Ana Prado', '5531986554410', {
      email: 'ana@prado.example',
      tags: [await tag('VIP'), await tag('Feira; "livre", aos sábados'), await tag('Casa|Praia')],
    })
    await contact('=HYPERLINK("http://x")', '5531986554411', { answers: false })
    await contact("'=aspas", '14155552671')
    await contact('@arroba & <b>', '351912345678')
    await contact('J', '5531986554412')
    await contact('', '5531986554413')
    await sql`insert into contact (name, is_group) values ('Grupo da família', true)`
    const [ana] = await sql<{ id: number }[]>`select id from contact where name = 'Ana Prado'`
    await sql`insert into contact (name, number, merged_into) values ('Ana de antes', '5531986554499', ${ana?.id ?? 0})`
    const sheet = await begun('POST', '/contacts/export')
    const rows = await rowsBehind(sheet)
    expect(rows[0]).toEqual(HEADS)
    expect(rows.slice(1).map(([name, number]) => [name, number])).toEqual([
      ['', '5531986554413'],
      ["'=aspas", '+14155552671'],
      ['=HYPERLINK("http://x")', '5531986554411'],
      ['@arroba & <b>', '351912345678'],
      ['Ana Prado', '5531986554410'],
      ['J', '5531986554412'],
    ])
    const again = new File([new Uint8Array(await bytesOf(sheet))], 'contatos.xlsx')
    const looked = await marina.call<Begun>('POST', '/contacts/import?preview=true', formWith(again))
    expect(looked.body).toMatchObject({ total: 6, created: 0, updated: 0, skipped: 6, wrong: 0 })
    const before = await contacts()
    await sql`delete from contact`
    const { body } = await marina.call<Begun>('POST', '/contacts/import', formWith(again))
    const job = await ended(marina, body.jobId)
    // On another desk: but for those whose names no form takes.
    expect(job.result?.counts).toMatchObject({ created: 4, failed: 2 })
    const bare = ({ name, number, email, respostaAutomatica, tags }: Contact) => ({
      name,
      number,
      email,
      respostaAutomatica,
      tags,
    })
    expect((await contacts()).map(bare)).toEqual(
      before.filter(({ name }) => name.length > 1 && !name.startsWith('Grupo')).map(bare),
    )
  })

  test('what begins like a formula is text in the file itself, as .csv too', async () => {
    for (const name of ['=1+1', '+55', '-3', '@x'])
      await contact(name, `55319865544${name.length}${name.charCodeAt(0) % 10}`)
    const job = await begun('POST', '/contacts/export', { format: 'csv' })
    const text = await download(job)
    expect(job.result?.name).toBe('contatos.csv')
    const cells = text
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.split(';')[0])
    expect(cells).toEqual([`"'+55"`, `"'-3"`, `"'=1+1"`, `"'@x"`])
  })

  test('what begins with a tab or a break, as some spreadsheets read formulas, is text too', () => {
    expect(['\t=1+1', '\r=1+1', "'\t=1+1", ' =1+1'].map(toSheetText)).toEqual([
      "'\t=1+1",
      "'\r=1+1",
      "''\t=1+1",
      ' =1+1',
    ])
  })

  longTest(
    'of more than fifty thousand is a zip of sheets that each import again',
    async () => {
      await sql`insert into contact (name, name_source, number) select 'Cliente ' || n, 'manual', (5531900000000 + n)::text from generate_series(1, 50010) n`
      const job = await begun('POST', '/contacts/export', { format: 'csv' })
      expect(job.result).toMatchObject({ name: 'contatos.zip', counts: { exported: 50_010 } })
      const { unzipSync } = await import('fflate')
      const files = unzipSync(await bytesOf(job))
      const lines = Object.entries(files).map(([name, bytes]) => [
        name,
        new TextDecoder().decode(bytes).split('\r\n').length - 2,
      ])
      expect(lines).toEqual([
        ['contatos-1.csv', 50_000],
        ['contatos-2.csv', 10],
      ])
    },
    60_000,
  )
})

describe('§3, §14: delegation', () => {
  test('sets the redirects of a contact to its rows, adds who is not known, and takes all away where none is named', async () => {
    const ana = await contact('Ana Prado', '5531986554410')
    const beto = await contact('Beto', '5531986554411')
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${beto}, ${queues.sales}, ${people.bruna})`
    const heads = [...DELEGATION_COLUMNS]
    const rows = [
      heads,
      ['31 98655-4410', 'outro nome', 'vendas', 'marina@saojose.example'],
      ['31 98655-4411', 'Beto', '', ''],
      ['31 8655-4410', '', 'Financeiro', 'Bruna'],
      ['31 98655-4412', 'Caio Novo', 'Vendas', 'BRUNA'],
    ]
    const looked = await delegate(rows, '?preview=true')
    expect(looked.body).toMatchObject({ created: 1, updated: 3, skipped: 0, wrong: 0, total: 4 })
    const { body } = await delegate(rows)
    expect((await ended(marina, body.jobId)).result?.counts).toEqual({ created: 1, updated: 3, skipped: 0, failed: 0 })
    const all = await contacts()
    expect(all.map(({ name, redirect }) => [name, redirect])).toEqual([
      [
        'Ana Prado',
        [
          { queueId: queues.sales, userId: people.marina },
          { queueId: queues.finance, userId: people.bruna },
        ],
      ],
      ['Beto', []],
      ['Caio Novo', [{ queueId: queues.sales, userId: people.bruna }]],
    ])
    expect(ana).toBe(all[0]?.id ?? 0)
    expect((await delegate(rows, '?preview=true')).body).toMatchObject({ created: 0, updated: 0, skipped: 4 })
  })

  test('refuses what names nobody, several, nothing, or somebody without the queue; nobody is half delegated', async () => {
    const twin = await makePerson(db, { name: 'Gêmeo', profile: 'user', queueIds: [queues.sales] })
    await sql`insert into "user" (name, email_sealed, email_hash, password_hash, profile) select name, 'x', 'x', 'x', profile from "user" where id = ${twin}`
    const beto = await contact('Beto', '5531986554411')
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${beto}, ${queues.finance}, ${people.bruna})`
    const { body } = await delegate(
      [
        [...DELEGATION_COLUMNS],
        ['31 98655-4411', 'Beto', 'Vendas', 'Marina'],
        ['31 98655-4411', 'Beto', 'Compras', 'Marina'],
        ['31 98655-4412', 'Caio Novo', 'Vendas', 'Gêmeo'],
        ['31 98655-4413', 'Dora Nova', 'Vendas', 'Ninguém'],
        ['31 98655-4414', 'Eva Nova', 'Financeiro', 'Marina'],
        ['31 98655-4415', 'Fabio Novo', 'Vendas', ''],
        ['31 98655-4416', 'Gil Novo', 'Vendas', 'Bruna'],
        ['31 98655-4416', 'Gil Novo', 'vendas', 'Marina'],
        ['31 98655-4417', 'X', 'Vendas', 'Bruna'],
        ['31 98655-4418', 'Hugo Novo', 'Vendas', `Bruna #${people.marina}`],
        ['31 98655-4419', 'Ivo Novo', `Vendas #${queues.finance}`, 'Bruna'],
      ],
      '?preview=true',
    )
    expect(body.errors?.map(({ row, field, code }) => [row, field, code])).toEqual([
      [2, 'numero', 'otherRow'],
      [3, 'fila', 'queueUnknown'],
      [4, 'usuario', 'userSeveral'],
      [5, 'usuario', 'userUnknown'],
      [6, 'usuario', 'redirectUnlinked'],
      [7, 'usuario', 'redirectIncomplete'],
      [8, 'numero', 'otherRow'],
      [9, 'fila', 'redirectTwice'],
      [10, 'nome', 'nameLength'],
      // A number that is somebody else's by now names nobody.
      [11, 'usuario', 'userUnknown'],
      [12, 'fila', 'queueUnknown'],
    ])
    await sql`delete from "user" where email_hash = 'x'`
    await sql`delete from "user" where id = ${twin}`
  })

  test('a sheet without the columns of queue and person is refused: it would take everybody away', async () => {
    const ana = await contact('Ana Prado', '5531986554410')
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${ana}, ${queues.sales}, ${people.bruna})`
    const rows = [
      ['numero', 'nome'],
      ['31 98655-4410', 'Ana Prado'],
    ]
    const looked = await delegate(rows, '?preview=true')
    expect(looked.body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['fila', 'columnMissing'],
      ['usuario', 'columnMissing'],
    ])
    expect((await delegate(rows)).status).toBe(422)
    expect((await contacts()).flatMap(({ redirect }) => redirect)).toHaveLength(1)
  })

  test('what stood there stays, though the person has the queue no more; who is gone is nobody’s namesake', async () => {
    const ana = await contact('Ana Prado', '5531986554410')
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${ana}, ${queues.finance}, ${people.marina})`
    await sql`insert into "user" (name, email_sealed, email_hash, password_hash, profile, deleted_at) values ('Bruna', 'x', 'x', 'x', 'user', now())`
    const rows = [
      [...DELEGATION_COLUMNS],
      ['31 98655-4410', 'Ana Prado', 'Financeiro', 'Marina'],
      ['31 98655-4410', 'Ana Prado', 'Vendas', 'Bruna'],
    ]
    const { body } = await delegate(rows)
    expect((await ended(marina, body.jobId)).result?.counts).toMatchObject({ updated: 2, failed: 0 })
    expect((await contacts())[0]?.redirect).toEqual([
      { queueId: queues.sales, userId: people.bruna },
      { queueId: queues.finance, userId: people.marina },
    ])
    await sql`delete from "user" where email_hash = 'x'`
  })

  test('its export says everybody and whom they go to, tells no e-mails, and imports again', async () => {
    const twins = [await makePerson(db, { name: 'Gêmea', profile: 'user', queueIds: [queues.sales] })]
    await sql`insert into "user" (name, email_sealed, email_hash, password_hash, profile) select name, 'x', 'x', 'x', profile from "user" where id = ${twins[0] ?? 0}`
    const ana = await contact('Ana Prado', '5531986554410')
    await contact('Beto', '5531986554411')
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values
      (${ana}, ${queues.sales}, ${twins[0] ?? 0}), (${ana}, ${queues.finance}, ${people.bruna})`
    const rows = await exported('POST', '/contacts/export/delegation')
    expect(rows).toEqual([
      [...DELEGATION_COLUMNS],
      ['5531986554410', 'Ana Prado', 'Vendas', `Gêmea #${twins[0]}`],
      ['5531986554410', 'Ana Prado', 'Financeiro', 'Bruna'],
      ['5531986554411', 'Beto'],
    ])
    expect((await delegate(rows, '?preview=true')).body).toMatchObject({ total: 3, skipped: 3, wrong: 0 })
    await sql`delete from "user" where email_hash = 'x'`
  })

  test('takes .csv too; a file is required (spec 3 §5)', async () => {
    await contact('Ana Prado', '5531986554410')
    const text = 'numero;nome;fila;usuario\r\n31986554410;Ana Prado;Vendas;Marina\r\n'
    const form = new FormData()
    form.set('medias', new File([text], 'd.csv'))
    const { body } = await marina.call<Begun>('POST', '/contacts/delegation', form)
    expect((await ended(marina, body.jobId)).result?.counts).toMatchObject({ updated: 1 })
    const none = await marina.call<Begun>('POST', '/contacts/delegation', new FormData())
    expect(none.body.details).toEqual([{ path: 'medias', message: 'Insira um arquivo para importar' }])
  })

  test('an empty file is a sheet that cannot be read, not a wish for the phone’s own book', async () => {
    const form = new FormData()
    form.set('medias', new File([], 'vazio.csv'))
    const { status, body } = await marina.call<{ error: string }>('POST', '/contacts/import?preview=true', form)
    expect([status, body.error]).toEqual([422, 'ERR_SHEET_UNREADABLE'])
  })
})

describe('§14: clearing', () => {
  test('tells the number, asks for the word, and takes who has no tickets, protocols and schedules', async () => {
    const contactId = await contact('Com conversa', '5531986554410')
    await makeTicket(db, { contactId, whatsappId, status: 'closed' })
    const scheduled = await contact('Agendada', '5531986554411')
    const [schedule] = await sql<{ id: number }[]>`
      insert into schedule (message, recurrence, send_time) values ('bom dia', 'every_day', '08:00') returning id`
    await sql`insert into schedule_contact (schedule_id, contact_id) values (${schedule?.id ?? 0}, ${scheduled})`
    const protocol = await contact('Com protocolo', '5531986554412')
    const ticket = await makeTicket(db, { contactId: protocol, whatsappId, status: 'closed' })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('2026', ${ticket}, ${protocol})`
    for (let n = 0; n < 5; n++) await contact(`Sem nada ${n}`, `553198000000${n}`)
    const numbers = await marina.call('POST', '/contacts/clear?preview=true', {})
    expect([numbers.status, numbers.body]).toEqual([200, { deleted: 5, total: 8 }])
    for (const body of [undefined, {}, { confirm: 'sim' }])
      expect((await marina.call('POST', '/contacts/clear', body)).status).toBe(422)
    expect(await names()).toHaveLength(8)
    const job = await begun('POST', '/contacts/clear', { confirm: 'APAGAR' })
    expect(job.result?.counts).toEqual({ deleted: 5 })
    expect(await names()).toEqual(['Agendada', 'Com conversa', 'Com protocolo'])
    const gone = await sql`select 1 from live_event where payload like '{"event":"contact","action":"delete"%'`
    expect(gone).toHaveLength(5)
    expect((await sql`select action from log_entry where action = 'contact.clear'`).length).toBe(1)
    await sql`delete from schedule`
  })

  test('leaves whom a send that runs is for, and who comes after it was asked for', async () => {
    const first = await contact('Primeira', '5531986554410')
    const sent = await contact('Num envio', '5531986554411')
    const [run] = await sql<{ id: number }[]>`
      insert into send (due_at, state, body, recipients) values (now(), 'running', 'Bom dia', '{}') returning id`
    await sql`insert into send_recipient (send_id, contact_id, state) values (${run?.id ?? 0}, ${sent}, 'waiting')`
    // More than one batch: the later ones look anew.
    await sql`insert into contact (name, number) select 'Cliente ' || n, (5531900000000 + n)::text from generate_series(1, 310) n`
    const { job } = await db.transaction(async tx => {
      await getSql(tx)`select 1 from contact where id = ${first} for update`
      const job = begun('POST', '/contacts/clear', { confirm: 'APAGAR' })
      await waitUntil('it waits', async () => (await countLockWaits(sql)) > 0)
      await contact('Quem veio depois', '5531977770000')
      return { job }
    })
    expect((await job).result?.counts).toEqual({ deleted: 311 })
    expect(await names()).toEqual(['Num envio', 'Quem veio depois'])
    await sql`delete from send`
  })
})

describe('§22: many contacts at once', () => {
  test('tags are put on those that are named, by everybody, and told', async () => {
    const [one, two, three] = [
      await contact('Ana', '5531986554410'),
      await contact('Beto', '5531986554411'),
      await contact('Caio', '5531986554412'),
    ]
    const vip = await tag('VIP')
    await sql`insert into contact_tag values (${one}, ${vip})`
    const job = await begun('POST', '/contacts/bulk', { ids: [one, two], action: 'tag', tagIds: [vip] }, diego)
    expect(job.result?.counts).toEqual({ changed: 1, kept: 1 })
    expect((await contacts()).map(({ id, tags }) => [id, tags.length])).toEqual([
      [one, 1],
      [two, 1],
      [three, 0],
    ])
    const rows = await sql<
      { payload: string }[]
    >`select payload from live_event where payload like '{"event":"contact"%'`
    expect(rows.map(({ payload }) => JSON.parse(payload).contact)).toEqual(
      (await contacts()).filter(({ id }) => id === two),
    )
    const off = await begun('POST', '/contacts/bulk', { ids: [one, two, three], action: 'untag', tagIds: [vip] }, diego)
    expect(off.result?.counts).toEqual({ changed: 2, kept: 1 })
  })

  test('all that a search finds, and nobody who comes later', async () => {
    for (let n = 0; n < 700; n++)
      await contact(n % 2 ? `Padaria ${n}` : `Oficina ${n}`, `55319${String(80_000_000 + n)}`)
    const vip = await tag('VIP')
    // Somebody holds one of the first while others come: the work waits in its first batch.
    const { job, late } = await db.transaction(async tx => {
      await getSql(tx)`select 1 from contact where name = 'Padaria 1' for update`
      const job = begun('POST', '/contacts/bulk', { searchParam: 'padaria', action: 'tag', tagIds: [vip] })
      await waitUntil('it waits', async () => (await countLockWaits(sql)) > 0)
      return { job, late: await contact('Padaria que veio depois', '5531977770000') }
    })
    expect((await job).state).toBe('done')
    expect([...(await sql`select 1 from contact_tag where contact_id = ${late}`)]).toEqual([])
    await sql`delete from contact where id = ${late}`
    expect(await job).toMatchObject({ state: 'done', done: 350, total: 350 })
    const [count] =
      await sql`select count(*)::int as n from contact_tag t join contact c on c.id = t.contact_id where c.name like 'Padaria%'`
    expect([count?.n, (await job).result?.counts.changed]).toEqual([350, 350])
    const everybody = await begun('POST', '/contacts/bulk', { searchParam: '', action: 'tag', tagIds: [vip] })
    expect(everybody.result?.counts).toEqual({ changed: 350, kept: 350 })
  })

  test('one person for a queue, and nobody', async () => {
    const [one, two] = [await contact('Ana', '5531986554410'), await contact('Beto', '5531986554411')]
    const give = { ids: [one, two], action: 'delegate', queueId: queues.sales, userId: people.bruna }
    expect((await begun('POST', '/contacts/bulk', give)).result?.counts).toEqual({ changed: 2, kept: 0 })
    expect((await contacts()).map(({ redirect }) => redirect)).toEqual([
      [{ queueId: queues.sales, userId: people.bruna }],
      [{ queueId: queues.sales, userId: people.bruna }],
    ])
    expect((await begun('POST', '/contacts/bulk', { ...give, userId: null })).result?.counts).toMatchObject({
      changed: 2,
    })
    expect((await contacts()).flatMap(({ redirect }) => redirect)).toEqual([])
    const unlinked = await marina.call('POST', '/contacts/bulk', {
      ...give,
      queueId: queues.finance,
      userId: people.marina,
    })
    expect(unlinked.body.error).toBe('ERR_USER_NO_LINKED_IN_QUEUE')
  })

  test('deletion takes the conversations along, and leaves who has a protocol', async () => {
    const [one, two] = [await contact('Ana', '5531986554410'), await contact('Beto', '5531986554411')]
    await makeTicket(db, { contactId: one, whatsappId, status: 'open', userId: people.bruna })
    const ticket = await makeTicket(db, { contactId: two, whatsappId, status: 'closed' })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('2026', ${ticket}, ${two})`
    const body = { ids: [one, two, 999_999], action: 'delete' }
    const looked = await marina.call('POST', '/contacts/bulk?preview=true', body)
    expect([looked.status, looked.body]).toEqual([200, { contacts: 2, tickets: 1, kept: 1 }])
    expect(await names()).toHaveLength(2)
    const job = await begun('POST', '/contacts/bulk', body)
    expect(job.result?.counts).toEqual({ changed: 1, kept: 1 })
    expect(await names()).toEqual(['Beto'])
    expect(await sql`select 1 from ticket`).toHaveLength(1)
  })

  test('what a search finds is looked up once, not for each that is deleted', async () => {
    const [first, , last] = [
      await contact('Padaria 1', '5531986554410'),
      await contact('Padaria 2', '5531986554411'),
      await contact('Padaria 3', '5531986554412'),
    ]
    const job = await db.transaction(async tx => {
      await getSql(tx)`select 1 from contact where id = ${first} for update`
      const job = begun('POST', '/contacts/bulk', { searchParam: 'padaria', action: 'delete' })
      await waitUntil('it waits', async () => (await countLockWaits(sql)) > 0)
      await sql`update contact set name = 'Oficina' where id = ${last}`
      return { job }
    })
    expect((await job.job).result?.counts).toEqual({ changed: 3, kept: 0 })
  })

  test('what hangs on them is told only to who may delete them', async () => {
    const one = await contact('Ana', '5531986554410')
    const ticket = await makeTicket(db, { contactId: one, whatsappId, status: 'closed' })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('2026', ${ticket}, ${one})`
    const body = { ids: [one], action: 'tag', tagIds: [await tag('VIP')] }
    const looked = await diego.call('POST', '/contacts/bulk?preview=true', body)
    expect([looked.status, looked.body]).toEqual([200, { contacts: 1, tickets: 0, kept: 0 }])
  })

  test('says what is missing', async () => {
    const refusal = async (body: object) => {
      const { status, body: said } = await marina.call('POST', '/contacts/bulk', body)
      return [status, said.error]
    }
    expect(await refusal({ action: 'tag', tagIds: [1] })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [], action: 'delete' })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [1], action: 'tag' })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [1], action: 'tag', tagIds: [999_999] })).toEqual([404, 'ERR_NO_TAG_FOUND'])
    expect(await refusal({ searchParam: 'ab', action: 'delete' })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [1], action: 'delegate', queueId: 999_999, userId: null })).toEqual([
      404,
      'ERR_NO_QUEUE_FOUND',
    ])
    expect(await refusal({ ids: [1], action: 'delegate', queueId: queues.sales, userId: 999_999 })).toEqual([
      404,
      'ERR_NO_USER_FOUND',
    ])
  })
})

describe('spec 3 §6: who may', () => {
  test('who lacks the flag is refused at every door', async () => {
    const one = await contact('Ana', '5531986554410')
    const calls: [string, string, unknown?][] = [
      ['POST', '/contacts/import', formOf([HEADS, ['Ana', '31986554410']])],
      ['POST', '/contacts/import?preview=true', formOf([HEADS, ['Ana', '31986554410']])],
      ['POST', '/contacts/import'],
      ['GET', '/contacts/import/template'],
      ['POST', '/contacts/export'],
      ['POST', '/contacts/delegation', formOf([[...DELEGATION_COLUMNS]])],
      ['GET', '/contacts/delegation/template'],
      ['POST', '/contacts/export/delegation'],
      ['POST', '/contacts/clear', { confirm: 'APAGAR' }],
      ['POST', '/contacts/clear?preview=true', {}],
      ['POST', '/contacts/bulk', { ids: [one], action: 'delete' }],
      ['POST', '/contacts/bulk?preview=true', { ids: [one], action: 'delete' }],
      ['POST', '/contacts/bulk', { ids: [one], action: 'delegate', queueId: queues.sales, userId: people.bruna }],
    ]
    for (const [method, path, body] of calls) {
      const { status, body: said } = await diego.call(method, path, body)
      expect([method, path, status, said.error]).toEqual([method, path, 403, 'ERR_NO_PERMISSION'])
    }
    expect(await names()).toEqual(['Ana'])
  })

  test.each([
    ['contacts.import', 'edit_contact'],
    ['contacts.phone', 'edit_contact'],
    ['contacts.export', 'edit_contact'],
    ['contacts.assign', 'edit_contact'],
    ['contacts.delegation', 'add_contact'],
    ['contacts.exportDelegation', 'add_contact'],
    ['contacts.clear', 'del_contact'],
    ['contacts.remove', 'del_contact'],
    ['contacts.tag', null],
  ])('%s goes on, and is had, only as long as there is the flag %p, and nobody has left', async (kind, flag) => {
    const may = () => isStillAllowed(db, { kind, params: {} }, people.diego)
    const set = (column: string, value: boolean) =>
      sql`update "user" set ${sql(column)} = ${value} where id = ${people.diego}`
    expect(await may()).toBe(flag === null)
    if (flag) await set(flag, true)
    expect(await may()).toBe(true)
    await set('active', false)
    expect(await may()).toBe(false)
    await set('active', true)
    if (flag) await set(flag, false)
  })

  test('who loses the flag while the sheet comes in is refused when it is there', async () => {
    const session = await makeSession(db, people.marina)
    const lost = { ...session, mayContacts: { add: false, edit: false, del: false } }
    const toRequest = (rows: readonly Cells[]) => ({
      request: new Request(url, { method: 'POST', body: formOf(rows) }),
      address: '127.0.0.1',
      session,
      admitted: async () => lost,
    })
    const parts = { ...server, ring: () => {} } as unknown as Parts
    const refused = { code: 'ERR_NO_PERMISSION' }
    await expect(importContacts(parts, toRequest([HEADS, ['Ana', '31986554410']]), {})).rejects.toMatchObject(refused)
    await expect(importDelegation(parts, toRequest([[...DELEGATION_COLUMNS]]), {})).rejects.toMatchObject(refused)
    expect(await sql`select 1 from job`).toHaveLength(0)
  })

  test("somebody else's job is nobody's: neither its file nor its wrong rows", async () => {
    const job = await imported([HEADS, ['X', '31 98655-4410']])
    await sql`update "user" set edit_contact = true where name = 'Diego'`
    for (const path of [`/jobs/${job.id}`, `/jobs/${job.id}/errors`]) {
      const { status, body } = await diego.call('GET', path)
      expect([status, body.error]).toEqual([404, 'ERR_NO_JOB_FOUND'])
    }
    await sql`update "user" set edit_contact = false where name = 'Diego'`
    expect((await createBrowser(url).call('GET', `/jobs/${job.id}/errors`)).status).toBe(401)
  })

  test('who lost the flag gets neither the file nor the wrong rows any more, and work that goes on ends', async () => {
    await sql`update "user" set edit_contact = true where name = 'Diego'`
    await contact('Ana', '5531986554410')
    const sheet = await begun('POST', '/contacts/export', undefined, diego)
    expect((await own(diego, sheet.id)).result?.url).toBeString()
    const wrong = await ended(diego, (await send([HEADS, ['X', '31 98655-4410']], '', {}, diego)).body.jobId)
    await sql`update "user" set edit_contact = false where name = 'Diego'`
    expect((await own(diego, sheet.id)).result?.url).toBeNull()
    expect((await diego.call('GET', `/jobs/${wrong.id}/errors`)).body.error).toBe('ERR_NO_PERMISSION')
    // As if it had been taken away between the call and the work.
    const params = {
      action: 'delegate',
      ids: null,
      search: null,
      upTo: 999_999,
      total: 1,
      tagIds: [],
      queueId: queues.sales,
      userId: people.bruna,
    }
    const [row] = await sql<{ id: number }[]>`
      insert into job (kind, user_id, params) values ('contacts.assign', ${people.diego}, ${JSON.stringify(params)}::text::jsonb) returning id`
    await sql`select graphile_worker.add_job('contacts.assign', json_build_object('jobId', ${row?.id ?? 0}::int))`
    expect(await ended(diego, row?.id)).toMatchObject({ state: 'failed', error: 'ERR_NO_PERMISSION' })
    expect((await contacts()).flatMap(({ redirect }) => redirect)).toEqual([])
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
    const { body } = await marina.call<Begun>('POST', '/contacts/import', formWith(file))
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

async function contact(
  name: string,
  number: string,
  { email = '', answers = true, tags = [] as number[] } = {},
): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number, email, resposta_automatica) values (${name}, 'manual', ${number}, ${email}, ${answers}) returning id`
  const id = row?.id ?? 0
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${id})`
  const nine = /^(55\d{2})9?([6-9]\d{7})$/.exec(number)
  if (nine) {
    const values = [`${nine[1]}${nine[2]}`, `${nine[1]}9${nine[2]}`]
    await sql`insert into contact_identity (kind, value, contact_id) select 'pn', v, ${id} from unnest(${values}::text[]) v on conflict do nothing`
  }
  for (const tagId of tags) await sql`insert into contact_tag (contact_id, tag_id) values (${id}, ${tagId})`
  return id
}

async function tag(name: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`insert into tag (name) values (${name}) returning id`
  return row?.id ?? 0
}

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

function formWith(file: File): FormData {
  const form = new FormData()
  form.set('medias', file)
  return form
}

function formOf(rows: readonly Cells[], fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.set('medias', makeSheetFile(rows))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

function send(
  rows: readonly Cells[],
  query = '',
  fields: Record<string, string> = {},
  person = marina,
): Promise<ApiAnswer<Begun>> {
  return person.call<Begun>('POST', `/contacts/import${query}`, formOf(rows, fields))
}

function preview(rows: readonly Cells[], query = '', fields: Record<string, string> = {}): Promise<ApiAnswer<Begun>> {
  return send(rows, `?preview=true${query}`, fields)
}

function delegate(rows: readonly Cells[], query = ''): Promise<ApiAnswer<Begun>> {
  return marina.call<Begun>('POST', `/contacts/delegation${query}`, formOf(rows))
}

async function imported(rows: readonly Cells[], query = ''): Promise<Job> {
  const { status, body } = await send(rows, query)
  expect(status).toBe(202)
  return ended(marina, body.jobId)
}

/** A job from its call to its end. */
async function begun(method: string, path: string, body?: unknown, person = marina): Promise<Job> {
  const answer = await person.call<Begun>(method, path, body)
  expect([answer.status, answer.body.error]).toEqual([202, undefined])
  return ended(person, answer.body.jobId)
}

async function own(person: SignedInPerson, id: number): Promise<Job> {
  return (await person.call<Job>('GET', `/jobs/${id}`)).body
}

async function ended(person: SignedInPerson, id: number | undefined): Promise<Job> {
  await waitUntil('the job has ended', async () => (await own(person, id ?? 0)).endedAt !== null, 40_000)
  return own(person, id ?? 0)
}

async function exported(method: string, path: string): Promise<(readonly string[])[]> {
  return rowsBehind(await begun(method, path))
}

async function rowsBehind(job: Job): Promise<(readonly string[])[]> {
  return parseSheetRows(await bytesOf(job), job.result?.name ?? '')
}

async function bytesOf(job: Job): Promise<Uint8Array> {
  const answer = await fetch(new URL(job.result?.url ?? '', url))
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}

async function download(job: Job): Promise<string> {
  return new TextDecoder().decode(await bytesOf(job))
}

async function contacts(): Promise<Contact[]> {
  return (await marina.call<{ contacts: Contact[] }>('GET', '/contacts?all=true')).body.contacts
}

async function names(): Promise<string[]> {
  return (await contacts()).map(({ name }) => name)
}
