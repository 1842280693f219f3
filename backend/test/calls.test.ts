// The calls of spec 1 §7 as a foreign client makes them: session, tickets, messages. What it calls is checked against /openapi.json.
import { afterAll, describe, expect, test } from 'bun:test'
import type { Contact, Message, Ticket } from '@balcao/contract'
import { startAi } from '@balcao/simulator/ai/ai'
import { createAccessToken } from '../src/policy/sessions/tokens.ts'
import { startDeskServer } from './desk-server.ts'
import {
  makeConnection,
  makeContact,
  makeMessage,
  makePerson,
  makeQueue,
  makeTicket,
  PASSWORD,
  toEmail,
} from './desk-world.ts'
import { startForeignClient } from './foreign-client.ts'

const ai = startAi()
afterAll(() => ai.stop())
const server = await startDeskServer(ai.env)
const { db, url, config } = server
const sql = db.$client

const queueId = await makeQueue(db, 'Financeiro')
const whatsappId = await makeConnection(db, 'Loja Centro')
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
await makePerson(db, { name: 'Marina', profile: 'admin' })
const bruna = await startForeignClient(url, config.sharedSecret)
const marina = await startForeignClient(url, config.sharedSecret)
await bruna.login(toEmail('Bruna'), PASSWORD)
await marina.login(toEmail('Marina'), PASSWORD)
const contactId = await makeContact(db, 'Dona Lúcia')
const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId: brunaId })

/** The audit entry that the specification's client sends along with what it does. */
function log(descricao: string) {
  return { descricao, origem: 'ticket', userId: brunaId, ticketId, contactId, queueId, whatsappId }
}

describe('spec 1 §7: session', () => {
  test('POST /auth/login takes e-mail and password sealed, and gives token and user', async () => {
    const client = await startForeignClient(url, config.sharedSecret)
    const { status, body } = await client.login(toEmail('Bruna'), PASSWORD)
    expect([status, typeof body.token]).toEqual([200, 'string'])
    expect(body.user).toMatchObject({ id: brunaId, name: 'Bruna', profile: 'user', queueIds: [queueId] })
    const wrong = await client.login(toEmail('Bruna'), 'errada')
    expect([wrong.status, wrong.body.error]).toEqual([401, 'ERR_INVALID_CREDENTIALS'])
  })

  test('403 ERR_TOKEN_EXPIRED: POST /auth/refresh_token gives token and user, and the call goes through', async () => {
    const client = await startForeignClient(url, config.sharedSecret)
    await client.login(toEmail('Bruna'), PASSWORD)
    const [row] = await sql<{ family: string }[]>`
      select family from refresh_token where user_id = ${brunaId} order by id desc limit 1`
    const spent = await createAccessToken(config, { userId: brunaId, family: row?.family ?? '' }, -60)
    client.person.token = spent
    expect((await client.call('GET', '/queue')).status).toBe(200)
    expect(client.person.token).not.toBe(spent)
  })

  test('POST /auth/socket (user) gives a token; DELETE /auth/logout answers 204 and ends the session', async () => {
    const client = await startForeignClient(url, config.sharedSecret)
    const { body: signedIn } = await client.login(toEmail('Bruna'), PASSWORD)
    const { body } = await client.call('POST', '/auth/socket', { body: { user: signedIn.user } })
    expect(String(body.token).length).toBeGreaterThan(10)
    expect((await client.call('DELETE', '/auth/logout')).status).toBe(204)
    const after = await client.call('GET', '/queue')
    expect([after.status, after.body.error]).toEqual([401, 'ERR_SESSION_EXPIRED'])
  })

  test('GET /push/public_key, POST /push/register and /push/unregister', async () => {
    const { body } = await bruna.call('GET', '/push/public_key')
    expect(Buffer.from(String(body.publicKey), 'base64url')).toHaveLength(65)
    const keys = {
      p256dh: Buffer.alloc(65, 4).toString('base64url'),
      auth: Buffer.alloc(16, 7).toString('base64url'),
    }
    const subscription = { endpoint: 'https://push.example.com/aparelho', expirationTime: null, keys }
    const register = () => bruna.call('POST', '/push/register', { body: { subscription, userId: brunaId } })
    expect((await register()).status).toBe(204)
    const gone = await bruna.call('POST', '/push/unregister', { body: { userId: brunaId, key: keys.auth } })
    expect(gone.status).toBe(204)
    expect(await sql`select 1 from push_subscription`).toHaveLength(0)
  })
})

