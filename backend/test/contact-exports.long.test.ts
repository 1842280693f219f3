// Contacts go out in a sheet, get their people by one, and are cleared (decisions-2 §14).
import { describe, expect, test } from 'bun:test'
import { type Contact, DELEGATION_COLUMNS, type Job } from '@balcao/contract'
import { toSheetText } from '@balcao/formats/sheets/write'
import { getSql } from '../src/platform/database/raw.ts'
import { type Begun, ended, HEADS, makeFileForm, makeSheetForm, startContactSheetDesk } from './contact-sheet-desk.ts'
import type { ApiAnswer } from './desk-server.ts'
import { makePerson, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { longTest } from './rounds.ts'
import type { Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

const {
  db,
  sql,
  queues,
  people,
  whatsappId,
  marina,
  contact,
  tag,
  begun,
  exported,
  rowsBehind,
  bytesOf,
  contacts,
  names,
} = await startContactSheetDesk()

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
    const looked = await marina.call<Begun>('POST', '/contacts/import?preview=true', makeFileForm(again))
    expect(looked.body).toMatchObject({ total: 6, created: 0, updated: 0, skipped: 6, wrong: 0 })
    const before = await contacts()
    await sql`delete from contact`
    const { body } = await marina.call<Begun>('POST', '/contacts/import', makeFileForm(again))
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
    await sql`insert into outbox (whatsapp_id, contact_id, operation, payload) select ${whatsappId}, id, 'read', '{}' from contact`
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
    expect(await sql`select 1 from outbox where contact_id not in (select id from contact)`).toHaveLength(0)
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

function delegate(rows: readonly Cells[], query = ''): Promise<ApiAnswer<Begun>> {
  return marina.call<Begun>('POST', `/contacts/delegation${query}`, makeSheetForm(rows))
}

async function download(job: Job): Promise<string> {
  return new TextDecoder().decode(await bytesOf(job))
}
