// Mass sends over HTTP (spec 3 §2 and §7 "Mass sends", decisions-2 §15 and §22 "Sends", decisions §4): who may, what is left out, what is shown.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  type Job,
  type MassSend,
  type MassSendDetail,
  type MergePreview,
  RECIPIENT_STATES,
  type ResponseBody,
  type SendPreview,
  type SendRecipient,
} from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { readAllRecipients } from '../src/messaging/sends/recipients.ts'
import { RECIPIENT_WORDS } from '../src/messaging/sends/sheet-words.ts'
import { snapshotRecipients } from '../src/messaging/sends/snapshot-recipients.ts'
import type { Tx } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson } from './desk-world.ts'
import { expirePace, settleMessages } from './handed-over.ts'
import { countLockWaits } from './lock-waits.ts'
import { readBase64Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client
let admin: SignedInPerson
let rafael: SignedInPerson
let bruna: SignedInPerson
let whatsapp = 0
let official = 0
let tag = 0
let lucia = 0
let padaria = 0

type Recipients = ResponseBody<'GET /envioMassa/:id/recipients'>
type List = ResponseBody<'GET /envioMassa'>
type LeftOutPage = ResponseBody<'POST /envioMassa/preview/excluded'>
interface Refusal {
  error: string
  details?: { path: string; code?: string }[]
}

beforeAll(async () => {
  whatsapp = await makeConnection(db, 'Loja Centro')
  official = await makeConnection(db, 'Oficial', 'cloud_api')
  await sql`update whatsapp set status = 'CONNECTED', is_default = id = ${whatsapp}`
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makePerson(db, { name: 'Rafael', profile: 'gerente' })
  await makePerson(db, { name: 'Bruna', profile: 'user' })
  admin = await server.as('Marina')
  rafael = await server.as('Rafael')
  bruna = await server.as('Bruna')
  const [made] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Atacado', '#B8860B') returning id`
  tag = made?.id ?? 0
  lucia = await aCustomer('Dona Lúcia')
  padaria = await aCustomer('Padaria Estrela')
})

beforeEach(async () => {
  await sql`truncate send, send_recipient, send_clock, outbox, live_event cascade`
  await sql`delete from contact_tag`
  await sql`update contact set opted_out_at = null`
  await sql`update whatsapp set news = '[]', daily_cap = null`
})

let numbers = 5_531_900_000_000
/** Somebody with a number who wrote on both connections just now. */
async function aCustomer(name: string, wrote = true): Promise<number> {
  const id = await makeContact(db, name)
  const number = String(++numbers)
  await sql`update contact set number = ${number} where id = ${id}`
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${id})`
  if (wrote)
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
      select ${id}, w, ${`${number}@s.whatsapp.net`}, now() from unnest(${[whatsapp, official]}::int[]) w`
  return id
}

const tagged = (...ids: number[]) =>
  sql`insert into contact_tag (contact_id, tag_id) select unnest(${ids}::int[]), ${tag}`
const begin = (body: object = {}, person = admin) =>
  person.call<MassSend & Refusal>('POST', '/envioMassa', {
    mensagem: 'Chegou a farinha, {{name}}!',
    contactsIds: `${lucia},${padaria}`,
    ...body,
  })
const look = async (body: object = {}) =>
  (
    await admin.call<SendPreview>('POST', '/envioMassa/preview', {
      mensagem: 'Chegou a farinha, {{name}}! Ou SAIR.',
      contactsIds: `${lucia},${padaria}`,
      ...body,
    })
  ).body
const one = async (id: number) => (await admin.call<MassSendDetail>('GET', `/envioMassa/${id}`)).body
const recipientsOf = async (id: number, query = '') =>
  (await admin.call<Recipients>('GET', `/envioMassa/${id}/recipients${query}`)).body
/** As a process leaves it that was killed before it froze anybody: no job looks at it. */
async function calculating(recipients: object): Promise<number> {
  const whom = JSON.stringify({ allContacts: false, contactsIds: [], tagsIds: [], ...recipients })
  const [made] = await sql<{ id: number }[]>`
    insert into send (due_at, body, recipients, whatsapp_id) values (now(), 'oi', ${whom}::text::jsonb, ${whatsapp}) returning id`
  return made?.id ?? 0
}
const hand = () => dispatchNext(db, { whatsappId: whatsapp, epoch: 0 }, 15_000)
const timePasses = () => expirePace(sql)
const wentOut = (state: string) => settleMessages(sql, state)

