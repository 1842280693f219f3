// The rule behind every live screen, with the client's own reducers and its own live line: what a screen showed before, plus what
// the server told it, is what a fresh fetch shows; for every profile, after every command, and after any loss of the line.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { receiveEvents } from '@balcao/backend/messaging/inbox/receive'
import type { ChannelEvent, Peer } from '@balcao/backend/platform/channel/driver'
import { openNotices } from '@balcao/backend/platform/database/notices'
import { type SignedInPerson, startDeskServer } from '../../backend/test/desk-server.ts'
import { countRounds } from '../../backend/test/rounds.ts'
import { createSeededRandom } from '../../backend/test/seeded-random.ts'
import { makeTestCompany } from '../../backend/test/world.ts'
import { waitUntil } from '../src/steps.ts'
import { type LiveScreen, openScreen, type ScreenState } from './screen.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
const STEPS = Number(process.env.STEPS ?? countRounds({ all: 160, few: 50 }))

const server = await startDeskServer()
const { db, url } = server
const notices = openNotices(db)
const world = makeTestCompany(db)
const { chance, pick, upTo } = createSeededRandom(SEED)
const LUCIA: Peer = { jid: '5531998762210@s.whatsapp.net', pn: '5531998762210', group: false }
const screens: LiveScreen[] = []
const people: SignedInPerson[] = []
let marina: SignedInPerson
let bruna: SignedInPerson
let shop = 0
let finance = 0
let sales = 0
let compared = 0

beforeAll(async () => {
  shop = await world.connection('Loja Centro')
  finance = await world.queue('Financeiro')
  sales = await world.queue('Comercial')
  const team = [
    { name: 'Marina', profile: 'admin', queues: ['Financeiro', 'Comercial'], showAll: true },
    { name: 'Gustavo', profile: 'gerente', queues: ['Financeiro'], showAll: true },
    { name: 'Bruna', profile: 'user', queues: ['Financeiro'], showAll: true },
    { name: 'Carlos', profile: 'user', queues: ['Financeiro', 'Comercial'], showAll: false },
  ] as const
  for (const { name, profile, queues, showAll } of team) {
    const userId = await world.member(name, profile, queues)
    const person = await server.as(name)
    people.push(person)
    screens.push(await openScreen({ name, userId, url, person, showAll, profile }))
  }
  ;[marina, , bruna] = people as [SignedInPerson, SignedInPerson, SignedInPerson]
}, 60_000)

afterAll(async () => {
  for (const screen of screens) screen.close()
  await notices.close()
})

test('after every command and everything that comes in, each screen shows what a fresh fetch would', async () => {
  await deliverEvents(makeTextEvent(LUCIA, 'Bom dia!', 'Dona Lúcia'))
  const ticket = await newest('ticket')
  for (const screen of screens) await screen.open(ticket)
  await allRight('a customer writes')

  const put = (body: object, by = bruna, id = ticket) => ok(by, 'PUT', `/tickets/${id}`, body)
  const step = async (label: string, act: () => Promise<unknown>) => {
    await act()
    await allRight(label)
  }
  await step('accept', () => put({ status: 'open', queueId: finance }))
  await step('send', () => ok(bruna, 'POST', `/messages/${ticket}`, { body: 'Pois não?' }))
  const answer = await newest('message')
  await step('comment', () => ok(bruna, 'POST', `/messages/${ticket}`, { body: '-- só para nós' }))
  await sentByTheProvider(answer)
  await step('acks', () => ack(answer, 'delivered'))
  await step('edit', () => ok(bruna, 'PUT', `/messages/${ticket}`, { messageId: answer, body: 'Pois não, Lúcia?' }))
  await step('react', () => ok(bruna, 'POST', `/messages/react/${answer}`, { emoji: '🙏' }))
  await step('revoke', () => ok(bruna, 'DELETE', `/messages/${answer}`))
  await step('the customer writes again', () => deliverEvents(makeTextEvent(LUCIA, 'Esse boleto vale?')))
  await step('mark read', () => ok(bruna, 'POST', `/tickets/${ticket}/read`))
  await step('a send that fails', async () => {
    await ok(bruna, 'POST', `/messages/${ticket}`, { body: 'Vale sim' })
    await sentByTheProvider(await newest('message'))
    await ack(await newest('message'), 'error')
  })
  await step('retry', async () => ok(bruna, 'POST', `/messages/retry/${await newest('message')}`))
  await step('pause', () => put({ status: 'paused', pauseTag: 'Aguarda', pauseMessage: 'Um momento' }))
  await step('resume', () => put({ status: 'open' }))
  await step('return', () => put({ status: 'pending' }))
  await step('transfer to a queue', () => put({ queueId: sales, transferMessage: 'Quer comprar' }, marina))
  await step('transfer back', () => put({ queueId: finance }, marina))
  await step('accept again', () => put({ status: 'open' }))
  await step('resolve', () => put({ status: 'closed' }))
  await step('reopen', () => put({ status: 'open' }))
  await step('close without a word', () => put({ status: 'closed', onlyClose: true }))
  await step('create', async () => {
    const contactId = await world.contact('Padaria Estrela')
    await ok(bruna, 'POST', '/tickets', { contactId, queueId: finance, whatsappId: shop, status: 'open' })
  })
  await step('delete', async () => ok(marina, 'DELETE', `/tickets/${await newest('ticket')}`, {}))
  await step('a quick answer', () =>
    form(marina, 'POST', '/quickAnswers', { shortcut: 'oi', message: 'Olá, tudo bem?' }),
  )
  await step('edit a quick answer', async () =>
    form(marina, 'PUT', `/quickAnswers/${await newest('quick_answer')}`, { shortcut: 'ola', message: 'Olá, {{name}}' }),
  )
  await step('another one', () => form(marina, 'POST', '/quickAnswers', { shortcut: 'até', message: 'Até logo' }))
  await step('delete a quick answer', async () => ok(marina, 'DELETE', `/quickAnswers/${await newest('quick_answer')}`))
  await step('a connection', () =>
    ok(marina, 'POST', '/whatsapp', { name: 'Loja Sul', api: 'baileys', queueIds: [sales] }),
  )
  const south = await newest('whatsapp')
  await step('change a connection', () =>
    ok(marina, 'PUT', `/whatsapp/${south}`, { farewellMessage: 'Tchau', isDefault: true }),
  )
  await step('the default goes back', () => ok(marina, 'PUT', `/whatsapp/${shop}`, { isDefault: true }))
  await step('delete a connection', () => ok(marina, 'DELETE', `/whatsapp/${south}`))
  await step('settings', () => ok(marina, 'PUT', '/settings/userShowAll', { value: 'enabled' }))
  await step('settings back', () => ok(marina, 'PUT', '/settings/userShowAll', { value: 'disabled' }))
})

