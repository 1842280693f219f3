// The life of a ticket as a foreign client would lead it, over HTTP: every row of the table of spec 1 §4, and every refusal.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Message, type OtherOpenTicket, TICKET_STATUSES, type Ticket, type TicketStatus } from '@balcao/contract'
import { sweepFiles } from '../../src/desk/media/jobs.ts'
import { createAskPass, isAskPass } from '../../src/desk/tickets/ask-pass.ts'
import { receiveEvents } from '../../src/messaging/inbox/receive.ts'
import { type SignedInPerson, startDeskServer } from '../desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from '../desk-world.ts'

const server = await startDeskServer()
const { db } = server
const ids: Record<string, number> = {}
const people: Record<string, SignedInPerson> = {}

const finance = await makeQueue(db, 'Financeiro')
const sales = await makeQueue(db, 'Comercial')
const shop = await makeConnection(db, 'Loja Centro')
const official = await makeConnection(db, 'Oficial', 'cloud_api')
const team = [
  ['Marina', 'admin', []],
  ['Rafael', 'gerente', [finance, sales]],
  ['Bruna', 'user', [finance]],
  ['Carlos', 'user', [finance, sales]],
  ['Solange', 'user', [sales]],
  ['Novato', 'user', []],
] as const
for (const [name, profile, queueIds] of team) {
  ids[name] = await makePerson(db, { name, profile, queueIds: [...queueIds] })
  people[name] = await server.as(name)
}

function getPerson(name: string): SignedInPerson {
  const person = people[name]
  if (!person) throw new Error(`Nobody is called ${name}`)
  return person
}

async function ticketIn(status: TicketStatus, fields: { userId?: number | null; queueId?: number | null } = {}) {
  const contactId = await makeContact(db, 'Dona Lúcia')
  const { userId = status === 'pending' || status === 'bot' ? null : (ids.Bruna ?? 0), queueId = finance } = fields
  return makeTicket(db, { contactId, whatsappId: shop, status, queueId, userId })
}

function put(name: string, id: number, body: object) {
  return getPerson(name).call<Ticket & { error?: string; details?: unknown }>('PUT', `/tickets/${id}`, body)
}

async function messagesOf(id: number): Promise<Message[]> {
  return (await getPerson('Marina').call<{ messages: Message[] }>('GET', `/messages/${id}`)).body.messages
}

function listTexts(messages: readonly Message[]): string[] {
  return messages.filter(message => message.mediaType === 'chat').map(message => message.body)
}

async function setting(key: string, value: string) {
  expect((await getPerson('Marina').call('PUT', `/settings/${key}`, { value })).status).toBe(200)
}

describe('spec 1 §4: which changes of status are legal', () => {
  const legal: Record<TicketStatus, readonly TicketStatus[]> = {
    pending: ['open'],
    bot: ['open', 'pending', 'closed'],
    open: ['pending', 'closed', 'paused'],
    paused: ['open'],
    nps: ['closed'],
    closed: ['open'],
  }
  for (const from of TICKET_STATUSES) {
    for (const to of TICKET_STATUSES) {
      // An open ticket one has already is simply still one's own.
      if (from === 'open' && to === 'open') continue
      test(`${from} → ${to} ${legal[from].includes(to) ? 'is' : 'is refused by name'}`, async () => {
        const id = await ticketIn(from)
        const { status, body } = await put('Bruna', id, { status: to, pauseTag: 'Aguarda boleto' })
        if (legal[from].includes(to)) expect([status, body.status]).toEqual([200, to])
        else expect([status, body.error]).toEqual([409, 'ERR_INVALID_TRANSITION'])
      })
    }
  }

  test('a closed ticket is not transferred, it is reopened first', async () => {
    const id = await ticketIn('closed')
    expect((await put('Bruna', id, { queueId: finance })).body.error).toBe('ERR_INVALID_TRANSITION')
  })
})

