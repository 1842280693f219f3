// What comes in wrong: a clear error or harmless display, never a crash, never a loss of what was valid.
import { describe, expect, test } from 'bun:test'
import { MB, type Message } from '@balcao/contract'
import { seal } from '../src/platform/seal.ts'
import { startDeskServer } from './desk-server.ts'
import { DATA_KEY, makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const gateway = { GOWA_URL: 'http://127.0.0.1:9', GOWA_USER: 'balcao', GOWA_PASSWORD: 'segredo-do-gateway' }
const server = await startDeskServer(gateway)
const { db, url } = server

const PNG = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)
const SVG = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

const queueId = await makeQueue(db, 'Financeiro')
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Estranho', profile: 'user' })
const whatsappId = await makeConnection(db, 'Loja Centro')
const contactId = await makeContact(db, 'Dona Lúcia')
const ticket = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId: brunaId })
const bruna = await server.as('Bruna')
const marina = await server.as('Marina')

describe('a request', () => {
  test('that is no JSON is a bad request', async () => {
    expect(await outcome(bruna.call('POST', `/messages/${ticket}`, '{"body":'))).toEqual([400, 'ERR_BAD_REQUEST'])
  })

  test.each([
    ['a name longer than any file has', `/assets/${'a'.repeat(300)}.js`],
    ['more folders than a path may have', `/assets${'/a'.repeat(4000)}`],
    ['an address that is none', '/assets/%ff%00'],
  ])('for a file with %s finds none', async (_what, path) => {
    const answer = await fetch(url + path)
    expect([answer.status, (await answer.json()).error]).toEqual([404, 'ERR_NOT_FOUND'])
  })

  test('whose fields are not what its schema takes is told so in Portuguese, with codes that clients translate', async () => {
    const detailsOf = async (more: object) => {
      const body = { number: '5531999990001', name: 'Ana', ...more }
      return (await marina.call<{ details: object[] }>('POST', '/contacts', body)).body.details
    }
    const wrong = { extraInfo: [{ name: 'Ramal' }], respostaAutomatica: 'talvez' }
    expect(await detailsOf(wrong)).toEqual(
      expect.arrayContaining([
        { path: 'extraInfo/0/value', code: 'fieldRequired', message: 'Preencha este campo' },
        {
          path: 'respostaAutomatica',
          code: 'fieldInvalid',
          params: { rule: 'must be boolean' },
          message: 'Valor inválido',
        },
      ]),
    )
    // What is too long is not looked into any further.
    expect(await detailsOf({ ...wrong, name: 'x'.repeat(1001) })).toEqual([
      { path: 'name', code: 'fieldTooLong', params: { most: '1000' }, message: 'No máximo 1000 caracteres' },
    ])
    expect(await detailsOf({ ...wrong, tagIds: Array.from({ length: 101 }, (_, n) => n + 1) })).toEqual([
      { path: 'tagIds', code: 'fieldTooMany', params: { most: '100' }, message: 'No máximo 100 itens' },
    ])
    const cursor = await marina.call<{ details: object[] }>('GET', '/contacts?cursor=nada')
    expect(cursor.body.details).toEqual([{ path: 'cursor', message: 'Cursor inválido' }])
  })

  test('with a value nested deeper than anybody means is a bad request, whoever would walk through it', async () => {
    for (const depth of [200, 20_000, 200_000]) {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
      for (const [path, json] of [
        [`/messages/${ticket}`, `{"body":"oi","quotedMsg":${deep}}`],
        ['/meta/templates', `{"ticketId":${ticket},"template":{"name":"a","language":"pt_BR","parameters":${deep}}}`],
      ] as const)
        expect(await outcome(bruna.call('POST', path, json))).toEqual([400, 'ERR_BAD_REQUEST'])
    }
  })

  test('with wrong fields names each of them', async () => {
    const { status, body } = await bruna.call<{ details: { path: string }[] }>('POST', '/tickets', {
      contactId: 'x',
      queueId: 'x',
      whatsappId: 'x',
    })
    expect(status).toBe(422)
    expect(body.details.map(each => each.path).sort()).toEqual(['contactId', 'queueId', 'whatsappId'])
  })

  test('with unknown fields is taken without them', async () => {
    const answer = await bruna.call('POST', `/messages/${ticket}`, { body: 'oi', ack: 4, isAdmin: true })
    expect(answer.status).toBe(201)
  })

  test('with ids of nobody, of text, or beyond every number finds nothing', async () => {
    for (const id of ['999999', '0', '-1', 'abc', '99999999999999', '1e3', '%00', "1'--"]) {
      const found = await outcome(bruna.call('GET', `/tickets/${id}`))
      expect(found).toEqual([404, 'ERR_NO_TICKET_FOUND'])
    }
    expect((await bruna.call('POST', '/tickets', { contactId: 2 ** 40, queueId: 1, whatsappId: 1 })).status).toBe(422)
  })

  test('with another method says which are possible', async () => {
    const { status, headers } = await bruna.call('PATCH', `/tickets/${ticket}`)
    expect(status).toBe(405)
    expect(headers.get('allow')).toContain('PUT')
  })

  test('of 300 MB is refused in JSON before it is read', async () => {
    const answer = await tooLarge(300 * MB)
    expect(answer).toEqual([413, 'ERR_BODY_TOO_LARGE'])
    expect((await bruna.call('GET', '/queue')).status).toBe(200)
  })

  test('with a cursor of its own invention is refused', async () => {
    for (const cursor of ['x', 'JyBvciAxPTE', btoa('2026-13-45|1')])
      expect((await bruna.call('GET', `/tickets?cursor=${cursor}`)).status).toBe(422)
  })
})

