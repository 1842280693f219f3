// Random days at the desk: customers write, edit, react and call, agents do all they can do, sends end in every way. After each step
// every person's screen equals a fresh fetch.
import { describe, test } from 'bun:test'
import type { Viewer } from '@balcao/contract'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { type SendOutcome, settle } from '../src/messaging/outbox/settle.ts'
import type { ChannelEvent, Peer } from '../src/platform/channel/driver.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache, pickVisibilitySettings, readSettings } from '../src/policy/settings/read.ts'
import { findViewer } from '../src/policy/users/viewer.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'
import { verifyEvents } from './verify-events.ts'
import { verifySpans } from './verify-spans.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
const STEPS = Number(process.env.STEPS ?? countRounds({ all: 150, few: 50 }))

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
const { chance, pick, upTo } = createSeededRandom(SEED)
const people: { id: number; person: SignedInPerson }[] = []

const queues = [await makeQueue(db, 'Financeiro'), await makeQueue(db, 'Comercial')]
const connections = [await makeConnection(db, 'Loja Centro'), await makeConnection(db, 'Loja Norte')]
await sql`insert into whatsapp_queue (whatsapp_id, queue_id) values (${connections[0] ?? 0}, ${queues[0] ?? 0})`
const team = [
  { name: 'Marina', profile: 'admin' as const, queueIds: queues },
  { name: 'Gustavo', profile: 'gerente' as const, queueIds: queues.slice(0, 1) },
  { name: 'Bruna', profile: 'user' as const, queueIds: queues.slice(0, 1) },
  { name: 'Carlos', profile: 'user' as const, queueIds: queues },
]
for (const one of team) people.push({ id: await makePerson(db, one), person: await server.as(one.name) })

describe('what was on the screen plus the events', () => {
  test(`is what a fresh fetch shows, after each of ${STEPS} random steps (SEED=${SEED})`, async () => {
    for (let step = 1; step <= STEPS; step++) {
      if (step % 40 === 0) await turnSomeSetting()
      const settings = pickVisibilitySettings(await readSettings(db))
      const viewers = await Promise.all(people.map(async ({ id }) => await findViewer(db, id)))
      const [name, act] = pick(ACTIONS)
      await verifyEvents(
        db,
        settings,
        viewers.filter((viewer): viewer is Viewer => viewer !== null),
        `step ${step}: ${name}`,
        act,
      )
      await verifySpans(db, `step ${step}: ${name}`)
    }
  })
})

const ACTIONS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a customer writes', () => says(text(customer(), `texto ${upTo(1000)}`))],
  ['a customer writes', () => says(text(customer(), `texto ${upTo(1000)}`))],
  [
    'two customers write at once',
    () => says(text(customer(), 'um'), text(customer(), 'dois'), text(customer(), 'três')),
  ],
  [
    'a customer calls in vain',
    () => says({ type: 'call', id: `c${upTo(1e9)}`, from: customer(), video: chance(0.5), state: 'missed', at: now() }),
  ],
  [
    'a customer edits',
    async () => change(ref => ({ type: 'edit', ref, chat: customer(), body: `novo ${upTo(99)}`, at: now() })),
  ],
  ['a customer deletes', async () => change(ref => ({ type: 'revoke', ref, chat: customer(), at: now() }))],
  [
    'a customer reacts',
    async () =>
      change(ref => ({
        type: 'reaction',
        ref,
        chat: customer(),
        by: customer(),
        fromMe: false,
        emoji: pick(['👍', '❤️', '']),
        at: now(),
      })),
  ],
  [
    'somebody writes on the phone',
    () => says({ ...text(customer(), 'do celular'), ref: { chat: 'x', id: `P${upTo(1e9)}`, fromMe: true } }),
  ],
  [
    'two names turn out to be one person',
    () => says({ type: 'identity', pn: customer().pn ?? '', lid: `77${upTo(6)}@lid` }),
  ],
  [
    'an unknown LID writes',
    () => says(text({ jid: `77${upTo(6)}@lid`, lid: `77${upTo(6)}@lid`, group: false }, 'quem sou eu?')),
  ],
  ['a receipt comes', receipt],
  ['the outbox sends', sendSome],
  ['an agent accepts', () => put({ status: 'open', queueId: pick(queues) })],
  ['an agent accepts', () => put({ status: 'open', queueId: pick(queues) })],
  ['an agent returns', () => put({ status: 'pending' })],
  ['an agent resolves', () => put({ status: 'closed' })],
  ['an agent pauses', () => put({ status: 'paused', pauseTag: 'Aguardando', pauseMessage: 'Um momento' })],
  ['an agent transfers', () => put({ queueId: pick(queues), transferMessage: 'Segue' })],
  ['an agent transfers to a person', () => put({ queueId: pick(queues), userId: pick(people).id })],
  ['an agent answers', () => onTicket('POST', ticket => [`/messages/${ticket}`, { body: `resposta ${upTo(99)}` }])],
  ['an agent answers', () => onTicket('POST', ticket => [`/messages/${ticket}`, { body: `resposta ${upTo(99)}` }])],
  ['an agent notes', () => onTicket('POST', ticket => [`/messages/${ticket}`, { body: '-- só para nós' }])],
  ['an agent reads', () => onTicket('POST', ticket => [`/tickets/${ticket}/read`])],
  ['an agent edits', () => onMessage('PUT', id => [`/messages/${id}`, { id, body: `corrigido ${upTo(99)}` }])],
  ['an agent deletes a message', () => onMessage('DELETE', id => [`/messages/${id}`])],
  ['an agent reacts', () => onMessage('POST', id => [`/messages/react/${id}`, { emoji: '🙏' }])],
  ['an agent sends again', () => onMessage('POST', id => [`/messages/retry/${id}`])],
  [
    'an administrator deletes a ticket',
    () => (chance(0.3) ? onTicket('DELETE', ticket => [`/tickets/${ticket}`]) : Promise.resolve()),
  ],
]

