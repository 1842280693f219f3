// Another program sends with the API token, as its author would read it in the API's description (decisions §5 `userApiToken`).
import { beforeEach, describe, expect, test } from 'bun:test'
import { LIMITS, type Message } from '@balcao/contract'
import { createBrowser, startDeskServer } from '../desk-server.ts'
import { makeConnection, makePerson, makeQueue } from '../desk-world.ts'

const server = await startDeskServer()
const { db, url } = server
let token = ''

const finance = await makeQueue(db, 'Financeiro')
const shop = await makeConnection(db, 'Loja Centro')
const official = await makeConnection(db, 'Oficial', 'cloud_api')
await db.$client`update whatsapp set is_default = true where id = ${shop}`
await makePerson(db, { name: 'Marina', profile: 'admin' })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [finance] })
const marina = await server.as('Marina')
const bruna = await server.as('Bruna')
token = await newToken()

beforeEach(async () => {
  await db.$client`delete from api_use`
  await db.$client`delete from sign_in_failure`
})

interface Sent {
  readonly ticketId: number
  readonly contactId: number
  readonly messages: readonly Message[]
  readonly error?: string
  readonly details?: unknown
}

async function newToken(): Promise<string> {
  const { body } = await marina.call<{ value: string }>('PUT', '/settings/userApiToken', { value: 'new' })
  return body.value
}