describe('spec 1 §4: accept', () => {
  test('a ticket with a queue becomes open and one’s own', async () => {
    const id = await ticketIn('pending')
    expect((await put('Bruna', id, { status: 'open', userId: ids.Bruna })).body).toMatchObject({
      status: 'open',
      userId: ids.Bruna,
    })
  })

  test('without a queue one is chosen, and only one the person serves', async () => {
    const id = await ticketIn('pending', { queueId: null })
    expect((await put('Bruna', id, { status: 'open' })).body.error).toBe('ERR_VALIDATION')
    expect((await put('Bruna', id, { status: 'open', queueId: sales })).body.error).toBe('ERR_VALIDATION')
    expect((await put('Bruna', id, { status: 'open', queueId: finance })).body).toMatchObject({ queueId: finance })
  })

  test('who serves no queue accepts without one', async () => {
    const id = await ticketIn('pending', { queueId: null })
    expect((await put('Novato', id, { status: 'open' })).body).toMatchObject({ status: 'open', queueId: null })
  })

  test('before the bot is done with it', async () => {
    const id = await ticketIn('bot', { queueId: null })
    const accepted = await put('Carlos', id, { status: 'open', queueId: sales })
    expect(accepted.body).toMatchObject({ status: 'open', userId: ids.Carlos, queueId: sales })
  })

  test('a resumed ticket nobody has is taken the same way', async () => {
    const id = await ticketIn('open', { userId: null })
    expect((await put('Carlos', id, { status: 'open' })).body).toMatchObject({ userId: ids.Carlos })
    expect((await put('Bruna', id, { status: 'open' })).body.error).toBe('ERR_OTHER_OPEN_TICKET')
  })
})

describe('spec 1 §4: return, pause and resume', () => {
  test('returned it waits for anybody', async () => {
    const id = await ticketIn('open')
    const returned = await put('Bruna', id, { status: 'pending', userId: null })
    expect(returned.body).toMatchObject({ status: 'pending', userId: null, acceptedAt: null })
  })

  test('a pause needs a tag, in the words of the form; its text stays inside', async () => {
    const id = await ticketIn('open')
    const without = await put('Bruna', id, { status: 'paused', pauseTag: '  ' })
    expect(without.body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: [{ path: 'pauseTag', message: 'Preencha todos os campos para pausar esse atendimento' }],
    })
    const paused = await put('Bruna', id, {
      status: 'paused',
      pauseTag: 'Aguarda boleto',
      pauseMessage: 'Volto às 15h',
    })
    expect(paused.body).toMatchObject({ status: 'paused', pauseTag: 'Aguarda boleto' })
    const comment = (await messagesOf(id)).find(message => message.mediaType === 'comment')
    expect(comment?.body).toBe('Volto às 15h')
    expect((await db.$client`select 1 from outbox where message_id = ${comment?.id ?? 0}`).length).toBe(0)
  })

  test('resumed it is open, without a user and without the tag', async () => {
    const id = await ticketIn('paused')
    expect((await put('Bruna', id, { status: 'open', userId: null })).body).toMatchObject({
      status: 'open',
      userId: null,
      pauseTag: null,
    })
  })
})

