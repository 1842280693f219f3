// The life of a ticket over HTTP (spec 1 §4), and what its people can and cannot do to it.
import { describe, expect, test } from 'bun:test'
import type { Message, Ticket } from '@balcao/contract'
import { getSql } from '../src/platform/database/raw.ts'
import { OWNER_ID } from '../src/policy/access/hidden-owner.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server

const finance = await makeQueue(db, 'Financeiro')
const sales = await makeQueue(db, 'Comercial')
const shop = await makeConnection(db, 'Loja Centro')
await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [finance, sales] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [finance] })
await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [sales] })
const marina = await server.as('Marina')
const bruna = await server.as('Bruna')
const carlos = await server.as('Carlos')
const strange = await server.as('Estranho')

interface Waiting {
  readonly tickets: Ticket[]
  readonly nextCursor: string | null
}

/** A ticket of Dona Lúcia waiting in Financeiro, with one message. */
async function waiting(queueId: number | null = finance): Promise<number> {
  const contactId = await makeContact(db, 'Dona Lúcia')
  const id = await makeTicket(db, { contactId, whatsappId: shop, status: 'pending', queueId })
  await makeMessage(db, id, 'Bom dia! Esse aqui ainda vale?')
  return id
}

async function inService(person: SignedInPerson): Promise<number> {
  const id = await waiting()
  expect((await person.call('PUT', `/tickets/${id}`, { status: 'open' })).status).toBe(200)
  return id
}

test('what brought a customer here is the newest advertisement their messages name, for who sees the ticket', async () => {
  const id = await waiting()
  const context = async (person: SignedInPerson) => (await person.call('GET', `/tickets/${id}/context`)).body
  expect(await context(bruna)).toEqual({ origin: null, disappearsAfter: null })
  const arrive = async (origin: object, words: string) => {
    const message = await makeMessage(db, id, words)
    await getSql(db)`update message set details = ${JSON.stringify({ origin })}::text::jsonb where id = ${message}`
  }
  for (const title of ['Cestas de Natal', 'Panetone']) await arrive({ kind: 'ad', title }, `Vi o anúncio ${title}`)
  // Who answers our status a day later still came by the advertisement.
  await arrive({ kind: 'story', title: '' }, 'Que lindo!')
  await makeMessage(db, id, 'Ainda tem?')
  expect(await context(bruna)).toEqual({ origin: { kind: 'ad', title: 'Panetone' }, disappearsAfter: null })
  expect((await strange.call('GET', `/tickets/${id}/context`)).status).toBe(403)
})

test('a ticket says after how long the messages of its chat disappear, on its connection, and no longer once they stay', async () => {
  const [id, office] = [await waiting(), await makeConnection(db, 'Escritório')]
  const set = (connection: number, seconds: number) => getSql(db)`
    insert into contact_channel (contact_id, whatsapp_id, jid, timer)
    select contact_id, ${connection}, 'x@s.whatsapp.net', ${seconds} from ticket where id = ${id}
    on conflict (contact_id, whatsapp_id) do update set timer = excluded.timer`
  const readTimer = async () =>
    (await bruna.call<{ disappearsAfter: number | null }>('GET', `/tickets/${id}/context`)).body.disappearsAfter
  for (const [connection, seconds, shown] of [
    [office, 86_400, null],
    [shop, 604_800, 604_800],
    [shop, 0, null],
  ] as const) {
    await set(connection, seconds)
    expect(await readTimer()).toBe(shown)
  }
})

describe('who waits', () => {
  test('can be listed with the longest wait first, page by page', async () => {
    const ids = [await waiting(sales), await waiting(sales), await waiting(sales)]
    const [first = 0, second = 0, third = 0] = ids
    // The one that came first wrote last.
    await getSql(
      db,
    )`update ticket set created_at = now() - id * interval '1 minute', last_message_at = now() - (${third} - id) * interval '1 minute' where id = any(${ids}::int[])`
    const page = async (more: string) =>
      (await strange.call<Waiting>('GET', `/tickets?status=pending&limit=2${more}`)).body
    const start = await page('&order=wait')
    expect(start.tickets.map(ticket => ticket.id)).toEqual([third, second])
    const rest = await page(`&order=wait&cursor=${start.nextCursor}`)
    expect(rest.tickets.map(ticket => ticket.id)).toEqual([first])
    expect(rest.nextCursor).toBeNull()
    expect((await strange.call('GET', '/tickets?status=open&order=wait')).status).toBe(422)
  })
})