describe('decisions §4: mass sends are managers’ and administrators’', () => {
  test('an agent is refused every call of them', async () => {
    const { id } = (await begin()).body
    for (const [method, path, body] of [
      ['GET', '/envioMassa'],
      ['POST', '/envioMassa', { mensagem: 'oi', contactsIds: String(lucia) }],
      ['POST', '/envioMassa/preview', { mensagem: 'oi', contactsIds: String(lucia) }],
      ['POST', '/envioMassa/preview/excluded', { mensagem: 'oi', contactsIds: String(lucia) }],
      ['POST', '/envioMassa/test', { mensagem: 'oi', number: '5531999990000' }],
      ['GET', `/envioMassa/${id}`],
      ['PUT', `/envioMassa/${id}`, { mensagem: 'outro' }],
      ['PUT', `/envioMassa/${id}/pause`],
      ['PUT', `/envioMassa/${id}/resume`],
      ['PUT', `/envioMassa/${id}/cancel`],
      ['GET', `/envioMassa/${id}/recipients`],
      ['GET', '/envioMassa/999999'],
    ] as const) {
      const refused = await bruna.call<Refusal>(method, path, body)
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'ERR_NO_PERMISSION'])
      if (method === 'GET') expect((await rafael.call(method, path)).status).not.toBe(403)
    }
    expect((await one(id)).mensagem).toBe('Chegou a farinha, {{name}}!')
  })

  test('an event tells managers and administrators alone, and nothing but the id', async () => {
    const { id } = (await begin()).body
    const [event] = await sql`select audience, payload from live_event where payload::jsonb->>'event' = 'envioMassa'`
    expect(event?.audience).toEqual({ to: 'managers' })
    expect(JSON.parse(event?.payload)).toEqual({ event: 'envioMassa', action: 'create', version: 2, envioMassaId: id })
  })

  test('a run of a scheduled send is seen by who sees that one', async () => {
    const [person] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna'`
    const [run] = await sql<{ id: number }[]>`
      with made as (insert into schedule (message, recurrence, send_time, user_id) values ('oi', 'once', '', ${person?.id ?? 0}) returning id)
      insert into send (schedule_id, due_at, body, recipients, whatsapp_id)
      select id, now(), 'oi', ${JSON.stringify({ allContacts: false, contactsIds: [lucia], tagsIds: [] })}::text::jsonb, ${whatsapp} from made returning id`
    const path = `/envioMassa/${run?.id}`
    expect((await bruna.call('GET', path)).status).toBe(403)
    await admin.call('PUT', '/settings/allowAgendador', { value: 'enabled' })
    expect((await bruna.call<MassSend>('GET', path)).body.agendamentoId).toBeGreaterThan(0)
    expect((await bruna.call('GET', `${path}/recipients`)).status).toBe(200)
    await sql`update schedule set user_id = null`
    for (const [method, below, body] of [
      ['GET', ''],
      ['PUT', '', { mensagem: 'outro' }],
      ['GET', '/recipients'],
      ['PUT', '/pause'],
      ['PUT', '/resume'],
      ['PUT', '/cancel'],
    ] as const)
      expect([below, (await bruna.call(method, path + below, body)).status]).toEqual([below, 404])
    expect((await bruna.call('POST', `${path}/recipients/export`)).status).toBe(403)
    // The engine may have gone on with it meanwhile; nobody else has.
    const rows = await sql`select state in ('calculating', 'running') as "goesOn", body from send`
    expect([...rows]).toEqual([{ goesOn: true, body: 'oi' }])
    expect((await rafael.call('GET', path)).status).toBe(200)
    // It is no mass send.
    expect((await admin.call<List>('GET', '/envioMassa')).body).toMatchObject({ envios: [], counts: { all: 0 } })
  })
})