describe('spec 1 §4: transfer', () => {
  test('with a queue but no user it becomes pending and unassigned', async () => {
    const id = await ticketIn('open')
    expect((await put('Bruna', id, { queueId: sales })).body).toMatchObject({
      status: 'pending',
      userId: null,
      queueId: sales,
    })
  })

  test('with a user it is open and that person’s', async () => {
    const id = await ticketIn('pending')
    const moved = await put('Bruna', id, { queueId: sales, userId: ids.Carlos })
    expect(moved.body).toMatchObject({ status: 'open', userId: ids.Carlos, queueId: sales })
  })

  test('asked for as an open one of one’s own it moves and stays one’s own; with nobody named it waits; where one may not have it, it is refused', async () => {
    const moving = { status: 'open', queueId: sales }
    const named = await ticketIn('open', { userId: ids.Carlos ?? 0 })
    const moved = await put('Carlos', named, { ...moving, userId: ids.Carlos })
    expect(moved.body).toMatchObject({ status: 'open', userId: ids.Carlos, queueId: sales })
    const unnamed = await ticketIn('open', { userId: ids.Carlos ?? 0 })
    const answer = await put('Carlos', unnamed, moving)
    expect(answer.body).toMatchObject({ status: 'open', userId: ids.Carlos, queueId: sales })
    const nobody = await ticketIn('open', { userId: ids.Carlos ?? 0 })
    const waits = await put('Carlos', nobody, { ...moving, userId: null })
    expect(waits.body).toMatchObject({ status: 'pending', userId: null, queueId: sales })
    const without = await ticketIn('open')
    const refused = await put('Bruna', without, { ...moving, userId: ids.Bruna })
    expect([refused.status, refused.body.error]).toEqual([422, 'ERR_VALIDATION'])
  })

  test('accepted twice it is one’s own, and nothing moves', async () => {
    const id = await ticketIn('pending')
    const first = await put('Bruna', id, { status: 'open', queueId: finance })
    const again = await put('Bruna', id, { status: 'open', queueId: finance, userId: ids.Bruna, whatsappId: shop })
    expect([again.status, again.body.version]).toEqual([200, first.body.version])
  })

  test('any user may change the connection, and the ticket stays whose it is', async () => {
    const id = await ticketIn('open')
    const moved = await put('Bruna', id, { whatsappId: official })
    expect(moved.body).toMatchObject({ whatsappId: official, status: 'open', userId: ids.Bruna })
    expect(listTexts(await messagesOf(id))).toEqual([])
  })

  test('the contact’s live ticket on the other connection is named', async () => {
    const contactId = await makeContact(db, 'Padaria')
    const here = await makeTicket(db, {
      contactId,
      whatsappId: shop,
      status: 'open',
      queueId: finance,
      userId: ids.Bruna ?? 0,
    })
    const there = await makeTicket(db, { contactId, whatsappId: official, status: 'pending', queueId: sales })
    const { body } = await put('Bruna', here, { whatsappId: official })
    expect(body).toMatchObject({
      error: 'ERR_OTHER_OPEN_TICKET',
      details: { ticketId: there, status: 'pending', queue: 'Comercial', user: null },
    })
  })

  test('who takes a conversation over is said to do so, not to transfer it to themselves', async () => {
    const id = await ticketIn('open')
    expect((await put('Marina', id, { queueId: finance, userId: ids.Marina })).status).toBe(200)
    const line = (await messagesOf(id)).findLast(message => message.system)
    expect(line).toMatchObject({ body: 'Marina assumiu o atendimento', system: { code: 'takenOver' } })
  })

  test('a queue is required', async () => {
    const id = await ticketIn('open', { queueId: null })
    expect((await put('Bruna', id, { transferMessage: 'vai' })).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: [{ path: 'queueId', message: 'Preencha todos os campos para realizar a transferencia' }],
    })
  })

  test('the customer reads mensagemTransfer, colleagues the message of the dialog', async () => {
    await setting('mensagemTransfer', 'Agora com {{user}}, fila {{queue}}.')
    const id = await ticketIn('open')
    await put('Bruna', id, { queueId: sales, userId: ids.Carlos, transferMessage: 'Quer desconto' })
    await put('Carlos', id, { queueId: finance })
    const messages = await messagesOf(id)
    expect(listTexts(messages)).toEqual([
      'Agora com Carlos, fila Comercial.',
      'Agora com um atendente, fila Financeiro.',
    ])
    expect(messages.filter(message => message.mediaType === 'comment').map(message => message.body)).toEqual([
      'Quer desconto',
    ])
  })

  test('who waits is shown by their own words, what we say by ourselves by nobody’s', async () => {
    await setting('mensagemTransfer', 'Um momento.')
    const id = await ticketIn('open')
    await makeMessage(db, id, '*Oi*, ainda aí?')
    const { body: sent } = await getPerson('Bruna').call('POST', `/messages/${id}`, {
      body: 'Vou passar ao comercial.',
    })
    const { body: given } = await put('Bruna', id, { queueId: sales, userId: ids.Carlos })
    expect(given).toMatchObject({ lastMessage: 'Vou passar ao comercial.', lastMessageFromMe: true })
    const { body: back } = await put('Carlos', id, { status: 'pending' })
    expect(back).toMatchObject({ lastMessage: '*Oi*, ainda aí?', lastMessageFromMe: false, lastMessageState: null })
    const messages = await messagesOf(id)
    expect(messages.filter(message => message.automatic).map(message => message.body)).toEqual(['Um momento.'])
    expect(messages.find(message => message.id === sent.id)).toMatchObject({ automatic: false })
  })

  test('an emptied mensagemTransfer is the default text again', async () => {
    await setting('mensagemTransfer', '')
    const id = await ticketIn('open')
    await put('Bruna', id, { queueId: sales })
    expect(listTexts(await messagesOf(id))).toEqual(['Atendimento encaminhado para um atendente, na fila Comercial.'])
  })
})

