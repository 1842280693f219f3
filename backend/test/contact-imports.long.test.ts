// Contacts come in: from a sheet, and from the address book of the phone (decisions-2 §14).
import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job } from '@balcao/contract'
import { sweepJobs } from '../src/desk/jobs/jobs.ts'
import { type Begun, ended, HEADS, own, startContactSheetDesk } from './contact-sheet-desk.ts'
import { makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { readBase64Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

const { server, db, sql, people, whatsappId, marina, diego, contact, tag, send, preview, imported, contacts, names } =
  await startContactSheetDesk()

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
    await waitUntil('some of it is done', async () => (await own(marina, body.jobId ?? 0)).done > 0)
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