function customer(): Peer {
  const pn = `5531998760${String(upTo(6)).padStart(3, '0')}`
  return { jid: `${pn}@s.whatsapp.net`, pn, group: false }
}

function text(chat: Peer, body: string): Extract<ChannelEvent, { type: 'message' }> {
  const ref = { chat: chat.jid, id: `M${upTo(1e12)}`, fromMe: false }
  const name = chance(0.3) ? `Nome ${upTo(20)}` : undefined
  return {
    type: 'message',
    ref,
    chat,
    at: now(),
    mediaType: 'chat',
    body,
    replay: false,
    raw: {},
    ...(name ? { name } : {}),
  }
}

function now(): number {
  return Date.now() - upTo(5000)
}

function says(...events: ChannelEvent[]): Promise<unknown> {
  return receiveEvents(db, { id: pick(connections) }, events)
}

async function change(event: (ref: { chat: string; id: string; fromMe: boolean }) => ChannelEvent): Promise<void> {
  const [row] = await sql<{ whatsapp_id: number; provider_id: string; chat: string }[]>`
    select whatsapp_id, provider_id, chat from message where provider_id is not null and chat is not null order by md5(id::text || ${upTo(1000)}) limit 1`
  if (row)
    await receiveEvents(db, { id: row.whatsapp_id }, [event({ chat: row.chat, id: row.provider_id, fromMe: false })])
}

async function receipt(): Promise<void> {
  const [row] = await sql<{ whatsapp_id: number; provider_id: string }[]>`
    select whatsapp_id, provider_id from message where from_me and provider_id is not null order by md5(id::text || ${upTo(1000)}) limit 1`
  if (!row) return
  const ack = pick(['sent', 'delivered', 'read', 'error'] as const)
  await receiveEvents(db, { id: row.whatsapp_id }, [
    { type: 'ack', ref: { chat: '', id: row.provider_id, fromMe: true }, ack, code: '463', text: 'no' },
  ])
}

async function sendSome(): Promise<void> {
  for (const whatsappId of connections) {
    const owned = { whatsappId, epoch: 0 }
    for (const claim of await claimDue(db, owned, 3)) {
      const outcomes: readonly SendOutcome[] = [
        { state: 'done', ack: 'sent', id: claim.providerId ?? 'x', jid: 'x@s.whatsapp.net' },
        { state: 'failed', error: { code: '463', message: 'no' } },
        { state: 'unknown' },
        { state: 'queued', afterMs: 0, error: 'later' },
      ]
      await settle(db, owned, claim, pick(outcomes))
    }
  }
}

/** Refusals are part of the day: only what changed must be told. */
async function put(body: object): Promise<void> {
  await onTicket('PUT', ticket => [`/tickets/${ticket}`, body])
}

async function onTicket(method: string, call: (ticket: number) => readonly [string, object?]): Promise<void> {
  const [row] = await sql<{ id: number }[]>`select id from ticket order by md5(id::text || ${upTo(1000)}) limit 1`
  if (!row) return
  const [path, body] = call(row.id)
  await answered(pick(people).person, method, path, body)
}

async function onMessage(method: string, call: (message: number) => readonly [string, object?]): Promise<void> {
  const [row] = await sql<{ id: string }[]>`select id from message order by md5(id::text || ${upTo(1000)}) limit 1`
  if (!row) return
  const [path, body] = call(Number(row.id))
  await answered(pick(people).person, method, path, body)
}

async function answered(person: SignedInPerson, method: string, path: string, body?: object): Promise<void> {
  const { status } = await person.call(method, path, body)
  if (status >= 500) throw new Error(`${method} ${path} answered ${status}`)
}

async function turnSomeSetting(): Promise<void> {
  const key = pick(['userShowAll', 'onlyAdminSeeEmptyQueue', 'userClosedQueues', 'hierarchy'])
  const value = pick(['enabled', 'disabled'])
  await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}
