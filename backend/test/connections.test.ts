// Connections are saved, steered and deleted; what the log has of it, and who may (decisions §1, §3, spec 2 §6).
import { describe, expect, test } from 'bun:test'
import type { Connection, FieldChange } from '@balcao/contract'
import { endSends } from '../src/app/follow-changes.ts'
import { deleteConnection } from '../src/desk/connections/delete.ts'
import { findOrCreateTicket } from '../src/desk/tickets/find-or-create.ts'
import { type StatusEvent, storeStatus } from '../src/messaging/owner/status.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { startConnectionsDesk } from './connections-desk.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

const { server, db, sql, people, marina, queues, added, put, RESTORED } = await startConnectionsDesk()

describe('saved by somebody else (decisions-2 §22)', () => {
  test('a form that began before another one saved is ERR_CHANGED_MEANWHILE, with the connection as it is', async () => {
    const { id, version } = await added('Loja')
    expect(await put(id, { version, farewellMessage: 'Primeira' })).toMatchObject({ farewellMessage: 'Primeira' })
    const late = await marina.call('PUT', `/whatsapp/${id}`, { version, farewellMessage: 'Segunda' })
    expect([late.status, late.body.error]).toEqual([409, 'ERR_CHANGED_MEANWHILE'])
    expect(late.body.details).toMatchObject({ id, farewellMessage: 'Primeira' })
    expect(await put(id, { farewellMessage: 'Sem versão' })).toMatchObject({ farewellMessage: 'Sem versão' })
  })

  test('that it went down and up meanwhile is no save', async () => {
    const { id, version } = await added('Loja')
    await sql`update whatsapp set status = 'CONNECTED', version = version + 9 where id = ${id}`
    expect(await put(id, { version, farewellMessage: 'Ainda vale' })).toMatchObject({ farewellMessage: 'Ainda vale' })
  })

  test('of two who save the same version at once one is told', async () => {
    const { id, version } = await added('Loja')
    const both = ['Um', 'Dois'].map(farewellMessage =>
      marina.call('PUT', `/whatsapp/${id}`, { version, farewellMessage }),
    )
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('who lost the default to another one is told, too', async () => {
    const first = await added('Loja')
    const second = await added('Atacado')
    await put(second.id, { isDefault: true })
    expect(await put(first.id, { version: first.version, isDefault: true })).toEqual([409, 'ERR_CHANGED_MEANWHILE'])
  })
})

test('a session begins afresh with what its driver is told, and for no other change', async () => {
  const official = { api: 'cloud_api', phoneNumberId: '106540352242922', tokenMeta: 'EAAG' }
  const { id } = await added('Oficial', official)
  const countRequests = async () =>
    [...(await sql`select 1 from whatsapp_command where whatsapp_id = ${id} and command = 'restart'`)].length
  for (const change of [{ farewellMessage: 'Até logo' }, { nps: true }, { metaIntegration: true }, { tokenMeta: '' }])
    await put(id, change)
  expect(await countRequests()).toBe(0)
  await put(id, { phoneNumberId: '106540352242923' })
  await waitUntil('it is asked to', async () => (await countRequests()) === 1)
})

test('a queue that goes away while a connection is given it is not there', async () => {
  const { id } = await added('Loja')
  const gone = await makeQueue(db, 'Que some')
  const reached = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const deleting = db.transaction(async tx => {
    await getSql(tx)`delete from queue where id = ${gone}`
    locked.resolve()
    await reached.promise
  })
  await locked.promise
  const saving = put(id, { queueIds: [gone] })
  await waitUntil('somebody waits for a lock', async () => (await countLockWaits(sql)) > 0)
  reached.resolve()
  await deleting
  expect(await saving).toEqual([404, 'ERR_NO_QUEUE_FOUND'])
})

test('decisions §1: the log has what a save changed, before and after, and no secret', async () => {
  const token = 'EAAG-muito-secreto'
  const official = { api: 'cloud_api', phoneNumberId: '106540352242922', tokenMeta: token }
  const { id } = await added('Oficial', official)
  await put(id, { farewellMessage: 'x'.repeat(500), queueIds: queues.slice(0, 1), nps: false, tokenMeta: `${token}-2` })
  const rows = await sql<{ action: string; params: { changes: FieldChange[] } | null; user_id: number }[]>`
    select action, params, user_id from log_entry where whatsapp_id = ${id} order by id`
  expect(rows.map(row => row.action)).toEqual(['connection.create', 'connection.update'])
  expect(rows[1]?.params?.changes).toEqual([
    { field: 'farewellMessage', from: '', to: `${'x'.repeat(200)}…` },
    { field: 'queues', from: [], to: ['Comercial'] },
    { field: 'tokenMeta' },
  ])
  expect(JSON.stringify(rows)).not.toContain('EAAG')
})

describe('a connection that came back from a backup', () => {
  const commands = (id: number) =>
    [
      ['POST', `/whatsappsession/${id}`],
      ['PUT', `/whatsappsession/${id}`],
      ['DELETE', `/whatsappsession/${id}`],
      ['POST', '/whatsapp/restart/', { whatsappId: id }],
      ['DELETE', `/whatsapp/recreate/${id}`],
      ['POST', `/whatsapp/pair/${id}`, { phone: '5531999990000' }],
      ['POST', `/whatsapp/meow/pair/${id}`, { phone: '5531999990000' }],
      ['GET', `/whatsapp/meow/qr/${id}`],
    ] as const

  test('is taken up by no way until somebody says that the old server is off for good', async () => {
    const id = await makeConnection(db, 'Voltou')
    await sql`update whatsapp set status = 'DISCONNECTED', trouble = ${JSON.stringify(RESTORED)}::text::jsonb where id = ${id}`
    for (const [method, path, body] of commands(id)) {
      const { status, body: answer } = await marina.call(method, path, body)
      expect([method, path, status, answer.error]).toEqual([method, path, 409, 'ERR_WAPP_RESTORED'])
    }
    expect([...(await sql`select wanted from whatsapp where id = ${id}`)]).toEqual([{ wanted: false }])

    const { status, body } = await marina.call('POST', `/whatsappsession/${id}?oldServerIsOff=true`)
    expect([status, body]).toEqual([200, expect.objectContaining({ id })])
    expect([...(await sql`select wanted, trouble->>'reason' as reason from whatsapp where id = ${id}`)]).toEqual([
      { wanted: true, reason: expect.not.stringMatching('restored') },
    ])
    expect(await loggedOf(id)).toEqual(['connection.takeUp', 'connection.start'])
  })

  test('can be edited, and is not begun afresh with a new key', async () => {
    const names = ['Oficial que voltou', 'Oficial daqui']
    const ids = await Promise.all(names.map(name => makeConnection(db, name, 'cloud_api')))
    await sql`update whatsapp set trouble = ${JSON.stringify(RESTORED)}::text::jsonb where id = ${ids[0] ?? 0}`
    for (const id of ids) expect(await put(id, { tokenMeta: 'EAAG-novo' })).toMatchObject({ id })
    const listWanted = () => sql`select id from whatsapp where wanted and id = any(${ids})`
    await waitUntil('the other one is begun', async () => (await listWanted()).some(({ id }) => id === ids[1]))
    expect([...(await listWanted())]).toEqual([{ id: ids[1] }])
  })
})

test.each([
  ['came back from a backup', RESTORED],
  ['another program took over', { ...RESTORED, reason: 'replaced', nextTryAt: '2126-01-01T00:00:00.000Z' }],
])('a connection that %s is deleted here alone: its pairing is that of a desk that may live', async (_, trouble) => {
  const id = await makeConnection(db, 'Da outra loja')
  await sql`
    update whatsapp set status = 'DISCONNECTED', trouble = ${JSON.stringify(trouble)}::text::jsonb where id = ${id}`
  await sql`insert into whatsapp_auth (whatsapp_id, type, key_id, value) values (${id}, 'creds', '', '{}')`
  expect((await marina.call('DELETE', `/whatsapp/${id}`)).status).toBe(204)
  const [left] = await sql`
    select wanted, deleted_at is not null as deleted, exists (select 1 from whatsapp_command where whatsapp_id = ${id}) as commanded,
      trouble->>'reason' as reason from whatsapp where id = ${id}`
  // It is being ended by whoever runs connections, who goes by the reason.
  expect(left).toEqual({ wanted: true, deleted: true, commanded: false, reason: trouble.reason })
})

test('a file that was still coming when its connection was deleted says that it will not', async () => {
  const id = await makeConnection(db, 'Some')
  const ticketId = await makeTicket(db, { contactId: await makeContact(db, 'Ana'), whatsappId: id, status: 'closed' })
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, media_type, media, state)
    select id, contact_id, whatsapp_id, 1, now(), false, '', 'image', '{"state":"pending"}', 'received' from ticket where id = ${ticketId}`
  expect((await marina.call('DELETE', `/whatsapp/${id}`)).status).toBe(204)
  const [message] = await sql`select media from message where ticket_id = ${ticketId}`
  expect(message?.media).toEqual({ state: 'failed', error: 'ERR_WAPP_DOWNLOAD_MEDIA' })
})

test('what is asked of a session stands in the log: start, restart, a fresh start, a pair code, its end', async () => {
  const { id } = await added('Registrada')
  for (const [method, path, body] of [
    ['POST', `/whatsappsession/${id}`],
    ['POST', '/whatsapp/restart/', { whatsappId: id }],
    ['PUT', `/whatsappsession/${id}`],
    ['DELETE', `/whatsapp/recreate/${id}`],
    ['DELETE', `/whatsappsession/${id}`],
  ] as const)
    expect([path, (await marina.call(method, path, body)).status]).toEqual([path, 200])
  expect(await loggedOf(id)).toEqual(
    ['create', 'start', 'restart', 'recreate', 'recreate', 'disconnect'].map(action => `connection.${action}`),
  )
})

async function loggedOf(id: number): Promise<string[]> {
  const rows = await sql<{ action: string }[]>`select action from log_entry where whatsapp_id = ${id} order by id`
  return rows.map(({ action }) => action)
}

describe('decisions §3: deleting', () => {
  test('takes its secrets, its code and its address book, and whose own it was has none, told at once', async () => {
    const secrets = { metaIntegration: true, phoneNumberId: '55010001', wabaId: '77010001', tokenMeta: 'EAAG-segredo' }
    const { id } = await added('Oficial', { api: 'cloud_api', ...secrets })
    const userId = await makePerson(db, { name: 'Dele', profile: 'user' })
    await sql`update "user" set whatsapp_id = ${id} where id = ${userId}`
    await sql`update whatsapp set qrcode = 'o código', pair_code = 'ABCD1234' where id = ${id}`
    await sql`insert into phone_book (whatsapp_id, number, name) values (${id}, '5531999990000', 'Vizinha')`
    const [before] = await sql<{ id: number }[]>`select coalesce(max(id), 0)::float8 as id from live_event`
    expect((await marina.call('DELETE', `/whatsapp/${id}`)).status).toBe(204)
    const [left] = await sql`
      select config, qrcode, pair_code, wanted, is_default, (select count(*)::int from phone_book where whatsapp_id = ${id}) as book,
        (select whatsapp_id from "user" where id = ${userId}) as own from whatsapp where id = ${id}`
    expect(left).toEqual({
      config: {},
      qrcode: null,
      pair_code: null,
      wanted: true,
      is_default: false,
      book: 0,
      own: null,
    })
    const rows = await sql<{ event: string }[]>`
      select distinct payload::json->>'event' as event from live_event where id > ${before?.id ?? 0} order by 1`
    expect(rows.map(({ event }) => event)).toEqual(expect.arrayContaining(['user', 'whatsapp']))
  })

  test('many live conversations are closed in short transactions, each told once', async () => {
    const { id } = await added('Cheia')
    await sql`insert into contact (name, number) select 'Fila ' || i, '5531988' || (100000 + i) from generate_series(1, 130) i`
    await sql`
      insert into ticket (contact_id, whatsapp_id, status, queue_id, created_at, last_message_at)
      select id, ${id}, 'pending', ${queues[0] ?? 0}, now(), now() from contact where name like 'Fila %'`
    const refused = await marina.call('DELETE', `/whatsapp/${id}`)
    expect([refused.status, refused.body]).toMatchObject([409, { details: { tickets: 130 } }])
    const [before] = await sql<{ id: number }[]>`select coalesce(max(id), 0)::float8 as id from live_event`
    expect((await marina.call('DELETE', `/whatsapp/${id}?force=true`)).status).toBe(204)
    const [closed] = await sql`
      select count(*)::int as tickets, count(distinct xmin::text)::int > 2 as pieces, min(version)::int as least, max(version)::int as most
      from ticket where whatsapp_id = ${id} and status = 'closed'`
    expect(closed).toEqual({ tickets: 130, pieces: true, least: 2, most: 2 })
    const [events] = await sql`
      select count(distinct payload::json->'ticket'->>'id')::int as tickets from live_event
      where id > ${before?.id ?? 0} and payload::json->>'event' = 'ticket'`
    expect(events).toEqual({ tickets: 130 })
    expect(await loggedOf(id)).toEqual(['connection.create', 'connection.delete'])
  })

  test('a conversation that begins at the last moment keeps it, with its pairing: nobody was logged out', async () => {
    const { id } = await added('Movimentada')
    const contactId = await makeContact(db, 'Chega agora')
    const loggedOut: number[] = []
    const supervisor = { logout: async (whatsappId: number) => void loggedOut.push(whatsappId) }
    const parts = { ...server, ring: () => {}, supervisor } as unknown as Parts
    const session = await makeSession(db, 1)
    const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const beginning = db.transaction(async tx => {
      await getSql(tx)`select 1 from whatsapp where id = ${id} for no key update`
      held.resolve()
      await reached.promise
      await makeTicket(db, { contactId, whatsappId: id, status: 'pending', queueId: null })
    })
    await held.promise
    const refused = deleteConnection(parts, session, id, false, endSends).catch(error => error)
    await waitUntil('somebody waits for a lock', async () => (await countLockWaits(sql)) > 0)
    reached.resolve()
    await beginning
    expect(await refused).toMatchObject({ code: 'ERR_WAPP_HAS_LIVE_TICKETS', details: { tickets: 1 } })
    expect((await marina.call('GET', `/whatsapp/${id}`)).status).toBe(200)
    expect(loggedOut).toEqual([])
    await sql`delete from ticket where whatsapp_id = ${id}`
    await deleteConnection(parts, session, id, false, endSends)
    expect(loggedOut).toEqual([id])
  })

  test('a conversation that was just beginning when it went is closed with it', async () => {
    const { id } = await added('Quase')
    const contactId = await makeContact(db, 'Um instante antes')
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const beginning = db.transaction(async tx => {
      await findOrCreateTicket(tx, { contactId, whatsappId: id, queueId: queues[0] ?? 0, userId: 1 })
      begun.resolve()
      await over.promise
    })
    await begun.promise
    const deleting = marina.call('DELETE', `/whatsapp/${id}`)
    // Before that it may wait for something else, and then finds the conversation there.
    await waitUntil('it is deleted, and waits for whoever begins a conversation', async () => {
      const [row] = await sql<
        { isDeleted: boolean }[]
      >`select deleted_at is not null as "isDeleted" from whatsapp where id = ${id}`
      return row?.isDeleted === true && (await countLockWaits(sql)) > 0
    })
    over.resolve()
    await beginning
    expect((await deleting).status).toBe(204)
    expect([...(await sql`select status from ticket where whatsapp_id = ${id}`)]).toEqual([{ status: 'closed' }])
  })
})

test('a code is told to administrators alone, and only while it counts', async () => {
  const id = await makeConnection(db, 'Loja Leste')
  const says = (event: Omit<StatusEvent, 'type'>) =>
    storeStatus(db, { whatsappId: id, epoch: 0 }, { type: 'status', ...event })
  const codes = async () => {
    const { body } = await marina.call<Connection>('GET', `/whatsapp/${id}`)
    return [body.status, body.qrcode, body.pairCode]
  }
  await says({ status: 'qrcode', trouble: null, qr: 'codigo-secreto', qrExpiresAt: Date.now() + 20_000 })
  expect(await codes()).toEqual(['qrcode', 'codigo-secreto', null])
  await says({ status: 'PAIRING', trouble: null, code: 'SECR3TO1' })
  expect(await codes()).toEqual(['PAIRING', null, 'SECR3TO1'])
  await says({ status: 'PAIRING', trouble: null })
  expect(await codes()).toEqual(['PAIRING', null, null])
  await says({ status: 'PAIRING', trouble: null, code: 'SECR3TO1' })
  // Whatever a driver says beside another status.
  await says({ status: 'DISCONNECTED', trouble: null, code: 'SECR3TO1', qr: 'codigo-secreto' })
  expect(await codes()).toEqual(['DISCONNECTED', null, null])
  const rows = await sql<{ to: string }[]>`
    select distinct audience->>'to' as to from live_event where payload like '%SECR3TO1%' or payload like '%codigo-secreto%'`
  expect(rows.map(({ to }) => to)).toEqual(['admins'])
})

test('spec 2 §6: all of it is for administrators only', async () => {
  const { id } = await added('Loja')
  const calls = [
    ['GET', `/whatsapp/${id}`],
    ['POST', '/whatsapp', { name: 'Nova', api: 'baileys' }],
    ['PUT', `/whatsapp/${id}`, { farewellMessage: 'x' }],
    ['DELETE', `/whatsapp/${id}`],
    ['GET', `/whatsapp/meow/qr/${id}`],
    ['POST', `/whatsapp/meow/pair/${id}`, { phone: '5531999990000' }],
    ['POST', `/whatsappsession/${id}`],
    ['PUT', `/whatsappsession/${id}`],
    ['DELETE', `/whatsappsession/${id}`],
    ['POST', '/whatsapp/restart/', { whatsappId: id }],
    ['DELETE', `/whatsapp/recreate/${id}`],
    ['PUT', `/whatsapp/${id}/news`],
  ] as const
  for (const name of ['Rafael', 'Bruna'])
    for (const [method, path, body] of calls)
      expect([name, method, path, (await people[name]?.call(method, path, body))?.body.error]).toEqual([
        name,
        method,
        path,
        'ERR_NO_PERMISSION',
      ])
})