test('who was away while a setting changed what may be seen, or got other queues, fetches afresh', async () => {
  await world.aTicket().from('Mercearia do Zé').inServiceWith('Carlos', 'Financeiro').saying('Oi')
  const away = screens.filter(screen => screen.name === 'Bruna')
  for (const value of ['enabled', 'disabled']) {
    for (const screen of away) screen.cut()
    await ok(marina, 'PUT', '/settings/userShowAll', { value })
    for (const screen of away) screen.mend()
    await allRight(`userShowAll ${value} while away`)
  }
  const id = await world.member('Bruna')
  for (const screen of away) screen.cut()
  await db.$client`insert into user_queue (user_id, queue_id) values (${id}, ${sales})`
  await world.aTicket().from('Pizzaria Nonna').waitingIn('Comercial').saying('Entregam hoje?')
  for (const screen of away) screen.mend()
  const bruna = away[0]
  await waitUntil(
    'Bruna sees the other queue',
    () => bruna?.shown().lists.pending?.some(ticket => ticket.queueId === sales) ?? false,
  )
  await db.$client`delete from user_queue where user_id = ${id} and queue_id = ${sales}`
  for (const screen of away) screen.cut()
  for (const screen of away) screen.mend()
  await waitUntil('and no more', () => !bruna?.shown().lists.pending?.some(ticket => ticket.queueId === sales))
  await bruna?.settled()
})

test(`random days with a line that comes and goes end with what a fresh fetch shows (SEED=${SEED})`, async () => {
  for (let step = 1; step <= STEPS; step++) {
    if (chance(0.15)) pick(screens).cut()
    if (chance(0.15)) pick(screens).mend()
    if (chance(0.05)) await pick(screens).open(await some('ticket'))
    await pick(DAY)()
    if (step % 40 === 0) {
      for (const screen of screens) screen.mend()
      await allRight(`step ${step}`)
    }
  }
})

