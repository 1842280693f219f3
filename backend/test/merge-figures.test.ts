// What was counted stays counted when two contacts become one, and when that is taken back (decisions-2 §22, §23; docs/decisions/0244).
import { describe, expect, test } from 'bun:test'
import { parseSettings, type TicketStatus } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { foldFigures } from '../src/insight/figures/days.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { findViewer } from '../src/policy/users/viewer.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makeTicket } from './desk-world.ts'
import { makeRandomDesk } from './random-world.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'
import { verifyEvents } from './verify-events.ts'
import { verifyFigures } from './verify-figures.ts'
import { verifySpans } from './verify-spans.ts'

const SEED = Number(process.env.SEED ?? 20_261_124)
const LIVE = ['pending', 'open', 'paused', 'bot', 'nps'] as const
const [FROM, UNTIL] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-11-20T15:00:00Z')]

const { db, as } = await startDeskServer()
const sql = getSql(db)
const random = createSeededRandom(SEED)

await sql`delete from figure_calendar`
await refreshCalendar(db, FROM)
const world = await makeRandomDesk(db, random, { tickets: 240, contacts: 60, from: FROM, until: UNTIL })
const marina = await as('Marina')
const people = await sql<
  { id: number }[]
>`select id from contact where not is_group and merged_into is null order by id`
for (const { id } of people) await comeBack(id)
// Until when one may write to somebody differs by hours.
await sql`
    insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
    select distinct contact_id, whatsapp_id, contact_id || '@s.whatsapp.net', now() - contact_id * 5 % 7 * interval '1 hour' from ticket
    on conflict (contact_id, whatsapp_id) do update set last_inbound_at = excluded.last_inbound_at`
const ids = people.map(({ id }) => id)
/** Pairs of people who each had tickets, most of them with a live one on the same connection. */
const pairs = ids
  .slice(0, countRounds({ all: 48, few: 12 }))
  .flatMap((id, n) => (n % 2 === 0 ? [[id, ids[n + 1] ?? 0] as const] : []))

/** A contact's newest tickets are live again, or new ones are, with words in them and now and then a protocol. */
async function comeBack(contactId: number): Promise<void> {
  for (const whatsappId of world.connections) {
    if (random.chance(0.2)) continue
    const status: TicketStatus = random.pick(LIVE)
    const userId = status === 'pending' || status === 'bot' ? null : random.pick(world.people)
    const queueId = random.pick(world.queues)
    const [last] = await sql<{ id: number }[]>`
      select id from ticket t where contact_id = ${contactId} and whatsapp_id = ${whatsappId}
        and not exists (select 1 from ticket o where o.contact_id = t.contact_id and o.whatsapp_id = t.whatsapp_id and o.status <> 'closed')
      order by id desc limit 1`
    if (last && random.chance(0.8))
      await sql`update ticket set status = ${status}, user_id = ${userId}, queue_id = ${queueId}, closed_at = null where id = ${last.id}`
    const [live] = await sql<{ id: number }[]>`
      select id from ticket where contact_id = ${contactId} and whatsapp_id = ${whatsappId} and status <> 'closed'`
    const id = live?.id ?? (await makeTicket(db, { contactId, whatsappId, status, userId, queueId }))
    await makeMessage(db, id, 'voltei')
    if (random.chance(0.4))
      await sql`insert into protocol (protocolo, ticket_id, contact_id) values (${`2026${id}`}, ${id}, ${contactId})`
  }
}

/** Every time that is counted with whose it is, and how many protocols and ratings there are, and of whom. */
async function counted() {
  const times = await sql`
    select span_id::float8 as span, ticket_id, kind, at, queue_id, user_id, whatsapp_id, work::float8 as work from ticket_figure order by span_id, kind`
  const protocols = await sql`select protocolo, user_id from protocol order by id`
  const ratings = await sql`select id, rate, queue_id, user_id, at, asked_at from rating order by id`
  const [found] = await sql<{ n: number }[]>`select count(*)::int as n from message where media_type <> 'system'`
  return {
    times: times.map(row => JSON.stringify(row)),
    protocols: [...protocols],
    ratings: [...ratings],
    said: found?.n,
  }
}

const all = [{ firstDate: '2026-01-01', lastDate: '2099-12-31' }]

/** Who was being served when it was closed for the merge has had a service; nothing else comes, and nothing goes. */
function isKept(before: Awaited<ReturnType<typeof counted>>, after: Awaited<ReturnType<typeof counted>>): void {
  expect(before.times.filter(time => !after.times.includes(time))).toEqual([])
  expect({ ...after, times: [] }).toEqual({ ...before, times: [] })
}