describe('texts', () => {
  const texts = [
    "Robert'); DROP TABLE ticket;--",
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    'zero\u200bwidth \u202egnimoc thgir',
    '{{constructor.constructor("return 1")()}} #{7*7}',
    '👩‍👩‍👧‍👦 \u0001 \ud83d',
  ]
  for (const text of texts) {
    test(`are kept as they are: ${JSON.stringify(text).slice(0, 40)}`, async () => {
      const sent = await bruna.call<Message>('POST', `/messages/${ticket}`, { body: text })
      expect(sent.status).toBe(201)
      expect(sent.body.body).toBe(text.toWellFormed())
      const found = await bruna.call(
        'GET',
        `/messages/search/${ticket}?messageToSearch=${encodeURIComponent(text.toWellFormed())}`,
      )
      expect(found.status).toBe(200)
    })
  }

  test('lose the zero character, which no database can hold', async () => {
    const sent = await bruna.call<Message>('POST', `/messages/${ticket}`, { body: 'antes\u0000depois' })
    expect(sent.body.body).toBe('antesdepois')
    expect((await bruna.call('GET', '/tickets/filter?searchParam=abc%00def')).status).toBe(200)
  })

  test('of 10,000 characters for a name are too long', async () => {
    const body = { name: 'n'.repeat(10_000), api: 'baileys' }
    const { status, body: answer } = await marina.call<{ details: unknown }>('POST', '/whatsapp', body)
    expect(status).toBe(422)
    expect(answer.details).toEqual([{ path: 'name', code: 'Too Long!', message: 'Escreva menos: está longo demais.' }])
  })

  test('with the wildcards of LIKE find only themselves', async () => {
    const { body } = await bruna.call<{ tickets: unknown[] }>('GET', '/tickets/filter?searchParam=%25%25%25')
    expect(body.tickets).toEqual([])
  })

  test('shorter than three characters are not searched for', async () => {
    expect((await bruna.call('GET', '/tickets/filter?searchParam=lu')).status).toBe(422)
  })
})

