// Everything that puts a message of ours into a conversation, held to the same rules: its number, the window of the kind, the provider
// id, the outbox row in the same transaction, the events. Whoever adds a way adds it here.
import { beforeEach, describe, expect, test } from 'bun:test'
import { type Kind, parseSettings } from '@balcao/contract'
import { assignIdle } from '../src/desk/sweeps/assign-idle.ts'
import { closeIdle } from '../src/desk/sweeps/close-idle.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { settleTurn } from '../src/messaging/typebot/settle.ts'
import { createApiToken } from '../src/policy/settings/api-token.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { startDeskServer } from './desk-server.ts'
import { DATA_KEY, makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client
const api = createApiToken()
let count = 0

const queue = await makeQueue(db, 'Financeiro')
const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')
const settings = [
  ['userApiToken', api.stored],
  ['sendGreetingMessage', 'enabled'],
  ['generateProtocol', 'enabled'],
  ['mensagemTransfer', 'Agora com {{queue}}'],
]
for (const [key = '', value = ''] of settings) await set(key, value)
const sweeping = { db, ring() {}, log: { error() {} } }
/** No weekend, on which nothing is closed by itself. */
const ON_A_TUESDAY = new Date('2025-11-25T15:00:00Z')

async function set(key: string, value: string): Promise<void> {
  await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}

/** A customer in service, who wrote just now. */
interface Place {
  readonly whatsappId: number
  readonly contactId: number
  readonly ticketId: number
  readonly number: string
}

async function aPlace(kind: Kind): Promise<Place> {
  const number = `55319870${String(++count).padStart(5, '0')}`
  const whatsappId = await makeConnection(db, `Loja ${count}`, kind)
  await sql`update whatsapp set farewell_message = 'Até logo!', greeting_message = 'Olá!' where id = ${whatsappId}`
  const contactId = await makeContact(db, `Cliente ${count}`)
  await sql`update contact set number = ${number} where id = ${contactId}`
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${contactId})`
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at) values (${contactId}, ${whatsappId}, ${number}, now())`
  const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: queue, userId: marinaId })
  await makeMessage(db, ticketId, 'Bom dia')
  return { whatsappId, contactId, ticketId, number }
}

interface Way {
  /** Does it; gives the refusal's code, or null. */
  readonly go: (place: Place) => Promise<string | null>
  /** What a closed window comes to: a refusal, silence, a recipient who is left out; or nothing, for what may leave all the same. */
  readonly closed: 'refused' | 'silent' | 'goes'
  readonly kinds?: readonly Kind[]
  /** Nobody waits for it: those of one connection leave with a pause between them (decisions-2 §24). */
  readonly isUnhurried?: true | 'in silence'
}

async function code(request: Promise<{ status: number; body: unknown }>): Promise<string | null> {
  const { status, body } = await request
  if (status < 300) return null
  return body !== null && typeof body === 'object' && 'error' in body ? String(body.error) : String(status)
}

const file = () => new File(['tabela de preços'], 'tabela.txt', { type: 'text/plain' })