describe('spec 1 §4: resolve, close and reopen', () => {
  beforeAll(async () => {
    await db.$client`update whatsapp set farewell_message = 'Até logo, {{name}}!' where id = ${shop}`
  })

  test('resolved with the farewell, closed without it', async () => {
    const resolved = await ticketIn('open')
    await put('Bruna', resolved, { status: 'closed' })
    expect(listTexts(await messagesOf(resolved))).toEqual(['Até logo, Dona Lúcia!'])
    const closed = await ticketIn('open')
    await put('Bruna', closed, { status: 'closed', onlyClose: true })
    expect(listTexts(await messagesOf(closed))).toEqual([])
  })

  test('reopened it is the current user’s', async () => {
    const id = await ticketIn('closed', { userId: ids.Carlos ?? 0 })
    const body = { status: 'open', userId: ids.Rafael }
    expect((await put('Rafael', id, body)).body).toMatchObject({ status: 'open', userId: ids.Rafael, closedAt: null })
  })

  test('a closed one does not become live beside another live one', async () => {
    const contactId = await makeContact(db, 'Mercadinho')
    const old = await makeTicket(db, {
      contactId,
      whatsappId: shop,
      status: 'closed',
      queueId: finance,
      userId: ids.Bruna ?? 0,
    })
    const live = await makeTicket(db, {
      contactId,
      whatsappId: shop,
      status: 'open',
      queueId: finance,
      userId: ids.Carlos ?? 0,
    })
    const { body } = await put('Bruna', old, { status: 'open' })
    expect(body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', details: { ticketId: live, user: 'Carlos' } })
  })
})

describe('decisions-2 §8: the word that ends mass sends, at the moment at which the ticket is resolved', () => {
  for (const nps of [false, true])
    test(`optOutWord: ${nps ? 'with' : 'without'} a survey the contact is out, the word is kept once, and nothing is live that rings`, async () => {
      await db.$client`update whatsapp set nps = ${nps}, nps_message = 'Que nota?' where id = ${shop}`
      for (let n = 0; n < 6; n++) {
        const pn = `55319${nps ? 86 : 85}00${String(n).padStart(4, '0')}`
        const chat = { jid: `${pn}@s.whatsapp.net`, pn, group: false }
        const says = (id: string, body: string) =>
          receiveEvents(db, { id: shop }, [
            {
              ...{
                type: 'message',
                ref: { chat: chat.jid, id, fromMe: false },
                chat,
                at: Date.now(),
                mediaType: 'chat',
              },
              ...{ body, replay: false, raw: null },
            } as const,
          ])
        await says(`oi-${pn}`, 'oi')
        const [row] = await db.$client<{ id: number; contact: number }[]>`
          update ticket t set status = 'open', user_id = ${ids.Marina ?? 0}, queue_id = ${finance}, unread_messages = 0
          from contact_identity i where i.value = ${pn} and t.contact_id = i.contact_id returning t.id, t.contact_id as contact`
        const { id = 0, contact = 0 } = row ?? {}
        const [resolved] = await Promise.all([put('Marina', id, { status: 'closed' }), says(`out-${pn}`, 'SAIR')])
        expect(resolved.status).toBe(200)
        const [after] = await db.$client`
          select c.opted_out_at is not null as out, t.status,
            (select count(*)::int from message m where m.contact_id = c.id and m.body = 'SAIR') as words,
            (select count(*)::int from ticket o where o.contact_id = c.id and o.status in ('pending', 'open')) as live
          from ticket t join contact c on c.id = t.contact_id where t.id = ${id} and c.id = ${contact}`
        expect({ ...after }).toEqual({ out: true, status: nps ? 'nps' : 'closed', words: 1, live: 0 })
      }
      await db.$client`update whatsapp set nps = false where id = ${shop}`
    })
})

describe('spec 1 §4: protocol', () => {
  interface Given {
    readonly id: number
    readonly protocolo: string
    readonly sent: boolean
    readonly error?: string
  }
  const generate = (name: string, ticketId: number) => getPerson(name).call<Given>('POST', '/protocolos', { ticketId })

  test('is refused while generateProtocol is disabled', async () => {
    expect((await generate('Bruna', await ticketIn('open'))).body.error).toBe('ERR_NO_PERMISSION')
  })

  test('is given once, sent before the farewell, and found by its ticket', async () => {
    await setting('generateProtocol', 'enabled')
    const id = await ticketIn('open')
    expect((await getPerson('Bruna').call('GET', `/protocolos/ticket/${id}`)).body).toBeNull()
    const protocol = await generate('Bruna', id)
    expect(protocol.status).toBe(201)
    expect(protocol.body).toMatchObject({
      sent: true,
      ticketId: id,
      contact: { name: 'Dona Lúcia' },
      user: { name: 'Bruna' },
    })
    expect(protocol.body.protocolo).toMatch(/^20\d{12}$/)
    expect((await generate('Bruna', id)).body.protocolo).toBe(protocol.body.protocolo)
    await put('Bruna', id, { status: 'closed' })
    const outbox = await db.$client<{ text: string }[]>`
      select o.payload->>'text' as text from outbox o join message m on m.id = o.message_id where m.ticket_id = ${id} order by o.id`
    expect(outbox.map(row => row.text)).toEqual([
      `O protocolo deste atendimento é *${protocol.body.protocolo}*. Guarde este número.`,
      'Até logo, Dona Lúcia!',
    ])
    const found = await getPerson('Bruna').call<Given>('GET', `/protocolos/ticket/${id}`)
    expect(found.body.protocolo).toBe(protocol.body.protocolo)
  })

  test('a reopened ticket gets a number of its own', async () => {
    const id = await ticketIn('open')
    const first = await generate('Bruna', id)
    await put('Bruna', id, { status: 'closed' })
    expect((await generate('Bruna', id)).body.error).toBe('ERR_INVALID_TRANSITION')
    await put('Bruna', id, { status: 'open' })
    expect((await generate('Bruna', id)).body.protocolo).not.toBe(first.body.protocolo)
  })

  test('groups need greetingProtocolGroup too', async () => {
    const contactId = await makeContact(db, 'Entregas zona norte', true)
    const group = {
      contactId,
      whatsappId: shop,
      status: 'open',
      queueId: finance,
      userId: ids.Bruna ?? 0,
      isGroup: true,
    } as const
    const id = await makeTicket(db, group)
    expect((await generate('Bruna', id)).body.error).toBe('ERR_NO_PERMISSION')
    await setting('greetingProtocolGroup', 'enabled')
    expect((await generate('Bruna', id)).status).toBe(201)
  })

  test('on the official API after 24 hours it is given but cannot be sent, and says so', async () => {
    const contactId = await makeContact(db, 'Calado')
    const id = await makeTicket(db, {
      contactId,
      whatsappId: official,
      status: 'open',
      queueId: finance,
      userId: ids.Bruna ?? 0,
    })
    expect((await generate('Bruna', id)).body).toMatchObject({ sent: false })
  })

  test('who may not see the ticket neither makes nor finds one', async () => {
    const id = await ticketIn('open')
    await generate('Bruna', id)
    expect((await generate('Solange', id)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await getPerson('Solange').call('GET', `/protocolos/ticket/${id}`)).status).toBe(403)
  })
})

describe('spec 1 §4: delete', () => {
  test('administrators only', async () => {
    const id = await ticketIn('open')
    for (const name of ['Rafael', 'Bruna'])
      expect((await getPerson(name).call('DELETE', `/tickets/${id}`)).status).toBe(403)
    expect((await getPerson('Marina').call('DELETE', `/tickets/${id}`)).status).toBe(204)
  })

  test('is refused when a protocol is linked, in the words of the specification', async () => {
    const id = await ticketIn('open')
    await getPerson('Bruna').call('POST', '/protocolos', { ticketId: id })
    const { status, body } = await getPerson('Marina').call('DELETE', `/tickets/${id}`)
    expect([status, body.error, body.message]).toEqual([
      409,
      'ERR_PROTOCOL_LINKED',
      'Não é possível deletar esse ticket pois existe um protocolo vinculado a ele',
    ])
  })

  test('takes the files nobody else shows from the disk, and only those', async () => {
    const id = await ticketIn('open')
    const other = await ticketIn('open')
    const own = await fileIn(id, 'a.txt')
    const shared = await fileIn(id, 'b.txt')
    await db.$client`update message set media_id = ${shared} where id = ${await makeMessage(db, other, 'b.txt')}`
    expect((await getPerson('Marina').call('DELETE', `/tickets/${id}`)).status).toBe(204)
    await sweepFiles({ db, dataDir: server.config.dataDir })
    expect([own, shared].map(file => existsSync(pathOf(file)))).toEqual([false, true])
    expect((await db.$client`select id from media where id in (${own}, ${shared})`).map(row => row.id)).toEqual([
      shared,
    ])
  })

  function pathOf(mediaId: string): string {
    return join(server.config.dataDir, 'media', mediaId.slice(0, 2), mediaId)
  }

  async function fileIn(ticketId: number, name: string): Promise<string> {
    const form = new FormData()
    form.append('medias', new File(['oi'], name, { type: 'text/plain' }))
    const { body } = await getPerson('Bruna').call<Message[]>('POST', `/messages/${ticketId}`, form)
    return body[0]?.mediaUrl?.replace('/media/', '') ?? ''
  }
})

describe('spec 1 §5: new ticket', () => {
  test('needs a queue and a connection, each in its own words', async () => {
    const contactId = await makeContact(db, 'Hotel Mirante')
    const { body } = await getPerson('Bruna').call('POST', '/tickets', { contactId })
    expect(body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: [
        { path: 'queueId', message: 'Selecione uma fila válida' },
        { path: 'whatsappId', message: 'Selecione uma conexão válida' },
      ],
    })
  })

  test('is created open, the own one, in a queue one serves', async () => {
    const contactId = await makeContact(db, 'Hotel Mirante')
    const wish = { contactId, whatsappId: shop, status: 'open' }
    expect((await getPerson('Bruna').call('POST', '/tickets', { ...wish, queueId: sales })).status).toBe(403)
    const made = await getPerson('Bruna').call<Ticket>('POST', '/tickets', { ...wish, queueId: finance })
    expect(made.body).toMatchObject({ status: 'open', userId: ids.Bruna, contact: { name: 'Hotel Mirante' } })
  })
})

