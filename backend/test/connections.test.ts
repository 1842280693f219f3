// Connections as administrators keep them: the rules of their form, of the default, and of two who save at once (spec 2 §2 to §5).
import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Connection, FieldChange } from '@balcao/contract'
import { endSends } from '../src/app/follow-changes.ts'
import { deleteConnection } from '../src/desk/connections/delete.ts'
import { type StatusEvent, storeStatus } from '../src/messaging/owner/status.ts'
import { MIGRATIONS } from '../src/platform/database/migrate.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

const gateway = { GOWA_URL: 'http://127.0.0.1:9', GOWA_USER: 'balcao', GOWA_PASSWORD: 'segredo-do-gateway' }
const server = await startDeskServer({ ALLOW_PRIVATE_HOSTS: 'bot.interno:3000, fluxo.lan', ...gateway })
const { db } = server
const sql = getSql(db)
const people: Record<string, SignedInPerson> = {}

await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Rafael', profile: 'gerente' })
await makePerson(db, { name: 'Bruna', profile: 'user' })
for (const name of ['Marina', 'Rafael', 'Bruna']) people[name] = await server.as(name)
const marina = await server.as('Marina')
const queues = await Promise.all(['Comercial', 'Financeiro', 'Entregas'].map(name => makeQueue(db, name)))
beforeEach(async () => {
  await sql`update whatsapp set deleted_at = now(), wanted = false, is_default = false where deleted_at is null`
})

async function added(name: string, more: object = {}): Promise<Connection> {
  const { status, body } = await marina.call<Connection>('POST', '/whatsapp', { name, api: 'baileys', ...more })
  expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })])
  await sql`update whatsapp set wanted = false where id = ${body.id}`
  return body
}

async function put(id: number, body: object) {
  const { status, body: answer } = await marina.call('PUT', `/whatsapp/${id}`, body)
  return status === 200 ? answer : [status, answer.error]
}

const defaults = async () => [
  ...(await sql<{ name: string }[]>`select name from whatsapp where is_default and deleted_at is null`),
]

