// A comment that calls everybody, in a conversation with followers, walked through as every profile: live events, notices and bell, lists,
// searches, files of it and reports say the same as the access policy, whatever its settings (docs/decisions/0316).
import { beforeEach, describe, expect, test } from 'bun:test'
import {
  canSeeTicket,
  canServeTicket,
  type Message,
  type Notice,
  type Profile,
  type ResponseBody,
  type SettingKey,
  type Ticket,
  type TicketFacts,
} from '@balcao/contract'
import { buildNotices } from '../src/operations/notifications/from-events.ts'
import { buildFrame } from '../src/platform/live/frames.ts'
import type { LiveRow } from '../src/platform/live/reader.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { findViewer } from '../src/policy/users/viewer.ts'
import { makeMessage, makePerson } from './desk-world.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { server, db, sql, finance, sales, findId, findSession, openTicket } = await startTwoQueueDesk()

/** Beside Marina (administrator), Rafael (manager), Bruna of the queue and Solange of the other one. */
const MORE = [
  ['Paulo', 'user', [finance]],
  ['Vera', 'gerente', [sales]],
  ['Nina', 'user', []],
] as const
const ids = new Map<string, number>()
const sessions = new Map<string, ReturnType<typeof findSession>>()
for (const name of ['Marina', 'Rafael', 'Bruna', 'Solange']) {
  ids.set(name, findId(name))
  sessions.set(name, findSession(name))
}
for (const [name, profile, queueIds] of MORE) {
  ids.set(name, await makePerson(db, { name, profile, queueIds: [...queueIds] }))
  sessions.set(name, await server.as(name))
}
const NAMES = [...ids.keys()]

const SETTINGS = ['userShowAll', 'hierarchy', 'onlyAdminSeeEmptyQueue'] as const satisfies readonly SettingKey[]

beforeEach(async () => {
  await sql`delete from ticket`
  await sql`delete from live_event`
})

interface Case {
  readonly owner: string | null
  readonly followers: readonly string[]
  readonly on: readonly (typeof SETTINGS)[number][]
  readonly queue?: null
}

const CASES: readonly (readonly [string, Case])[] = [
  ['an agent’s', { owner: 'Bruna', followers: [], on: [] }],
  ['an agent’s that colleagues of the queue see', { owner: 'Bruna', followers: [], on: ['userShowAll'] }],
  ['an agent’s that an agent of another queue follows', { owner: 'Bruna', followers: ['Solange'], on: [] }],
  ['an agent’s that a manager of another queue follows', { owner: 'Bruna', followers: ['Vera'], on: ['hierarchy'] }],
  ['an agent’s that who has no queue follows', { owner: 'Bruna', followers: ['Nina', 'Solange'], on: ['userShowAll'] }],
  ['a manager’s under the hierarchy', { owner: 'Rafael', followers: [], on: ['hierarchy', 'userShowAll'] }],
  ['a manager’s under the hierarchy, followed', { owner: 'Rafael', followers: ['Paulo', 'Vera'], on: ['hierarchy'] }],
  [
    'an administrator’s under the hierarchy',
    { owner: 'Marina', followers: ['Solange'], on: ['hierarchy', 'userShowAll'] },
  ],
  ['nobody’s', { owner: null, followers: ['Vera'], on: [] }],
  ['nobody’s without a queue', { owner: null, followers: ['Solange'], on: [], queue: null }],
  [
    'nobody’s without a queue, hidden',
    { owner: null, followers: ['Solange'], on: ['onlyAdminSeeEmptyQueue'], queue: null },
  ],
]

