// Somebody of every profile is called in a comment, asked in and sent away again: what live events, notices, search, bell and reports tell
// them of the conversation is at each step what the one policy says (docs/decisions/0316).
import { expect, test } from 'bun:test'
import { canSeeTicket, canServeTicket, type ResponseBody } from '@balcao/contract'
import { buildNotices } from '../src/operations/notifications/from-events.ts'
import { buildFrame } from '../src/platform/live/frames.ts'
import type { LiveRow } from '../src/platform/live/reader.ts'
import { loadFacts } from '../src/policy/access/ticket-facts.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { findViewer } from '../src/policy/users/viewer.ts'
import { makeMessage, makePerson } from './desk-world.ts'
import { createReportClient } from './report-files.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { server, db, sql, finance, sales, findSession, openTicket } = await startTwoQueueDesk()
const bruna = findSession('Bruna')
const ticketId = await openTicket()
await makeMessage(db, ticketId, 'palavra combinada')
await sql`update ticket set unread_messages = 1 where id = ${ticketId}`

const PEOPLE = [
  ['an administrator', 'Vera', 'admin', []],
  ['the manager of its queue', 'Tales', 'gerente', [finance]],
  ['the manager of another queue', 'Davi', 'gerente', [sales]],
  ['an agent of its queue', 'Rute', 'user', [finance]],
  ['an agent of another queue', 'Nilo', 'user', [sales]],
  ['an agent of no queue', 'Zeca', 'user', []],
] as const

test.each(PEOPLE)('%s', async (_, name, profile, queueIds) => {
  const id = await makePerson(db, { name, profile, queueIds: [...queueIds] })
  const session = await server.as(name)
  const following = `/tickets/${ticketId}/followers/${id}`
  const rights = async () => {
    const [viewer, facts, settings] = await Promise.all([
      findViewer(db, id),
      loadFacts(db, [ticketId]),
      readSettings(db),
    ])
    const ticket = facts.get(ticketId)
    if (!viewer || !ticket) throw new Error('They are not there')
    return {
      viewer,
      settings,
      sees: canSeeTicket(viewer, ticket, settings),
      serves: canServeTicket(viewer, ticket, settings),
    }
  }

  const steps: [string, () => Promise<unknown>][] = [
    ['before', async () => {}],
    ['asked in', () => bruna.call('PUT', following)],
    ['sent away', () => bruna.call('DELETE', following)],
  ]
  for (const [step, perform] of steps) {
    await perform()
    const { viewer, settings, sees, serves } = await rights()
    const words = `@${name} combinado ${step}`
    await sql`delete from live_event`
    await bruna.call('POST', `/messages/${ticketId}`, { body: `-- ${words}` })
    const rows = await sql<LiveRow[]>`select xid::text, id::float8 as id, audience, payload from live_event order by id`
    const reasons = (await buildNotices(db, rows, [viewer])).map(({ notice }) => notice.reason)
    const get = async <T>(path: string) => (await session.call<T>('GET', path)).body
    const { tickets } = await get<ResponseBody<'GET /tickets/filter'>>(
      '/tickets/filter?searchParam=combinada&showAll=true',
    )
    const messages = await get<unknown>('/tickets/messages?searchParam=combinada&showAll=true')
    const bell = await get<ResponseBody<'GET /notifications'>>('/notifications')
    expect([step, sees || step !== 'asked in']).toEqual([step, true])
    expect({
      events: buildFrame(rows, viewer, settings, 'x')?.includes(words) ?? false,
      notices: reasons.includes('mentioned'),
      tickets: tickets.map(ticket => ticket.id),
      messages: JSON.stringify(messages).includes('palavra combinada'),
      mention: bell.mentions.items[0]?.text === words,
      mentions: bell.mentions.count > 0,
      waiting: !sees && bell.tickets.count > 0,
      report: await countReported(session),
    }).toEqual({
      events: sees,
      notices: sees,
      tickets: sees ? [ticketId] : [],
      messages: sees,
      mention: sees,
      mentions: sees,
      waiting: false,
      report: profile === 'user' ? 403 : serves ? 1 : 0,
    })
  }
})

/** How many tickets a report would hold; the status of a refusal. */
async function countReported(session: ReturnType<typeof findSession>): Promise<number> {
  const period = { startDate: '2020-01-01', endDate: '2030-01-01' }
  const { status, body } = await session.call<{ rows: number }>('POST', '/report/ticket?preview=true', period)
  return status === 200 ? body.rows : status
}

test('files that are made hold what one serves, without comments, and nothing of what one only follows', async () => {
  const { sheets } = createReportClient(server)
  const guest = await makePerson(db, { name: 'Olga', profile: 'gerente', queueIds: [sales] })
  await bruna.call('PUT', `/tickets/${ticketId}/followers/${guest}`)
  await bruna.call('POST', `/messages/${ticketId}`, { body: '-- segredo da equipe' })
  const [row] = await sql<{ contactId: number }[]>`select contact_id as "contactId" from ticket where id = ${ticketId}`
  const period = { startDate: '2020-01-01', endDate: '2030-01-01' }
  for (const [name, holds] of [
    ['Rafael', true],
    ['Olga', false],
  ] as const) {
    const person = await server.as(name)
    const tickets = JSON.stringify(await sheets('ticket', period, person))
    const messages = JSON.stringify(await sheets('message', { ...period, ...row }, person))
    expect([name, tickets.includes('Dona Lúcia'), messages.includes('palavra combinada')]).toEqual([name, holds, holds])
    expect(tickets + messages).not.toContain('segredo da equipe')
  }
})