describe('a customer of the official API', () => {
  test('who wrote before a channel was kept has a window that ended then, not none', async () => {
    const contactId = await makeContact(db, 'Restaurante')
    const whatsappId = await makeConnection(db, 'Oficial', 'cloud_api')
    const id = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: finance, userId: brunaId })
    const read = async () => (await bruna.call<Ticket>('GET', `/tickets/${id}`)).body.windowUntil
    expect(await read()).toBeNull()
    const messageId = await makeMessage(db, id, 'Separem meu pedido')
    const [message] = await getSql(db)<{ at: string }[]>`
      update message set at = date_trunc('second', now() - interval '2 days') where id = ${messageId} returning at`
    expect(Date.parse((await read()) ?? '') - Date.parse(message?.at ?? '')).toBe(86_400_000)
  })
})

describe('the life of a ticket', () => {
  test('decisions §3: a closed ticket whose queue is gone is not reopened there', async () => {
    const gone = await makeQueue(db, 'Antiga')
    const contactId = await makeContact(db, 'Dona Lúcia')
    const id = await makeTicket(db, { contactId, whatsappId: shop, status: 'closed', queueId: gone })
    await db.$client`delete from queue where id = ${gone}`
    const { status, body } = await marina.call('PUT', `/tickets/${id}`, { status: 'open' })
    expect([status, body.error]).toEqual([404, 'ERR_NO_QUEUE_FOUND'])
    expect((await bruna.call('GET', `/tickets/${id}`)).status).toBe(403)
  })

  test('waiting → accepted → resolved → reopened, each with its line and its entry in the log', async () => {
    const id = await waiting()
    const accepted = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { status: 'open' })
    expect(accepted.body).toMatchObject({ status: 'open', userId: brunaId, queue: { name: 'Financeiro' } })
    const resolved = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { status: 'closed' })
    expect(resolved.body.status).toBe('closed')
    const reopened = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { status: 'open' })
    expect(reopened.body).toMatchObject({ status: 'open', userId: brunaId })
    const { messages } = (await bruna.call<{ messages: Message[] }>('GET', `/messages/${id}`)).body
    const lines = messages.flatMap(message => message.system?.code ?? [])
    expect(lines).toEqual(['accepted', 'resolved', 'reopened'])
    const [log] = await db.$client<{ n: number }[]>`select count(*)::int as n from log_entry where ticket_id = ${id}`
    expect(log?.n).toBe(3)
  })

  test('of two people accepting at once one wins and the other learns who', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await waiting()
      const answers = await Promise.all(
        [bruna, carlos].map(person => person.call('PUT', `/tickets/${id}`, { status: 'open' })),
      )
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
      const lost = answers.find(answer => answer.status === 409)
      expect(lost?.body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', details: { ticketId: id } })
    }
  })

  test('no live ticket begins on a deleted connection: opened, or reopened there', async () => {
    const old = await makeConnection(db, 'Loja antiga')
    const contactId = await makeContact(db, 'Freguês antigo')
    const closed = await makeTicket(db, {
      contactId,
      whatsappId: old,
      status: 'closed',
      queueId: finance,
      userId: brunaId,
    })
    await db.$client`update whatsapp set deleted_at = now() where id = ${old}`
    const reopened = await bruna.call('PUT', `/tickets/${closed}`, { status: 'open' })
    const opened = await bruna.call('POST', '/tickets', { contactId, queueId: finance, whatsappId: old })
    for (const { status, body } of [reopened, opened]) expect([status, body.error]).toEqual([404, 'ERR_NO_WAPP_FOUND'])
    expect((await db.$client`select 1 from ticket where whatsapp_id = ${old} and status <> 'closed'`).length).toBe(0)
  })

  test('a ticket without a queue needs one from whoever has queues', async () => {
    const id = await waiting(null)
    const without = await bruna.call('PUT', `/tickets/${id}`, { status: 'open' })
    expect(without.body).toMatchObject({ error: 'ERR_VALIDATION', details: [{ path: 'queueId' }] })
    const withQueue = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { status: 'open', queueId: finance })
    expect(withQueue.body).toMatchObject({ status: 'open', queueId: finance })
  })

  test('pausing needs a tag; resuming leaves it open without a person', async () => {
    const id = await inService(bruna)
    expect((await bruna.call('PUT', `/tickets/${id}`, { status: 'paused' })).status).toBe(422)
    const paused = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { status: 'paused', pauseTag: 'Aguarda boleto' })
    expect(paused.body).toMatchObject({ status: 'paused', pauseTag: 'Aguarda boleto' })
    const resumed = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { status: 'open' })
    expect(resumed.body).toMatchObject({ status: 'open', userId: null, pauseTag: null })
  })

  test('a transfer to a queue alone waits there for anybody, and is gone for who does not have it', async () => {
    const id = await inService(bruna)
    const moved = await bruna.call<Ticket>('PUT', `/tickets/${id}`, { queueId: sales, transferMessage: 'Quer comprar' })
    expect(moved.body).toMatchObject({ status: 'pending', userId: null, queueId: sales, acceptedAt: null })
    expect((await bruna.call('GET', `/tickets/${id}`)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await strange.call('GET', `/tickets/${id}`)).status).toBe(200)
  })

  test('moved to another queue with whoever serves it, it is neither new to them nor accepted anew', async () => {
    const own = await makePerson(db, { name: 'Gil', profile: 'user', queueIds: [finance, sales] })
    const id = await inService(await server.as('Gil'))
    const before = (await marina.call<Ticket>('GET', `/tickets/${id}`)).body
    await getSql(db)`update ticket set unread_messages = 0 where id = ${id}`
    const { body } = await marina.call<Ticket>('PUT', `/tickets/${id}`, { queueId: sales, userId: own })
    expect(body).toMatchObject({ queueId: sales, userId: own, acceptedAt: before.acceptedAt, unreadMessages: 0 })
  })

  test('what the owner serves, who is hidden, can be moved with them, and goes to them from nobody else', async () => {
    const id = await waiting()
    await getSql(db)`update ticket set status = 'open', user_id = ${OWNER_ID} where id = ${id}`
    const toOwner = (ticket: number) =>
      marina.call<Ticket & { error: string }>('PUT', `/tickets/${ticket}`, { queueId: sales, userId: OWNER_ID })
    expect((await toOwner(id)).status).toBe(200)
    expect((await toOwner(await inService(bruna))).body.error).toBe('ERR_NO_USER_FOUND')
  })

  test('a group is transferred without a word to it', async () => {
    await marina.call('PUT', '/settings/mensagemTransfer', { value: 'Agora você fala com {{queue}}.' })
    const transferred = async (isGroup: boolean) => {
      const contactId = await makeContact(db, 'Família', isGroup)
      const id = await makeTicket(db, {
        contactId,
        whatsappId: shop,
        status: 'open',
        queueId: finance,
        userId: brunaId,
        isGroup,
      })
      await bruna.call('PUT', `/tickets/${id}`, { queueId: sales })
      return [...(await getSql(db)`select 1 from message where ticket_id = ${id} and system is null`)].length
    }
    expect([await transferred(false), await transferred(true)]).toEqual([1, 0])
    await marina.call('PUT', '/settings/mensagemTransfer', { value: '' })
  })

  test('accepted into another queue it stands in that one', async () => {
    const id = await waiting()
    const { body } = await marina.call<Ticket>('PUT', `/tickets/${id}`, { status: 'open', queueId: sales })
    expect(body).toMatchObject({ status: 'open', queueId: sales })
  })

  test('nobody gets a ticket of a queue he does not have', async () => {
    const id = await inService(bruna)
    const refused = await bruna.call('PUT', `/tickets/${id}`, { queueId: sales, userId: brunaId })
    expect(refused.body).toMatchObject({ error: 'ERR_VALIDATION', details: [{ path: 'userId' }] })
  })

  test('an illegal change of status is refused by name', async () => {
    const id = await waiting()
    const answer = await bruna.call('PUT', `/tickets/${id}`, { status: 'closed' })
    expect([answer.status, answer.body.error]).toEqual([409, 'ERR_INVALID_TRANSITION'])
  })

  test('a second live ticket of a contact is impossible, and the answer names the first', async () => {
    const contactId = await makeContact(db, 'Padaria Estrela')
    const wish = { contactId, queueId: finance, whatsappId: shop, status: 'open' }
    const [one, two] = await Promise.all([
      bruna.call<{ id?: number; details?: { ticketId: number } }>('POST', '/tickets', wish),
      carlos.call<{ id?: number; details?: { ticketId: number } }>('POST', '/tickets', wish),
    ])
    expect([one.status, two.status].sort()).toEqual([201, 409])
    const made = one.body.id ?? two.body.id
    expect(one.body.details?.ticketId ?? two.body.details?.ticketId).toBe(made)
  })

  test('only administrators delete, and then it is gone with its messages', async () => {
    const id = await inService(bruna)
    expect((await bruna.call('DELETE', `/tickets/${id}`)).status).toBe(403)
    expect((await marina.call('DELETE', `/tickets/${id}`)).status).toBe(204)
    expect((await marina.call('GET', `/tickets/${id}`)).status).toBe(404)
  })
})

