// What is seen, tested and frozen before a mass send goes out (decisions-2 §15, decisions 0153).
import { describe, expect, test } from 'bun:test'
import type { Job, SendPreview } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { snapshotRecipients } from '../src/messaging/sends/snapshot-recipients.ts'
import type { Tx } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import { countLockWaits } from './lock-waits.ts'
import { type Refusal, startMassSendsDesk } from './mass-sends-desk.ts'
import { readBase64Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

const {
  server,
  db,
  sql,
  whatsapp,
  official,
  admin,
  rafael,
  bruna,
  tag,
  aCustomer,
  lucia,
  padaria,
  tagged,
  begin,
  one,
  calculating,
  hand,
  wentOut,
} = await startMassSendsDesk()

const preview = async (body: object = {}) =>
  (
    await admin.call<SendPreview>('POST', '/envioMassa/preview', {
      mensagem: 'Chegou a farinha, {{name}}! Ou SAIR.',
      contactsIds: `${lucia},${padaria}`,
      ...body,
    })
  ).body

describe('a test to a phone of one’s own, before anything goes to anybody else', () => {
  const tryOn = (number: string, body: object = {}, person = admin) =>
    person.call<Refusal & { number: string }>('POST', '/envioMassa/test', {
      ...{ mensagem: 'Chegou a farinha, {{name}}!', number },
      ...body,
    })

  async function myNumber(): Promise<string> {
    const [row] = await sql<{ number: string }[]>`select number from contact where id = ${await aCustomer('Eu', false)}`
    return row?.number ?? ''
  }

  test('says it now, filled in, by the chosen connection; no send begins and nobody’s bell rings', async () => {
    const number = await myNumber()
    const { status, body } = await tryOn(formatPhone(number))
    expect([status, body.number]).toEqual([201, number])
    const rows = await sql`
      select o.payload, o.paced, o.whatsapp_id, t.status, m.automatic, m.user_id from outbox o join message m on m.id = o.message_id
        join ticket t on t.id = m.ticket_id join contact c on c.id = t.contact_id where c.number = ${number}`
    expect([...rows]).toMatchObject([
      {
        payload: { type: 'text', text: 'Chegou a farinha, Eu!' },
        ...{ paced: false, whatsapp_id: whatsapp, status: 'closed', automatic: true },
      },
    ])
    expect([...(await sql`select 1 from send`)]).toEqual([])
    const [entry] = await sql`select action from log_entry order by id desc limit 1`
    expect(entry?.action).toBe('send.test')
  })

  test('once under one `clientId`, unless its words or its number are others', async () => {
    const [mine, other] = [await myNumber(), await myNumber()]
    const [{ before } = { before: 0 }] = await sql<
      { before: number }[]
    >`select coalesce(max(id), 0)::int as before from outbox`
    for (const [number, mensagem] of [
      [mine, 'Chegou'],
      [mine, 'Chegou'],
      [other, 'Chegou'],
      [mine, 'Chegou tudo'],
    ] as const)
      expect((await tryOn(number, { mensagem, clientId: 'teste-1' })).body.number).toBe(number)
    const rows = await sql`
      select c.number, o.payload->>'text' as text from outbox o join contact c on c.id = o.contact_id
      where o.id > ${before} order by o.id`
    expect([...rows]).toEqual([
      { number: mine, text: 'Chegou' },
      { number: other, text: 'Chegou' },
      { number: mine, text: 'Chegou tudo' },
    ])
    // The tests below have their own pace.
    await sql`delete from log_entry`
  })

  test('with its file, which is the conversation’s', async () => {
    const form = new FormData()
    form.append('mensagem', 'Veja')
    form.append('number', await myNumber())
    form.append('medias', new File(['preços'], 'precos.txt', { type: 'text/plain' }))
    expect((await admin.call('POST', '/envioMassa/test', form)).status).toBe(201)
    const [row] = await sql`
      select o.payload, f.owner from outbox o join message m on m.id = o.message_id join media f on f.id = m.media_id order by o.id desc limit 1`
    expect(row).toMatchObject({ payload: { type: 'media', name: 'precos.txt', caption: 'Veja' }, owner: 'message' })
  })

  test('outside the official API’s window with the template, without one refused; who opted out may try it on himself', async () => {
    await sql`update contact_channel set last_inbound_at = now() - interval '25 hours' where contact_id = ${lucia}`
    await sql`update contact set opted_out_at = now() where id = ${lucia}`
    const [{ number } = { number: '' }] = await sql<
      { number: string }[]
    >`select number from contact where id = ${lucia}`
    const refused = await tryOn(number, { whatsappId: official })
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_WINDOW_CLOSED'])
    const template = { name: 'aviso', language: 'pt_BR', parameters: [] }
    expect((await tryOn(number, { whatsappId: official, template })).status).toBe(201)
    const [row] = await sql`select payload from outbox where whatsapp_id = ${official}`
    expect(row?.payload).toMatchObject({ type: 'template', name: 'aviso' })
    await sql`update contact_channel set last_inbound_at = now()`
    await sql`delete from message where media_type = 'template'`
  })

  test('goes out five times a minute, each at once beside the pace of sends; then it says when the next one may', async () => {
    await sql`delete from log_entry`
    const number = await myNumber()
    const answers = await Promise.all(Array.from({ length: 7 }, () => tryOn(number)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body.error).toBe('ERR_TOO_MANY_ATTEMPTS')
    const wait = Number(refused?.headers.get('retry-after'))
    expect([wait > 0, wait <= 60]).toEqual([true, true])
    // Not more than thirty in an hour.
    await sql`insert into log_entry (action, origem, user_id, created_at)
      select 'send.test', 'send', user_id, now() - interval '2 minutes' from log_entry, generate_series(1, 6) where action = 'send.test'`
    await sql`update log_entry set created_at = created_at - interval '61 seconds'`
    const hourly = await tryOn(number)
    expect([hourly.status, Number(hourly.headers.get('retry-after')) > 60]).toEqual([429, true])
    await sql`delete from log_entry where created_at < now() - interval '2 minutes'`
    // Another person is not held up by it, and a minute later it goes on.
    expect((await tryOn(number, {}, rafael)).status).toBe(201)
    await sql`update log_entry set created_at = created_at - interval '61 seconds'`
    expect((await tryOn(number)).status).toBe(201)
    await sql`
      insert into log_entry (action, origem, user_id, whatsapp_id) select 'send.test', 'send', 999, ${whatsapp} from generate_series(1, 60)`
    expect((await tryOn(number, {}, rafael)).status).toBe(429)
    await sql`delete from log_entry`
  })

  test('refuses no number, no words, a template elsewhere, and a connection that is gone', async () => {
    for (const [number, body, path] of [
      ['123', {}, 'number'],
      ['5531912345678', { mensagem: ' ' }, 'mensagem'],
      ['5531912345678', { template: { name: 'aviso', language: 'pt_BR' } }, 'template'],
    ] as const) {
      const refused = await tryOn(number, body)
      expect([refused.status, refused.body.details?.[0]?.path]).toEqual([422, path])
    }
    expect((await tryOn('5531912345678', { whatsappId: 999_999 })).body.error).toBe('ERR_NO_WAPP_FOUND')
    expect([...(await sql`select 1 from outbox`)]).toEqual([])
  })
})

describe('a sheet of recipients', () => {
  test('has everybody with what became of each, as text, and only managers and administrators get it', async () => {
    await sql`update contact set name = '=1+1' where id = ${padaria}`
    await admin.call('PUT', '/settings/timezone', { value: 'America/Sao_Paulo' })
    const out = await aCustomer('Saiu')
    await sql`update contact set opted_out_at = now() where id = ${out}`
    const { id } = (await begin({ contactsIds: `${lucia},${padaria},${out}` })).body
    await snapshotRecipients(db)
    await hand()
    await wentOut('read')
    await sql`update send_recipient set at = '2026-03-01T02:30:00Z' where contact_id = ${out}`
    const path = `/envioMassa/${id}/recipients/export`
    expect((await bruna.call<Refusal>('POST', path)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await admin.call<Refusal>('POST', '/envioMassa/999999/recipients/export')).body.error).toBe(
      'ERR_NO_SEND_FOUND',
    )
    const { status, body } = await rafael.call<{ jobId: number }>('POST', path)
    expect(status).toBe(202)
    const job = async () => (await rafael.call<Job>('GET', `/jobs/${body.jobId}`)).body
    await waitUntil('the sheet is there', async () => (await job()).endedAt !== null)
    const { state, result } = await job()
    expect([state, result?.name, result?.counts]).toEqual(['done', `envio-${id}.xlsx`, { exported: 3 }])
    expect((await admin.call<Refusal>('GET', `/jobs/${body.jobId}`)).body.error).toBe('ERR_NO_JOB_FOUND')
    const bytes = await (await fetch(new URL(result?.url ?? '', server.url))).arrayBuffer()
    const rows = readBase64Cells({ base64: Buffer.from(bytes).toString('base64') })
    expect(rows[0]).toEqual(['nome', 'numero', 'estado', 'motivo', 'quando'])
    expect(rows.slice(1).map(([name, , state, why]) => [name, state, why])).toEqual(
      expect.arrayContaining([
        ['Saiu', 'ficou de fora', 'pediu SAIR'],
        ['Dona Lúcia', 'lida', ''],
        ["'=1+1", 'na vez', ''],
      ]),
    )
    expect(rows.slice(1).map(cells => cells[4] ?? '')).toEqual(
      expect.arrayContaining(['', expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)]),
    )
    // By the company's clocks, where it was the day before.
    expect(rows.find(([name]) => name === 'Saiu')?.[4]).toBe('2026-02-28 23:30')
    // In the language of who asks.
    const jobId = (await rafael.call<{ jobId: number }>('POST', path, { language: 'en' })).body.jobId
    const english = async () => (await rafael.call<Job>('GET', `/jobs/${jobId}`)).body
    await waitUntil('the other sheet is there', async () => (await english()).endedAt !== null)
    const other = await (await fetch(new URL((await english()).result?.url ?? '', server.url))).arrayBuffer()
    const lines = readBase64Cells({ base64: Buffer.from(other).toString('base64') })
    expect(lines[0]).toEqual(['name', 'number', 'state', 'reason', 'when'])
    expect(lines.map(cells => cells[3])).toContain('opted out')
    // Nobody waits for a send that was cancelled.
    expect((await admin.call('PUT', `/envioMassa/${id}/cancel`)).status).toBe(200)
    const after = (await rafael.call<{ jobId: number }>('POST', path)).body.jobId
    const last = async () => (await rafael.call<Job>('GET', `/jobs/${after}`)).body
    await waitUntil('the sheet of the cancelled one is there', async () => (await last()).endedAt !== null)
    const cancelled = await (await fetch(new URL((await last()).result?.url ?? '', server.url))).arrayBuffer()
    const stand = readBase64Cells({ base64: Buffer.from(cancelled).toString('base64') }).map(([name, , state]) => [
      name,
      state,
    ])
    expect(stand).toContainEqual(["'=1+1", 'cancelado antes de sair'])
    await sql`update contact set name = 'Padaria Estrela' where id = ${padaria}`
    // Who is a manager no more may not have what was begun as one.
    await sql`update "user" set profile = 'user' where name = 'Rafael'`
    expect((await job()).result?.url ?? null).toBeNull()
    await sql`update "user" set profile = 'gerente' where name = 'Rafael'`
  })
})

describe('decisions 0153: nobody of a send is deleted or merged while it is frozen', () => {
  /** Somebody does it in a transaction of the same moment; what was frozen when it is over. */
  async function frozenWhile(id: number, work: (tx: Tx) => Promise<unknown>): Promise<readonly object[]> {
    const freezing = await runInTransaction(db, async tx => {
      await work(tx)
      const begun = snapshotRecipients(db)
      await waitUntil('it waits for them', async () => (await countLockWaits(sql)) > 0)
      return [begun]
    })
    await Promise.all(freezing)
    return sql<
      object[]
    >`select contact_id as "contactId", state from send_recipient where send_id = ${id} order by contact_id`
  }

  test('who is being deleted is left out, and the others get it', async () => {
    const gone = await aCustomer('Vai embora')
    const id = await calculating({ contactsIds: [lucia, padaria, gone] })
    const frozen = await frozenWhile(id, tx => getSql(tx)`delete from contact where id = ${gone}`)
    expect(frozen).toEqual([
      { contactId: lucia, state: 'waiting' },
      { contactId: padaria, state: 'waiting' },
    ])
    expect(await one(id)).toMatchObject({ state: 'running', total: 2 })
  })

  test('who is being merged gets it as who it turned out to be, once', async () => {
    const [known, other] = [await aCustomer('Ana Prado'), await aCustomer('Ana P.')]
    const id = await calculating({ contactsIds: [lucia, other] })
    const frozen = await frozenWhile(id, tx => mergeContacts(tx, known, other))
    expect(frozen).toEqual([
      { contactId: lucia, state: 'waiting' },
      { contactId: known, state: 'waiting' },
      { contactId: other, state: 'excluded' },
    ])
  })
})

describe('decisions-2 §15: what the form shows before', () => {
  test('how many, how often named again, who is left out, who ever wrote', async () => {
    const out = await aCustomer('Pediu SAIR')
    await sql`update contact set opted_out_at = now() where id = ${out}`
    const silent = await aCustomer('Nunca escreveu', false)
    await tagged(lucia, out, silent)
    expect(await preview({ tagsIds: String(tag) })).toMatchObject({
      ...{ count: 3, found: 4, repeated: 1, wrote: 2 },
      excluded: [{ reason: 'opted_out', count: 1 }],
      // Early and late in the day the hour is one more.
      risk: { causes: expect.arrayContaining([{ code: 'never_wrote', params: { count: 1, percent: 33 } }]) },
    })
    expect(await preview({ tagsIds: String(tag), onlyWhoWrote: true })).toMatchObject({ count: 2, wrote: 2 })
    expect(await sql`select 1 from send`).toHaveLength(0)
  })

  test('risk in codes, and when it ends by what goes on already', async () => {
    await admin.call('PUT', '/settings/dailyCap', { value: '1000' })
    const before = await preview({ mensagem: 'Oferta em https://x.br' })
    expect(before.risk.causes.map(({ code }) => code)).toContain('links')
    expect(before.pace).toEqual({ seconds: 15, perDay: 1000, warmUp: false })
    const seconds = (preview: SendPreview) =>
      (Date.parse(preview.endsAt ?? '') - Date.parse(preview.startsAt ?? '')) / 1000
    expect(seconds(before)).toBe(15)
    await begin()
    await snapshotRecipients(db)
    // They take turns: two of the other go between.
    expect(seconds(await preview())).toBe(45)
    // As many of another go between as it has itself, and also of one that waits for its hour.
    expect(seconds(await preview({ contactsIds: String(lucia) }))).toBe(15)
    await sql`update send set state = 'waiting', state_reason = 'working_hours', not_before = now() + interval '1 hour'`
    expect(seconds(await preview({ contactsIds: String(lucia) }))).toBe(15)
    await sql`update send set state = 'paused'`
    expect(seconds(await preview({ contactsIds: String(lucia) }))).toBe(0)
  })

  test('when it ends stands in the list too: by its own messages, those of others between, and the day’s limit', async () => {
    await admin.call('PUT', '/settings/dailyCap', { value: '1000' })
    const turns = async (id: number) => {
      const startedAt = Date.now()
      return Math.floor((Date.parse((await one(id)).endsAt ?? '') - startedAt) / 15_000)
    }
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    expect(await turns(id)).toBe(1)
    const short = (await begin({ contactsIds: String(lucia) })).body
    await snapshotRecipients(db)
    // Of who has less to say only so much comes between.
    expect([await turns(id), await turns(short.id)]).toEqual([2, 1])
    await sql`update send set state = 'waiting', state_reason = 'daily_cap', not_before = now() + interval '1 hour' where id = ${id}`
    expect((await one(id)).endsAt).not.toBeNull()
    await sql`update send set state = 'paused' where id = ${id}`
    expect([(await one(id)).endsAt, await turns(short.id)]).toEqual([null, 0])
    await sql`update whatsapp set daily_cap = 1 where id = ${whatsapp}`
    await sql`update send set state = 'running', state_reason = null, not_before = null where id = ${id}`
    expect(await turns(id)).toBeGreaterThan(100)
  })

  test('of one that waits for its connection nobody knows when it ends', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    expect((await one(id)).endsAt).not.toBeNull()
    await sql`update send set state = 'waiting', state_reason = 'disconnected'`
    expect((await one(id)).endsAt).toBeNull()
  })

  test('of a company that never opens, what keeps to its hours never ends; the form says so, and the list', async () => {
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    const all = (value: string) => ({ values: Object.fromEntries(days.map(day => [day, value])) })
    const [{ id: ofHours }, { id: anytime }] = [(await begin({ onlyWorkingHours: true })).body, (await begin()).body]
    await snapshotRecipients(db)
    await admin.call('PUT', '/settings', all('disabled'))
    expect([(await preview({ onlyWorkingHours: true })).endsAt, (await one(ofHours)).endsAt]).toEqual([null, null])
    expect([(await preview()).endsAt, (await one(anytime)).endsAt]).toEqual([expect.any(String), expect.any(String)])
    await admin.call('PUT', '/settings', all('enabled'))
  })

  test('a new number is warmed up, a connection may have a cap of its own, the official API has none', async () => {
    await sql`update whatsapp set number = '553132224010' where id = ${whatsapp}`
    expect((await preview()).pace).toMatchObject({ perDay: 50, warmUp: true })
    expect((await preview()).risk.causes.map(({ code }) => code)).toContain('new_number')
    await sql`update whatsapp set daily_cap = 7 where id = ${whatsapp}`
    expect((await preview()).pace).toMatchObject({ perDay: 7, warmUp: false })
    await sql`update whatsapp set number_since = now() - interval '20 days', daily_cap = null where id = ${whatsapp}`
    expect((await preview()).pace).toMatchObject({ perDay: 1000, warmUp: false })
    // Paired again with the number it had it is no new one; with another it is.
    await sql`update whatsapp set number = null where id = ${whatsapp}`
    await sql`update whatsapp set number = '553132224010' where id = ${whatsapp}`
    expect((await preview()).pace).toMatchObject({ perDay: 1000, warmUp: false })
    await sql`update whatsapp set number = '553132224011' where id = ${whatsapp}`
    expect((await preview()).pace).toMatchObject({ perDay: 50, warmUp: true })
    await sql`update whatsapp set number = '553132224012' where id = ${official}`
    expect((await preview({ whatsappId: official })).pace).toMatchObject({ perDay: null, warmUp: false })
    await sql`update whatsapp set daily_cap = 9 where id = ${official}`
    expect((await preview({ whatsappId: official })).pace).toMatchObject({ perDay: 9, warmUp: false })
    await sql`update whatsapp set number = null, known_number = null, number_since = null`
  })

  test('without a name it goes by the default connection, not by the oldest', async () => {
    const makeDefault = async (id: number) => {
      await sql`update whatsapp set is_default = false`
      await sql`update whatsapp set is_default = true where id = ${id}`
    }
    await sql`update whatsapp set daily_cap = 7 where id = ${official}`
    await makeDefault(official)
    expect((await preview()).pace.perDay).toBe(7)
    await makeDefault(whatsapp)
    expect((await preview()).pace.perDay).toBe(1000)
  })

  test('a connection’s own cap is a field of its form', async () => {
    const saved = await admin.call<{ dailyCap: number }>('PUT', `/whatsapp/${whatsapp}`, { dailyCap: 300 })
    expect([saved.status, saved.body.dailyCap]).toEqual([200, 300])
    expect((await preview()).pace.perDay).toBe(300)
    expect((await admin.call('PUT', `/whatsapp/${whatsapp}`, { dailyCap: 0 })).status).toBe(422)
    expect((await admin.call('PUT', `/whatsapp/${whatsapp}`, { dailyCap: null })).status).toBe(200)
  })
})