describe('spec 1 §8: ERR_OTHER_OPEN_TICKET', () => {
  async function inTheWay(status: TicketStatus, userId: number | null, queueId: number | null) {
    const contactId = await makeContact(db, 'Pizzaria Nonna')
    const id = await makeTicket(db, { contactId, whatsappId: shop, status, queueId, userId })
    const create = (name: string, queue: number) =>
      getPerson(name).call<{ details: OtherOpenTicket }>('POST', '/tickets', {
        contactId,
        whatsappId: shop,
        queueId: queue,
      })
    /** As the page does it: with what told that it is in the way. */
    const ask = async (name: string) => {
      const { askPass } = (await create(name, name === 'Bruna' ? finance : sales)).body.details ?? {}
      return getPerson(name).call('POST', `/tickets/${id}/ask${askPass ? `?askPass=${askPass}` : ''}`)
    }
    return { id, create, ask }
  }

  test('a ticket that one does not see is asked for by nobody who was not told of it', async () => {
    const { id, create } = await inTheWay('open', ids.Carlos ?? 0, finance)
    const other = await inTheWay('open', ids.Carlos ?? 0, finance)
    const pass = (await other.create('Bruna', finance)).body.details.askPass ?? ''
    const own = (await create('Bruna', finance)).body.details.askPass ?? ''
    for (const [name, query] of [
      ['Bruna', ''],
      ['Bruna', `?askPass=${pass}`],
      ['Bruna', `?askPass=${own.replace(/^\d+/, String(Date.now() + 3_600_000))}`],
      ['Bruna', '?askPass=x.y'],
      ['Solange', `?askPass=${own}`],
    ] as const) {
      const { status, body } = await getPerson(name).call('POST', `/tickets/${id}/ask${query}`)
      expect([name, query, status, body.error]).toEqual([name, query, 403, 'ERR_NO_PERMISSION'])
    }
    const asking = { userId: ids.Bruna ?? 0, ticketId: id }
    const config = { jwtSecret: 'x' }
    const made = createAskPass(config, asking, 1_000_000)
    expect([isAskPass(config, asking, made, 1_599_999), isAskPass(config, asking, made, 1_600_000)]).toEqual([
      true,
      false,
    ])
    expect((await getPerson('Bruna').call('POST', `/tickets/${id}/ask?askPass=${own}`)).status).toBe(204)
  })

  test('tells who may see the ticket everything, and everybody else who has it and where', async () => {
    const { id, create } = await inTheWay('open', ids.Carlos ?? 0, finance)
    const seen = await create('Rafael', finance)
    expect(seen.body.details).toMatchObject({
      ticketId: id,
      status: 'open',
      user: 'Carlos',
      queue: 'Financeiro',
      ticket: { id },
    })
    const hidden = await create('Bruna', finance)
    expect(hidden.body.details).toEqual({
      ticketId: id,
      status: 'open',
      userId: ids.Carlos ?? 0,
      user: 'Carlos',
      queue: 'Financeiro',
      askPass: expect.any(String),
    })
  })

  test('tells a waiting one, one with the bot and one waiting for its rating apart', async () => {
    for (const status of ['pending', 'bot', 'nps'] as const) {
      const { create } = await inTheWay(status, null, finance)
      expect((await create('Bruna', finance)).body.details).toMatchObject({ status, user: null, ticket: { status } })
    }
  })

  test('a hidden ticket can be asked for: its person hears of it, its conversation says so, nothing of it is given away', async () => {
    const { id, ask } = await inTheWay('open', ids.Carlos ?? 0, finance)
    const answer = await ask('Bruna')
    expect(answer.status).toBe(204)
    expect(JSON.stringify(answer.body)).toBe('""')
    const events = await db.$client<{ audience: { userIds: number[] }; payload: { user: { name: string } } }[]>`
      select audience, payload::jsonb as payload from live_event where payload like '{"event":"ticketAsked"%' order by id desc limit 1`
    expect(events[0]).toMatchObject({
      audience: { userIds: [ids.Carlos] },
      payload: { ticketId: id, user: { name: 'Bruna' } },
    })
    expect((await messagesOf(id)).at(-1)?.system).toMatchObject({ code: 'asked', params: { user: 'Bruna' } })
    expect((await getPerson('Bruna').call('GET', `/tickets/${id}`)).status).toBe(403)
  })

  test('asking again at once is refused, so is asking for a closed or an own one', async () => {
    const { id, ask } = await inTheWay('open', ids.Carlos ?? 0, finance)
    await ask('Bruna')
    expect((await ask('Bruna')).status).toBe(429)
    expect((await getPerson('Carlos').call('POST', `/tickets/${id}/ask`)).body.error).toBe('ERR_INVALID_TRANSITION')
    const closed = await ticketIn('closed')
    expect((await getPerson('Marina').call('POST', `/tickets/${closed}/ask`)).body.error).toBe('ERR_INVALID_TRANSITION')
    // Who does not see it is not told that it is closed.
    expect((await getPerson('Carlos').call('POST', `/tickets/${closed}/ask`)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await getPerson('Carlos').call('POST', '/tickets/99999/ask')).status).toBe(404)
  })

  test('who asks for one ticket after the other is stopped after five, and nobody is rung for the sixth', async () => {
    await db.$client`delete from log_entry where action = 'ticket.ask'`
    const live: Awaited<ReturnType<typeof inTheWay>>[] = []
    for (let n = 0; n < 7; n++) live.push(await inTheWay('open', ids.Carlos ?? 0, finance))
    const answers = await Promise.all(live.map(({ ask }) => ask('Bruna')))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, 204, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(30)
    await db.$client`delete from log_entry where action = 'ticket.ask'`
  })

  test('one nobody has is asked of the people of its queue', async () => {
    const { ask } = await inTheWay('pending', null, sales)
    await ask('Bruna')
    const [event] = await db.$client<{ ids: number[] }[]>`
      select audience->'userIds' as ids from live_event where payload like '{"event":"ticketAsked"%' order by id desc limit 1`
    expect([...(event?.ids ?? [])].sort()).toEqual([ids.Carlos, ids.Rafael, ids.Solange].map(Number).sort())
  })

  test('one that neither a person nor a queue has is asked of the administrators, and so is that of somebody let out', async () => {
    const listNotices = async () => {
      const [event] = await db.$client<{ ids: number[] }[]>`
        select audience->'userIds' as ids from live_event where payload like '{"event":"ticketAsked"%' order by id desc limit 1`
      return event?.ids
    }
    const nobodys = await inTheWay('pending', null, null)
    expect((await nobodys.ask('Bruna')).status).toBe(204)
    expect(await listNotices()).toEqual([1, Number(ids.Marina)])
    const { ask } = await inTheWay('open', ids.Novato ?? 0, finance)
    await db.$client`update "user" set active = false where id = ${ids.Novato ?? 0}`
    await ask('Bruna')
    await db.$client`update "user" set active = true where id = ${ids.Novato ?? 0}`
    expect(await listNotices()).toEqual([1, Number(ids.Marina)])
  })
})

