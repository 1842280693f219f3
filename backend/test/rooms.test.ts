// The smaller rooms: quick answers, settings, connections, counters, and what operators ask for.
import { describe, expect, test } from 'bun:test'
import type { Connection, ConnectionBrief, Message, QuickAnswer, Ticket } from '@balcao/contract'
import { getSql } from '../src/platform/database/raw.ts'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db, url } = server

const queueId = await makeQueue(db, 'Financeiro')
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
const carlos = await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [queueId] })
const whatsappId = await makeConnection(db, 'Loja Centro')
const contactId = await makeContact(db, 'Dona Lúcia')
const colleaguesTicket = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId: carlos })
const marina = await server.as('Marina')
const bruna = await server.as('Bruna')

function form(fields: Record<string, string | File>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}

describe('quick answers', () => {
  test('are added, found, changed and deleted, with their file', async () => {
    const file = new File(['tabela de preços'], 'preços.txt', { type: 'text/plain' })
    const fields = { shortcut: '/tabela', message: 'Segue a tabela nova de farinha', medias: file }
    const made = await bruna.call<QuickAnswer>('POST', '/quickAnswers', form(fields))
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ shortcut: 'tabela', mediaName: 'precos.txt' })
    expect((await bruna.call('GET', made.body.mediaUrl ?? '')).status).toBe(200)

    const { body: found } = await bruna.call<{ quickAnswers: QuickAnswer[] }>('GET', '/quickAnswers/?searchParam=/tab')
    expect(found.quickAnswers.map(each => each.id)).toEqual([made.body.id])
    const { id } = made.body
    const changed = await bruna.call<QuickAnswer>('PUT', `/quickAnswers/${id}`, form({ removeMedia: 'true' }))
    expect(changed.body).toMatchObject({ message: fields.message, mediaUrl: null })
    expect((await bruna.call('GET', made.body.mediaUrl ?? '')).status).toBe(404)
    expect((await bruna.call('DELETE', `/quickAnswers/${id}`)).status).toBe(204)
    expect((await bruna.call('GET', `/quickAnswers/${id}`)).body.error).toBe('ERR_NO_QUICK_ANSWER_FOUND')
  })

  test('two who change different fields at once both keep their change', async () => {
    const { body } = await bruna.call<QuickAnswer>(
      'POST',
      '/quickAnswers',
      form({ shortcut: 'chave', message: 'A chave é o CNPJ' }),
    )
    for (let n = 0; n < 20; n++) {
      const [shortcut, message] = [`chave${n}`, `A chave é o CNPJ ${n}`]
      await Promise.all([
        bruna.call('PUT', `/quickAnswers/${body.id}`, form({ shortcut })),
        bruna.call('PUT', `/quickAnswers/${body.id}`, form({ message })),
      ])
      const { body: now } = await bruna.call<QuickAnswer>('GET', `/quickAnswers/${body.id}`)
      expect({ shortcut: now.shortcut, message: now.message }).toEqual({ shortcut, message })
    }
  })

  test('decisions-2 §22: a change that began from an older one is refused with the answer as it is now', async () => {
    const { body } = await bruna.call<QuickAnswer>(
      'POST',
      '/quickAnswers',
      form({ shortcut: 'cnpj', message: 'Nosso CNPJ' }),
    )
    const change = (message: string) =>
      bruna.call<QuickAnswer & { error?: string; details?: object }>(
        ...(['PUT', `/quickAnswers/${body.id}`, form({ message, version: String(body.version) })] as const),
      )
    const { body: now } = await change('Nosso CNPJ novo')
    const late = await change('Outro CNPJ')
    expect([late.status, late.body.error, late.body.details]).toEqual([409, 'ERR_CHANGED_MEANWHILE', now])
  })

  test('tell everybody of each change, with the version that is newer than the last, and the log of who made it', async () => {
    const { body } = await bruna.call<QuickAnswer>(
      'POST',
      '/quickAnswers',
      form({ shortcut: 'pix', message: 'Nossa chave Pix' }),
    )
    await bruna.call('PUT', `/quickAnswers/${body.id}`, form({ message: 'A nova chave Pix' }))
    await bruna.call('DELETE', `/quickAnswers/${body.id}`)
    expect((await bruna.call('DELETE', `/quickAnswers/${body.id}`)).body.error).toBe('ERR_NO_QUICK_ANSWER_FOUND')
    const events = await getSql(db)<{ audience: object; payload: { action: string; version: number } }[]>`
      select audience, payload::jsonb as payload from live_event where payload::jsonb->>'event' = 'quickAnswer'
        and ${body.id} in ((payload::jsonb->>'quickAnswerId')::int, (payload::jsonb->'quickAnswer'->>'id')::int) order by id`
    expect(events.map(({ payload }) => [payload.action, payload.version])).toEqual([
      ['create', 1],
      ['update', 2],
      ['delete', 3],
    ])
    expect(new Set(events.map(({ audience }) => JSON.stringify(audience)))).toEqual(new Set(['{"to":"everyone"}']))
    const deeds = await getSql(db)<{ action: string; own: boolean }[]>`
      select l.action, u.name = 'Bruna' as own from log_entry l join "user" u on u.id = l.user_id
      where l.entity_id = ${body.id} and l.action like 'quickAnswer.%' order by l.id`
    expect(deeds.map(({ action, own }) => [action, own])).toEqual([
      ['quickAnswer.create', true],
      ['quickAnswer.update', true],
      ['quickAnswer.delete', true],
    ])
  })

  test('have one owner of a shortcut, and texts of the right length', async () => {
    const good = { shortcut: 'boleto', message: 'Segue a 2ª via do seu boleto' }
    expect((await bruna.call('POST', '/quickAnswers', form(good))).status).toBe(201)
    expect((await bruna.call('POST', '/quickAnswers', form(good))).body.error).toBe('ERR_DUPLICATED_SHORTCUT')
    const short = await bruna.call('POST', '/quickAnswers', form({ shortcut: 'x', message: 'oi' }))
    expect(short.body.details).toEqual([
      { path: 'shortcut', code: 'Too Short!', message: 'Escreva um pouco mais: está curto demais.' },
      { path: 'message', code: 'Too Short!', message: 'Escreva um pouco mais: está curto demais.' },
    ])
  })
})

