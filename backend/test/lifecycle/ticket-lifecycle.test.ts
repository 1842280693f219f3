// The life of a ticket: which changes are legal, accepting, pausing, transferring, closing, reopening (spec 1 §4).
import { beforeAll, describe, expect, test } from 'bun:test'
import { TICKET_STATUSES, type TicketStatus } from '@balcao/contract'
import { receiveEvents } from '../../src/messaging/inbox/receive.ts'
import { makeContact, makeMessage, makeTicket } from '../desk-world.ts'
import { fetchMessages, getPerson, ids, listTexts, put, setting, startLifecycleDesk } from './lifecycle-desk.ts'

const { db, finance, sales, shop, official, ticketIn } = await startLifecycleDesk()

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
    const comment = (await fetchMessages(id)).find(message => message.mediaType === 'comment')
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
    expect(listTexts(await fetchMessages(id))).toEqual([])
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
    const line = (await fetchMessages(id)).findLast(message => message.system)
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
    const messages = await fetchMessages(id)
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
    const messages = await fetchMessages(id)
    expect(messages.filter(message => message.automatic).map(message => message.body)).toEqual(['Um momento.'])
    expect(messages.find(message => message.id === sent.id)).toMatchObject({ automatic: false })
  })

  test('an emptied mensagemTransfer is the default text again', async () => {
    await setting('mensagemTransfer', '')
    const id = await ticketIn('open')
    await put('Bruna', id, { queueId: sales })
    expect(listTexts(await fetchMessages(id))).toEqual([
      'Atendimento encaminhado para um atendente, na fila Comercial.',
    ])
  })
})

describe('spec 1 §4: resolve, close and reopen', () => {
  beforeAll(async () => {
    await db.$client`update whatsapp set farewell_message = 'Até logo, {{name}}!' where id = ${shop}`
  })

  test('resolved with the farewell, closed without it', async () => {
    const resolved = await ticketIn('open')
    await put('Bruna', resolved, { status: 'closed' })
    expect(listTexts(await fetchMessages(resolved))).toEqual(['Até logo, Dona Lúcia!'])
    const closed = await ticketIn('open')
    await put('Bruna', closed, { status: 'closed', onlyClose: true })
    expect(listTexts(await fetchMessages(closed))).toEqual([])
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
