// Colleagues who are asked in: what they see, hear and may do, and when it ends.
import { beforeEach, describe, expect, test } from 'bun:test'
import {
  FOLLOWER_DEEDS,
  type Message,
  type ResponseBody,
  type Ticket,
  type TicketCounts,
  type TicketDeed,
  type TicketStatus,
} from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { buildNotices } from '../src/operations/notifications/from-events.ts'
import { buildFrame } from '../src/platform/live/frames.ts'
import type { LiveRow } from '../src/platform/live/reader.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { findViewer } from '../src/policy/users/viewer.ts'
import { makeContact, makeMessage, makeTicket } from './desk-world.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { db, sql, finance, sales, shop, findId, findSession, openTicket } = await startTwoQueueDesk()
const solange = findId('Solange')

beforeEach(async () => {
  await sql`delete from ticket`
  await sql`delete from live_event`
})

describe('a colleague of another queue who is asked in', () => {
  test('sees the conversation, its files’ messages, its place in the list, the search and the bell; nobody else does', async () => {
    const id = await openTicket()
    await makeMessage(db, id, 'palavra combinada')
    await sql`update ticket set unread_messages = 1 where id = ${id}`
    expect(await look('Solange', id)).toEqual(NOTHING)
    expect((await ask('Bruna', id)).body.followers).toMatchObject([{ id: solange, name: 'Solange' }])
    expect(await look('Solange', id)).toEqual({ status: 200, messages: 200, followed: [id], found: [id], bell: [id] })
    const [{ followers } = { followers: [] }] = (await call<Ticket[]>('Solange', 'GET', '/tickets/followed')).body
    expect(followers).toMatchObject([{ id: solange }])
    const counted = async (name: string) => (await call<TicketCounts>(name, 'GET', '/tickets/counts')).body
    expect(await counted('Solange')).toMatchObject({ assigned: 0, pending: 0, followed: 1, followedUnread: 1 })
    expect(await counted('Bruna')).toMatchObject({ assigned: 1, followed: 0, followedUnread: 0 })
    // By the profile of who has it a page knows who of the followers serves it, too.
    expect((await call<Ticket>('Bruna', 'GET', `/tickets/${id}`)).body.ownerProfile).toBe('user')
    const page = await call<ResponseBody<'GET /tickets'>>('Bruna', 'GET', '/tickets?status=open')
    expect(page.body.tickets).toMatchObject([{ id, ownerProfile: 'user' }])
    await end('Bruna', id)
    expect(await look('Solange', id)).toEqual(NOTHING)
  })

  test('comments, changes the own comment, pins and marks as unread, and nothing else: each command is refused by itself', async () => {
    const id = await openTicket()
    const messageId = await makeMessage(db, id, 'Oi')
    await ask('Bruna', id)
    const comment = await call<Message>('Solange', 'POST', `/messages/${id}`, { body: '-- já olho' })
    expect(comment.status).toBe(201)
    const edited = { messageId: comment.body.id, body: 'já olhei' }
    expect((await call('Solange', 'PUT', `/messages/${id}`, edited)).status).toBe(200)
    expect((await call('Solange', 'PUT', `/tickets/${id}/pin`, { pinned: true })).status).toBe(204)
    expect((await call('Solange', 'POST', `/tickets/${id}/unread`)).status).toBe(204)
    const brunas = await call<Message>('Bruna', 'POST', `/messages/${id}`, { body: '-- obrigada' })
    const contactId = await makeContact(db, 'Outro')
    for (const [method, path, body] of [
      ['POST', `/messages/${id}`, { body: 'Olá' }],
      ['POST', `/messages/vcard/${id}`, { contactId }],
      ['POST', `/messages/react/${messageId}`, { emoji: '👍' }],
      ['PUT', `/messages/${id}`, { messageId: brunas.body.id, body: 'outra' }],
      ['DELETE', `/messages/${brunas.body.id}`],
      ['POST', `/tickets/${id}/read`],
      ['PUT', `/tickets/${id}`, { status: 'closed' }],
      ['PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true }],
      ['PUT', `/tickets/${id}`, { status: 'paused', pauseTag: 'Almoço' }],
      ['PUT', `/tickets/${id}`, { status: 'pending' }],
      ['PUT', `/tickets/${id}`, { queueId: sales, userId: solange }],
      ['PUT', `/tickets/${id}`, { queueId: sales }],
      ['PUT', `/tickets/${id}/followers/${findId('Rafael')}`],
    ] as const) {
      const { status, body: refusal } = await call('Solange', method, path, body)
      expect([method, path, body, status >= 400 && status < 500, refusal]).toEqual([
        method,
        path,
        body,
        true,
        expect.anything(),
      ])
    }
    const [row] = await sql`select status, user_id, queue_id from ticket where id = ${id}`
    expect(row).toEqual({ status: 'open', user_id: findId('Bruna'), queue_id: finance })
    const { body } = await call<{ message: string }>('Solange', 'POST', `/messages/${id}`, { body: 'Olá' })
    expect(JSON.stringify(body)).toContain('Assuma para atender')
    expect((await sql`select 1 from outbox`).length).toBe(0)
  })

  test('may not act in a contact whose conversation they only follow', async () => {
    const id = await openTicket()
    await ask('Bruna', id)
    await sql`update "user" set edit_contact = true where id = ${solange}`
    const [row] = await sql<{ contactId: number }[]>`select contact_id as "contactId" from ticket where id = ${id}`
    const { status } = await call('Solange', 'PUT', `/contacts/${row?.contactId}`, { optedOut: true })
    expect(status).toBe(403)
  })

  test('takes it over with the queue, and is refused without it', async () => {
    const id = await openTicket()
    await ask('Bruna', id)
    const own = { queueId: finance, userId: solange }
    expect((await call('Solange', 'PUT', `/tickets/${id}`, own)).status).toBe(422)
    await sql`insert into user_queue (user_id, queue_id) values (${solange}, ${finance})`
    const taken = await call<Ticket>('Solange', 'PUT', `/tickets/${id}`, own)
    await sql`delete from user_queue where user_id = ${solange} and queue_id = ${finance}`
    expect(taken.body).toMatchObject({ status: 'open', userId: solange })
    expect(taken.body.followers).toBeUndefined()
  })

  test('is told of being asked in, with who did; a line and the log say it', async () => {
    const id = await openTicket()
    await ask('Bruna', id)
    expect(await notices('Solange')).toMatchObject([{ reason: 'followed', id, author: 'Bruna' }])
    expect(await notices('Rafael')).toEqual([])
    const lines = await sql<
      { body: string }[]
    >`select body from message where ticket_id = ${id} and media_type = 'system'`
    expect(lines.map(({ body }) => body)).toEqual(['Bruna chamou Solange para acompanhar'])
    expect((await sql`select 1 from log_entry where action = 'ticket.follow' and ticket_id = ${id}`).length).toBe(1)
  })
})

type Call = readonly [method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object]
interface DeedCall {
  /** Where the deed is offered, when not in what a colleague serves. */
  readonly at?: { readonly status: TicketStatus; readonly userId?: number | null }
  /** What the page asks of the server for it; left out: nothing. */
  readonly ask?: (ticket: { id: number; contactId: number }) => Call
}

const change = (body: object, at?: DeedCall['at']): DeedCall => ({
  ...(at && { at }),
  ask: ({ id }) => ['PUT', `/tickets/${id}`, body],
})
const nobodys = (status: TicketStatus) => ({ status, userId: null })

/** What each thing that can be done to a ticket asks of the server. */
const DEEDS: Record<TicketDeed, DeedCall> = {
  accept: change({ status: 'open', userId: solange }, nobodys('pending')),
  acceptBeforeBot: change({ status: 'open', userId: solange, queueId: sales }, nobodys('pending')),
  resolve: change({ status: 'closed' }),
  resolveWithProtocol: { ask: ({ id }) => ['POST', '/protocolos', { ticketId: id }] },
  reopen: change({ status: 'open', userId: solange }, { status: 'closed' }),
  resume: change({ status: 'open', userId: null }, { status: 'paused' }),
  take: change({ status: 'open', userId: solange }, nobodys('open')),
  takeOver: change({ userId: solange }),
  transfer: change({ queueId: sales, userId: solange }),
  askIn: { ask: ({ id }) => ['PUT', `/tickets/${id}/followers/${findId('Marina')}`] },
  pause: change({ status: 'paused', pauseTag: 'Almoço' }),
  return: change({ status: 'pending', userId: null }),
  unread: { ask: ({ id }) => ['POST', `/tickets/${id}/unread`] },
  pin: { ask: ({ id }) => ['PUT', `/tickets/${id}/pin`, { pinned: true }] },
  unpin: { ask: ({ id }) => ['PUT', `/tickets/${id}/pin`, { pinned: false }] },
  find: { ask: ({ id }) => ['GET', `/messages/search/${id}?messageToSearch=combinada`] },
  goToDay: { ask: ({ id }) => ['GET', `/messages/${id}?at=2026-11-03`] },
  schedule: {
    ask: ({ contactId }) => [
      'POST',
      '/schedule',
      { contactId, whatsappId: shop, message: 'Oi', sendAt: '2099-01-01T12:00:00Z' },
    ],
  },
  choices: {
    ask: ({ id }) => ['POST', `/messages/${id}`, { body: 'Qual?', choices: [{ name: 'Sim' }, { name: 'Não' }] }],
  },
  contact: { ask: ({ contactId }) => ['GET', `/contacts/${contactId}`] },
  files: { ask: ({ id }) => ['GET', `/messages/gallery/${id}?kind=media`] },
  summary: { ask: ({ id }) => ['POST', `/tickets/ai/resume/${id}`] },
  participants: { ask: ({ contactId }) => ['GET', `/contact/group/${contactId}`] },
  integration: {},
  why: { ask: ({ id }) => ['GET', `/tickets/${id}/access?userId=${solange}`] },
  log: { ask: ({ id }) => ['GET', `/log?entity=ticket&entityId=${id}`] },
  close: change({ status: 'closed', onlyClose: true }),
  dismiss: change({ status: 'closed', onlyClose: true }, nobodys('bot')),
  delete: { ask: ({ id }) => ['DELETE', `/tickets/${id}`] },
}
const SHOWS_NOTHING = ['ERR_NO_AI_KEY', 'ERR_NO_CONTACT_FOUND']

describe('what the page offers to who only follows is what the server takes:', () => {
  test.each(Object.entries(DEEDS))('%s', async (deed, { at, ask: toCall }) => {
    const isOpen = FOLLOWER_DEEDS.some(each => each === deed)
    const id = await openTicket()
    await ask('Bruna', id)
    // With the queue, so that nothing but the right to serve stands in the way; colleagues' tickets are hidden.
    if (deed === 'takeOver') await sql`insert into user_queue (user_id, queue_id) values (${solange}, ${finance})`
    if (at)
      await sql`update ticket set ${sql({ status: at.status, ...('userId' in at && { user_id: at.userId }) })} where id = ${id}`
    const [row] = await sql<{ contactId: number }[]>`select contact_id as "contactId" from ticket where id = ${id}`
    const { status, body } = toCall
      ? await call<{ error?: string }>('Solange', ...toCall({ id, contactId: row?.contactId ?? 0 }))
      : { status: 200, body: {} }
    await sql`delete from user_queue where user_id = ${solange} and queue_id = ${finance}`
    const isTaken = status < 400 || SHOWS_NOTHING.includes(body?.error ?? '')
    expect([deed, status, body, isTaken]).toEqual([deed, status, body, isOpen])
  })
})

describe('following ends', () => {
  test.each([
    ['leaving', (id: number) => end('Solange', id)],
    ['the agent', (id: number) => end('Bruna', id)],
    ['the manager', (id: number) => end('Rafael', id)],
    ['closing', (id: number) => call('Bruna', 'PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true })],
  ] as const)('by %s, and the follower’s pages are ticketEvents so at once', async (_, finish) => {
    const id = await openTicket()
    await ask('Bruna', id)
    await sql`delete from live_event`
    await finish(id)
    expect((await sql`select 1 from ticket_follower`).length).toBe(0)
    expect((await frames('Solange')).findLast(({ event }) => event === 'ticket')).toMatchObject({
      action: 'delete',
      reason: 'hidden',
    })
    await sql`delete from live_event`
    await call('Bruna', 'POST', `/messages/${id}`, { body: '-- só nós' })
    expect(await frames('Solange')).toEqual([])
  })

  test.each(['open', 'pending', 'bot'])(
    'not where its contact is found to be another one: it goes on with the ticket that stays, %s as that was',
    async status => {
      const [one, other] = [await openTicket(), await openTicket()]
      await sql`update ticket set status = ${status}, user_id = case when ${status} = 'open' then user_id end where id = ${one}`
      await ask('Bruna', other)
      const rows = await sql<{ contactId: number }[]>`select contact_id as "contactId" from ticket order by id`
      await mergeInto(rows[0]?.contactId ?? 0, rows[1]?.contactId ?? 0)
      expect((await call<Ticket[]>('Solange', 'GET', '/tickets/followed')).body.map(({ id }) => id)).toEqual([one])
    },
  )
})

test('two contacts made one and parted again: each follows what they followed, and who is gone follows nothing', async () => {
  const [one, other] = [await openTicket(), await openTicket()]
  await ask('Bruna', other)
  await ask('Bruna', one, findId('Rafael'))
  await ask('Bruna', other, findId('Rafael'))
  const [into, from] = await sql<{ contactId: number }[]>`select contact_id as "contactId" from ticket order by id`
  const followers = async () => {
    const rows = await sql<{ ticketId: number; userId: number }[]>`
      select ticket_id as "ticketId", user_id as "userId" from ticket_follower order by ticket_id, user_id`
    return rows.map(({ ticketId, userId }) => [ticketId, userId])
  }
  for (const isGone of [false, true]) {
    const path = `/contacts/${into?.contactId}/merge`
    const merged = await call<{ merge: { id: number } }>('Marina', 'POST', path, { contactId: from?.contactId })
    expect(merged.status).toBe(200)
    expect((await call<Ticket[]>('Solange', 'GET', '/tickets/followed')).body.map(({ id }) => id)).toEqual([one])
    await sql`delete from live_event`
    if (isGone) await sql`update "user" set active = false where id = ${solange}`
    expect((await call('Marina', 'DELETE', `/contacts/merges/${merged.body.merge.id}`)).status).toBe(200)
    const stays = [findId('Rafael'), ...(isGone ? [] : [solange])].sort((a, b) => a - b)
    expect(await followers()).toEqual([[one, findId('Rafael')], ...stays.map(id => [other, id])])
    if (isGone) continue
    const ticketEvents = (await frames('Solange')).filter(({ event }) => event === 'ticket')
    expect(ticketEvents.find(({ ticketId }) => ticketId === one)).toMatchObject({ action: 'delete', reason: 'hidden' })
    expect(ticketEvents.findLast(({ action }) => action !== 'delete')).toMatchObject({ ticket: { id: other } })
  }
  await sql`update "user" set active = true where id = ${solange}`
})

describe('who asks', () => {
  test('sees the ticket and works on it, and names an active colleague who does not serve it', async () => {
    const id = await openTicket()
    expect((await ask('Solange', id)).status).toBe(403)
    expect((await ask('Bruna', id, findId('Bruna'))).status).toBe(422)
    expect((await ask('Bruna', id, 999_999)).status).toBe(404)
    expect((await ask('Rafael', id)).status).toBe(200)
    expect((await ask('Rafael', id)).status).toBe(200)
    const contactId = await makeContact(db, 'Fechada')
    const closed = await makeTicket(db, { contactId, whatsappId: shop, status: 'closed', queueId: finance })
    expect((await ask('Rafael', closed)).status).toBe(409)
  })
})

test('who is deactivated follows nothing any more', async () => {
  const id = await openTicket()
  await ask('Bruna', id)
  await call('Marina', 'PUT', `/users/${solange}`, { active: false })
  expect((await sql`select 1 from ticket_follower`).length).toBe(0)
  expect((await call<Ticket>('Bruna', 'GET', `/tickets/${id}`)).body.followers).toBeUndefined()
})

const NOTHING = { status: 403, messages: 403, followed: [], found: [], bell: [] }

async function look(name: string, id: number) {
  const ids = (tickets: readonly Ticket[]) => tickets.map(ticket => ticket.id)
  const found = await call<ResponseBody<'GET /tickets/filter'>>(name, 'GET', '/tickets/filter?searchParam=combinada')
  const bell = await call<ResponseBody<'GET /notifications'>>(name, 'GET', '/notifications')
  return {
    status: (await call(name, 'GET', `/tickets/${id}`)).status,
    messages: (await call(name, 'GET', `/messages/${id}`)).status,
    followed: ids((await call<Ticket[]>(name, 'GET', '/tickets/followed')).body),
    found: ids(found.body.tickets),
    bell: ids(bell.body.tickets.items),
  }
}

function call<T = unknown>(name: string, method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) {
  return findSession(name).call<T>(method, path, body)
}

function ask(name: string, id: number, userId = solange) {
  return call<Ticket>(name, 'PUT', `/tickets/${id}/followers/${userId}`)
}

function end(name: string, id: number) {
  return call(name, 'DELETE', `/tickets/${id}/followers/${solange}`)
}

async function readEvents() {
  return sql<LiveRow[]>`
    select xid::text, id::float8 as id, audience, payload from live_event order by id`
}

/** What a person's pages get of all that is in the log. */
async function frames(name: string): Promise<{ event: string; action: string; ticketId?: number }[]> {
  const viewer = await findViewer(db, findId(name))
  if (!viewer) throw new Error(`${name} is not let in`)
  const frame = buildFrame(await readEvents(), viewer, await readSettings(db), 'x')
  return frame ? JSON.parse(frame).events : []
}

async function notices(name: string) {
  const viewer = await findViewer(db, findId(name))
  return (await buildNotices(db, await readEvents(), viewer ? [viewer] : [])).map(({ notice }) => notice)
}

function mergeInto(into: number, from: number) {
  return db.transaction(tx => mergeContacts(tx, into, from))
}