const DAY: readonly (() => Promise<unknown>)[] = [
  () => deliverEvents(makeTextEvent(customer(), `texto ${upTo(1000)}`)),
  () =>
    deliverEvents(
      makeTextEvent(customer(), 'um'),
      makeTextEvent(customer(), 'dois'),
      makeTextEvent(customer(), 'três'),
    ),
  () => change({ type: 'edit', body: `novo ${upTo(99)}` }),
  () => change({ type: 'revoke' }),
  async () => ack(await some('message'), pick(['sent', 'delivered', 'read'] as const)),
  () => put({ status: 'open', queueId: pick([finance, sales]) }),
  () => put({ status: 'open', queueId: pick([finance, sales]) }),
  () => put({ status: 'pending' }),
  () => put({ status: 'closed' }),
  () => put({ status: 'paused', pauseTag: 'Aguarda' }),
  () => put({ queueId: pick([finance, sales]) }),
  async () => callIgnoringRefusal('POST', `/messages/${await some('ticket')}`, { body: `resposta ${upTo(99)}` }),
  async () => callIgnoringRefusal('POST', `/messages/${await some('ticket')}`, { body: '-- nota' }),
  async () => callIgnoringRefusal('POST', `/tickets/${await some('ticket')}/read`),
  async () => callIgnoringRefusal('DELETE', `/messages/${await some('message')}`),
  async () => (chance(0.2) ? ok(marina, 'DELETE', `/tickets/${await some('ticket')}`, {}) : undefined),
  () => form(marina, 'POST', '/quickAnswers', { shortcut: `atalho${upTo(1e9)}`, message: 'Um texto' }),
  async () =>
    chance(0.3)
      ? ok(
          marina,
          'PUT',
          `/settings/${pick(['userShowAll', 'userClosedQueues', 'onlyAdminSeeEmptyQueue', 'hierarchy'])}`,
          {
            value: pick(['enabled', 'disabled']),
          },
        )
      : undefined,
]

/** Waits until every screen shows what its fresh fetch shows; fails with the difference. */
async function allRight(label: string): Promise<void> {
  await Promise.all(
    screens.map(async screen => {
      let fresh: ScreenState = await screen.fresh()
      for (const end = Date.now() + 6000; Date.now() < end; await Bun.sleep(25)) {
        if (Bun.deepEquals(screen.shown(), fresh)) return screen.settled()
        fresh = await screen.fresh()
      }
      expect({ what: label, screen: screen.name, ...screen.shown() }).toEqual({
        what: label,
        screen: screen.name,
        ...fresh,
      })
    }),
  )
}

function customer(): Peer {
  const pn = `5531998760${String(upTo(5)).padStart(3, '0')}`
  return { jid: `${pn}@s.whatsapp.net`, pn, group: false }
}

function makeTextEvent(chat: Peer, body: string, name = `Cliente ${chat.pn}`): ChannelEvent {
  compared += 1
  const ref = { chat: chat.jid, id: `M${compared}`, fromMe: false }
  return {
    type: 'message',
    ref,
    chat,
    at: world.now + compared * 1000,
    mediaType: 'chat',
    body,
    name,
    replay: false,
    raw: {},
  }
}

async function deliverEvents(...events: ChannelEvent[]): Promise<void> {
  await receiveEvents(db, { id: shop }, events)
  notices.ring('live')
}

async function change(event: { type: 'edit'; body: string } | { type: 'revoke' }): Promise<void> {
  const [row] = await db.$client<{ id: string; chat: string }[]>`
    select provider_id as id, chat from message where not from_me and provider_id is not null and chat is not null
    order by md5(id::text || ${upTo(1000)}) limit 1`
  if (!row) return
  const chat = { jid: row.chat, group: false }
  await deliverEvents({ ...event, ref: { chat: row.chat, id: row.id, fromMe: false }, chat, at: Date.now() })
}

async function ack(message: number, to: 'sent' | 'delivered' | 'read' | 'error'): Promise<void> {
  const [row] = await db.$client<{ id: string | null }[]>`select provider_id as id from message where id = ${message}`
  if (row?.id)
    await deliverEvents({ type: 'ack', ref: { chat: '', id: row.id, fromMe: true }, ack: to, code: '463', text: 'no' })
}

/** What the connection's owner notes after a send; no connection runs here. */
async function sentByTheProvider(message: number): Promise<void> {
  await db.$client`update outbox set state = 'done' where message_id = ${message}`
  await db.$client`update message set provider_id = coalesce(provider_id, ${`P${message}`}), chat = coalesce(chat, ${LUCIA.jid}) where id = ${message}`
  await ack(message, 'sent')
}

async function ok(by: SignedInPerson, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await by.call(method, path, body)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

/** Refusals are part of the day. */
async function callIgnoringRefusal(method: string, path: string, body?: unknown): Promise<void> {
  const { status } = await pick(people).call(method, path, body)
  if (status >= 500) throw new Error(`${method} ${path} answered ${status}`)
}

async function put(body: object): Promise<void> {
  await callIgnoringRefusal('PUT', `/tickets/${await some('ticket')}`, body)
}

function form(by: SignedInPerson, method: string, path: string, fields: Record<string, string>): Promise<void> {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return ok(by, method, path, data)
}

async function newest(table: string): Promise<number> {
  const [row] = await db.$client<{ id: string }[]>`select id from ${db.$client(table)} order by id desc limit 1`
  return Number(row?.id)
}

async function some(table: string): Promise<number> {
  const [row] = await db.$client<{ id: string }[]>`
    select id from ${db.$client(table)} order by md5(id::text || ${upTo(1000)}) limit 1`
  return Number(row?.id ?? 0)
}