const WAYS: Record<string, Way> = {
  'an answer': {
    go: ({ ticketId }) => code(marina.call('POST', `/messages/${ticketId}`, { body: 'Pois não' })),
    closed: 'refused',
  },
  'a file': {
    async go({ ticketId }) {
      const { body } = await marina.call<{ uploadId: string }>(
        'PUT',
        `/uploads?name=a.txt&ticketId=${ticketId}`,
        new TextEncoder().encode('oi'),
      )
      return code(marina.call('POST', `/messages/${ticketId}`, { body: '', uploadId: body.uploadId }))
    },
    closed: 'refused',
  },
  'a form with a file': {
    go({ ticketId }) {
      const form = new FormData()
      form.append('medias', file())
      return code(marina.call('POST', `/messages/${ticketId}`, form))
    },
    closed: 'refused',
  },
  'a card': {
    go: ({ ticketId, contactId }) => code(marina.call('POST', `/messages/vcard/${ticketId}`, { contactId })),
    closed: 'refused',
  },
  'a template': {
    go: ({ ticketId }) =>
      code(marina.call('POST', '/meta/templates', { ticketId, template: { name: 'aviso', language: 'pt_BR' } })),
    closed: 'goes',
    kinds: ['cloud_api'],
  },
  'a forward': {
    async go({ ticketId, contactId }) {
      const id = await makeMessage(db, ticketId, 'Segue a foto')
      return code(marina.call('POST', `/messages/forward/${id}`, { contacts: [contactId] }))
    },
    closed: 'refused',
  },
  'another program': {
    go: ({ number, whatsappId }) =>
      code(
        marina.call(
          'POST',
          '/api/messages/send',
          { number, whatsappId, body: 'Aviso' },
          { authorization: `Bearer ${api.token}` },
        ),
      ),
    closed: 'refused',
  },
  'the greeting': {
    async go({ whatsappId, ticketId, number }) {
      await sql`update ticket set status = 'closed', closed_at = now() - interval '2 days' where id = ${ticketId}`
      await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(makePeer({ pn: number }), 'Oi')])
      return null
    },
    // Who writes opens it.
    closed: 'goes',
  },
  'the farewell': {
    go: ({ ticketId }) => code(marina.call('PUT', `/tickets/${ticketId}`, { status: 'closed' })),
    closed: 'silent',
    isUnhurried: true,
  },
  'the survey': {
    async go({ ticketId, whatsappId }) {
      await sql`update whatsapp set nps = true, farewell_message = '' where id = ${whatsappId}`
      return code(marina.call('PUT', `/tickets/${ticketId}`, { status: 'closed' }))
    },
    closed: 'silent',
    isUnhurried: true,
  },
  'the end of an idle ticket': {
    async go({ ticketId }) {
      await set('closeCron', 'enabled')
      await sql`update ticket set last_message_at = '2025-11-20' where id = ${ticketId}`
      await sql`update ticket_span set begun_at = '2025-11-20' where ticket_id = ${ticketId}`
      await closeIdle(sweeping, () => ON_A_TUESDAY)
      await set('closeCron', 'disabled')
      return null
    },
    closed: 'silent',
    isUnhurried: true,
  },
  'an idle ticket that is given to somebody': {
    async go({ ticketId }) {
      await set('userCron', String(marinaId))
      await sql`update ticket set status = 'pending', user_id = null where id = ${ticketId}`
      await sql`update ticket_span set status = 'pending', begun_at = now() - interval '60 days' where ticket_id = ${ticketId} and ended_at is null`
      await assignIdle(sweeping)
      await set('userCron', '')
      return null
    },
    closed: 'silent',
    isUnhurried: true,
  },
  'a transfer': {
    go: ({ ticketId }) => code(marina.call('PUT', `/tickets/${ticketId}`, { queueId: queue, userId: null })),
    closed: 'silent',
    isUnhurried: 'in silence',
  },
  'a protocol': {
    go: ({ ticketId }) => code(marina.call('POST', '/protocolos', { ticketId })),
    closed: 'silent',
    isUnhurried: 'in silence',
  },
  'a scheduled send': {
    async go({ contactId, whatsappId }) {
      await sql`
        with made as (insert into schedule (message, recurrence, send_time, next_run_at, whatsapp_id)
          values ('Seu boleto vence', 'once', '', now() - interval '1 second', ${whatsappId}) returning id)
        insert into schedule_contact (schedule_id, contact_id) select id, ${contactId} from made`
      await startDueSchedules({ db, dataDir: '/nowhere' })
      await dispatchNext(db, { whatsappId, epoch: 0 }, 1000)
      const [row] = await sql<{ reason: string | null }[]>`
        select reason from send_recipient where contact_id = ${contactId} order by id desc limit 1`
      return row?.reason === 'window_closed' ? 'ERR_WINDOW_CLOSED' : (row?.reason ?? null)
    },
    closed: 'refused',
  },
  'a flow of Typebot': {
    async go({ ticketId }) {
      const call = crypto.randomUUID()
      await sql`update ticket set status = 'bot', user_id = null where id = ${ticketId}`
      await sql`insert into typebot_session (ticket_id, session_id, call) values (${ticketId}, 's', ${call})`
      const saying = { say: 'text', text: 'Qual é o seu nome?' } as const
      const question = { id: 'p', type: 'text input', items: [], several: false, options: {} }
      const result = {
        plan: { sayings: [], commands: [], next: { is: 'asked', asked: question } },
        ready: [{ saying, file: null, pauseMs: 0 }],
        refused: 0,
        sessionId: 's',
        isRenewed: false,
      } as const
      const turn = {
        ticketId,
        call,
        viewer: { address: '', bot: '' },
        sessionId: 's',
        message: null,
        anew: null,
        prefilled: {},
      }
      const [row] = await sql<{ api: Kind }[]>`
        select w.api from ticket t join whatsapp w on w.id = t.whatsapp_id where t.id = ${ticketId}`
      const house = { settings: parseSettings({}), dataKey: DATA_KEY }
      await db.transaction(tx => settleTurn(tx, { ...turn, theirs: [], kind: row?.api ?? 'baileys' }, result, house))
      return null
    },
    closed: 'silent',
  },
}

beforeEach(async () => {
  await sql`truncate live_event, outbox`
})

