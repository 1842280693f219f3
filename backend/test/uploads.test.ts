import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { endpoints, type Message, type User } from '@balcao/contract'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { createMediaLink } from '../src/desk/media/links.ts'
import { openMedia } from '../src/desk/media/store.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
const place = { db, dataDir: server.config.dataDir }
const queueId = await makeQueue(db, 'Vendas')
const userId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
await makePerson(db, { name: 'Diego', profile: 'admin' })
const whatsappId = await makeConnection(db, 'Loja')
const bruna = await server.as('Bruna')
const diego = await server.as('Diego')
const ticketId = await ticket('open')

test('an upload serves one message, also when two ask for it at once; the same sending repeated is that message', async () => {
  const uploadId = await upload(bruna)
  const send = (clientId: string) =>
    bruna.call<Message>('POST', `/messages/${ticketId}`, { body: '', uploadId, clientId })
  const both = await Promise.all([send('um'), send('dois')])
  const statuses = both.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 404])
  const [first] = both.flatMap(({ status, body }) => (status === 201 ? body : []))
  expect((await send(first?.clientId ?? '')).body.id).toBe(Number(first?.id))
  expect((await send('três')).body).toMatchObject({ error: 'ERR_NO_FILE_FOUND' })
  expect(await sql`select 1 from message where media_id = ${uploadId}`).toHaveLength(1)
})

test('a file of a conversation stays in the browser as long as its session is asked for, what a link opens does not', async () => {
  const uploadId = await upload(bruna)
  await bruna.call('POST', `/messages/${ticketId}`, { body: '', uploadId })
  const { url } = await createMediaLink(server.config, uploadId)
  const own = await bruna.call('GET', `/media/${uploadId}`)
  const linked = await createBrowser(server.url).call('GET', url)
  const parts = ['cache-control', 'vary', 'etag']
  expect([own, linked].map(({ status, headers }) => [status, ...parts.map(part => headers.get(part))])).toEqual([
    [200, 'private, max-age=900', 'Cookie, Authorization', `"${uploadId}"`],
    [200, 'no-store', null, null],
  ])
})

test('what a browser has of a file is good for whoever may see it, and for nobody else', async () => {
  const uploadId = await upload(bruna)
  await bruna.call('POST', `/messages/${ticketId}`, { body: '', uploadId })
  const etag = (await bruna.call('GET', `/media/${uploadId}`)).headers.get('etag') ?? ''
  const ask = async (person: SignedInPerson, more: Readonly<Record<string, string>>) =>
    (await person.call('GET', `/media/${uploadId}`, undefined, more)).status
  const has = { 'if-none-match': etag }
  await makePerson(db, { name: 'Célio', profile: 'user' })
  const celio = await server.as('Célio')
  expect(await Promise.all([bruna, diego, celio, createBrowser(server.url)].map(one => ask(one, has)))).toEqual([
    304, 304, 404, 401,
  ])
  expect(await ask(bruna, { 'if-none-match': '"another"' })).toBe(200)
  // What goes on with a part goes on with the same file.
  expect(await ask(bruna, { range: 'bytes=0-0', 'if-range': etag })).toBe(206)
  expect(await ask(bruna, { range: 'bytes=0-0', 'if-range': '"another"' })).toBe(200)
  await bruna.call('DELETE', '/auth/logout')
  expect(await ask(bruna, has)).toBe(401)
  Object.assign(bruna, await server.as('Bruna'))
})

test('an upload serves nobody but who made it', async () => {
  const uploadId = await upload(bruna)
  const answer = await diego.call('POST', `/messages/${ticketId}`, { body: '', uploadId })
  expect(answer.body.error).toBe('ERR_NO_FILE_FOUND')
  expect((await bruna.call('POST', `/messages/${ticketId}`, { body: '', uploadId })).status).toBe(201)
})

test('a template takes a file along by its upload alone: the id of one that is stored serves nobody', async () => {
  const official = await makeConnection(db, 'Oficial', 'cloud_api')
  const contactId = await makeContact(db, 'Beto')
  const there = await makeTicket(db, { contactId, whatsappId: official, status: 'open', queueId, userId })
  const send = (document: object) => {
    const parameters = [{ type: 'header', parameters: [{ type: 'document', document }] }]
    return bruna.call('POST', '/meta/templates', {
      ticketId: there,
      template: { name: 'boleto', language: 'pt_BR', parameters },
    })
  }
  const stored = await upload(diego)
  expect((await send({ mediaId: stored, mime: 'text/plain', name: 'nota.txt' })).body.error).toBe('ERR_NO_FILE_FOUND')
  expect((await send({ uploadId: await upload(bruna) })).status).toBe(201)
})