describe('spec 3 §7: POST /envioMassa', () => {
  test('answers the send as it is calculated, total 0, and tells the log', async () => {
    const { status, body } = await begin({ onlyWorkingHours: true })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      mensagem: 'Chegou a farinha, {{name}}!',
      ...{ state: 'calculating', stateReason: null, total: 0, enviados: 0, allContacts: false, tagsIds: '' },
      ...{
        contactsIds: `${lucia},${padaria}`,
        onlyWorkingHours: true,
        whatsapp: { id: whatsapp, name: 'Loja Centro' },
      },
      ...{ user: { name: 'Marina' }, endsAt: null },
    })
    const [entry] = await sql`select action, entity_id from log_entry order by id desc limit 1`
    expect(entry).toMatchObject({ action: 'send.create', entity_id: body.id })
    await snapshotRecipients(db)
    expect(await one(body.id)).toMatchObject({ state: 'running', total: 2, enviados: 0, counts: { waiting: 2 } })
  })

  test('is said by who began it, as something automatic that waits for its pace', async () => {
    await begin({ contactsIds: String(lucia) }, rafael)
    await snapshotRecipients(db)
    await hand()
    const [row] = await sql`
      select u.name, m.automatic, o.paced from message m join "user" u on u.id = m.user_id join outbox o on o.message_id = m.id`
    expect(row).toEqual({ name: 'Rafael', automatic: true, paced: true })
  })

  test.each([
    [{ mensagem: '  ' }, 'mensagem', 'messageRequired'],
    [{ contactsIds: '' }, 'contactsIds', 'audienceRequired'],
    [{ contactsIds: '99999999' }, 'contactsIds', 'nobodyLeft'],
    [{ tagsIds: '99999999' }, 'tagsIds', 'tagGone'],
    [{ template: { name: 'aviso', language: 'pt_BR' } }, 'template', 'templateNotOffered'],
  ])('refuses %j at %s', async (change, path, code) => {
    const { status, body } = await begin(change)
    expect([status, body.error, body.details?.[0]?.path, body.details?.[0]?.code]).toEqual([
      422,
      'ERR_VALIDATION',
      path,
      code,
    ])
    expect(await sql`select 1 from send`).toHaveLength(0)
  })

  test('refuses a connection that is gone', async () => {
    expect((await begin({ whatsappId: 999_999 })).body.error).toBe('ERR_NO_WAPP_FOUND')
  })

  test('with the same clientId it is the same send, however often and however fast', async () => {
    const clientId = crypto.randomUUID()
    const answers = await Promise.all([begin({ clientId }), begin({ clientId }), begin({ clientId })])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await begin({ clientId })).body.id).toBe(answers[0]?.body.id ?? 0)
    expect((await begin({ clientId }, rafael)).body.id).not.toBe(answers[0]?.body.id ?? 0)
  })

  test('with the same clientId it is the same send also when its connection was deleted meanwhile', async () => {
    const brief = await makeConnection(db, 'Por uma semana')
    const clientId = crypto.randomUUID()
    const again = (body: object = {}) => begin({ clientId, whatsappId: brief, ...body })
    const { body: first } = await again()
    await admin.call('DELETE', `/whatsapp/${brief}?force=true`)
    const repeated = await again()
    expect([repeated.status, repeated.body.id, repeated.body.state]).toEqual([201, first.id, 'stopped'])
    const changed = await again({ mensagem: 'Chegou o trigo' })
    expect([changed.status, changed.body.details?.[0]?.code]).toEqual([422, 'begunBefore'])
    // Longer ago than forms are compared.
    await sql`delete from api_request`
    expect((await again()).body.id).toBe(first.id)
    expect(await sql`select 1 from send where client_id = ${clientId}`).toHaveLength(1)
    expect((await begin({ clientId: crypto.randomUUID(), whatsappId: brief })).body.error).toBe('ERR_NO_WAPP_FOUND')
  })

  test('with the same clientId and something else in it nothing is sent anew, and the form says so', async () => {
    const clientId = crypto.randomUUID()
    const { body: first } = await begin({ clientId, mensagem: 'Chegou a farinha' })
    const [repeated, changed] = [
      await begin({ clientId, mensagem: 'Chegou a farinha' }),
      await begin({ clientId, mensagem: 'Chegou o trigo' }),
    ]
    expect(repeated.body.id).toBe(first.id)
    expect(changed.status).toBe(422)
    expect(changed.body).toMatchObject({ details: [{ path: 'mensagem', code: 'begunBefore' }] })
    const [sent] = await sql`select count(*)::int as n, min(body) as body from send where client_id = ${clientId}`
    expect(sent).toEqual({ n: 1, body: 'Chegou a farinha' })
  })

  test('with the same clientId and a file of other bytes under the same name, too', async () => {
    const clientId = crypto.randomUUID()
    const withFile = (bytes: string) => {
      const form = new FormData()
      for (const [key, value] of Object.entries({ mensagem: 'A tabela', contactsIds: String(lucia), clientId }))
        form.append(key, value)
      form.append('medias', new File([bytes], 'tabela.txt', { type: 'text/plain' }))
      return admin.call<MassSend>('POST', '/envioMassa', form)
    }
    const [first, same, other] = [await withFile('dezembro'), await withFile('dezembro'), await withFile('janeiro!')]
    expect([first.status, same.body.id, other.status]).toEqual([201, first.body.id, 422])
    expect(await sql`select 1 from send where client_id = ${clientId}`).toHaveLength(1)
  })

  test('a file comes as a form, is the send’s, and goes out with every message', async () => {
    const form = new FormData()
    form.append('mensagem', 'A tabela, {{name}}')
    form.append('contactsIds', String(lucia))
    form.append('medias', new File(['tabela de dezembro'], 'tabela.txt', { type: 'text/plain' }))
    const { status, body } = await admin.call<MassSend>('POST', '/envioMassa', form)
    expect([status, body.mediaName, body.mediaType]).toEqual([201, 'tabela.txt', 'application'])
    const [file] = await sql`select owner from media`
    expect(file?.owner).toBe('send')
    await snapshotRecipients(db)
    expect(await hand()).toBe(0)
    const [sent] = await sql`select payload from outbox`
    expect(sent?.payload).toMatchObject({ type: 'media', name: 'tabela.txt', caption: 'A tabela, Dona Lúcia' })
    const wrong = new FormData()
    wrong.append('mensagem', 'x')
    wrong.append('contactsIds', String(lucia))
    wrong.append('medias', new File([new Uint8Array([77, 90, 0, 0])], 'virus.exe'))
    expect((await admin.call<Refusal>('POST', '/envioMassa', wrong)).body.error).toBe('ERR_FILE_TYPE')
    // Its file is no secret of managers once somebody has it in a conversation one may see; before, it is theirs.
    const url = body.mediaUrl ?? ''
    expect((await rafael.call('GET', url)).status).toBe(200)
    await sql`delete from message`
    expect((await bruna.call('GET', url)).status).toBe(404)
  })
})

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
    await waitUntil('the sheet is there', async () => (await job()).endedAt !== null, 30_000)
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
    await waitUntil('the other sheet is there', async () => (await english()).endedAt !== null, 30_000)
    const other = await (await fetch(new URL((await english()).result?.url ?? '', server.url))).arrayBuffer()
    const lines = readBase64Cells({ base64: Buffer.from(other).toString('base64') })
    expect(lines[0]).toEqual(['name', 'number', 'state', 'reason', 'when'])
    expect(lines.map(cells => cells[3])).toContain('opted out')
    // Nobody waits for a send that was cancelled.
    expect((await admin.call('PUT', `/envioMassa/${id}/cancel`)).status).toBe(200)
    const after = (await rafael.call<{ jobId: number }>('POST', path)).body.jobId
    const last = async () => (await rafael.call<Job>('GET', `/jobs/${after}`)).body
    await waitUntil('the sheet of the cancelled one is there', async () => (await last()).endedAt !== null, 30_000)
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

