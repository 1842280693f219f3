// Every call as every profile: whoever may not see a conversation finds nothing of it, by no door.
import { describe, expect, test } from 'bun:test'
import { type Endpoint, type EndpointKey, endpoints, type Message } from '@balcao/contract'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const SECRET = 'segredo-da-padaria'
const server = await startDeskServer()
const { db, url } = server

const finance = await makeQueue(db, 'Financeiro')
const other = await makeQueue(db, 'Entregas')
const whatsappId = await makeConnection(db, 'Loja Centro')
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [other] })
const owner = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [other] })
const contactId = await makeContact(db, 'Padaria Estrela')
const ticket = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: finance, userId: owner })
const message = await makeMessage(db, ticket, SECRET)
const people = {
  admin: await server.as('Marina'),
  gerente: await server.as('Rafael'),
  user: await server.as('Bruna'),
  stranger: await server.as('Estranho'),
}

const reads = Object.keys(endpoints).filter(key => key.startsWith('GET ') && key !== 'GET /system')

describe('a stranger to the queue', () => {
  for (const role of ['stranger', 'gerente'] as const) {
    for (const key of reads) {
      test(`${role}: ${key} tells nothing of it`, async () => {
        const { body } = await people[role].call('GET', pathOf(key))
        expect(JSON.stringify(body)).not.toContain(SECRET)
      })
    }
  }

  test('can neither change nor write nor react nor delete', async () => {
    const { stranger } = people
    const texts = new Set<string>()
    const calls = [
      stranger.call('PUT', `/tickets/${ticket}`, { status: 'closed' }),
      stranger.call('PUT', `/tickets/${ticket}`, { status: 'open' }),
      stranger.call('POST', `/tickets/${ticket}/read`),
      stranger.call('DELETE', `/tickets/${ticket}`),
      stranger.call('POST', `/messages/${ticket}`, { body: 'oi' }),
      stranger.call('PUT', `/uploads?name=a.txt&ticketId=${ticket}`, new Uint8Array([104, 105])),
      stranger.call('POST', '/meta/templates', { ticketId: ticket, template: { name: 'a', language: 'pt' } }),
    ]
    for (const call of calls) {
      const { status, body } = await call
      expect([status, body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
      texts.add(String(body.message))
    }
    // A message one is not shown is as good as none.
    for (const call of [
      stranger.call('POST', `/messages/react/${message}`, { emoji: '👍' }),
      stranger.call('POST', `/messages/download/${message}`),
      stranger.call('POST', `/messages/retry/${message}`),
      stranger.call('DELETE', `/messages/${message}`),
      stranger.call('PUT', `/messages/${ticket}`, { messageId: message, body: 'x' }),
    ]) {
      const { status, body } = await call
      expect([status, body.error]).toEqual([404, 'ERR_NO_MESSAGE_FOUND'])
    }
    // The administrators' right to delete is no matter of which ticket it is.
    expect([...texts].sort()).toEqual([
      'Você não tem permissão para acessar esse ticket',
      'Você não tem permissão para fazer isso.',
    ])
    expect((await stranger.call('GET', `/tickets/${ticket}`)).body.message).toBe(
      'Você não tem permissão para acessar esse ticket',
    )
    const [untouched] = await db.$client`select status, version::int as version from ticket where id = ${ticket}`
    expect(untouched).toMatchObject({ status: 'open', version: 1 })
  })

  test('cannot quote it into a conversation of his own', async () => {
    const [row] = await db.$client<{ id: number }[]>`select id from queue where name = 'Entregas'`
    const contactId = await makeContact(db, 'Outro')
    const whatsappId = await makeConnection(db, 'Atacado')
    const own = await makeTicket(db, { contactId, whatsappId, status: 'pending', queueId: row?.id ?? 0 })
    await people.stranger.call('PUT', `/tickets/${own}`, { status: 'open' })
    const quoted = await people.stranger.call('POST', `/messages/${own}`, { body: 'oi', quotedMsg: { id: message } })
    expect(quoted.status).toBe(404)
  })
})

describe('everybody else', () => {
  test('finds it: its owner and the administrators', async () => {
    for (const role of ['admin', 'user'] as const) {
      const { body } = await people[role].call<{ messages: Message[] }>('GET', `/messages/${ticket}`)
      expect(body.messages.map(each => each.body)).toContain(SECRET)
    }
  })

  test('without a session gets nothing at all', async () => {
    for (const key of Object.keys(endpoints).filter(isGuarded)) {
      const [method = ''] = key.split(' ')
      const { status, body } = await createBrowser(url).call(method, pathOf(key), method === 'GET' ? undefined : {})
      expect([key, status, body.error]).toEqual([key, 401, 'ERR_SESSION_EXPIRED'])
    }
  })

  test('who is no administrator is refused what only administrators may', async () => {
    const keys = Object.entries<Endpoint>(endpoints).filter(([, endpoint]) => endpoint.audience === 'admin')
    for (const [key] of keys) {
      const [method = ''] = key.split(' ')
      const { status, body } = await people.gerente.call(method, pathOf(key), method === 'GET' ? undefined : {})
      expect([key, status, body.error]).toEqual([key, 403, 'ERR_NO_PERMISSION'])
    }
  })

  test('sees connections without their secrets, and colleagues without their e-mails', async () => {
    await db.$client`update whatsapp set qrcode = 'qr-secreto', config = '{"tokenMeta":"selado secreto"}'`
    const { body: connections } = await people.user.call('GET', '/whatsapp')
    expect(JSON.stringify(connections)).not.toContain('secreto')
    const { body } = await people.user.call<{ users: { name: string; email: string }[] }>('GET', '/users')
    expect(body.users.flatMap(user => (user.email === '' ? [] : user.name))).toEqual(['Bruna'])
    const { body: all } = await people.admin.call('GET', '/whatsapp')
    expect(JSON.stringify(all)).not.toContain('selado')
  })
})

function isGuarded(key: string): key is EndpointKey {
  return Object.entries<Endpoint>(endpoints).some(
    ([known, endpoint]) => known === key && endpoint.audience !== 'public',
  )
}

/** The path with our ticket, or our message, in every place, and a search for the secret. */
function pathOf(key: string): string {
  const [, path = ''] = key.split(' ')
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    String(/messages\/(\w+\/)?:id/.test(path) && name === 'id' ? message : ticket),
  )
  const query: Record<string, string> = {
    '/tickets': '?showAll=true',
    '/tickets/counts': '?showAll=true',
    '/tickets/filter': `?searchParam=${SECRET}&showAll=true`,
  }
  if (path === '/messages/search/:ticketId') return `${filled}?messageToSearch=${SECRET}`
  return filled + (query[path] ?? '')
}