interface Written {
  readonly id: number
  readonly seq: number
  readonly state: string
  readonly providerId: string | null
  readonly last: number
  readonly together: boolean
  readonly waiting: number
  readonly unhurried: boolean
}

/** Our messages to the customer, each with what stands for it in the outbox. */
async function written({ contactId }: Place): Promise<Written[]> {
  return [
    ...(await sql<Written[]>`
      select m.id::float8 as id, m.seq, m.state, m.provider_id as "providerId", t.message_seq as last,
        coalesce(bool_and(o.xmin = m.xmin), false) as together, count(o.id)::int as waiting,
        coalesce(bool_or(o.unhurried), false) as unhurried
      from message m join ticket t on t.id = m.ticket_id
        left join outbox o on o.message_id = m.id and o.operation = 'message' and o.state = 'queued'
          and o.contact_id = m.contact_id and o.whatsapp_id = m.whatsapp_id
      where m.contact_id = ${contactId} and m.from_me and m.media_type not in ('system', 'comment')
      group by m.id, t.id order by m.id`),
  ]
}

async function countEvents(messageId: number): Promise<{ message: number; ticket: number }> {
  const [row] = await sql<{ message: number; ticket: number }[]>`
    select count(*) filter (where e.p->>'event' = 'appMessage' and e.p->>'action' = 'create' and (e.p->'message'->>'id')::bigint = ${messageId})::int as message,
      count(*) filter (where e.p->>'event' = 'ticket' and (e.p->'ticket'->>'id')::int = m.ticket_id)::int as ticket
    from message m, (select payload::jsonb as p from live_event) e where m.id = ${messageId}`
  return row ?? { message: 0, ticket: 0 }
}

for (const [name, way] of Object.entries(WAYS))
  describe(`${name} leaves by the one way`, () => {
    for (const kind of way.kinds ?? (['baileys', 'cloud_api'] as const))
      test(`over ${kind}: the next number, an id where we give them, its row in the outbox with it, and its events`, async () => {
        const place = await aPlace(kind)
        expect(await way.go(place)).toBeNull()
        const [message, ...more] = await written(place)
        expect(more).toEqual([])
        if (!message) throw new Error('nothing was written')
        expect(message).toMatchObject({ state: 'queued', together: true, waiting: 1 })
        expect(message.unhurried).toBe(way.isUnhurried === true)
        expect(message.providerId).toEqual(kind === 'cloud_api' ? null : expect.stringMatching(/^3EB0[0-9A-F]{18}$/))
        const numbers = await sql<{ seq: number }[]>`
          select m.seq from message m where m.ticket_id = (select ticket_id from message where id = ${message.id}) order by m.seq`
        expect(numbers.map(row => row.seq)).toEqual(numbers.map((_, at) => at + 1))
        expect(message.last).toBe(numbers.length)
        const events = await countEvents(message.id)
        expect(events.message).toBe(1)
        expect(events.ticket).toBeGreaterThan(0)
      })

    test('who has not written for a minute gets it at the pace of what nobody waits for, where it is no answer', async () => {
      const place = await aPlace(way.kinds?.[0] ?? 'baileys')
      await sql`update contact_channel set last_inbound_at = now() - interval '61 seconds' where contact_id = ${place.contactId}`
      expect(await way.go(place)).toBeNull()
      expect((await written(place)).map(({ unhurried }) => unhurried)).toEqual([way.isUnhurried !== undefined])
    })

    test(`over a kind with a window that is closed: ${way.closed}`, async () => {
      const place = await aPlace('cloud_api')
      await sql`update contact_channel set last_inbound_at = now() - interval '25 hours' where contact_id = ${place.contactId}`
      expect(await way.go(place)).toBe(way.closed === 'refused' ? 'ERR_WINDOW_CLOSED' : null)
      expect(await written(place)).toHaveLength(way.closed === 'goes' ? 1 : 0)
      expect(await sql`select 1 from outbox`).toHaveLength(way.closed === 'goes' ? 1 : 0)
    })
  })

test('nothing else of the back end stores a message of ours or puts one into the outbox', async () => {
  const found: string[] = []
  const root = `${import.meta.dir}/../src`
  for (const file of new Bun.Glob('**/*.ts').scanSync(root)) {
    const text = await Bun.file(`${root}/${file}`).text()
    const stores = /insert into (?:message|outbox)\b|\.insert\((?:messages|outbox)\)/.test(text)
    if (stores && !file.startsWith('app/seed/')) found.push(file)
  }
  expect(found.sort()).toEqual([
    'desk/messages/append.ts',
    'desk/messages/enqueue.ts', // edits, revokes, reactions, readings
    'desk/messages/write.ts',
    'messaging/inbox/insert-messages.ts', // what comes in
    'operations/move-in/write-messages.ts', // what another desk sent long ago
  ])
})