describe('spec 1 §7: tickets', () => {
  test('GET /tickets with all its parameters returns tickets, hasMore, count', async () => {
    const query = {
      pageNumber: 1,
      searchParam: '',
      status: 'open',
      date: '',
      firstDate: '',
      lastDate: '',
      showAll: false,
      limit: 40,
      queueIds: JSON.stringify([queueId]),
      withUnreadMessages: false,
      isGroup: false,
    }
    const { status, body } = await bruna.call<{ tickets: Ticket[] }>('GET', '/tickets', { query })
    expect([status, body]).toMatchObject([200, { hasMore: false, count: 1 }])
    expect(body.tickets).toMatchObject([
      {
        id: ticketId,
        status: 'open',
        queue: { id: queueId, name: 'Financeiro' },
        userId: brunaId,
        user: { name: 'Bruna' },
        contact: { id: contactId, name: 'Dona Lúcia', tags: [], isGroup: false },
        whatsapp: { id: whatsappId, name: 'Loja Centro', api: 'baileys' },
        unreadMessages: 0,
        pauseTag: null,
      },
    ])
  })

  test('GET /tickets pages by pageNumber until hasMore is false', async () => {
    const found: number[] = []
    for (let n = 0; n < 3; n++) {
      const someone = await makeContact(db, `Cliente ${n}`)
      await makeTicket(db, { contactId: someone, whatsappId, status: 'pending', queueId })
    }
    for (let pageNumber = 1, more = true; more; pageNumber++) {
      const query = { pageNumber, limit: 2, status: 'pending' }
      const { body } = await bruna.call<{ tickets: Ticket[]; hasMore: boolean }>('GET', '/tickets', { query })
      found.push(...body.tickets.map(ticket => ticket.id))
      more = body.hasMore
    }
    expect(new Set(found).size).toBe(3)
    expect(found).toHaveLength(3)
  })

  test('GET /tickets/filter with all its parameters', async () => {
    const query = {
      searchParam: 'lúcia',
      searchContact: '',
      searchUser: '',
      searchTag: '',
      status: '',
      showAll: true,
      queueIds: JSON.stringify([queueId]),
    }
    const { body } = await bruna.call<{ tickets: Ticket[] }>('GET', '/tickets/filter', { query })
    expect(body.tickets.map(ticket => ticket.id)).toEqual([ticketId])
    const short = await bruna.call('GET', '/tickets/filter', { query: { searchParam: 'lu' } })
    expect([short.status, short.body.error]).toEqual([422, 'ERR_VALIDATION'])
  })

  test('GET /tickets/{id} and GET /tickets/contact/{contactId}', async () => {
    expect((await bruna.call<Ticket>('GET', `/tickets/${ticketId}`)).body.id).toBe(ticketId)
    const missing = await bruna.call('GET', '/tickets/999999')
    expect([missing.status, missing.body.error]).toEqual([404, 'ERR_NO_TICKET_FOUND'])
    const query = { contactId, whatsappId }
    const { body } = await bruna.call<Ticket>('GET', `/tickets/contact/${contactId}`, { query })
    expect(body.id).toBe(ticketId)
    const anywhere = await bruna.call<Ticket>('GET', `/tickets/contact/${contactId}`, { query: { whatsappId: '' } })
    expect(anywhere.body.id).toBe(ticketId)
  })

  test('POST /tickets answers 201 with the ticket as in lists; a second one 409 with the first', async () => {
    const someone = await makeContact(db, 'Padaria Estrela')
    const body = { contactId: someone, queueId, whatsappId, userId: brunaId, status: 'open', log: log('Ticket criado') }
    const made = await bruna.call<Ticket>('POST', '/tickets', { body })
    expect([made.status, made.body]).toMatchObject([201, { status: 'open', userId: brunaId, queueId, whatsappId }])
    const again = await bruna.call('POST', '/tickets', { body })
    expect([again.status, again.body]).toMatchObject([
      409,
      { error: 'ERR_OTHER_OPEN_TICKET', details: { ticketId: made.body.id } },
    ])
  })

  test('PUT /tickets/{id} pauses, resumes, returns, accepts, transfers, closes and reopens', async () => {
    const someone = await makeContact(db, 'Seu Geraldo')
    const id = await makeTicket(db, { contactId: someone, whatsappId, status: 'open', queueId, userId: brunaId })
    const put = async (body: object) => {
      const answer = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { body: { ...body, log: log('mudou') } })
      return [answer.status, answer.body.status, answer.body.userId]
    }
    expect(await put({ status: 'paused', pauseTag: 'Aguardando', pauseMessage: 'Já volto' })).toEqual([
      200,
      'paused',
      brunaId,
    ])
    expect((await put({ status: 'open', userId: null })).slice(0, 2)).toEqual([200, 'open'])
    expect(await put({ status: 'pending', userId: null })).toEqual([200, 'pending', null])
    expect(await put({ status: 'open', userId: brunaId, queueId })).toEqual([200, 'open', brunaId])
    expect(await put({ queueId, userId: null, whatsappId, transferMessage: 'Segue com o financeiro' })).toEqual([
      200,
      'pending',
      null,
    ])
    expect(await put({ status: 'open', userId: brunaId })).toEqual([200, 'open', brunaId])
    expect((await put({ status: 'closed', userId: brunaId, onlyClose: true })).slice(0, 2)).toEqual([200, 'closed'])
    expect(await put({ status: 'open', userId: brunaId })).toEqual([200, 'open', brunaId])
    const wrong = await bruna.call('PUT', `/tickets/${id}`, { body: { status: 'bot' } })
    expect([wrong.status, wrong.body.error]).toEqual([409, 'ERR_INVALID_TRANSITION'])
  })

  test('DELETE /tickets/{id} with a log in the body: 204 for an admin, 403 for everybody else', async () => {
    const someone = await makeContact(db, 'Engano')
    const id = await makeTicket(db, { contactId: someone, whatsappId, status: 'open', queueId, userId: brunaId })
    const refused = await bruna.call('DELETE', `/tickets/${id}`, { body: { log: log('Ticket excluído') } })
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const deleted = await marina.call('DELETE', `/tickets/${id}`, { body: { log: log('Ticket excluído') } })
    expect(deleted.status).toBe(204)
  })

  test('POST /tickets/ai/resume/{id} gives a summary', async () => {
    await makeMessage(db, ticketId, 'Quero a segunda via do boleto')
    const { status, body } = await bruna.call('POST', `/tickets/ai/resume/${ticketId}`)
    expect([status, typeof body.resume]).toEqual([200, 'string'])
  })

  test('GET /ticket2 returns a list of the tickets with the bot', async () => {
    expect((await bruna.call<Ticket[]>('GET', '/ticket2')).body).toEqual([])
    const someone = await makeContact(db, 'Com o robô')
    const id = await makeTicket(db, { contactId: someone, whatsappId, status: 'bot', queueId })
    const elsewhere = await makeQueue(db, 'Entregas')
    await makeTicket(db, {
      contactId,
      whatsappId: await makeConnection(db, 'Atacado'),
      status: 'bot',
      queueId: elsewhere,
    })
    const { body } = await bruna.call<Ticket[]>('GET', '/ticket2')
    expect(body.map(ticket => [ticket.id, ticket.status])).toEqual([[id, 'bot']])
  })

  test('POST /protocolos and GET /protocolos/ticket/{id}', async () => {
    await marina.call('PUT', '/settings/generateProtocol', { body: { value: 'enabled' } })
    expect((await bruna.call('GET', `/protocolos/ticket/${ticketId}`)).body).toBeNull()
    const made = await bruna.call('POST', '/protocolos', { body: { contactId, ticketId } })
    expect([made.status, made.body]).toMatchObject([201, { ticketId, contactId }])
    const { body } = await bruna.call('GET', `/protocolos/ticket/${ticketId}`)
    expect(body.protocolo).toBe(made.body.protocolo)
    const linked = await marina.call('DELETE', `/tickets/${ticketId}`, { body: { log: log('Ticket excluído') } })
    expect([linked.status, linked.body.error]).toEqual([409, 'ERR_PROTOCOL_LINKED'])
  })

  test('POST /log answers 201 with the entry, marked as reported by whose session it is', async () => {
    const body = { log: { ...log('Ticket aceito'), userId: 1 } }
    const answer = await bruna.call('POST', '/log', { body })
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { ...log('Ticket aceito'), userId: brunaId, messageId: null, reported: true },
    ])
    const [row] = await sql`select contact_id, queue_id, whatsapp_id, reported from log_entry order by id desc limit 1`
    expect(row).toEqual({ contact_id: contactId, queue_id: queueId, whatsapp_id: whatsappId, reported: true })
  })
})