describe('decisions-2 §22, §23: what was counted of two contacts', () => {
  test(`is still counted when the provider tells that they are one (SEED=${SEED})`, async () => {
    const viewer = await findViewer(db, world.people[0] ?? 0)
    if (!viewer) throw new Error('nobody')
    for (const [into, from] of pairs.slice(0, pairs.length / 2)) {
      const before = await counted()
      const joined = await sql<{ ended: number; hadPast: boolean }[]>`
        select e.id as ended, exists (select 1 from ticket_span s where s.ticket_id = e.id and s.status in ('open', 'nps', 'closed')) as "hadPast"
        from ticket a join ticket b on b.whatsapp_id = a.whatsapp_id join ticket e on e.id =
          case when (a.status = 'nps') = (b.status = 'nps') then greatest(a.id, b.id) when a.status = 'nps' then a.id else b.id end
        where a.contact_id = ${into} and b.contact_id = ${from} and a.status <> 'closed' and b.status <> 'closed'`
      const merging = () => db.transaction(tx => mergeContacts(tx, into, from))
      await verifyEvents(db, parseSettings({}), [viewer], 'merging', merging, { only: 'tickets' })
      isKept(before, await counted())
      for (const { ended, hadPast } of joined) {
        const [left] = await sql`select status, contact_id, unread_messages from ticket where id = ${ended}`
        expect(left ?? null).toEqual(hadPast ? { status: 'closed', contact_id: into, unread_messages: 0 } : null)
      }
    }
    await verifySpans(db, 'merged')
    await verifyFigures(db, 'merged', all)
    await foldFigures(db)
    await verifyFigures(db, 'merged and folded', all)
  })

  test('is still counted when somebody makes them one, and just as before when that is taken back', async () => {
    const viewer = await findViewer(db, world.people[0] ?? 0)
    if (!viewer) throw new Error('nobody')
    for (const [into, from] of pairs.slice(pairs.length / 2)) {
      const before = await counted()
      const { status, body } = await marina.call<{ merge: { id: number } }>('POST', `/contacts/${into}/merge`, {
        contactId: from,
      })
      expect(status).toBe(200)
      isKept(before, await counted())
      const undone = () => marina.call('DELETE', `/contacts/merges/${body.merge.id}`)
      await verifyEvents(db, parseSettings({}), [viewer], 'taking back', undone, { only: 'tickets' })
      expect(await counted()).toEqual(before)
    }
    await verifySpans(db, 'parted')
    await verifyFigures(db, 'parted', all)
    await foldFigures(db)
    await verifyFigures(db, 'parted and folded', all)
  })
})

