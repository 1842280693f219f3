// What a pause leaves that ended by its time: a ticket that says so, and is not closed before anybody could have seen it.
import { beforeEach, describe, expect, test } from 'bun:test'
import { writeComment } from '../src/desk/messages/system-lines.ts'
import { closeIdle } from '../src/desk/sweeps/close-idle.ts'
import { wakePaused } from '../src/desk/sweeps/wake-paused.ts'
import { patchTicket } from '../src/desk/tickets/change.ts'
import { loadTicketView } from '../src/desk/tickets/present.ts'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { at, startSweepsDesk } from './sweeps-desk.ts'

const { db, sql, sweeping, queue, whatsappId, emptied, set, idOf, aTicketSince, ticket } = await startSweepsDesk({
  jobs: true,
})

/** A Tuesday in São Paulo, when the company closes. */
const SIX = '2025-11-25T21:00:00.000Z'
const TWO = '2025-11-25T17:00:00.000Z'

beforeEach(emptied)

describe('an open ticket in which nobody writes, after its pause', () => {
  beforeEach(async () => {
    await set('closeCron', 'enabled')
    await set('intervalClose', '30')
  })

  test.each([
    ['in the company’s hours', TWO, '2025-11-25T17:29:59.999Z', '2025-11-25T17:30:00Z'],
    // The minute of closing is one of them.
    ['as they end: in the morning', SIX, '2025-11-26T11:28:59.999Z', '2025-11-26T11:29:00Z'],
  ])('is closed as many minutes after it woke as any other, %s', async (_, woken, before, after) => {
    await refreshCalendar(db, new Date(SIX))
    const id = await wake(woken)
    expect(await closeIdle(sweeping, at(woken))).toBe(0)
    expect(await closeIdle(sweeping, at(before))).toBe(0)
    expect(await closeIdle(sweeping, at(after))).toBe(1)
    expect((await ticket(id)).status).toBe('closed')
  })

  test('counts from the words that came since, as any other', async () => {
    await refreshCalendar(db, new Date(SIX))
    const id = await wake(SIX)
    await sql`update ticket set last_message_at = '2025-11-25T21:10:00Z' where id = ${id}`
    expect(await closeIdle(sweeping, at('2025-11-25T21:39:59Z'))).toBe(0)
    expect(await closeIdle(sweeping, at('2025-11-25T21:40:00Z'))).toBe(1)
  })

  test('is closed a week later where the company is never open', async () => {
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
    for (const day of days) await set(day, 'disabled')
    await refreshCalendar(db, new Date(SIX))
    await wake(SIX)
    expect(await closeIdle(sweeping, at('2025-12-02T20:59:59.999Z'))).toBe(0)
    expect(await closeIdle(sweeping, at('2025-12-02T21:00:00Z'))).toBe(1)
  })

  test('does not wait for a calendar that was not laid yet', async () => {
    await sql`delete from work_span`
    await sql`delete from figure_calendar`
    await wake(SIX)
    expect(await closeIdle(sweeping, at('2025-11-25T21:29:59Z'))).toBe(0)
    expect(await closeIdle(sweeping, at('2025-11-25T21:30:00Z'))).toBe(1)
  })
})

describe('that a pause is over', () => {
  test('stands with the ticket at its new place, also once somebody else has it', async () => {
    const id = await wake(TWO)
    expect(await read(id)).toEqual({ wokenAt: TWO, lastMessageAt: TWO, pauseUntil: null })
    await db.transaction(tx => patchTicket(tx, id, { status: 'pending', userId: null }))
    expect((await read(id)).wokenAt).toBe(TWO)
  })

  test('is told until somebody writes', async () => {
    const lucia = makePeer({ pn: '5531998762210' })
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(lucia, 'Oi', { at: Date.now() - 3_600_000 })])
    const [made] = await sql<{ id: number }[]>`select id from ticket`
    const id = made?.id ?? 0
    const pauseAndWake = async () => {
      const now = new Date().toISOString()
      await sql`update ticket set status = 'paused', pause_until = ${now}, paused_by = ${idOf('Ana')} where id = ${id}`
      await wakePaused(sweeping, at(now))
      expect((await read(id)).wokenAt).not.toBeUndefined()
    }
    await pauseAndWake()
    // In the same second, too.
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(lucia, 'E então?')])
    expect((await read(id)).wokenAt).toBeUndefined()
    await pauseAndWake()
    await db.transaction(tx =>
      writeComment(tx, id, { viewer: { id: idOf('Ana') }, name: 'Ana', family: '' }, 'já vejo'),
    )
    expect((await read(id)).wokenAt).toBeUndefined()
  })

  test.each([
    ['paused anew', { status: 'paused', pauseUntil: null, pausedBy: null }],
    ['closed', { status: 'closed' }],
  ] as const)('is over itself once it is %s, also when that ends', async (_, patch) => {
    const id = await wake(TWO)
    for (const next of [patch, { status: 'open' }] as const) {
      await db.transaction(tx => patchTicket(tx, id, next))
      expect((await read(id)).wokenAt).toBeUndefined()
    }
  })

  test('is said of none that a person resumed, whatever its pause was', async () => {
    const id = await aTicketSince(TWO, { status: 'paused', queueId: queue, userId: idOf('Ana') })
    await sql`update ticket set pause_until = ${TWO}, paused_by = ${idOf('Ana')} where id = ${id}`
    await db.transaction(tx => patchTicket(tx, id, { status: 'open' }))
    expect((await read(id)).wokenAt).toBeUndefined()
  })
})

/** A ticket of Ana's whose last words are of the day before, and whose pause ends at an instant. */
async function wake(instant: string): Promise<number> {
  const id = await aTicketSince('2025-11-24T12:00:00Z', { status: 'paused', queueId: queue, userId: idOf('Ana') })
  await sql`update ticket set pause_until = ${instant}, paused_by = ${idOf('Ana')} where id = ${id}`
  expect(await wakePaused(sweeping, at(instant))).toBe(1)
  // A period begins with the clock of the database.
  await sql`update ticket_span set begun_at = ${instant} where ticket_id = ${id} and ended_at is null`
  return id
}

async function read(id: number) {
  const { wokenAt, lastMessageAt, pauseUntil } = (await loadTicketView(db, id)).ticket
  return { wokenAt, lastMessageAt, pauseUntil }
}
