// A search looks for what was typed, and no sign of it stands for others. Calls come from the contract's list: a new search is tried by itself.
import { expect, test } from 'bun:test'
import { type Endpoint, endpoints } from '@balcao/contract'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const WORD = 'margarida'
/** What Postgres takes for any letters, as it is typed and as some keyboards and other programs write it. */
const SIGNS = ['%%%', '___', '％％％', '＿＿＿', 'mar％％％da', 'mar＿＿＿ida', '\\%\\%', '＼％＼％', '!％!％']
/** What they compare comes from a provider, or is chosen by id; an export finds by the query of the list. */
const OTHERS = new Set([
  'GET /tickets/filter searchUser',
  'GET /tickets/filter searchTag',
  'GET /tickets/messages searchUser',
  'GET /tickets/messages searchTag',
  'GET /meta/templates/:ticketId searchParam',
  'GET /meta/templates/wpp/:whatsappId searchParam',
  'POST /log/export searchParam',
])

const server = await startDeskServer()
const { db } = server
const sql = db.$client
const queueId = await makeQueue(db, 'Margaridas')
const userId = await makePerson(db, { name: 'Margarida', profile: 'admin', queueIds: [queueId] })
const contactId = await makeContact(db, 'Margarida Souza')
const whatsappId = await makeConnection(db, 'Loja Margarida')
const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId })
await makeMessage(db, ticketId, 'aqui é a margarida')
const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Flores', '#123456') returning id`
await sql`insert into quick_answer (shortcut, message) values ('margarida', 'x')`
await sql`insert into protocol (protocolo, mensagem, ticket_id, contact_id) values ('20261123-1', 'margarida', ${ticketId}, ${contactId})`
await sql`insert into schedule (message, recurrence, send_time, user_id) values ('margarida', 'every_day', '08:00', ${userId})`
const rafael = await makePerson(db, { name: 'Rafael', profile: 'user' })
const margarida = await server.as('Margarida')
await margarida.call('PUT', '/settings/allowAgendador', { value: 'enabled' })
const { body: chat } = await margarida.call<{ id: number }>('POST', '/chats', {
  isGroup: true,
  groupName: 'Margaridas',
  users: [rafael],
})
await margarida.call('POST', `/chats/messages/${chat.id}`, { body: 'sou a margarida' })
await margarida.call('POST', '/log', { log: { message: 'margarida' } })

const searches = Object.entries<Endpoint>(endpoints).flatMap(([call, endpoint]) =>
  (['query', 'body'] as const).flatMap(place =>
    Object.keys(Object(Object(endpoint[place]).properties))
      .filter(field => field.toLowerCase().includes('search') && !OTHERS.has(`${call} ${field}`))
      .map(field => ({ call, place, field })),
  ),
)

for (const { call, place, field } of searches)
  test(`${call} finds by ${field} what was typed, and no sign stands for others`, async () => {
    const [method = '', path = ''] = call.split(' ')
    const own = path.replace(/:\w+/, String(path.startsWith('/chats') ? chat.id : ticketId))
    const search = async (text: string) => {
      const answer =
        place === 'query'
          ? await margarida.call(method, `${own}?${field}=${encodeURIComponent(text)}`)
          : await margarida.call(method, `${own}?preview=true`, { [field]: text, action: 'tag', tagIds: [tag?.id] })
      expect(answer.status).toBe(200)
      return answer.body
    }
    const none = await search('zqzqzq')
    expect(await search(WORD)).not.toEqual(none)
    for (const signs of SIGNS) expect({ signs, ...(await search(signs)) }).toEqual({ signs, ...none })
  })