test('decisions-2 §15: a sheet of many has everybody once, over the ends of its pages, who waits at the end', async () => {
  const id = await calculating({ contactsIds: [] })
  const people = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number) select 'Muitos ' || n, 'manual', '55319' || n from generate_series(1, 4003) n returning id`
  // All of one instant: their ids alone tell them apart.
  await sql`insert into send_recipient (send_id, contact_id, state, reason, at)
    select ${id}, id, case when row_number() over (order by id) <= 2002 then 'excluded' else 'waiting' end, null, '2026-03-01T02:30:00Z'
    from contact where name like 'Muitos %'`
  const all: SendRecipient[] = []
  for await (const page of readAllRecipients(db, id)) all.push(...page)
  expect(all.map(({ state }) => state)).toEqual([...Array(2002).fill('excluded'), ...Array(2001).fill('waiting')])
  expect(new Set(all.map(({ contact }) => contact.id)).size).toBe(people.length)
  await sql`delete from send`
  await sql`delete from contact where name like 'Muitos %'`
})

test('decisions-2 §15: every state and every reason has its word, in three languages', () => {
  const reasons = Object.keys(RECIPIENT_WORDS.pt.reasons)
  for (const { heads, states, reasons: named, other } of Object.values(RECIPIENT_WORDS)) {
    expect(Object.keys(named)).toEqual(reasons)
    expect(Object.keys(states)).toEqual(Object.keys(RECIPIENT_WORDS.pt.states))
    const words = [...heads, ...Object.values(states), ...Object.values(named), other]
    expect(words.filter(word => word.trim() === '')).toEqual([])
    expect(new Set(Object.values(states)).size).toBe(RECIPIENT_STATES.length)
  }
})

describe('decisions-2 §15: recipients are frozen, each exclusion with its reason', () => {
  test('groups, opted out, without a number, blocked, without WhatsApp, never wrote, merged', async () => {
    const group = await makeContact(db, 'Grupo', true)
    const out = await aCustomer('Pediu SAIR')
    const nameless = await makeContact(db, 'Sem número')
    const both = await makeContact(db, 'Sem número, e pediu SAIR')
    const [blocked, absent] = [await aCustomer('Bloqueou'), await aCustomer('Sem WhatsApp')]
    const silent = await aCustomer('Nunca escreveu', false)
    const merged = await aCustomer('Era outro')
    const elsewhere = await aCustomer('Bloqueou a outra conexão')
    await sql`update contact set opted_out_at = now() where id = any(${[out, both]}::int[])`
    // He was written to, and never answered.
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${silent}, ${whatsapp}, 'silent@s.whatsapp.net')`
    await sql`update contact set merged_into = ${lucia} where id = ${merged}`
    for (const [contactId, code, by] of [
      [blocked, '131050', whatsapp],
      [absent, 'ERR_WAPP_INVALID_CONTACT', whatsapp],
      [padaria, '500', whatsapp],
      [elsewhere, '131050', official],
    ] as const)
      await sql`
        with t as (insert into ticket (status, contact_id, whatsapp_id, last_message_state)
          values ('closed', ${contactId}, ${by}, 'failed') returning id),
        m as (insert into message (ticket_id, contact_id, whatsapp_id, seq, body, media_type, from_me, state, at, error_log)
          select id, ${contactId}, ${by}, 1, 'x', 'chat', true, 'failed', now(), ${JSON.stringify({ code, message: '' })}::text::jsonb from t returning id, ticket_id)
        update ticket set last_message_id = m.id from m where ticket.id = m.ticket_id`
    await sql`update ticket set last_message_id = (select max(id) from message m where m.ticket_id = ticket.id) where last_message_state = 'failed'`
    const ids = [group, out, both, nameless, blocked, absent, silent, merged, padaria, elsewhere]
    const { body } = await begin({ contactsIds: ids.join(','), onlyWhoWrote: true })
    await snapshotRecipients(db)
    const rows = await sql`select contact_id, state, reason from send_recipient`
    const reasons = Object.fromEntries(rows.map(row => [row.contact_id, row.reason ?? row.state]))
    expect(reasons).toEqual({
      [group]: 'group',
      [out]: 'opted_out',
      [both]: 'opted_out',
      [nameless]: 'no_number',
      [blocked]: 'blocked',
      [absent]: 'no_whatsapp',
      [silent]: 'never_wrote',
      [merged]: 'merged',
      // Whoever it turned out to be, who was not named.
      [lucia]: 'waiting',
      [padaria]: 'waiting',
      [elsewhere]: 'waiting',
    })
    const shown = await one(body.id)
    expect(shown.total).toBe(3)
    expect(shown.excluded.map(({ reason }) => reason).sort()).toEqual(
      ['blocked', 'group', 'merged', 'never_wrote', 'no_number', 'no_whatsapp', 'opted_out'].sort(),
    )
    await sql`update contact set merged_into = null where id = ${merged}`
    await sql`delete from ticket where contact_id in (${blocked}, ${absent}, ${padaria}, ${elsewhere})`
  })

  test('groups, and who turned out to be somebody else, are never among all: not even as somebody who is left out', async () => {
    const group = await makeContact(db, 'Grupo da feira', true)
    const merged = await aCustomer('Era a Lúcia')
    await sql`update contact set merged_into = ${lucia} where id = ${merged}`
    await begin({ contactsIds: '', allContacts: true })
    await snapshotRecipients(db)
    expect([...(await sql`select 1 from send_recipient where contact_id = any(${[group, merged]}::int[])`)]).toEqual([])
    expect([...(await sql`select 1 from send_recipient where contact_id = ${lucia}`)]).toHaveLength(1)
    await sql`update contact set merged_into = null where id = ${merged}`
  })

  test('a group alone is none to send to many', async () => {
    const group = await makeContact(db, 'Grupo da feira', true)
    const refused = await begin({ contactsIds: String(group) })
    expect([refused.status, refused.body.details?.[0]?.code]).toEqual([422, 'nobodyLeft'])
    await calculating({ contactsIds: [group] })
    await snapshotRecipients(db)
    expect([...(await sql`select state, reason from send_recipient`)]).toEqual([{ state: 'excluded', reason: 'group' }])
  })

  test('who has two of the tags gets it once', async () => {
    const [second] = await sql`insert into tag (name, color) values (${crypto.randomUUID()}, '#000000') returning id`
    await tagged(lucia, padaria)
    await sql`insert into contact_tag (contact_id, tag_id) values (${lucia}, ${second?.id})`
    await begin({ contactsIds: '', tagsIds: `${tag},${second?.id}` })
    await snapshotRecipients(db)
    expect(await sql`select contact_id from send_recipient order by 1`).toEqual([
      { contact_id: lucia },
      { contact_id: padaria },
    ] as never)
  })

  test('over the official API who is outside the window is left out, unless a template goes there; nobody left: refused', async () => {
    // Who wrote to another connection opened no window here, nor does its end there close one.
    await sql`update contact_channel set last_inbound_at = now() - interval '25 hours'
      where (contact_id, whatsapp_id) in ((${lucia}, ${official}), (${padaria}, ${whatsapp}))`
    const { body } = await begin({ whatsappId: official })
    await snapshotRecipients(db)
    expect((await recipientsOf(body.id)).recipients.map(({ contact, reason }) => [contact.id, reason])).toEqual([
      [lucia, 'window_closed'],
      [padaria, null],
    ])
    const refused = await begin({ whatsappId: official, contactsIds: String(lucia) })
    expect([refused.status, refused.body.details?.[0]?.code]).toEqual([422, 'nobodyLeft'])
    await sql`truncate send, send_recipient cascade`
    const template = {
      name: 'aviso',
      language: 'pt_BR',
      components: [{ type: 'BODY', text: 'Olá {{name}}' }],
      parameters: [{ type: 'body', parameters: [{ type: 'text', text: '{{name}}' }] }],
    }
    expect((await begin({ whatsappId: official, template })).status).toBe(201)
    await snapshotRecipients(db)
    await dispatchNext(db, { whatsappId: official, epoch: 0 }, 15_000)
    await timePasses()
    await sql`update outbox set state = 'done', done_at = now() - interval '1 hour'`
    await dispatchNext(db, { whatsappId: official, epoch: 0 }, 15_000)
    const sent = await sql`select payload from outbox order by contact_id`
    expect(sent.map(row => row.payload)).toEqual([
      {
        ...{ type: 'template', name: 'aviso', lang: 'pt_BR' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Dona Lúcia' }] }],
      },
      { type: 'text', text: 'Chegou a farinha, Padaria Estrela!' },
    ])
    expect(await sql`select body from message where media_type = 'template'`).toMatchObject([
      { body: 'Olá Dona Lúcia' },
    ])
    await sql`update contact_channel set last_inbound_at = now()`
  })

  test('who would be left out is listed before anything goes out, by reason, in pages, and nothing is stored', async () => {
    const out = [await aCustomer('Saiu 1'), await aCustomer('Saiu 2'), await aCustomer('Saiu 3')]
    const silent = await aCustomer('Calado', false)
    await sql`update contact set opted_out_at = now() where id = any(${out}::int[])`
    const form = { mensagem: 'oi', contactsIds: [...out, silent, lucia].join(','), onlyWhoWrote: true }
    const seen: [number, string][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor ? `?limit=2&cursor=${cursor}` : '?limit=2'
      const { status, body } = await admin.call<LeftOutPage>('POST', `/envioMassa/preview/excluded${query}`, form)
      expect([status, body.count]).toEqual([200, 4])
      seen.push(...body.contacts.map(({ contact, reason }): [number, string] => [contact.id, reason]))
      cursor = body.nextCursor
    }
    expect(seen).toEqual([...out.map((id): [number, string] => [id, 'opted_out']), [silent, 'never_wrote']])
    const one = await admin.call<LeftOutPage>('POST', '/envioMassa/preview/excluded?reason=never_wrote', form)
    expect([one.body.count, one.body.contacts.map(({ contact }) => contact.name)]).toEqual([1, ['Calado']])
    expect([...(await sql`select 1 from send`)]).toEqual([])
  })

  test('a file of somebody else’s cannot be named in a template', async () => {
    const parameters = [{ type: 'header', parameters: [{ type: 'image', image: { mediaId: 'alheio' } }] }]
    const template = { name: 'aviso', language: 'pt_BR', parameters }
    const { status, body } = await begin({ whatsappId: official, template })
    expect([status, body.error]).toEqual([404, 'ERR_NO_FILE_FOUND'])
  })

  test('all who were chosen opted out before it began: it is over, and says why', async () => {
    const id = await calculating({ contactsIds: [lucia, padaria] })
    await sql`update contact set opted_out_at = now()`
    await snapshotRecipients(db)
    expect(await one(id)).toMatchObject({
      ...{ state: 'done', stateReason: 'no_recipients', total: 0, enviados: 0 },
      endedAt: expect.any(String),
    })
  })

  test('its tag was deleted before it began: it stopped, and the administrators are told', async () => {
    const [gone] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Some', '#000000') returning id`
    await sql`insert into contact_tag (contact_id, tag_id) values (${lucia}, ${gone?.id ?? 0})`
    const id = await calculating({ tagsIds: [gone?.id] })
    await sql`delete from tag where id = ${gone?.id ?? 0}`
    await Promise.all([snapshotRecipients(db), snapshotRecipients(db), snapshotRecipients(db)])
    expect(await one(id)).toMatchObject({ state: 'stopped', stateReason: 'no_recipients' })
    const { body: bell } = await admin.call<ResponseBody<'GET /notifications'>>('GET', '/notifications?limit=5')
    expect(bell.news.items).toMatchObject([{ code: 'send_stopped', name: 'no_recipients', whatsappId: whatsapp }])
    expect((await admin.call('PUT', `/envioMassa/${id}/resume`)).status).toBe(409)
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
    expect(await look({ tagsIds: String(tag) })).toMatchObject({
      ...{ count: 3, found: 4, repeated: 1, wrote: 2 },
      excluded: [{ reason: 'opted_out', count: 1 }],
      // Early and late in the day the hour is one more.
      risk: { causes: expect.arrayContaining([{ code: 'never_wrote', params: { count: 1, percent: 33 } }]) },
    })
    expect(await look({ tagsIds: String(tag), onlyWhoWrote: true })).toMatchObject({ count: 2, wrote: 2 })
    expect(await sql`select 1 from send`).toHaveLength(0)
  })

  test('risk in codes, and when it ends by what goes on already', async () => {
    await admin.call('PUT', '/settings/dailyCap', { value: '1000' })
    const before = await look({ mensagem: 'Oferta em https://x.br' })
    expect(before.risk.causes.map(({ code }) => code)).toContain('links')
    expect(before.pace).toEqual({ seconds: 15, perDay: 1000, warmUp: false })
    const seconds = (preview: SendPreview) =>
      (Date.parse(preview.endsAt ?? '') - Date.parse(preview.startsAt ?? '')) / 1000
    expect(seconds(before)).toBe(15)
    await begin()
    await snapshotRecipients(db)
    // They take turns: two of the other go between.
    expect(seconds(await look())).toBe(45)
    // As many of another go between as it has itself, and also of one that waits for its hour.
    expect(seconds(await look({ contactsIds: String(lucia) }))).toBe(15)
    await sql`update send set state = 'waiting', state_reason = 'working_hours', not_before = now() + interval '1 hour'`
    expect(seconds(await look({ contactsIds: String(lucia) }))).toBe(15)
    await sql`update send set state = 'paused'`
    expect(seconds(await look({ contactsIds: String(lucia) }))).toBe(0)
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
    expect([(await look({ onlyWorkingHours: true })).endsAt, (await one(ofHours)).endsAt]).toEqual([null, null])
    expect([(await look()).endsAt, (await one(anytime)).endsAt]).toEqual([expect.any(String), expect.any(String)])
    await admin.call('PUT', '/settings', all('enabled'))
  })

  test('a new number is warmed up, a connection may have a cap of its own, the official API has none', async () => {
    await sql`update whatsapp set number = '553132224010' where id = ${whatsapp}`
    expect((await look()).pace).toMatchObject({ perDay: 50, warmUp: true })
    expect((await look()).risk.causes.map(({ code }) => code)).toContain('new_number')
    await sql`update whatsapp set daily_cap = 7 where id = ${whatsapp}`
    expect((await look()).pace).toMatchObject({ perDay: 7, warmUp: false })
    await sql`update whatsapp set number_since = now() - interval '20 days', daily_cap = null where id = ${whatsapp}`
    expect((await look()).pace).toMatchObject({ perDay: 1000, warmUp: false })
    // Paired again with the number it had it is no new one; with another it is.
    await sql`update whatsapp set number = null where id = ${whatsapp}`
    await sql`update whatsapp set number = '553132224010' where id = ${whatsapp}`
    expect((await look()).pace).toMatchObject({ perDay: 1000, warmUp: false })
    await sql`update whatsapp set number = '553132224011' where id = ${whatsapp}`
    expect((await look()).pace).toMatchObject({ perDay: 50, warmUp: true })
    await sql`update whatsapp set number = '553132224012' where id = ${official}`
    expect((await look({ whatsappId: official })).pace).toMatchObject({ perDay: null, warmUp: false })
    await sql`update whatsapp set daily_cap = 9 where id = ${official}`
    expect((await look({ whatsappId: official })).pace).toMatchObject({ perDay: 9, warmUp: false })
    await sql`update whatsapp set number = null, known_number = null, number_since = null`
  })

  test('without a name it goes by the default connection, not by the oldest', async () => {
    const makeDefault = async (id: number) => {
      await sql`update whatsapp set is_default = false`
      await sql`update whatsapp set is_default = true where id = ${id}`
    }
    await sql`update whatsapp set daily_cap = 7 where id = ${official}`
    await makeDefault(official)
    expect((await look()).pace.perDay).toBe(7)
    await makeDefault(whatsapp)
    expect((await look()).pace.perDay).toBe(1000)
  })

  test('a connection’s own cap is a field of its form', async () => {
    const saved = await admin.call<{ dailyCap: number }>('PUT', `/whatsapp/${whatsapp}`, { dailyCap: 300 })
    expect([saved.status, saved.body.dailyCap]).toEqual([200, 300])
    expect((await look()).pace.perDay).toBe(300)
    expect((await admin.call('PUT', `/whatsapp/${whatsapp}`, { dailyCap: 0 })).status).toBe(422)
    expect((await admin.call('PUT', `/whatsapp/${whatsapp}`, { dailyCap: null })).status).toBe(200)
  })
})