describe('decisions-2 §22: of two live tickets of one person', () => {
  const CASES = [
    ['pending', 'open', 'open', 'who is served goes on being served'],
    ['open', 'pending', 'open', 'who is served goes on being served'],
    ['nps', 'pending', 'pending', 'who waits waits on, though the other was asked for a rating'],
    ['pending', 'nps', 'pending', 'who waits waits on, though the other was asked for a rating'],
    ['bot', 'pending', 'pending', 'who waits for people is not given back to the bot'],
    ['pending', 'bot', 'pending', 'who waits for people is not given back to the bot'],
    ['bot', 'paused', 'paused', 'a paused service stays one'],
    ['nps', 'bot', 'bot', 'the bot goes on where it is, though the other was asked for a rating'],
    ['nps', 'nps', 'nps', 'one survey goes on'],
  ] as const
  for (const [one, other, left, why] of CASES)
    test(`${one} and ${other}: ${why}`, async () => {
      const whatsappId = await makeConnection(db, `Loja ${one} ${other}`)
      const [into, from] = [await makeContact(db, 'Fica'), await makeContact(db, 'Vai')]
      const [rafael, bruna] = [world.people[2] ?? 0, world.people[3] ?? 0]
      const served = (status: TicketStatus) => status !== 'pending' && status !== 'bot'
      const older = await makeTicket(db, {
        contactId: into,
        whatsappId,
        status: one,
        userId: served(one) ? rafael : null,
      })
      const younger = await makeTicket(db, {
        contactId: from,
        whatsappId,
        status: other,
        userId: served(other) ? bruna : null,
      })
      await db.transaction(tx => mergeContacts(tx, into, from))
      const person = left === one ? (served(one) ? rafael : null) : served(other) ? bruna : null
      const rows =
        await sql`select id, status, user_id, contact_id from ticket where id in (${older}, ${younger}) and status <> 'closed'`
      const id = one === 'nps' && other !== 'nps' ? younger : older
      expect([...rows]).toEqual([{ id, status: left, user_id: person, contact_id: into }])
    })

  test('a pause that goes on in the other ticket ends when it was to end, and for whom', async () => {
    const whatsappId = await makeConnection(db, 'Loja das pausas')
    const [into, from] = [await makeContact(db, 'Fica'), await makeContact(db, 'Vai')]
    const [rafael, bruna] = [world.people[2] ?? 0, world.people[3] ?? 0]
    const older = await makeTicket(db, { contactId: into, whatsappId, status: 'pending' })
    const younger = await makeTicket(db, { contactId: from, whatsappId, status: 'paused', userId: bruna })
    await sql`update ticket set pause_until = '2026-01-02', paused_by = ${rafael} where id = ${older}`
    await sql`update ticket set pause_until = '2099-01-02', paused_by = ${bruna}, pause_tag = 'Amanhã' where id = ${younger}`
    await db.transaction(tx => mergeContacts(tx, into, from))
    const rows = await sql`
      select status, pause_tag as tag, pause_until::date::text as until, paused_by as by from ticket where id = ${older}`
    expect([...rows]).toEqual([{ status: 'paused', tag: 'Amanhã', until: '2099-01-02', by: bruna }])
  })

  test('so it is where somebody makes them one: who waits is not closed for a survey, and both are back afterwards', async () => {
    const whatsappId = await makeConnection(db, 'Loja à mão')
    const [into, from] = [await makeContact(db, 'Fica'), await makeContact(db, 'Vai')]
    const survey = await makeTicket(db, { contactId: into, whatsappId, status: 'nps', userId: world.people[2] ?? 0 })
    const waiting = await makeTicket(db, { contactId: from, whatsappId, status: 'pending' })
    const { body } = await marina.call<{ merge: { id: number } }>('POST', `/contacts/${into}/merge`, {
      contactId: from,
    })
    const standing = () => sql`
      select id, status, contact_id as "contactId" from ticket where id in (${survey}, ${waiting}) order by id`
    expect([...(await standing())]).toEqual([
      { id: survey, status: 'closed', contactId: into },
      { id: waiting, status: 'pending', contactId: into },
    ])
    await marina.call('DELETE', `/contacts/merges/${body.merge.id}`)
    expect([...(await standing())]).toEqual([
      { id: survey, status: 'nps', contactId: into },
      { id: waiting, status: 'pending', contactId: from },
    ])
  })

  test('the words since it came back go along, what was said before its closing stays where it was said', async () => {
    const whatsappId = await makeConnection(db, 'Loja das palavras')
    const [into, from] = [await makeContact(db, 'Fica'), await makeContact(db, 'Vai')]
    const older = await makeTicket(db, { contactId: into, whatsappId, status: 'pending', unread: 1 })
    const younger = await makeTicket(db, { contactId: from, whatsappId, status: 'open', userId: world.people[2] ?? 0 })
    await makeMessage(db, younger, 'de antes')
    await sql`update ticket set status = 'closed', closed_at = now() where id = ${younger}`
    await sql`update ticket set status = 'pending', user_id = null, closed_at = null, unread_messages = 2 where id = ${younger}`
    await makeMessage(db, younger, 'de agora')
    await sql`
      update ticket t set last_message = m.body, last_message_id = m.id, last_message_at = m.at from message m
      where t.id = ${younger} and m.ticket_id = t.id and m.body = 'de agora'`
    await db.transaction(tx => mergeContacts(tx, into, from))
    const rows = await sql`
      select ticket_id, body, system->>'code' as code from message where ticket_id in (${older}, ${younger}) order by id`
    expect([...rows]).toEqual([
      { ticket_id: younger, body: 'de antes', code: null },
      { ticket_id: older, body: 'de agora', code: null },
      { ticket_id: younger, body: expect.stringContaining(`nº ${older}`), code: 'joined' },
    ])
    const [row] = await sql`select unread_messages from ticket where id = ${older}`
    expect(row).toEqual({ unread_messages: 3 })
    const shown = await sql`
      select t.id, t.last_message, m.body from ticket t left join message m on m.id = t.last_message_id
      where t.id in (${older}, ${younger}) order by t.id`
    expect([...shown]).toEqual([
      { id: older, last_message: 'de agora', body: 'de agora' },
      { id: younger, last_message: 'de antes', body: 'de antes' },
    ])
  })
})