test('the upload of a refused sending is swept, that of a message stays', async () => {
  const closed = await ticket('closed')
  const [refused, sent] = [await upload(bruna), await upload(bruna)]
  expect((await bruna.call('POST', `/messages/${closed}`, { body: '', uploadId: refused })).body.error).toBe(
    'ERR_SENDING_WAPP_MSG',
  )
  expect((await bruna.call('POST', `/messages/${ticketId}`, { body: '', uploadId: sent })).status).toBe(201)
  const path = (await openMedia(place, refused))?.path ?? ''
  expect(existsSync(path)).toBe(true)
  await sql`update media set created_at = now() - interval '25 hours'`
  await sweepFiles(place)
  expect(existsSync(path)).toBe(false)
  expect(await openMedia(place, sent)).not.toBeNull()
})

describe('decisions §1: who is let out while a file comes is out when it is there', () => {
  const forms = Object.entries(endpoints).filter(
    ([, endpoint]) => 'bodyKind' in endpoint && endpoint.bodyKind === 'multipart',
  )
  const isToken = (endpoint: object) => 'audience' in endpoint && endpoint.audience === 'token'

  for (const [key, endpoint] of forms)
    test(key, async () => {
      const name = `Lenta${key.length}${forms.findIndex(([each]) => each === key)}`
      const id = await makePerson(db, { name, profile: 'admin' })
      const { token } = isToken(endpoint) ? await apiToken() : await server.as(name)
      const [method = '', path = ''] = key.split(' ')
      const body = slow()
      const headers = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${EDGE}` }
      const answering = fetch(server.url + path.replace(/:\w+/g, String(id)), { method, headers, body: body.stream })
      await body.begin()
      if (isToken(endpoint)) await diego.call('PUT', '/settings/userApiToken', { value: '' })
      else await diego.call('PUT', `/users/${id}`, { active: false })
      await body.end()
      const answer = await answering
      const { error } = await answer.json()
      expect([answer.status, error]).toEqual([401, isToken(endpoint) ? 'ERR_SESSION_EXPIRED' : 'ERR_USER_NO_ACTIVE'])
    })

  test('and who lost the profile has lost what it may', async () => {
    const id = await makePerson(db, { name: 'Rebaixada', profile: 'admin' })
    const { token } = await server.as('Rebaixada')
    const body = slow()
    const headers = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${EDGE}` }
    const answering = fetch(`${server.url}/users/picture/${userId}`, { method: 'POST', headers, body: body.stream })
    await body.begin()
    await diego.call('PUT', `/users/${id}`, { profile: 'user' })
    await body.end()
    expect((await (await answering).json()).error).toBe('ERR_NO_PERMISSION')
    expect((await diego.call<User>('GET', `/users/${userId}`)).body.profilePicUrl).toBeNull()
  })

  const EDGE = 'margem'
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  /** A form whose file comes in two halves. */
  function slow() {
    const { readable: stream, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const head = `--${EDGE}\r\ncontent-disposition: form-data; name="medias"; filename="eu.png"\r\ncontent-type: image/png\r\n\r\n`
    return {
      stream,
      begin: () => writer.write(Buffer.concat([Buffer.from(head), PNG.subarray(0, 20)])),
      async end() {
        await writer.write(Buffer.concat([PNG.subarray(20), Buffer.from(`\r\n--${EDGE}--\r\n`)]))
        await writer.close()
      },
    }
  }

  async function apiToken(): Promise<{ token: string }> {
    const { body } = await diego.call<{ value: string }>('PUT', '/settings/userApiToken', { value: 'new' })
    return { token: body.value }
  }
})

async function upload(by: SignedInPerson): Promise<string> {
  const { body } = await by.call<{ uploadId: string }>(
    'PUT',
    '/uploads?name=nota.txt',
    new TextEncoder().encode('nota'),
  )
  return body.uploadId
}

async function ticket(status: 'open' | 'closed'): Promise<number> {
  return makeTicket(db, { contactId: await makeContact(db, `Ana ${status}`), whatsappId, status, queueId, userId })
}