describe('exactly one is the default (decisions-2 §22)', () => {
  test('the first is it, whatever the form says; making another one it takes it from the first', async () => {
    const first = await added('Loja', { isDefault: false })
    expect(first.isDefault).toBe(true)
    const second = await added('Atacado')
    expect(second.isDefault).toBe(false)
    expect(await put(second.id, { isDefault: true })).toMatchObject({ isDefault: true })
    expect(await defaults()).toEqual([{ name: 'Atacado' }])
    await added('Terceira', { isDefault: true })
    expect(await defaults()).toEqual([{ name: 'Terceira' }])
  })

  test('unmarking or deleting it while there are others is ERR_NO_OTHER_WHATSAPP; the only one may go', async () => {
    const first = await added('Loja')
    const second = await added('Atacado')
    expect(await put(first.id, { isDefault: false })).toEqual([409, 'ERR_NO_OTHER_WHATSAPP'])
    for (const path of [`/whatsapp/${first.id}`, `/whatsapp/${first.id}?force=true`])
      expect((await marina.call('DELETE', path)).body.error).toBe('ERR_NO_OTHER_WHATSAPP')
    expect(await put(second.id, { isDefault: false })).toMatchObject({ isDefault: false })
    expect((await marina.call('DELETE', `/whatsapp/${second.id}`)).status).toBe(204)
    expect(await put(first.id, { isDefault: false })).toMatchObject({ isDefault: true })
    expect((await marina.call('DELETE', `/whatsapp/${first.id}`)).status).toBe(204)
    expect(await defaults()).toEqual([])
    expect((await added('Nova')).isDefault).toBe(true)
  })

  test('of two who choose different ones at once, or add the first two at once, there is one', async () => {
    const made = await Promise.all(['Um', 'Dois'].map(name => added(name, { isDefault: false })))
    expect(await defaults()).toHaveLength(1)
    const answers = await Promise.all(made.map(({ id }) => marina.call('PUT', `/whatsapp/${id}`, { isDefault: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await defaults()).toHaveLength(1)
  })

  test('the default and the one that was to take its place, deleted at once, leave one of them', async () => {
    const [first, second] = [await added('Um'), await added('Dois')]
    const choosing = marina.call('PUT', `/whatsapp/${second.id}`, { isDefault: true })
    const both = [marina.call('DELETE', `/whatsapp/${first.id}`), marina.call('DELETE', `/whatsapp/${second.id}`)]
    await Promise.all([choosing, ...both])
    const left = await sql`select 1 from whatsapp where deleted_at is null`
    expect(await defaults()).toHaveLength(Math.min(1, left.length))
  })
})

describe('a greeting is required with two queues or more (spec 2 §5)', () => {
  test('and cannot be taken away, nor queues be added without one in another save', async () => {
    const { id } = await added('Loja', { queueIds: queues.slice(0, 2), greetingMessage: 'Olá! Escolha a fila.' })
    for (const greetingMessage of ['', '   '])
      expect(await put(id, { greetingMessage })).toEqual([422, 'ERR_WAPP_GREETING_REQUIRED'])
    const { id: other } = await added('Outra', { queueIds: queues.slice(0, 1) })
    expect(await put(other, { queueIds: queues })).toEqual([422, 'ERR_WAPP_GREETING_REQUIRED'])
    expect(await put(other, { queueIds: [queues[0], queues[0]] })).toMatchObject({ queueIds: [queues[0]] })
    expect(await put(id, { queueIds: queues.slice(0, 1), greetingMessage: '' })).toMatchObject({ greetingMessage: '' })
  })

  test('also when one takes it away while another one adds a queue: one of the two is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await added(`Loja ${round}`, { queueIds: queues.slice(0, 1), greetingMessage: 'Olá!' })
      const saves = [put(id, { greetingMessage: '' }), put(id, { queueIds: queues.slice(0, 2) })]
      const refused = (await Promise.all(saves)).filter(answer => Array.isArray(answer))
      expect(refused).toEqual([[422, 'ERR_WAPP_GREETING_REQUIRED']])
    }
  })
})

describe('the form (spec 2 §2, §5)', () => {
  test('when editing, type and name cannot be changed; saying again what they are is fine', async () => {
    const { id } = await added('Loja')
    const name = await marina.call('PUT', `/whatsapp/${id}`, { name: 'Outra loja' })
    expect([name.status, name.body.details]).toEqual([422, [{ path: 'name', message: 'O nome não pode ser alterado' }]])
    const api = await marina.call('PUT', `/whatsapp/${id}`, { api: 'meow' })
    expect([api.status, api.body.details]).toEqual([422, [{ path: 'api', message: 'O tipo não pode ser alterado' }]])
    expect(await put(id, { name: ' Loja ', api: 'baileys' })).toMatchObject({ name: 'Loja' })
  })

  test('a new meow connection gets a name without accents, blanks and slashes, and with the time', async () => {
    const { name } = await added('São José / Loja', { api: 'meow' })
    expect(name).toMatch(/^Sao_Jose___Loja_\d{13}$/)
    expect(Math.abs(Date.now() - Number(name.slice(-13)))).toBeLessThan(60_000)
    expect((await added('São José / Loja')).name).toBe('São José / Loja')
  })

  test('every text is kept; those of the rating have defaults, and none of them is ever nothing', async () => {
    const texts = {
      greetingMessage: 'Olá!',
      greetingBotMessage: 'Sou o robô.',
      greetingMessageRedirect: 'Já te atendo.',
      farewellMessage: 'Até logo!',
      publicDNSTypebot: 'https://bot.example.com',
      publicIDTypebot: 'fluxo-1',
    }
    const { id, ...made } = await added('Loja', texts)
    expect(made).toMatchObject({ ...texts, npsMessage: expect.stringContaining('1 a 5') })
    expect(made.npsTksMessage).not.toBe('')
    expect(await put(id, { npsMessage: 'Nota?', npsTksMessage: 'Valeu!' })).toMatchObject({ npsMessage: 'Nota?' })
    expect(await put(id, { farewellMessage: 'Tchau!' })).toMatchObject({
      npsMessage: 'Nota?',
      farewellMessage: 'Tchau!',
    })
    expect(await put(id, { npsMessage: ' ' })).toMatchObject({ npsMessage: made.npsMessage, npsTksMessage: 'Valeu!' })
  })

  test.each([
    ['ftp://bot.example.com', 'addressWrong'],
    ['bot.example.com', 'addressWrong'],
    ['https://alguem:senha@bot.example.com', 'addressWrong'],
    ['http://bot.example.com', 'addressPrivate'],
    ['https://localhost:3000', 'addressPrivate'],
    ['https://10.0.0.7', 'addressPrivate'],
    ['https://0x7f.1', 'addressPrivate'],
    ['https://[::1]/', 'addressPrivate'],
    ['https://intranet', 'addressPrivate'],
    ['https://bot.internal.', 'addressPrivate'],
    ['http://bot.interno:3001', 'addressPrivate'],
  ])(
    'decisions-2 §10: the address of a flow is on https and of a public host: %s is refused',
    async (address, code) => {
      const wish = { name: 'Com fluxo', api: 'baileys', publicDNSTypebot: address, publicIDTypebot: 'fluxo-1' }
      const { status, body } = await marina.call('POST', '/whatsapp', wish)
      expect([status, body.details]).toEqual([422, [expect.objectContaining({ path: 'publicDNSTypebot', code })]])
    },
  )

  test('decisions-2 §10: a private host may be named where ALLOW_PRIVATE_HOSTS does', async () => {
    const { id } = await added('Loja')
    for (const publicDNSTypebot of ['http://bot.interno:3000', 'https://fluxo.lan:8443/'])
      expect(await put(id, { publicDNSTypebot, publicIDTypebot: 'fluxo-1' })).toMatchObject({ publicDNSTypebot })
    expect(await put(id, { publicDNSTypebot: '', publicIDTypebot: '' })).toMatchObject({ publicDNSTypebot: '' })
  })

  test.each([
    ['https://bot.example.com', '', 'publicIDTypebot', 'flowIdMissing'],
    ['', 'fluxo-1', 'publicDNSTypebot', 'flowAddressMissing'],
    ['https://bot.example.com', 'https://bot.example.com/fluxo-1', 'publicIDTypebot', 'flowIdWrong'],
    ['https://bot.example.com', '../fluxo', 'publicIDTypebot', 'flowIdWrong'],
    ['https://bot.example.com', 'meu fluxo', 'publicIDTypebot', 'flowIdWrong'],
  ])(
    'decisions-2 §10: the address of a flow and its name belong together: %p and %p are refused',
    async (publicDNSTypebot, publicIDTypebot, path, code) => {
      const wish = { name: 'Com fluxo', api: 'baileys', publicDNSTypebot, publicIDTypebot }
      const { status, body } = await marina.call('POST', '/whatsapp', wish)
      expect([status, body.details]).toEqual([
        422,
        [expect.objectContaining({ path, code, message: expect.any(String) })],
      ])
    },
  )

  test('decisions-2 §10: a form that says nothing of the flow is not asked about it, one that says half is held to what is kept', async () => {
    const { id } = await added('Loja')
    await db.$client`update whatsapp set public_dns_typebot = 'https://10.0.0.7', public_id_typebot = 'x' where id = ${id}`
    expect(await put(id, { farewellMessage: 'Tchau!' })).toMatchObject({ farewellMessage: 'Tchau!' })
    await put(id, { publicDNSTypebot: 'https://bot.example.com' })
    const { status, body } = await marina.call('PUT', `/whatsapp/${id}`, { publicIDTypebot: '' })
    expect([status, body.details]).toMatchObject([422, [{ code: 'flowIdMissing' }]])
  })
})

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

describe('a number of the official API is one connection’s', () => {
  const official = (phoneNumberId: string) => ({ api: 'cloud_api', phoneNumberId, tokenMeta: 'EAAG' })
  const taken = { path: 'phoneNumberId', message: 'Outra conexão já usa este número', code: 'phoneNumberIdTaken' }

  test('a second one with it is refused, whether it is added or edited', async () => {
    await added('Oficial', official('106540352249991'))
    const other = await added('Outra', official('106540352249992'))
    for (const answer of [
      await marina.call('POST', '/whatsapp', { name: 'Mais uma', ...official(' 106540352249991 ') }),
      await marina.call('PUT', `/whatsapp/${other.id}`, { version: other.version, phoneNumberId: '106540352249991' }),
    ])
      expect([answer.status, answer.body]).toMatchObject([422, { error: 'ERR_VALIDATION', details: [taken] }])
  })

  test('of several who add it at the same time one succeeds', async () => {
    const names = ['Uma', 'Duas', 'Três', 'Quatro']
    const answers = await Promise.all(
      names.map(name => marina.call('POST', '/whatsapp', { name, ...official('106540352249993') })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    expect([...(await sql`select 1 from whatsapp where config->>'phoneNumberId' = '106540352249993'`)]).toHaveLength(1)
  })

  test('of those that shared one already, the one that spoke last keeps it', async () => {
    const [name] = await Array.fromAsync(new Bun.Glob('*_one-phone-number.sql').scan(MIGRATIONS))
    const steps = (await Bun.file(join(MIGRATIONS, name ?? '')).text()).split('--> statement-breakpoint')
    await sql`drop index whatsapp_phone_number_live`
    await sql`insert into whatsapp (name, api, config, last_message_at, deleted_at) select name, 'cloud_api',
      '{"phoneNumberId":"106540352249995","wabaId":"77"}', said::timestamptz, gone::timestamptz from (values
        ('Antiga', '2026-01-01', null), ('Viva', '2026-05-01', null), ('Muda', null, null), ('Apagada', '2026-06-01', '2026-06-02')) as made (name, said, gone)`
    await sql.begin(async tx => {
      for (const step of steps) await tx.unsafe(step)
    })
    const stored =
      await sql`select name, config->>'phoneNumberId' as number from whatsapp where config->>'wabaId' = '77' order by id`
    expect(stored.map(({ name, number }) => [name, number])).toEqual([
      ['Antiga', null],
      ['Viva', '106540352249995'],
      ['Muda', null],
      ['Apagada', '106540352249995'],
    ])
  })

  test('it is free again when its connection is deleted', async () => {
    const { id } = await added('Oficial', official('106540352249994'))
    await sql`update whatsapp set deleted_at = now() where id = ${id}`
    await added('Nova', official('106540352249994'))
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

describe('what a kind does not offer is refused (spec 2 §4)', () => {
  test('cloud_api has no disconnect, no QR code and no pair code', async () => {
    const { id } = await added('Oficial', { api: 'cloud_api', phoneNumberId: '106540352242922', tokenMeta: 'EAAG' })
    const calls = [
      ['DELETE', `/whatsappsession/${id}`],
      ['PUT', `/whatsappsession/${id}`],
      ['DELETE', `/whatsapp/recreate/${id}`],
      ['GET', `/whatsapp/meow/qr/${id}`],
    ] as const
    for (const [method, path] of calls)
      expect((await marina.call(method, path)).body.error).toBe('ERR_WAPP_NOT_OFFERED')
    const phone = { phone: '5531999990000' }
    expect((await marina.call('POST', `/whatsapp/pair/${id}`, phone)).body.error).toBe('ERR_WAPP_NOT_INITIALIZED')
  })

  test('a connected one gives no pair code; phones have 12 or 13 digits', async () => {
    const { id } = await added('Loja')
    await sql`update whatsapp set status = 'CONNECTED' where id = ${id}`
    const pair = (phone: string) => marina.call('POST', `/whatsapp/meow/pair/${id}`, { phone })
    expect((await pair('5531999990000')).body.error).toBe('ERR_WAPP_NOT_OFFERED')
    for (const phone of ['31999990000', '+5531999990000', '55 31 99999-0000', '5531999990000x', '٥٥٣١٩٩٩٩٩٠٠٠٠'])
      expect((await pair(phone)).body.details).toEqual([{ path: 'phone', message: 'Número de telefone inválido' }])
  })

  test('GET /whatsapp/meow/qr/{id} answers the code that is shown while it lasts, without asking for another', async () => {
    const id = await makeConnection(db, 'Gateway', 'meow')
    const until = new Date(Date.now() + 60_000).toISOString()
    await sql`update whatsapp set status = 'qrcode', qrcode = 'codigo-1', qr_expires_at = ${until} where id = ${id}`
    const { body } = await marina.call('GET', `/whatsapp/meow/qr/${id}`)
    expect(body).toEqual({ status: 'qrcode', qrcode: 'codigo-1', qrExpiresAt: until })
    expect([...(await sql`select 1 from whatsapp_command where whatsapp_id = ${id}`)]).toEqual([])
  })
})

describe('a connection that came back from a backup', () => {
  const commands = (id: number) =>
    [
      ['POST', `/whatsappsession/${id}`],
      ['PUT', `/whatsappsession/${id}`],
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

const RESTORED = {
  code: 'restored',
  reason: 'restored',
  since: new Date().toISOString(),
  attempt: 0,
  nextTryAt: null,
  next: 'confirm',
}

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
      wanted: false,
      is_default: false,
      book: 0,
      own: null,
    })
    const rows = await sql<{ event: string }[]>`
      select distinct payload::json->>'event' as event from live_event where id > ${before?.id ?? 0} order by 1`
    expect(rows.map(({ event }) => event)).toEqual(expect.arrayContaining(['user', 'whatsapp']))
  })

  test('a conversation that begins while the phone is logged out keeps it', async () => {
    const { id } = await added('Movimentada')
    const contactId = await makeContact(db, 'Chega agora')
    const parts = {
      ...server,
      ring: () => {},
      supervisor: {
        stop: async () => {},
        logout: async () =>
          void (await makeTicket(db, { contactId, whatsappId: id, status: 'pending', queueId: null })),
      },
    }
    const session = await makeSession(db, 1)
    const refused = await deleteConnection(parts as unknown as Parts, session, id, false, endSends).catch(
      error => error,
    )
    expect(refused).toMatchObject({ code: 'ERR_WAPP_HAS_LIVE_TICKETS', details: { tickets: 1 } })
    expect((await marina.call('GET', `/whatsapp/${id}`)).status).toBe(200)
    await sql`delete from ticket where whatsapp_id = ${id}`
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