test("decisions §1: the days of GET /tickets are days by the company's clocks", async () => {
  await marina.call('PUT', '/settings/timezone', { value: 'America/Sao_Paulo' })
  const queueId = await makeQueue(db, 'Noite')
  const made = async (at: string) => {
    const contactId = await makeContact(db, `Cliente de ${at}`)
    const id = await makeTicket(db, { contactId, whatsappId: shop, status: 'pending', queueId })
    await db.$client`update ticket set last_message_at = ${at} where id = ${id}`
    return id
  }
  const before = await made('2026-03-10T02:59:59Z')
  const first = await made('2026-03-10T03:00:00Z')
  const late = await made('2026-03-11T02:59:00Z')
  const after = await made('2026-03-11T03:00:00Z')
  const found = async (query: string) => {
    const path = `/tickets?status=pending&showAll=true&queueIds=[${queueId}]&${query}`
    const { body } = await marina.call<{ tickets: Ticket[] }>('GET', path)
    return body.tickets.map(ticket => ticket.id)
  }
  expect(await found('date=2026-03-10')).toEqual([late, first])
  expect(await found('firstDate=2026-03-10')).toEqual([after, late, first])
  expect(await found('lastDate=2026-03-10')).toEqual([late, first, before])
  expect(await found('firstDate=2026-03-10T03:00:01Z&lastDate=2026-03-10')).toEqual([late])
  await marina.call('PUT', '/settings/timezone', { value: 'Asia/Tokyo' })
  expect(await found('date=2026-03-10')).toEqual([first, before])
  await marina.call('PUT', '/settings/timezone', { value: 'America/Sao_Paulo' })
  const refused = await marina.call('GET', '/tickets?date=2026-02-30')
  expect([refused.status, refused.body.details]).toEqual([422, [{ path: 'date', message: 'Data inválida' }]])
})