describe('a comment that calls everybody', () => {
  test.each(CASES)('in a conversation that is %s', async (_, { owner, followers, on, queue }) => {
    for (const key of SETTINGS)
      await call('Marina', 'PUT', `/settings/${key}`, { value: on.includes(key) ? 'enabled' : 'disabled' })
    const id = await openTicket(owner === null ? null : idOf(owner))
    if (queue === null) await sql`update ticket set queue_id = null where id = ${id}`
    await makeMessage(db, id, 'palavra combinada')
    for (const name of followers)
      expect((await call('Marina', 'PUT', `/tickets/${id}/followers/${idOf(name)}`)).status).toBe(200)
    await sql`delete from live_event`
    const words = `-- ${NAMES.map(name => `@${name}`).join(' ')} recado reservado`
    const comment = (await call<Message>('Marina', 'POST', `/messages/${id}`, { body: words })).body
    const facts: TicketFacts = {
      status: 'open',
      queueId: queue === null ? null : finance,
      userId: owner === null ? null : idOf(owner),
      ownerProfile: await findProfile(owner),
      isGroup: false,
      followerIds: followers.map(idOf),
    }
    const settings = await readSettings(db)
    const [seen, allowed] = [new Map<string, unknown>(), new Map<string, unknown>()]
    for (const name of NAMES) {
      const viewer = await findViewer(db, idOf(name))
      if (!viewer) throw new Error(name)
      const sees = canSeeTicket(viewer, facts, settings)
      const isCalled = sees && name !== 'Marina'
      const reports = viewer.profile === 'user' ? 'refused' : Number(isReported(viewer, facts, settings))
      allowed.set(name, {
        reads: sees,
        event: sees,
        isMentioned: isCalled,
        notice: isCalled,
        bell: isCalled,
        row: sees,
        ...makeFound(sees),
        reports,
      })
      seen.set(name, await look(name, id, comment))
    }
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(allowed))
    // Who follows and is let go is called no more, by the old comment either.
    for (const name of followers) {
      await call('Marina', 'DELETE', `/tickets/${id}/followers/${idOf(name)}`)
      const viewer = await findViewer(db, idOf(name))
      const sees = viewer !== null && viewer !== undefined && canServeTicket(viewer, facts, settings)
      const { reads, bell, row, byWord, byComment } = await look(name, id, comment)
      expect([name, reads, bell, row, byWord, byComment]).toEqual([name, sees, sees, sees, sees, sees])
    }
  })
})

function makeFound(sees: boolean) {
  return { byWord: sees, byComment: sees }
}

/** Reports hold what lies in the own queues by one's own right, whatever one follows. */
function isReported(
  viewer: Parameters<typeof canServeTicket>[0],
  facts: TicketFacts,
  settings: Parameters<typeof canServeTicket>[2],
): boolean {
  const isOwnQueue = viewer.profile === 'admin' || (facts.queueId !== null && viewer.queueIds.includes(facts.queueId))
  return isOwnQueue && canServeTicket(viewer, facts, settings)
}

/** What a person gets of a ticket and of a comment in it, by every way. */
async function look(name: string, id: number, comment: Message) {
  const [bell, counted, found, byComment, report] = [
    (await call<ResponseBody<'GET /notifications'>>(name, 'GET', '/notifications')).body,
    await call<ResponseBody<'GET /messages/:ticketId'>>(name, 'GET', `/messages/${id}`),
    (await call<ResponseBody<'GET /tickets/filter'>>(name, 'GET', '/tickets/filter?searchParam=combinada&showAll=true'))
      .body,
    await call(name, 'GET', '/tickets/messages?searchParam=reservado&showAll=true'),
    await call<{ rows?: number }>(name, 'POST', '/report/ticket?preview=true', {
      startDate: '2020-01-01',
      endDate: '2040-01-01',
    }),
  ]
  const events = await readEvents()
  const viewer = await findViewer(db, idOf(name))
  const frame = viewer ? buildFrame(events, viewer, await readSettings(db), 'x') : null
  const notices: Notice[] = (await buildNotices(db, events, viewer ? [viewer] : [])).map(({ notice }) => notice)
  return {
    reads: counted.status === 200 && counted.body.messages.some(({ body }) => body.includes('recado reservado')),
    event: frame?.includes('recado reservado') ?? false,
    isMentioned: comment.mentions?.some(person => person.id === idOf(name)) ?? false,
    notice: notices.some(({ reason, messageId }) => reason === 'mentioned' && messageId === comment.id),
    bell: bell.mentions.items.some(({ messageId }) => messageId === comment.id),
    row: (await call<Ticket>(name, 'GET', `/tickets/${id}`)).status === 200,
    byWord: found.tickets.some(ticket => ticket.id === id),
    byComment: JSON.stringify(byComment.body).includes('recado reservado'),
    reports: report.status === 403 ? 'refused' : report.body.rows,
  }
}

function call<T = unknown>(name: string, method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) {
  const session = sessions.get(name)
  if (!session) throw new Error(name)
  return session.call<T>(method, path, body)
}

function idOf(name: string): number {
  return ids.get(name) ?? 0
}

async function findProfile(name: string | null): Promise<Profile | null> {
  return name === null ? null : ((await findViewer(db, idOf(name)))?.profile ?? null)
}

function readEvents() {
  return sql<LiveRow[]>`
    select xid::text, id::float8 as id, audience, payload from live_event order by id`
}
