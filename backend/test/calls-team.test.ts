// The calls of spec 1 §7 as a foreign client makes them: schedules, templates, internal chats, lookups. See calls.test.ts.
import { describe, expect, test } from 'bun:test'
import type { Chat, ChatMessage, Contact, Message, Queue, QuickAnswer, Schedule, Tag, User } from '@balcao/contract'
import { openWire } from '@balcao/contract'
import { startDeskServer } from './desk-server.ts'
import {
  makeConnection,
  makeContact,
  makePerson,
  makeQueue,
  makeRun,
  makeTicket,
  PASSWORD,
  toEmail,
} from './desk-world.ts'
import { type ForeignClient, startForeignClient } from './foreign-client.ts'

const server = await startDeskServer()
const { db, url, config } = server
const sql = db.$client

const queueId = await makeQueue(db, 'Financeiro')
const whatsappId = await makeConnection(db, 'Loja Centro')
const officialId = await makeConnection(db, 'Oficial', 'cloud_api')
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
const diegoId = await makePerson(db, { name: 'Diego', profile: 'user', queueIds: [queueId] })
const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
const bruna = await signedIn('Bruna')
const diego = await signedIn('Diego')
const marina = await signedIn('Marina')
const contactId = await makeContact(db, 'Dona Lúcia')
await sql`update contact set number = '553198765000' where id = ${contactId}`
const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId: brunaId })

async function signedIn(name: string): Promise<ForeignClient> {
  const client = await startForeignClient(url, config.sharedSecret)
  await client.login(toEmail(name), PASSWORD)
  return client
}