describe('decisions-2 §15: pause, resume and cancel at any moment', () => {
  const put = (id: number, action: string, person = admin) =>
    person.call<MassSend & Refusal>('PUT', `/envioMassa/${id}/${action}`)

  test('while it is calculated: nobody else is frozen, and it goes on behind', async () => {
    const id = await calculating({ contactsIds: [lucia, padaria] })
    expect((await put(id, 'pause', rafael)).body).toMatchObject({ state: 'paused', stateUser: { name: 'Rafael' } })
    await snapshotRecipients(db)
    expect(await sql`select 1 from send_recipient`).toHaveLength(0)
    expect((await put(id, 'resume')).body.state).toBe('calculating')
    await snapshotRecipients(db)
    expect((await one(id)).state).toBe('running')
  })

  test('while it runs: the next gets nothing until it is resumed, and nobody gets it twice', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    expect(await hand()).toBe(0)
    await timePasses()
    await wentOut('sent')
    expect((await put(body.id, 'pause')).status).toBe(200)
    expect(await hand()).toBeNull()
    expect((await put(body.id, 'resume')).body.state).toBe('running')
    expect(await hand()).toBe(0)
    expect(await hand()).toBeNull()
    expect(await sql`select contact_id from outbox order by 1`).toEqual([
      { contact_id: lucia },
      { contact_id: padaria },
    ] as never)
    expect(await one(body.id)).toMatchObject({ state: 'done', enviados: 2, total: 2, endsAt: null })
  })

  test('cancelled: who has not got it gets nothing, and it does not come back', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    expect((await put(body.id, 'cancel')).body).toMatchObject({ state: 'cancelled', stateUser: { name: 'Marina' } })
    expect((await one(body.id)).endedAt).not.toBeNull()
    expect(await hand()).toBeNull()
    for (const action of ['pause', 'resume', 'cancel']) {
      const { status, body: refusal } = await put(body.id, action)
      expect([status, refusal.error]).toEqual([409, 'ERR_INVALID_TRANSITION'])
    }
    expect((await admin.call('PUT', `/envioMassa/${body.id}`, { mensagem: 'outra' })).status).toBe(409)
    const actions = await sql`select action from log_entry order by id desc limit 2`
    expect(actions.map(row => row.action)).toEqual(['send.cancel', 'send.create'])
  })

  test('whoever waited when a send was cancelled waits no more, in its list, its numbers, by each state and in a merge', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    const before = await recipientsOf(body.id)
    expect(before.recipients.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    await put(body.id, 'cancel')
    const { recipients, count } = await recipientsOf(body.id)
    expect([recipients.map(({ state }) => state), count]).toEqual([['cancelled', 'cancelled'], 2])
    const { endedAt, counts } = await one(body.id)
    expect(recipients.every(({ at }) => at === endedAt)).toBe(true)
    expect(counts).toMatchObject({ waiting: 0, cancelled: 2 })
    expect(await recipientsOf(body.id, '?state=waiting')).toMatchObject({ recipients: [], count: 0 })
    const page = await recipientsOf(body.id, '?state=cancelled&limit=1')
    expect([page.recipients.length, page.count, page.hasMore]).toEqual([1, 2, true])
    const rest = await recipientsOf(body.id, `?state=cancelled&limit=1&cursor=${page.nextCursor}`)
    expect([...page.recipients, ...rest.recipients].map(({ id }) => id)).toEqual(before.recipients.map(({ id }) => id))
    const [from, into] = recipients.map(({ contact }) => contact.id)
    const { body: merge } = await admin.call<MergePreview>('GET', `/contacts/${into}/merge/${from}`)
    expect(merge.sends).toBe(0)
  })

  test('of two at once, one who cancels and one who resumes, the later is told; it stays cancelled', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await put(id, 'pause')
    const [resumed] = await sql.begin(async tx => {
      await tx`update send set state = 'cancelled', ended_at = now() where id = ${id}`
      const begun = put(id, 'resume', rafael)
      await waitUntil('it waits for the other', async () => (await countLockWaits(sql)) === 1)
      return [begun]
    })
    expect((await resumed)?.status).toBe(409)
    expect((await one(id)).state).toBe('cancelled')
    expect(await hand()).toBeNull()
  })

  test('one that is done does not go on, and is neither paused nor cancelled', async () => {
    const { body } = await begin({ contactsIds: String(lucia) })
    await snapshotRecipients(db)
    expect(await hand()).toBe(0)
    expect((await one(body.id)).state).toBe('done')
    for (const action of ['pause', 'resume', 'cancel'])
      expect([action, (await put(body.id, action)).status]).toEqual([action, 409])
    expect((await one(body.id)).state).toBe('done')
  })

  test('resumed after too many failures, those of before do not stop it again', async () => {
    const more = await Promise.all(Array.from({ length: 5 }, (_, n) => aCustomer(`Cliente ${n}`)))
    const { id } = (await begin({ contactsIds: [lucia, padaria, ...more].join(',') })).body
    await snapshotRecipients(db)
    for (let n = 0; n < 5; n++) {
      expect(await hand()).toBe(0)
      await wentOut('failed')
      await timePasses()
    }
    expect(await hand()).toBeNull()
    expect(await one(id)).toMatchObject({ state: 'stopped', stateReason: 'failures' })
    expect((await put(id, 'resume')).body).toMatchObject({ state: 'running', stateReason: null })
    expect(await hand()).toBe(0)
  })

  test('one that nobody waits for any more is done when it is resumed', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await sql`update send set state = 'stopped', state_reason = 'failures'`
    await sql`delete from send_recipient`
    expect((await put(id, 'resume')).body).toMatchObject({ state: 'done', endedAt: expect.any(String) })
  })

  test('resumed while its connection is down it waits for it', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await put(id, 'pause')
    await sql`update whatsapp set status = 'DISCONNECTED' where id = ${whatsapp}`
    expect((await put(id, 'resume')).body).toMatchObject({ state: 'waiting', stateReason: 'disconnected' })
    await sql`update whatsapp set status = 'CONNECTED' where id = ${whatsapp}`
  })

  test('one whose connection was deleted does not go on, whoever had paused it; it may be put away', async () => {
    const brief = await makeConnection(db, 'Por um dia')
    const { id } = (await begin({ whatsappId: brief })).body
    await snapshotRecipients(db)
    expect((await put(id, 'pause')).body.stateUser).toMatchObject({ name: 'Marina' })
    await admin.call('DELETE', `/whatsapp/${brief}?force=true`)
    expect(await one(id)).toMatchObject({ state: 'stopped', stateReason: 'connection_deleted', stateUser: null })
    const refused = await put(id, 'resume')
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_INVALID_TRANSITION'])
    expect((await put(id, 'cancel')).body.state).toBe('cancelled')
  })

  test('what waits for its hour goes on when it need not keep to hours any more; nothing to say is refused', async () => {
    const { id } = (await begin({ onlyWorkingHours: true })).body
    await snapshotRecipients(db)
    await sql`update send set state = 'waiting', state_reason = 'working_hours', not_before = now() + interval '9 hours'`
    const before = (await one(id)).version
    const { body, status } = await admin.call<MassSend>('PUT', `/envioMassa/${id}`, { onlyWorkingHours: false })
    expect([status, body.onlyWorkingHours, body.version > before]).toEqual([200, false, true])
    expect(await hand()).toBe(0)
    const refused = await admin.call<Refusal>('PUT', `/envioMassa/${id}`, { mensagem: ' ' })
    expect([refused.status, refused.body.details?.[0]?.code]).toEqual([422, 'messageRequired'])
    expect((await one(id)).mensagem).toBe('Chegou a farinha, {{name}}!')
  })

  test('what is said to those who still wait may be changed; of two who change it the older form is told', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    await hand()
    await timePasses()
    await wentOut('sent')
    const stale = await admin.call<Refusal>('PUT', `/envioMassa/${body.id}`, { mensagem: 'x', version: 1 })
    expect([stale.status, stale.body.error]).toEqual([409, 'ERR_CHANGED_MEANWHILE'])
    const { version } = await one(body.id)
    expect((await admin.call('PUT', `/envioMassa/${body.id}`, { mensagem: 'Acabou, {{name}}', version })).status).toBe(
      200,
    )
    await hand()
    const rows = await sql`select body from message where from_me order by id desc limit 2`
    expect(rows.map(row => row.body)).toEqual(['Acabou, Padaria Estrela', 'Chegou a farinha, Dona Lúcia!'])
  })
})

