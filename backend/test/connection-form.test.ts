// What the form of a connection takes: one default, a greeting, one connection a number, what its kind offers (spec 2 §4, §5).
import { describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { createApi } from '@balcao/client'
import type { Connection } from '@balcao/contract'
import { COMMAND_WAIT_MS } from '../src/messaging/owner/commands.ts'
import { MIGRATIONS } from '../src/platform/database/migrate.ts'
import { startConnectionsDesk } from './connections-desk.ts'
import { makeConnection } from './desk-world.ts'

const { db, sql, marina, queues, added, put } = await startConnectionsDesk()

const defaults = async () => [
  ...(await sql<{ name: string }[]>`select name from whatsapp where is_default and deleted_at is null`),
]

describe('a form whose answer was lost comes again under its clientId', () => {
  const add = (body: object) => marina.call<Connection & { error?: string }>('POST', '/whatsapp', body)

  test.each([['baileys'], ['meow']])('and adds one connection of kind %s, as it says by now', async api => {
    const form = { name: 'Loja Norte', api, clientId: `norte-${api}`, greetingMessage: 'Oi' }
    const answers = [await add(form), ...(await Promise.all([add(form), add(form)]))]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const { body } = await add({ ...form, greetingMessage: 'Olá' })
    expect(new Set([...answers.map(answer => answer.body.id), body.id]).size).toBe(1)
    expect(await sql`select greeting_message from whatsapp where deleted_at is null`).toMatchObject([
      { greeting_message: 'Olá' },
    ])
  })

  test('with another name it says that the name stands; another form is refused as before', async () => {
    const form = { name: 'Loja Sul', api: 'baileys', clientId: 'sul-1' }
    const { body } = await add(form)
    const refused = await add({ ...form, name: 'Loja do Sul' })
    expect([refused.status, refused.body.error]).toEqual([422, 'ERR_VALIDATION'])
    expect((await add({ ...form, clientId: 'sul-2' })).body.error).toBe('ERR_WAPP_NAME_ALREADY_EXISTS')
    expect((await add(form)).body.id).toBe(body.id)
    expect(await sql`select id from whatsapp where deleted_at is null`).toHaveLength(1)
  })
})

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

  test.each([['POST /whatsapp/pair/:id'], ['POST /whatsapp/meow/pair/:id']] as const)(
    'our clients wait for %s longer than the server waits for the connection’s owner, and say its reason',
    async key => {
      const timeout = spyOn(AbortSignal, 'timeout')
      const refusal = { error: 'ERR_WAPP_NOT_INITIALIZED', message: '' }
      const { api } = createApi({
        ...{ origin: () => 'http://desk', token: () => 'theirs', renew: async () => 'new' },
        fetch: async () => Response.json(refusal, { status: 409 }),
      })
      const call = api(key, { params: { id: 1 }, body: { phone: '5531999990000' } })
      expect(await call.catch(error => error.code)).toBe(refusal.error)
      expect(timeout.mock.calls[0]?.[0]).toBeGreaterThan(COMMAND_WAIT_MS)
      timeout.mockRestore()
    },
  )

  test('GET /whatsapp/meow/qr/{id} answers the code that is shown while it lasts, without asking for another', async () => {
    const id = await makeConnection(db, 'Gateway', 'meow')
    const until = new Date(Date.now() + 60_000).toISOString()
    await sql`update whatsapp set status = 'qrcode', qrcode = 'codigo-1', qr_expires_at = ${until} where id = ${id}`
    const { body } = await marina.call('GET', `/whatsapp/meow/qr/${id}`)
    expect(body).toEqual({ status: 'qrcode', qrcode: 'codigo-1', qrExpiresAt: until })
    expect([...(await sql`select 1 from whatsapp_command where whatsapp_id = ${id}`)]).toEqual([])
  })
})