describe('files', () => {
  test('SVG and HTML are no pictures, whatever they call themselves', async () => {
    for (const [name, bytes] of [
      ['foto.png', SVG],
      ['foto.svg', SVG],
      ['foto.jpg', new TextEncoder().encode('<html><script>alert(1)</script>')],
    ] as const)
      expect(await outcome(bruna.call('PUT', `/uploads?name=${name}`, bytes))).toEqual([422, 'ERR_FILE_TYPE'])
  })

  test('beyond the limit of the connection are refused and leave nothing behind', async () => {
    const [before] = await db.$client`select count(*)::int as n from media`
    const big = new Uint8Array(21 * MB)
    expect(await outcome(bruna.call('PUT', `/uploads?name=a.bin&ticketId=${ticket}`, big))).toEqual([
      413,
      'ERR_FILE_TOO_LARGE',
    ])
    const [after] = await db.$client`select count(*)::int as n from media`
    expect(after).toEqual(before)
  })

  test('empty ones are refused', async () => {
    expect((await bruna.call('PUT', '/uploads?name=vazio.txt', new Uint8Array())).status).toBe(422)
  })

  test('are shown only to whoever may see the ticket, by cookie or token, with ranges', async () => {
    const upload = await bruna.call<{ uploadId: string }>(
      'PUT',
      `/uploads?name=../../bole%20to.png&ticketId=${ticket}`,
      PNG,
    )
    expect(upload.body).toMatchObject({ name: 'bole to.png', mime: 'image/png', mediaType: 'image' })
    const sent = await bruna.call<Message>('POST', `/messages/${ticket}`, { body: '', uploadId: upload.body.uploadId })
    expect(sent.body).toMatchObject({ mediaType: 'image', media: { width: 1, height: 1, state: 'ready' } })
    const address = sent.body.mediaUrl ?? ''
    const token = bruna.token
    bruna.token = ''
    const shown = await bruna.call('GET', address)
    bruna.token = token
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ])
    const part = await fetch(url + address, { headers: { authorization: `Bearer ${token}`, range: 'bytes=0-3' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-3/${PNG.length}`])
    expect((await fetch(url + address)).status).toBe(401)
    expect((await (await server.as('Estranho')).call('GET', address)).status).toBe(404)
  })

  test('HTML is given to save, never to open', async () => {
    const page = new TextEncoder().encode('<html><script>alert(1)</script></html>')
    const upload = await bruna.call<{ uploadId: string }>('PUT', `/uploads?name=pagina.html&ticketId=${ticket}`, page)
    const shown = await bruna.call('GET', `/media/${upload.body.uploadId}`)
    expect(shown.headers.get('content-disposition')).toStartWith('attachment')
    expect(shown.headers.get('content-type')).toBe('application/octet-stream')
  })

  test('several of a form are sent, the text under the first', async () => {
    const form = new FormData()
    form.append('medias', new File([PNG], 'um.png', { type: 'image/png' }))
    form.append('medias', new File(['linha'], 'dois.txt', { type: 'text/plain' }))
    form.append('body', 'segue')
    const { status, body } = await bruna.call<Message[]>('POST', `/messages/${ticket}`, form)
    expect(status).toBe(201)
    expect(body.map(message => [message.mediaType, message.body])).toEqual([
      ['image', 'segue'],
      ['application', ''],
    ])
  })

  test('more in one form than anybody picks are refused, and none is sent or kept', async () => {
    const count = async () => (await db.$client`select id from message where ticket_id = ${ticket}`).length
    const before = await count()
    const form = new FormData()
    for (let n = 0; n <= 100; n++) form.append('medias', new File(['linha'], `${n}.txt`, { type: 'text/plain' }))
    const { status, body } = await bruna.call('POST', `/messages/${ticket}`, form)
    expect([status, body.error]).toEqual([400, 'ERR_BAD_REQUEST'])
    expect(await count()).toBe(before)
  })
})

describe('the webhook', () => {
  test('refuses what is not signed, and does not mind what is malformed', async () => {
    const id = await makeConnection(db, 'Oficial', 'cloud_api')
    await db.$client`update whatsapp set wanted = true where id = ${id}`
    for (const body of ['{}', 'nada', '']) {
      const answer = await fetch(`${url}/webhooks/cloud/${id}`, { method: 'POST', body })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(504)
    }
    const confirm = '?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1'
    expect((await fetch(`${url}/webhooks/cloud/${id}${confirm}`)).status).toBe(403)
  })

  test('of a gateway: what is larger than anything it says is refused by its size, what is not signed is not read, and neither counts as a sign of life', async () => {
    const id = await makeConnection(db, 'Gateway', 'meow')
    await db.$client`update whatsapp set wanted = true, config = ${JSON.stringify({ webhookSecret: seal(DATA_KEY, 'segredo') })}::text::jsonb where id = ${id}`
    const post = (body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
      fetch(`${url}/webhooks/meow/${id}`, { method: 'POST', body, headers })
    const chunk = new Uint8Array(256 * 1024)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length
        controller.enqueue(chunk)
      },
    })
    const large = await Promise.all([post('x'.repeat(5 * 1024 * 1024)), post(endless).catch(() => null)])
    for (const answer of large) expect(answer?.status ?? 413).toBe(413)
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    const nested = `{"event":${'['.repeat(200_000)}`
    const tried = await Promise.all(
      ['{}', nested, ''].map(body => post(body, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })),
    )
    expect(tried.map(({ status }) => status)).toEqual([401, 401, 401])
    await waitUntil('they are counted', async () => {
      const rows =
        await db.$client`select sum(count)::int as n from whatsapp_count where whatsapp_id = ${id} and what = 'refused'`
      return rows[0]?.n === 3
    })
    expect([
      ...(await db.$client`select 1 from whatsapp_count where whatsapp_id = ${id} and what = 'webhook'`),
    ]).toEqual([])
  })

  test('of an unknown, deleted or other connection is not found, before anything of the request is looked at', async () => {
    const deleted = await makeConnection(db, 'Oficial antiga', 'cloud_api')
    await db.$client`update whatsapp set wanted = true, deleted_at = now() where id = ${deleted}`
    const phone = await makeConnection(db, 'Celular da loja')
    for (const id of [deleted, phone, 99_999_999, 'x', '99999999999999999999']) {
      const posted = await fetch(`${url}/webhooks/cloud/${id}`, { method: 'POST', body: 'x'.repeat(5 * 1024 * 1024) })
      const verification = await fetch(`${url}/webhooks/cloud/${id}?hub.mode=subscribe&hub.challenge=1`)
      for (const answer of [posted, verification])
        expect([id, answer.status, await answer.json()]).toMatchObject([id, 404, { error: 'ERR_NO_WAPP_FOUND' }])
    }
  })
})

async function outcome(call: Promise<{ status: number; body: { error?: unknown } }>): Promise<[number, unknown]> {
  const { status, body } = await call
  return [status, body.error]
}

/** Announces a body of so many bytes and sends only its beginning. */
async function tooLarge(bytes: number): Promise<[number, string]> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        text += chunk.toString()
        if (text.includes('ERR_')) resolve(text)
      },
      close: () => resolve(text),
    },
  })
  socket.write(
    `POST /messages/${ticket} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bruna.token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{"body":"`,
  )
  const answer = await promise
  socket.end()
  return [Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]), /ERR_\w+/.exec(answer)?.[0] ?? '']
}