describe('the badges', () => {
  test('follow every change without counting', async () => {
    const before = (await bruna.call('GET', '/tickets/counts')).body
    const id = await waiting()
    await bruna.call('PUT', `/tickets/${id}`, { status: 'open' })
    const after = (await bruna.call('GET', '/tickets/counts')).body
    expect(after).toEqual({ ...before, assigned: Number(before.assigned) + 1 })
  })

  test('say in how many paused conversations the customer wrote meanwhile', async () => {
    const before = (await bruna.call('GET', '/tickets/counts')).body
    const id = await inService(bruna)
    await bruna.call('PUT', `/tickets/${id}`, { status: 'paused', pauseTag: 'Aguardando cliente' })
    await db.$client`update ticket set unread_messages = 2 where id = ${id}`
    const after = (await bruna.call('GET', '/tickets/counts')).body
    expect([after.paused, after.pausedUnread]).toEqual([Number(before.paused) + 1, Number(before.pausedUnread) + 1])
  })

  test('of what is unread count what is unread, as the lists do', async () => {
    await getSql(db)`update ticket set unread_messages = 0`
    const [one] = [await inService(bruna), await inService(bruna), await waiting()]
    await getSql(db)`update ticket set unread_messages = case when id = ${one} then 3 else 0 end`
    const counts = async (query: string) =>
      (await bruna.call('GET', `/tickets/counts?showAll=true&withUnreadMessages=${query}`)).body
    expect(await counts('true')).toMatchObject({ assigned: 1, pending: 0, paused: 0, groups: 0 })
    expect(Number((await counts('false')).pending)).toBeGreaterThan(0)
  })
})

describe('spec 1 §2: the last message of a row', () => {
  test('is the name on a contact card that was sent, not what the card is made of', async () => {
    const id = await inService(bruna)
    const contactId = await makeContact(db, 'Seu Sebastião')
    await db.$client`update contact set number = '5531988887777' where id = ${contactId}`
    expect((await bruna.call('POST', `/messages/vcard/${id}`, { contactId })).status).toBe(201)
    const row = (await bruna.call<Ticket>('GET', `/tickets/${id}`)).body
    expect([row.lastMessageType, row.lastMessage]).toEqual(['vcard', 'Seu Sebastião'])
  })
})