describe('a setting', () => {
  test('takes effect with the next request', async () => {
    expect((await bruna.call('GET', `/tickets/${colleaguesTicket}`)).status).toBe(403)
    expect((await marina.call('PUT', '/settings/userShowAll', { value: 'enabled' })).status).toBe(200)
    expect((await bruna.call<Ticket>('GET', `/tickets/${colleaguesTicket}`)).status).toBe(200)
    await marina.call('PUT', '/settings/userShowAll', { value: 'disabled' })
    expect((await bruna.call('GET', `/tickets/${colleaguesTicket}`)).status).toBe(403)
  })

  test('of a pair that excludes each other switches the other one off', async () => {
    await marina.call('PUT', '/settings/historyByQueue', { value: 'enabled' })
    await marina.call('PUT', '/settings/historyByUser', { value: 'enabled' })
    const { body } = await marina.call<{ key: string; value: string }[]>('GET', '/settings')
    expect(body.find(each => each.key === 'historyByQueue')?.value).toBe('disabled')
  })

  test('refuses what it does not know', async () => {
    expect((await marina.call('PUT', '/settings/nada', { value: 'x' })).body.error).toBe('ERR_NO_SETTING_FOUND')
    const wrong = await marina.call('PUT', '/settings/horarioAbertura', { value: '25:00' })
    expect([wrong.status, wrong.body.details]).toEqual([
      422,
      [{ path: 'value', code: 'opening', message: 'Horário de abertura inválido' }],
    ])
    expect((await bruna.call('PUT', '/settings/userShowAll', { value: 'enabled' })).status).toBe(403)
  })
})