describe('decisions-2 §11: resolving with the connection’s survey', () => {
  beforeAll(async () => {
    await db.$client`update whatsapp set nps = true, nps_message = 'Que nota, {{name}}?' where id in (${shop}, ${official})`
  })
  afterAll(async () => {
    await db.$client`update whatsapp set nps = false`
  })

  const statusAfter = async (id: number, more: object = {}) =>
    (await put('Bruna', id, { status: 'closed', ...more })).body.status

  test('leaves the ticket in `nps` with who resolved it, and says npsMessage with its numbers', async () => {
    const id = await ticketIn('open')
    expect(await put('Bruna', id, { status: 'closed' })).toMatchObject({
      status: 200,
      body: { status: 'nps', userId: ids.Bruna, closedAt: null },
    })
    expect(listTexts(await messagesOf(id))).toEqual([
      'Que nota, Dona Lúcia?\n\n1 - Péssimo\n2 - Ruim\n3 - Médio\n4 - Bom\n5 - Ótimo',
    ])
  })

  test('not for close without farewell, nor for whom nothing is said to by itself', async () => {
    expect(await statusAfter(await ticketIn('open'), { onlyClose: true })).toBe('closed')
    const quiet = await ticketIn('open')
    await db.$client`update contact set resposta_automatica = false where id = (select contact_id from ticket where id = ${quiet})`
    expect(await statusAfter(quiet)).toBe('closed')
  })

  test('not in groups', async () => {
    const contactId = await makeContact(db, 'Família', true)
    const group = {
      contactId,
      whatsappId: shop,
      status: 'open',
      queueId: finance,
      userId: ids.Bruna ?? 0,
      isGroup: true,
    } as const
    expect(await statusAfter(await makeTicket(db, group))).toBe('closed')
  })

  test('once in 24 hours for a contact, whatever the connection', async () => {
    const contactId = await makeContact(db, 'Seu Jorge')
    const again = () =>
      makeTicket(db, { contactId, whatsappId: shop, status: 'open', queueId: finance, userId: ids.Bruna ?? 0 })
    const first = await again()
    expect(await statusAfter(first)).toBe('nps')
    await db.$client`update ticket set status = 'closed' where id = ${first}`
    expect(await statusAfter(await again())).toBe('closed')
    await db.$client`update ticket_span set begun_at = begun_at - interval '25 hours' where ticket_id = ${first}`
    expect(await statusAfter(await again())).toBe('nps')
  })

  test('not outside the window of the official API', async () => {
    const statuses: string[] = []
    for (const hours of [25, 23]) {
      const contactId = await makeContact(db, `De ${hours} horas`)
      await db.$client`
        insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
        values (${contactId}, ${official}, 'x', now() - make_interval(hours => ${hours}))`
      const ticket = {
        contactId,
        whatsappId: official,
        status: 'open',
        queueId: finance,
        userId: ids.Bruna ?? 0,
      } as const
      statuses.push(await statusAfter(await makeTicket(db, ticket)))
    }
    expect(statuses).toEqual(['closed', 'nps'])
  })
})