describe('spec 1 §7: quick answers, templates, schedules', () => {
  test('GET /quickAnswers/ with searchParam returns quickAnswers', async () => {
    const form = new FormData()
    form.append('shortcut', 'pix')
    form.append('message', 'Nossa chave é {{name}}')
    form.append('medias', new File(['a chave'], 'chave.txt', { type: 'text/plain' }))
    expect((await marina.call('POST', '/quickAnswers', { body: form })).status).toBe(201)
    const query = { searchParam: 'pix', pageNumber: 1 }
    const { body } = await bruna.call<{ quickAnswers: QuickAnswer[] }>('GET', '/quickAnswers/', { query })
    expect(body).toMatchObject({ hasMore: false, count: 1 })
    expect(body.quickAnswers).toMatchObject([
      { shortcut: 'pix', message: 'Nossa chave é {{name}}', mediaType: 'application', mediaName: 'chave.txt' },
    ])
  })

  test('GET /meta/templates/{ticketId} and /meta/templates/wpp/{whatsappId} return templates, or say why there are none', async () => {
    const none = { templates: [], hasMore: false, count: 0 }
    const ofTicket = await bruna.call('GET', `/meta/templates/${ticketId}`)
    const ofConnection = await bruna.call('GET', `/meta/templates/wpp/${whatsappId}`)
    expect([ofTicket.body, ofConnection.body]).toEqual(Array(2).fill({ ...none, reason: 'not_supported' }))
    const official = await bruna.call('GET', `/meta/templates/wpp/${officialId}`)
    expect(official.body).toMatchObject(none)
    const missing = await bruna.call('GET', '/meta/templates/wpp/999999')
    expect([missing.status, missing.body.error]).toEqual([404, 'ERR_NO_WAPP_FOUND'])
  })

  test('POST /meta/templates with template and ticketId answers 201 with the message', async () => {
    const someone = await makeContact(db, 'Mercadinho Sol')
    const fields = { contactId: someone, whatsappId: officialId, queueId, userId: brunaId } as const
    const official = await makeTicket(db, { ...fields, status: 'open' })
    const template = {
      id: '77',
      name: 'boleto_disponivel',
      category: 'UTILITY',
      status: 'APPROVED',
      language: 'pt_BR',
      components: [{ type: 'BODY', text: 'Seu boleto está disponível.' }],
    }
    const body = { ticketId: official, template }
    const answer = await bruna.call<Message>('POST', '/meta/templates', { body })
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { mediaType: 'template', body: 'Seu boleto está disponível.', templateData: { id: '77' } },
    ])
    // A lost answer makes it no second one, which costs as much as the first.
    const once = { ...body, clientId: 'boleto-1' }
    const [first, again] = [1, 2].map(() => bruna.call<Message>('POST', '/meta/templates', { body: once }))
    expect((await again)?.body.id).toBe((await first)?.body.id ?? 0)
    expect((await first)?.body.id).not.toBe(answer.body.id)
    const wrong = await bruna.call('POST', '/meta/templates', { body: { ticketId, template } })
    expect([wrong.status, wrong.body.error]).toEqual([409, 'ERR_SENDING_WAPP_MSG'])
  })

  test('GET, POST, PUT /agendamento, its file, its count and its logs', async () => {
    await marina.call('PUT', '/settings/allowAgendador', { body: { value: 'enabled' } })
    const count = { allContacts: false, contactsIds: String(contactId), tagsIds: '' }
    expect((await bruna.call('GET', '/agendamento/count', { query: count })).body).toEqual({ count: 1 })
    const made = await bruna.call<Schedule>('POST', '/agendamento', { body: schedule('Seu boleto vence amanhã') })
    expect([made.status, made.body]).toMatchObject([
      201,
      { title: 'Cobrança', message: 'Seu boleto vence amanhã', recurrence: 'every_day', sendAt: '09:00' },
    ])
    const path = `/agendamento/${made.body.id}`
    expect((await bruna.call<Schedule>('GET', path)).body.mediaName).toBe('aviso.txt')
    const changed = await bruna.call<Schedule>('PUT', path, { body: schedule('Seu boleto venceu ontem') })
    expect([changed.status, changed.body.message]).toEqual([200, 'Seu boleto venceu ontem'])
    expect((await bruna.call('DELETE', `/agendamento/file/${made.body.id}`)).status).toBe(204)
    await makeRun(db, made.body.id, { contactId, ticketId })
    const { body: logs } = await bruna.call('GET', `/agendamento/logs/ticket/${ticketId}`)
    expect(logs).toMatchObject([
      { body: 'Seu boleto venceu ontem', agendamento: { id: made.body.id, message: 'Seu boleto venceu ontem' } },
    ])
    const missing = await bruna.call('GET', '/agendamento/999999')
    expect([missing.status, missing.body.error]).toEqual([404, 'ERR_NO_SCHEDULE_FOUND'])
  })

  function schedule(message: string): FormData {
    const form = new FormData()
    const fields = {
      title: 'Cobrança',
      message,
      recurrence: 'every_day',
      sendAt: '09:00',
      RValue: '',
      allContacts: 'false',
      contactsIds: String(contactId),
      whatsappId: String(whatsappId),
      tagsIds: '',
      log: JSON.stringify({ descricao: 'Agendamento criado', origem: 'schedule' }),
      firstSend: 'false',
    }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('medias', new File(['texto'], 'aviso.txt', { type: 'text/plain' }))
    return form
  }
})