/** One request of the other program. */
async function send(body: object | FormData, headers: Record<string, string> = {}, bearer = token) {
  const isForm = body instanceof FormData
  const answer = await fetch(`${url}/api/messages/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  })
  const sent: Sent = await answer.json()
  return { status: answer.status, headers: answer.headers, body: sent }
}

let lastNumber = 5531998000000
function aNumber(): string {
  lastNumber += 1
  return String(lastNumber)
}

async function statusOf(ticketId: number) {
  const [row] = await db.$client`select status, queue_id, user_id from ticket where id = ${ticketId}`
  return row
}

describe('userApiToken: the API token', () => {
  test('is made by administrators only, shown once, and stored as nothing one could use', async () => {
    const rafael = await server.as('Rafael')
    for (const person of [bruna, rafael])
      expect((await person.call('PUT', '/settings/userApiToken', { value: 'new' })).status).toBe(403)
    expect(token).toMatch(/^blc_[\w-]{40,}$/)
    const { body } = await marina.call<{ key: string; value: string }[]>('GET', '/settings')
    expect(body.find(each => each.key === 'userApiToken')?.value).toBe(`••••${token.slice(-4)}`)
    const stored = await db.$client`select value from setting where key = 'userApiToken'`
    const rows = await db.$client`select payload from live_event where payload like '%userApiToken%'`
    const logged = await db.$client`select action, params from log_entry where origem = 'setting'`
    expect(JSON.stringify([stored, rows, logged])).not.toContain(token)
    expect(JSON.stringify((await bruna.call('GET', '/settings')).body)).not.toContain('userApiToken')
  })

  test('cannot be written by hand', async () => {
    const { status } = await marina.call('PUT', '/settings/userApiToken', { value: 'meu-token' })
    expect(status).toBe(422)
  })

  test('rotated, the old one is good for nothing; taken away, none is', async () => {
    const old = token
    token = await newToken()
    expect((await send({ number: aNumber(), body: 'oi' }, {}, old)).status).toBe(401)
    expect((await send({ number: aNumber(), body: 'oi' })).status).toBe(201)
    await marina.call('PUT', '/settings/userApiToken', { value: '' })
    expect((await send({ number: aNumber(), body: 'oi' })).status).toBe(401)
    token = await newToken()
  })

  test('opens nothing else, and a session does not send', async () => {
    const stranger = createBrowser(url)
    stranger.token = token
    for (const path of ['/tickets', '/contacts', '/settings'])
      expect((await stranger.call('GET', path)).status).toBe(403)
    expect((await send({ number: aNumber(), body: 'oi' }, {}, marina.token)).status).toBe(401)
  })

  test('guessed at, it makes the guesser wait and nobody else', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const answers = []
    for (let n = 0; n < 7; n++) answers.push((await send({ number: aNumber(), body: 'oi' }, from, `blc_${n}`)).status)
    expect(answers.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    expect(answers.at(-1)).toBe(429)
    expect((await send({ number: aNumber(), body: 'oi' })).status).toBe(201)
  })
})

describe('a text', () => {
  test('to somebody new makes the contact, and a closed ticket that disturbs nobody', async () => {
    const number = aNumber()
    const { status, body } = await send({
      number: `+${number.slice(0, 2)} (${number.slice(2, 4)}) ${number.slice(4)}`,
      body: 'Seu pedido saiu.',
    })
    expect(status).toBe(201)
    expect(body.messages).toMatchObject([
      { body: 'Seu pedido saiu.', state: 'queued', fromMe: true, mediaType: 'chat' },
    ])
    expect(await statusOf(body.ticketId)).toMatchObject({ status: 'closed', queue_id: null, user_id: null })
    const [contact] = await db.$client`select number from contact where id = ${body.contactId}`
    expect(contact?.number).toBe(number)
    const queued = await db.$client`select 1 from outbox where message_id = ${body.messages[0]?.id ?? 0}`
    expect(queued.length).toBe(1)
  })

  test('to the same person goes into the same ticket, with or without the ninth digit', async () => {
    const first = await send({ number: '5531997776655', body: 'um' })
    const second = await send({ number: '553197776655', body: 'dois' })
    expect(second.body).toMatchObject({ ticketId: first.body.ticketId, contactId: first.body.contactId })
  })

  test('goes into the live conversation where there is one, whatever its state, and changes nothing of it', async () => {
    const number = aNumber()
    const { body } = await send({ number, body: 'oi', queueId: finance })
    expect(await statusOf(body.ticketId)).toMatchObject({ status: 'pending', queue_id: finance })
    await bruna.call('PUT', `/tickets/${body.ticketId}`, { status: 'open' })
    const again = await send({ number, body: 'de novo' })
    expect(again.body.ticketId).toBe(body.ticketId)
    expect(await statusOf(body.ticketId)).toMatchObject({ status: 'open', user_id: brunaId })
  })

  test('with a queue and a person is that person’s at once', async () => {
    const { body } = await send({ number: aNumber(), body: 'oi', queueId: finance, userId: brunaId })
    expect(await statusOf(body.ticketId)).toMatchObject({ status: 'open', queue_id: finance, user_id: brunaId })
    expect((await bruna.call('GET', `/tickets/${body.ticketId}`)).status).toBe(200)
  })

  test('of the official API is refused outside the 24 hours, and leaves nothing behind', async () => {
    const number = aNumber()
    const late = await send({ number, body: 'oi', whatsappId: official })
    expect([late.status, late.body.error]).toEqual([409, 'ERR_WINDOW_CLOSED'])
    expect((await db.$client`select 1 from contact where number = ${number}`).length).toBe(0)
  })
})

describe('files', () => {
  test('come as multipart, the text under the first one', async () => {
    const form = new FormData()
    form.append('number', aNumber())
    form.append('body', 'Segue o boleto')
    form.append('medias', new File(['%PDF-1.4 boleto'], 'boleto março.pdf', { type: 'application/pdf' }))
    form.append('medias', new File(['nota'], 'nota.txt', { type: 'text/plain' }))
    const { status, body } = await send(form)
    expect(status).toBe(201)
    expect(body.messages.map(message => [message.mediaType, message.body, message.media?.name])).toEqual([
      ['application', 'Segue o boleto', 'boleto marco.pdf'],
      ['application', '', 'nota.txt'],
    ])
    const file = await marina.call('GET', body.messages[0]?.mediaUrl ?? '')
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  test('that are not what they say are refused, and none of them stays', async () => {
    const before = await db.$client`select 1 from media`
    const form = new FormData()
    form.append('number', aNumber())
    form.append('medias', new File(['nota'], 'nota.txt', { type: 'text/plain' }))
    form.append('medias', new File(['<svg/>'], 'foto.png', { type: 'image/png' }))
    expect((await send(form)).body.error).toBe('ERR_FILE_TYPE')
    expect((await db.$client`select 1 from media`).length).toBe(before.length)
  })
})

describe('what is refused', () => {
  const cases: readonly [string, () => object, number, string][] = [
    ['no number', () => ({ body: 'oi' }), 422, 'ERR_VALIDATION'],
    ['no phone', () => ({ number: '12', body: 'oi' }), 422, 'ERR_VALIDATION'],
    ['nothing to send', () => ({ number: aNumber(), body: '  ' }), 422, 'ERR_VALIDATION'],
    ['a person without a queue', () => ({ number: aNumber(), body: 'oi', userId: brunaId }), 422, 'ERR_VALIDATION'],
    ['an unknown connection', () => ({ number: aNumber(), body: 'oi', whatsappId: 999 }), 404, 'ERR_NO_WAPP_FOUND'],
    ['an unknown queue', () => ({ number: aNumber(), body: 'oi', queueId: 999 }), 404, 'ERR_NO_QUEUE_FOUND'],
  ]
  for (const [name, body, status, error] of cases) {
    test(`${name}: ${status} ${error}`, async () => {
      const answer = await send(body())
      expect([answer.status, answer.body.error]).toEqual([status, error])
    })
  }

  test('what is neither JSON nor a form', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
    const answer = await fetch(`${url}/api/messages/send`, { method: 'POST', headers, body: 'number=1' })
    expect([answer.status, (await answer.json()).error]).toEqual([400, 'ERR_BAD_REQUEST'])
  })

  test('more than the limit of a minute, with when to come back', async () => {
    await db.$client`insert into api_use (minute, n) values (date_trunc('minute', now()), ${LIMITS.apiPerMinute})
      on conflict (minute) do update set n = excluded.n`
    const { status, headers } = await send({ number: aNumber(), body: 'oi' })
    // The minute may have turned in between.
    if (status === 201) return
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('Idempotency-Key', () => {
  test('the same request again, also at the same moment, sends once and answers the same', async () => {
    const body = { number: aNumber(), body: 'Seu pedido saiu.' }
    const headers = { 'idempotency-key': 'pedido-3377' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(body, headers)))
    answers.push(await send(body, headers))
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201, 201, 201])
    for (const { body: again } of answers) expect(again).toEqual(answers[0]?.body ?? again)
    expect(answers.filter(answer => answer.headers.get('idempotent-replayed') === 'true').length).toBe(4)
    const stored =
      await db.$client`select 1 from message where body = ${body.body} and ticket_id = ${answers[0]?.body.ticketId ?? 0}`
    expect(stored.length).toBe(1)
  })

  test('another request under a used key is refused, and a refused one does not use it up', async () => {
    const headers = { 'idempotency-key': 'pedido-3378' }
    const number = aNumber()
    expect((await send({ number, body: 'oi', queueId: 999 }, headers)).status).toBe(404)
    expect((await send({ number, body: 'oi' }, headers)).status).toBe(201)
    const other = await send({ number, body: 'outra coisa' }, headers)
    expect(other.body).toMatchObject({ error: 'ERR_VALIDATION', details: [{ path: 'Idempotency-Key' }] })
  })

  test('a repeated file is not stored twice', async () => {
    const number = aNumber()
    const form = () => {
      const fields = new FormData()
      fields.append('number', number)
      fields.append('medias', new File(['nota'], 'nota.txt', { type: 'text/plain' }))
      return fields
    }
    const headers = { 'idempotency-key': 'nota-1' }
    const first = await send(form(), headers)
    const before = await db.$client`select 1 from media`
    const again = await send(form(), headers)
    expect(again.body).toEqual(first.body)
    expect((await db.$client`select 1 from media`).length).toBe(before.length)
    expect((await marina.call('GET', first.body.messages[0]?.mediaUrl ?? '')).status).toBe(200)
  })
})

test('the description of the API says how to call it', async () => {
  const { body } = await createBrowser(url).call<Described>('GET', '/openapi.json')
  const call = body.paths['/api/messages/send']?.post
  expect(call?.security).toEqual([{ apiToken: ['send'] }])
  expect(Object.keys(call?.requestBody.content ?? {})).toEqual(['application/json', 'multipart/form-data'])
  expect(call?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: false }])
  expect(call?.description).toContain('ERR_WINDOW_CLOSED')
})

interface Described {
  readonly paths: Record<
    string,
    {
      readonly post?: {
        readonly security: unknown
        readonly description: string
        readonly parameters: unknown
        readonly requestBody: { readonly content: object }
      }
    }
  >
}