describe('spec 1 §7: ticket messages', () => {
  const text = (body: string) => ({
    read: 1,
    fromMe: true,
    mediaUrl: '',
    body,
    quotedMsg: null,
    editedMsg: null,
    userId: brunaId,
  })
  const write = async (body: string) =>
    (await bruna.call<Message>('POST', `/messages/${ticketId}`, { body: text(body) })).body

  test('POST /messages/{ticketId} in JSON answers 201 with the message, quoting another', async () => {
    const first = await write('Bom dia')
    const body = { ...text('Segue o boleto'), quotedMsg: first }
    const answer = await bruna.call<Message>('POST', `/messages/${ticketId}`, { body })
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { body: 'Segue o boleto', fromMe: true, ticketId, userId: brunaId, quotedMsg: { id: first.id, body: 'Bom dia' } },
    ])
  })

  test('POST /messages/{ticketId} as multipart answers 201 with a list; media URLs are fetched as blobs', async () => {
    const form = new FormData()
    form.append('fromMe', 'true')
    form.append('userId', String(brunaId))
    form.append('body', 'As tabelas\r\nde novembro')
    for (const name of ['relatório.txt', 'preços.txt']) form.append('medias', new File(['tabela de preços'], name))
    const { status, body } = await bruna.call<Message[]>('POST', `/messages/${ticketId}`, { body: form })
    expect([status, body.map(each => [each.body, each.media?.name])]).toEqual([
      201,
      [
        ['As tabelas\nde novembro', 'relatorio.txt'],
        ['', 'precos.txt'],
      ],
    ])
    const file = await fetch(url + body[0]?.mediaUrl, { headers: { authorization: `Bearer ${bruna.person.token}` } })
    expect(await file.text()).toBe('tabela de preços')
  })

  test('GET /messages/{ticketId} and GET /messages/ios/{ticketId} give the same page', async () => {
    await write('A última')
    const query = { pageNumber: 1, ios: false, userId: brunaId }
    const { body } = await bruna.call<{ messages: Message[]; hasMore: boolean }>('GET', `/messages/${ticketId}`, {
      query,
    })
    expect([body.messages.at(-1)?.body, body.hasMore]).toEqual(['A última', false])
    const ios = await bruna.call('GET', `/messages/ios/${ticketId}`, { query: { ios: true } })
    expect(ios.body).toEqual(body)
  })

  test('PUT /messages/{ticketId} edits the message given as editedMsg', async () => {
    const written = await write('Vence dia 15')
    const body = { ...text('Vence dia 16'), editedMsg: written }
    const answer = await bruna.call<Message>('PUT', `/messages/${ticketId}`, { body })
    expect([answer.status, answer.body.id, answer.body.body]).toEqual([200, written.id, 'Vence dia 16'])
    const unnamed = await bruna.call('PUT', `/messages/${ticketId}`, { body: text('Vence dia 17') })
    expect([unnamed.status, unnamed.body.error]).toEqual([422, 'ERR_VALIDATION'])
  })

  test('DELETE /messages/{id} answers 204', async () => {
    const { id } = await write('Por engano')
    expect((await bruna.call('DELETE', `/messages/${id}`)).status).toBe(204)
    const again = await bruna.call('DELETE', '/messages/999999')
    expect([again.status, again.body.error]).toEqual([404, 'ERR_NO_MESSAGE_FOUND'])
  })

  test('POST /messages/forward/{id} takes contacts and a log', async () => {
    const { id } = await write('Horário novo: 9 às 18')
    const { body: someone } = await bruna.call<Contact>('POST', '/contact', {
      body: { name: 'Mercearia do Zé', number: '5531971023345', email: '' },
    })
    const body = { contacts: [someone], log: { ...log('Mensagem encaminhada'), messageId: id } }
    const answer = await bruna.call<{ messages: Message[] }>('POST', `/messages/forward/${id}`, { body })
    expect(answer.status).toBe(201)
    expect(answer.body.messages).toMatchObject([{ body: 'Horário novo: 9 às 18', forward: 'true' }])
  })

  test('POST /messages/forward/{id} cuts many contact cards into messages of five, in their order', async () => {
    const { id } = await write('vai virar cartões')
    const cards = Array.from({ length: 7 }, (_, n) => `BEGIN:VCARD\nFN:Pessoa ${n}\nEND:VCARD`)
    await sql`update message set media_type = 'contact_array', body = ${cards.join('\n')} where id = ${id}`
    const { body: someone } = await bruna.call<Contact>('POST', '/contact', {
      body: { name: 'Padaria Sol', number: '5531971023346', email: '' },
    })
    const body = { contacts: [someone], clientId: 'cards' }
    const answer = await bruna.call<{ messages: Message[] }>('POST', `/messages/forward/${id}`, { body })
    expect(answer.body.messages.map(message => message.body.match(/Pessoa \d/g))).toEqual([
      ['Pessoa 0', 'Pessoa 1', 'Pessoa 2', 'Pessoa 3', 'Pessoa 4'],
      ['Pessoa 5', 'Pessoa 6'],
    ])
    const again = await bruna.call<{ messages: Message[] }>('POST', `/messages/forward/${id}`, { body })
    expect(again.body.messages.map(message => message.id)).toEqual(answer.body.messages.map(message => message.id))
  })

  test('POST /messages/transcribe/{id} answers 202 for a recording and refuses a text', async () => {
    const ogg = new Uint8Array(2000)
    ogg.set(Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead'))
    const form = new FormData()
    form.append('medias', new File([ogg], 'audio.ogg', { type: 'audio/ogg' }))
    const { body: sent } = await bruna.call<Message[]>('POST', `/messages/${ticketId}`, { body: form })
    const { status, body } = await bruna.call<Message>('POST', `/messages/transcribe/${sent[0]?.id}`)
    expect([status, body.id, body.transcriptionState]).toEqual([202, sent[0]?.id ?? 0, 'pending'])
    const refused = await bruna.call('POST', `/messages/transcribe/${(await write('texto')).id}`)
    expect([refused.status, refused.body.error]).toEqual([404, 'ERR_FETCH_WAPP_MSG'])
  })

  test('GET /messages/search/{ticketId} returns messages', async () => {
    const { id } = await write('A chave fica na portaria')
    const query = { messageToSearch: 'portaria', userId: brunaId }
    const { body } = await bruna.call<{ messages: Message[] }>('GET', `/messages/search/${ticketId}`, { query })
    expect(body.messages.map(message => message.id)).toEqual([id])
  })

  test('POST /messages/vcard/{ticketId} answers 201 with the card', async () => {
    const { body: card } = await bruna.call<Contact>('POST', '/contact', {
      body: { name: 'Zé', number: '5531984507712' },
    })
    const body = { contactId: card.id }
    const answer = await bruna.call<Message>('POST', `/messages/vcard/${ticketId}`, { body })
    expect([answer.status, answer.body.mediaType]).toEqual([201, 'vcard'])
  })
})