describe('spec 1 §7: internal chats', () => {
  let chatId = 0
  const text = (body: string) => ({
    read: 0,
    sender: { id: brunaId, name: 'Bruna' },
    mediaUrl: '',
    body,
    quotedMsg: null,
    editedMsg: null,
  })
  const write = async (body: string) =>
    (await bruna.call<ChatMessage>('POST', `/chats/messages/${chatId}`, { body: text(body) })).body

  test('POST /chats returns the id; GET /chats/{id}; GET /chats returns chats, hasMore, count', async () => {
    const body = { userId: brunaId, callingUserId: diegoId, isGroup: false, groupName: '', users: [] }
    const made = await bruna.call<Chat>('POST', '/chats', { body })
    expect(made.status).toBe(201)
    chatId = made.body.id
    expect((await diego.call<Chat>('GET', `/chats/${chatId}`)).body).toMatchObject({
      id: chatId,
      isGroup: false,
      userId: brunaId,
      callingUserId: diegoId,
      userName: 'Bruna',
      callingName: 'Diego',
      messagesUnread: 0,
    })
    const query = { pageNumber: 1, searchParam: '', showAll: false, withUnreadMessages: false }
    const { body: page } = await bruna.call<{ chats: Chat[] }>('GET', '/chats', { query })
    expect(page).toMatchObject({ hasMore: false, count: 1 })
    expect(page.chats.map(chat => chat.id)).toEqual([chatId])
  })

  test('PUT /chats/{id} with users changes a group', async () => {
    const users = [{ id: diegoId, name: 'Diego' }]
    const body = { userId: brunaId, callingUserId: null, isGroup: true, groupName: 'Caixa', users }
    const { body: group } = await bruna.call<Chat>('POST', '/chats', { body })
    expect(group.users.map(user => user.name).sort()).toEqual(['Bruna', 'Diego'])
    const changed = await bruna.call<Chat>('PUT', `/chats/${group.id}`, { body: { users: [marinaId] } })
    expect([changed.status, changed.body.users.map(user => user.name).sort()]).toEqual([200, ['Bruna', 'Marina']])
  })

  test('POST and PUT /chats/messages/{chatId} write and edit, as JSON and with files', async () => {
    const first = await write('O cofre está fechado')
    expect(first).toMatchObject({ senderId: brunaId, sender: { name: 'Bruna' }, ack: 1, chat: { isGroup: false } })
    const quoting = { ...text('Confirmo'), quotedMsg: first }
    const quoted = await bruna.call<ChatMessage>('POST', `/chats/messages/${chatId}`, { body: quoting })
    expect([quoted.status, quoted.body.quotedMsgId]).toEqual([201, first.id])
    const body = { ...text('O cofre está aberto'), editedMsg: first }
    const edited = await bruna.call<ChatMessage>('PUT', `/chats/messages/${chatId}`, { body })
    expect([edited.status, edited.body]).toMatchObject([
      200,
      { id: first.id, body: 'O cofre está aberto', editedMsg: 'O cofre está fechado' },
    ])
    const form = new FormData()
    form.append('body', 'A planilha')
    form.append('sender', JSON.stringify({ id: brunaId }))
    form.append('medias', new File(['conteúdo'], 'planilha.txt', { type: 'text/plain' }))
    const sent = await bruna.call<ChatMessage[]>('POST', `/chats/messages/${chatId}`, { body: form })
    expect([sent.status, sent.body.map(each => each.body)]).toEqual([201, ['A planilha']])
  })

  test('POST /chats/messages/get pages, POST /chats/messages/read/{id} answers 204, GET /chats/search/{id} finds', async () => {
    const { id } = await write('A senha está na gaveta')
    const body = { chatId, pageNumber: 1, user: { id: diegoId } }
    const page = await diego.call<{ messages: ChatMessage[] }>('POST', '/chats/messages/get', { body })
    expect([page.status, page.body.messages.at(-1)?.id]).toEqual([200, id])
    expect((await diego.call('POST', `/chats/messages/read/${chatId}`)).status).toBe(204)
    expect((await diego.call<Chat>('GET', `/chats/${chatId}`)).body.messagesUnread).toBe(0)
    const query = { messageToSearch: 'gaveta', userId: diegoId }
    const found = await diego.call<{ messages: ChatMessage[] }>('GET', `/chats/search/${chatId}`, { query })
    expect(found.body.messages.map(each => each.id)).toEqual([id])
    const hidden = await marina.call('POST', '/chats/messages/get', { body })
    expect([hidden.status, hidden.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })
})

describe('spec 1 §7: lookups', () => {
  test('GET /users, all or by searchParam, returns users; the own e-mail is sealed', async () => {
    const { body } = await bruna.call<{ users: User[] }>('GET', '/users', { query: { all: true } })
    expect(body.users.map(user => user.name)).toEqual(['Bruna', 'Diego', 'Marina'])
    const own = body.users.find(user => user.id === brunaId)
    expect(await openWire(config.sharedSecret, own?.email ?? '')).toBe(toEmail('Bruna'))
    const found = await bruna.call<{ users: User[] }>('GET', '/users', { query: { searchParam: 'die' } })
    expect(found.body.users.map(user => user.name)).toEqual(['Diego'])
    const short = await bruna.call<{ details: unknown }>('GET', '/users', { query: { searchParam: ' di ' } })
    expect([short.status, short.body.details]).toEqual([
      422,
      [{ path: 'searchParam', message: 'Digite pelo menos 3 caracteres' }],
    ])
  })

  test('GET /queue, GET /whatsapp, GET /tag and GET /settings return lists', async () => {
    await marina.call('POST', '/tag', { body: { name: 'VIP', color: '#B8860B', contacts: [contactId] } })
    const queues = await bruna.call<Queue[]>('GET', '/queue')
    expect(queues.body).toMatchObject([{ id: queueId, name: 'Financeiro' }])
    const connections = await bruna.call<{ name: string; api: string }[]>('GET', '/whatsapp')
    expect(connections.body.map(each => `${each.name} ${each.api}`).sort()).toEqual([
      'Loja Centro baileys',
      'Oficial cloud_api',
    ])
    const tags = await bruna.call<Tag[]>('GET', '/tag')
    expect(tags.body.map(tag => tag.name)).toEqual(['VIP'])
    const { body: settings } = await bruna.call<{ key: string; value: string }[]>('GET', '/settings')
    const used = [
      'sound',
      'notificateAllTickets',
      'userShowAll',
      'userClosedQueues',
      'groupPerUser',
      'hierarchy',
      'call',
    ]
    expect(settings.map(setting => setting.key)).toEqual(expect.arrayContaining(used))
  })

  test('GET /notes returns notes and their count', async () => {
    expect((await bruna.call('GET', '/notes')).body).toEqual({ notes: [], count: 0 })
  })

  test('GET /contacts by searchParam, or all with ignoreGroup; GET /contacts/{id}', async () => {
    await makeContact(db, 'Grupo da entrega', true)
    const search = { searchParam: 'lúcia', pageNumber: 1 }
    const found = await bruna.call<{ contacts: Contact[] }>('GET', '/contacts', { query: search })
    expect(found.body).toMatchObject({ hasMore: false, count: 1 })
    expect(found.body.contacts.map(contact => contact.id)).toEqual([contactId])
    const all = async (ignoreGroup: boolean) => {
      const query = { all: true, ignoreGroup }
      const { body } = await bruna.call<{ contacts: Contact[] }>('GET', '/contacts', { query })
      return body.contacts.some(contact => contact.isGroup)
    }
    expect([await all(false), await all(true)]).toEqual([true, false])
    const { body } = await bruna.call<Contact>('GET', `/contacts/${contactId}`)
    expect(body).toMatchObject({ name: 'Dona Lúcia', extraInfo: [], numbers: [], tags: [{ name: 'VIP' }] })
    const missing = await bruna.call('GET', '/contacts/999999')
    expect([missing.status, missing.body.error]).toEqual([404, 'ERR_NO_CONTACT_FOUND'])
  })

  test('POST /contact with name, number and email returns the contact, the same one for the same number', async () => {
    const body = { name: 'Padaria Estrela', number: '5531984507712', email: '' }
    const first = await bruna.call<Contact>('POST', '/contact', { body })
    expect([first.status, first.body]).toMatchObject([200, { name: 'Padaria Estrela', number: '5531984507712' }])
    const again = await bruna.call<Contact>('POST', '/contact', { body: { ...body, name: 'Outra' } })
    expect([again.body.id, again.body.name]).toEqual([first.body.id, 'Padaria Estrela'])
    const wrong = await bruna.call('POST', '/contact', { body: { name: 'X', number: '12', email: '' } })
    expect([wrong.status, wrong.body.error]).toEqual([422, 'ERR_VALIDATION'])
  })

  test('GET /contact/group/{id} is refused while the connection of the group is down', async () => {
    const group = await makeContact(db, 'Grupo', true)
    await sql`insert into contact_identity (kind, value, contact_id) values ('group', '1@g.us', ${group})`
    await makeTicket(db, { contactId: group, whatsappId, status: 'open', queueId, userId: brunaId, isGroup: true })
    const { status, body } = await bruna.call('GET', `/contact/group/${group}`)
    expect([status, body.error]).toEqual([409, 'ERR_WAPP_NOT_INITIALIZED'])
    const nobody = await bruna.call('GET', `/contact/group/${contactId}`)
    expect([nobody.status, nobody.body.error]).toEqual([404, 'ERR_NO_CONTACT_FOUND'])
  })
})