describe('connections', () => {
  const official = {
    name: 'Oficial São José',
    api: 'cloud_api',
    phoneNumberId: '106540352242922',
    wabaId: '102290129340398',
    tokenMeta: 'EAAG-segredo',
  }

  test('are added and edited; the token never comes back', async () => {
    const made = await marina.call<Connection>('POST', '/whatsapp', official)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ hasToken: true, webhookUrl: `/webhooks/cloud/${made.body.id}` })
    expect(JSON.stringify(made.body)).not.toContain('segredo')
    const change = { farewellMessage: 'Até logo, {{name}}!', tokenMeta: '' }
    const edited = await marina.call<Connection>('PUT', `/whatsapp/${made.body.id}`, change)
    expect(edited.body).toMatchObject({ farewellMessage: change.farewellMessage, hasToken: true, name: official.name })
    expect((await marina.call('POST', '/whatsapp', official)).body.error).toBe('ERR_WAPP_NAME_ALREADY_EXISTS')
  })

  test('of many that become the default at once each is, and the last one stays it', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(n => makeConnection(db, `Filial ${n}`)))
    const answers = await Promise.all(ids.map(id => marina.call('PUT', `/whatsapp/${id}`, { isDefault: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = await getSql(db)<{ id: number }[]>`select id from whatsapp where is_default and deleted_at is null`
    expect(rows).toHaveLength(1)
    expect(ids).toContain(rows[0]?.id ?? 0)
  })

  test('with several queues need a greeting', async () => {
    const other = await makeQueue(db, 'Entregas')
    const wish = { name: 'Duas filas', api: 'baileys', queueIds: [queueId, other] }
    expect((await marina.call('POST', '/whatsapp', wish)).body.error).toBe('ERR_WAPP_GREETING_REQUIRED')
  })

  test('tell everybody who uses them that they are down and since when, and nothing else of it', async () => {
    const since = '2026-11-21T12:12:00.000Z'
    const trouble = { code: '401', reason: 'logged_out', since, attempt: 1, nextTryAt: null, next: 'read_qr' }
    const id = await makeConnection(db, 'Fora do ar')
    await getSql(
      db,
    )`update whatsapp set status = 'LOGGEDOUT', trouble = ${JSON.stringify(trouble)}::text::jsonb where id = ${id}`
    const seen = async () => {
      const { body } = await bruna.call<ConnectionBrief[]>('GET', '/whatsapp')
      return body.find(one => one.id === id)
    }
    const brief = { id, name: 'Fora do ar', api: 'baileys' as const, isDefault: false, hasFlow: false, queueIds: [] }
    expect(await seen()).toEqual({ ...brief, status: 'LOGGEDOUT', downSince: since })
    await getSql(db)`update whatsapp set status = 'CONNECTED' where id = ${id}`
    expect(await seen()).toEqual({ ...brief, status: 'CONNECTED', downSince: null })
    // That there is a flow is no secret, where it is is one.
    await getSql(
      db,
    )`update whatsapp set public_dns_typebot = 'https://bot.example.com', public_id_typebot = 'f' where id = ${id}`
    expect(await seen()).toEqual({ ...brief, status: 'CONNECTED', downSince: null, hasFlow: true })
  })

  test('with live tickets are deleted only by force, which closes them', async () => {
    const id = await makeConnection(db, 'Antiga')
    const contactId = await makeContact(db, 'Cliente antigo')
    const ticket = await makeTicket(db, { contactId, whatsappId: id, status: 'open', queueId })
    const refused = await marina.call('DELETE', `/whatsapp/${id}`)
    expect(refused.body).toMatchObject({ error: 'ERR_WAPP_HAS_LIVE_TICKETS', details: { tickets: 1 } })
    expect((await marina.call('DELETE', `/whatsapp/${id}?force=true`)).status).toBe(204)
    expect((await marina.call<Ticket>('GET', `/tickets/${ticket}`)).body.status).toBe('closed')
    expect((await marina.call('GET', `/whatsapp/${id}`)).status).toBe(404)
  })

  test('that are deleted fail what still waited in them, with the reason and a live event; of what was on its way nobody knows', async () => {
    const sql = getSql(db)
    const id = await makeConnection(db, 'Velha')
    const contactId = await makeContact(db, 'Cliente da velha')
    const ticket = await makeTicket(db, { contactId, whatsappId: id, status: 'open', queueId })
    const send = async (body: string) => (await marina.call<Message>('POST', `/messages/${ticket}`, { body })).body.id
    const waits = await send('esta nunca sai')
    const onItsWay = await send('esta talvez')
    await sql`update outbox set state = 'sending' where message_id = ${onItsWay}`
    await sql`update message set state = 'sending' where id = ${onItsWay}`
    const tried = await send('desta houve uma tentativa')
    await sql`update outbox set may_be_out = true where message_id = ${tried}`
    expect((await marina.call('DELETE', `/whatsapp/${id}?force=true`)).status).toBe(204)

    const rows = await sql<{ id: string; state: string; code: string | null }[]>`
      select id, state, error_log->>'code' as code from message where ticket_id = ${ticket} order by id`
    expect(rows.map(row => [Number(row.id), row.state, row.code])).toEqual([
      [waits, 'failed', 'connection_deleted'],
      [onItsWay, 'unknown', null],
      [tried, 'unknown', null],
    ])
    const left = await sql`select 1 from outbox where whatsapp_id = ${id} and state in ('queued', 'sending', 'failed')`
    expect(left).toHaveLength(0)
    const found = await sql`
      select 1 from live_event where payload::json->'message'->>'id' = ${String(waits)} and payload::json->'message'->>'state' = 'failed'`
    expect(found).toHaveLength(1)
  })
})

describe('operators', () => {
  test('see health and the description of the API', async () => {
    const nobody = createBrowser(url)
    expect((await nobody.call('GET', '/health')).body).toMatchObject({ status: 'ok' })
    const { body } = await nobody.call<{ paths: Record<string, unknown> }>('GET', '/openapi.json')
    expect(Object.keys(body.paths)).toContain('/tickets/{id}')
  })

  test('count what is in service and waiting', async () => {
    const { body } = await marina.call<{ open: number; queues: { name: string }[] }>('GET', '/dashboard/stats')
    expect(body.open).toBeGreaterThan(0)
    expect(body.queues.map(queue => queue.name)).toContain('Financeiro')
    expect((await bruna.call('GET', '/dashboard/stats')).status).toBe(403)
  })

  test('find no page where a remote’s file is missing', async () => {
    const answer = await fetch(`${url}/mfe/mfe_tickets/nada.js`, { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
  })
})