describe('messages', () => {
  test('are stored once for one clientId, queued, and found by their place', async () => {
    const id = await inService(bruna)
    const text = { body: 'Tirei os juros, Dona Lúcia', clientId: 'abc-1' }
    const first = await bruna.call<Message>('POST', `/messages/${id}`, text)
    const again = await bruna.call<Message>('POST', `/messages/${id}`, text)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body.id).toBe(first.body.id)
    expect(first.body).toMatchObject({ state: 'queued', ack: 1, clientId: 'abc-1', fromMe: true })
    const around = await bruna.call<{ messages: Message[] }>('GET', `/messages/${id}?around=${first.body.id}`)
    expect(around.body.messages.some(message => message.id === first.body.id)).toBe(true)
    const queued = await db.$client`select 1 from outbox where message_id = ${first.body.id}`
    expect(queued.length).toBe(1)
  })

  test('with two dashes stay inside', async () => {
    const id = await inService(bruna)
    const comment = await bruna.call<Message>('POST', `/messages/${id}`, { body: '--posso tirar os juros?' })
    expect(comment.body).toMatchObject({ mediaType: 'comment', body: 'posso tirar os juros?' })
    expect((await db.$client`select 1 from outbox where message_id = ${comment.body.id}`).length).toBe(0)
  })

  test('are refused when empty, and while the ticket is not open', async () => {
    const id = await waiting()
    expect((await bruna.call('POST', `/messages/${id}`, { body: ' \n ' })).status).toBe(422)
    const early = await bruna.call('POST', `/messages/${id}`, { body: 'oi' })
    expect([early.status, early.body.error]).toEqual([409, 'ERR_SENDING_WAPP_MSG'])
  })

  test('that are comments are taken while the ticket waits, from who sees it, and it goes on waiting', async () => {
    const id = await waiting()
    const before = (await bruna.call<Ticket>('GET', `/tickets/${id}`)).body
    const { status, body } = await bruna.call<Message>('POST', `/messages/${id}`, { body: '-- já ligou ontem' })
    expect([status, body.mediaType, body.body]).toEqual([201, 'comment', 'já ligou ontem'])
    const after = (await bruna.call<Ticket>('GET', `/tickets/${id}`)).body
    const stays = ({ status, userId, acceptedAt, unreadMessages }: Ticket) => [
      status,
      userId,
      acceptedAt,
      unreadMessages,
    ]
    expect(stays(after)).toEqual(stays(before))
    expect((await strange.call('POST', `/messages/${id}`, { body: '-- eu também' })).status).toBe(403)
    await getSql(db)`update ticket set status = 'closed', closed_at = now() where id = ${id}`
    expect((await bruna.call('POST', `/messages/${id}`, { body: '-- tarde' })).body.error).toBe('ERR_SENDING_WAPP_MSG')
  })

  test('page back to the first without a gap or a repeat', async () => {
    const id = await waiting()
    for (let n = 0; n < 25; n++) await makeMessage(db, id, `mensagem ${n}`)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page = await bruna.call<{ messages: Message[]; nextCursor: string | null }>(
        'GET',
        `/messages/${id}?limit=10${query}`,
      )
      seen.unshift(...page.body.messages.map(message => message.body))
      cursor = page.body.nextCursor
    }
    expect(seen).toEqual(['Bom dia! Esse aqui ainda vale?', ...Array.from({ length: 25 }, (_, n) => `mensagem ${n}`)])
  })

  test('of the official API are refused early after 24 hours of silence', async () => {
    const official = await makeConnection(db, 'Oficial São José', 'cloud_api')
    const contactId = await makeContact(db, 'Calado')
    const id = await makeTicket(db, {
      contactId,
      whatsappId: official,
      status: 'open',
      queueId: finance,
      userId: brunaId,
    })
    const late = await bruna.call('POST', `/messages/${id}`, { body: 'oi' })
    expect([late.status, late.body.error]).toEqual([409, 'ERR_WINDOW_CLOSED'])
    await db.$client`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
      values (${contactId}, ${official}, '5531', now())`
    expect((await bruna.call('POST', `/messages/${id}`, { body: 'oi' })).status).toBe(201)
  })
})
