// Protocols, deleting, new tickets, another open ticket, and the survey (spec 1 §4, §5, §8, decisions-2 §11).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Message, OtherOpenTicket, Ticket, TicketStatus } from '@balcao/contract'
import { sweepFiles } from '../../src/desk/media/jobs.ts'
import { createAskPass, isAskPass } from '../../src/desk/tickets/ask-pass.ts'
import { makeContact, makeMessage, makeTicket } from '../desk-world.ts'
import { fetchMessages, getPerson, ids, listTexts, put, setting, startLifecycleDesk } from './lifecycle-desk.ts'

const { server, db, finance, sales, shop, official, ticketIn } = await startLifecycleDesk()

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
    await db.$client`update whatsapp set farewell_message = 'Até logo, {{name}}!' where id = ${shop}`
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

  test('is another one each time, also after the millionth', async () => {
    const sql = db.$client
    const [before] = await sql<{ id: number }[]>`select nextval(pg_get_serial_sequence('protocol', 'id'))::int as id`
    await sql`select setval(pg_get_serial_sequence('protocol', 'id'), 999999)`
    for (const running of ['1000000', '1000001']) {
      const { status, body } = await generate('Bruna', await ticketIn('open'))
      expect([status, body.protocolo.slice(8)]).toEqual([201, running])
    }
    await sql`select setval(pg_get_serial_sequence('protocol', 'id'), ${before?.id ?? 1})`
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
    expect((await fetchMessages(id)).at(-1)?.system).toMatchObject({ code: 'asked', params: { user: 'Bruna' } })
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
    expect(listTexts(await fetchMessages(id))).toEqual([
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