describe('spec 3 §2: the table and the detail', () => {
  test('is newest first, by how they stand, in pages', async () => {
    const ids: number[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await begin()).body.id)
    await snapshotRecipients(db)
    await admin.call('PUT', `/envioMassa/${ids[0]}/pause`)
    await admin.call('PUT', `/envioMassa/${ids[1]}/cancel`)
    const list = async (query: string) => (await admin.call<List>('GET', `/envioMassa?${query}`)).body
    const all = await list('limit=3')
    expect(all.envios.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    expect(all.counts).toEqual({ all: 5, active: 3, stopped: 1, ended: 1 })
    expect((await list(`limit=3&cursor=${all.nextCursor}`)).envios.map(({ id }) => id)).toEqual(ids.slice(3))
    expect((await list('show=active')).envios.map(({ id }) => id)).toEqual(ids.slice(2))
    expect((await list('show=stopped')).envios.map(({ id }) => id)).toEqual(ids.slice(0, 1))
    expect((await list('show=ended')).envios.map(({ id }) => id)).toEqual(ids.slice(1, 2))
    // A page shows of each what it shows by itself.
    const { counts: _, excluded: __, last: ___, contacts: ____, tags: _____, ...whole } = await one(ids[2] ?? 0)
    const { endsAt: a, ...listed } = (await list('')).envios.find(({ id }) => id === ids[2]) ?? { endsAt: null }
    const { endsAt: b, ...single } = whole
    expect(listed).toEqual(single)
    expect(Math.abs(Date.parse(a ?? '') - Date.parse(b ?? ''))).toBeLessThan(1000)
  })

  test('recipients stand with their ticks, newest first, and behind them who waits', async () => {
    const more = await Promise.all(Array.from({ length: 4 }, (_, n) => aCustomer(`Cliente ${n}`)))
    const { body } = await begin({ contactsIds: [lucia, padaria, ...more].join(',') })
    await snapshotRecipients(db)
    for (const state of ['read', 'failed', 'delivered']) {
      await hand()
      await wentOut(state)
      await timePasses()
    }
    const all = await recipientsOf(body.id)
    expect(all.recipients.map(({ state }) => state)).toEqual([
      'delivered',
      'failed',
      'read',
      'waiting',
      'waiting',
      'waiting',
    ])
    expect(all).toMatchObject({ count: 6, hasMore: false, nextCursor: null })
    const seen: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Recipients = await recipientsOf(body.id, `?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.recipients.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(all.recipients.map(({ id }) => id))
    const failed = await recipientsOf(body.id, '?state=failed')
    expect(failed.recipients).toMatchObject([{ reason: 'ERR_SEND_UNAVAILABLE', contact: { id: padaria } }])
    expect(failed.count).toBe(1)
    expect((await recipientsOf(body.id, '?state=waiting')).recipients).toHaveLength(3)
    await sql`update contact set opted_out_at = now() + interval '1 second' where id = ${lucia}`
    expect(await one(body.id)).toMatchObject({
      counts: { waiting: 3, sending: 0, sent: 0, delivered: 1, read: 1, failed: 1, excluded: 0, optedOut: 1 },
      ...{ falhas: 1, enviados: 3, last: ['ok', 'failed', 'ok'] },
    })
  })

  test('what is on its way, or in doubt, is neither a success nor a failure', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await hand()
    expect((await one(id)).last).toEqual([])
    await wentOut('unknown')
    expect(await one(id)).toMatchObject({ last: [], falhas: 0, counts: { unknown: 1 } })
  })

  test('a cursor or a state that is none is refused', async () => {
    const { id } = (await begin()).body
    for (const query of ['cursor=x', 'state=lost', `cursor=${Buffer.from('["nie",3]').toString('base64url')}`])
      expect([query, (await admin.call('GET', `/envioMassa/${id}/recipients?${query}`)).status]).toEqual([query, 422])
  })
})
