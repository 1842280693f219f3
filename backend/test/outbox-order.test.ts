// The rule of the outbox: of one customer never a thing before an older one, of several customers side by side.
import { expect, test } from 'bun:test'
import type { OwnedConnection } from '../src/desk/connections/ownership.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { makeOutgoingFixture, type OutgoingFixture } from './outgoing-world.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)

test('order within a contact: nothing is claimed while an older thing of that contact waits or is on its way', async () => {
  const world = await makeOutgoingFixture(db, 2)
  const [first, second, third] = [await world.write(0, '1'), await world.write(0, '2'), await world.write(0, '3')]
  const [other] = [await world.write(1, 'outro')]
  const owned = await ownerOf(world.whatsappId)
  const claimed = async () => (await claims(owned)).map(claim => claim.messageId)

  const [one] = await claims(owned, 1)
  expect(one?.messageId).toBe(first)
  // The first is on its way: the customer's others wait, another customer's does not.
  expect(await claimed()).toEqual([other])
  expect(await claimed()).toEqual([])

  // It is to be tried again later: what is due meanwhile stays behind it.
  if (!one) throw new Error('nothing was claimed')
  await settle(db, owned, one, { state: 'queued', afterMs: 3_600_000, error: 'later' })
  expect(await claimed()).toEqual([])

  await sql`update outbox set next_at = now() where message_id = ${first}`
  const [again] = await claims(owned)
  if (!again) throw new Error('nothing was claimed')
  expect(again.messageId).toBe(first)
  await settle(db, owned, again, { state: 'done', ack: 'sent', id: 'P1' })
  // Due the longer, yet newer: its turn comes after the older one's.
  await sql`update outbox set next_at = now() - interval '1 hour' where message_id = ${third}`
  expect(await claimed()).toEqual([second])
})

test('of any set of rows one is always claimable: no contact waits for ever, and each thing comes in its order', async () => {
  const world = await makeOutgoingFixture(db, 1)
  const owned = await ownerOf(world.whatsappId)
  const messageIds: number[] = []
  while (messageIds.length < MOST_ROWS) messageIds.push(await world.write(0, 'texto'))
  const sets = [
    PACED_READ_ANSWER,
    ...Array.from({ length: countRounds({ all: 300, few: 40 }) }, (_, seed) => createRows(createSeededRandom(seed))),
  ]
  for (const rows of sets) {
    const ids = await insertRows(world, messageIds, rows)
    const order = (await drain(world.whatsappId, owned)).map(id => ids.indexOf(id))
    const waiting = rows.flatMap(({ state }, at) => (state === 'queued' ? [at] : []))
    expect(
      order.toSorted((a, b) => a - b),
      JSON.stringify(rows),
    ).toEqual(waiting)
    const inOrder = (at: number, behind: number) => order.indexOf(at) < order.indexOf(behind)
    for (const [at, behind] of listPromises(rows, waiting))
      expect(inOrder(at, behind), `${at} before ${behind} of ${JSON.stringify(rows)}`).toBe(true)
  }
}, 120_000)

const MOST_ROWS = 8

interface Row {
  readonly operation: 'message' | 'edit' | 'revoke' | 'reaction' | 'read'
  readonly paced: boolean
  readonly state: 'queued' | 'sending' | 'done' | 'failed' | 'unknown'
  /** The place of the row whose message an operation is about; null: a message of the customer's. */
  readonly about: number | null
  readonly dueInS: number
}

const ROW: Row = { operation: 'message', paced: false, state: 'queued', about: null, dueInS: 0 }
/** A farewell waits its turn, the customer's words are read, the agent answers. */
const PACED_READ_ANSWER: readonly Row[] = [{ ...ROW, paced: true }, { ...ROW, operation: 'read' }, ROW]

function createRows(random: SeededRandom): Row[] {
  const rows: Row[] = []
  const size = 3 + random.upTo(MOST_ROWS - 2)
  while (rows.length < size) {
    const operation = random.pick(['message', 'message', 'edit', 'revoke', 'reaction', 'read'] as const)
    const messages = rows.flatMap((row, place) => (row.operation === 'message' ? [place] : []))
    // One of a contact at most is on its way.
    const states = rows.some(({ state }) => state === 'sending') ? ENDED : ([...ENDED, 'sending'] as const)
    rows.push({
      operation,
      paced: operation === 'message' && random.chance(0.5),
      state: random.chance(0.7) ? 'queued' : random.pick(states),
      about: operation === 'read' ? null : random.pick([null, ...messages]),
      dueInS: random.pick([-60, 0, 60]),
    })
  }
  return rows
}

const ENDED = ['done', 'failed', 'unknown'] as const

/** Which row has to leave before which other. */
function listPromises(rows: readonly Row[], waiting: readonly number[]): [number, number][] {
  return waiting.flatMap(behind =>
    waiting.flatMap((at): [number, number][] => {
      const [first, second] = [rows[at] ?? ROW, rows[behind] ?? ROW]
      const isAbout = second.operation !== 'message' && second.about === at
      const areMessages = first.operation === 'message' && second.operation === 'message'
      const isBefore = areMessages && (first.paced === second.paced ? at < behind : second.paced)
      return isAbout || isBefore ? [[at, behind]] : []
    }),
  )
}

async function insertRows(
  { whatsappId, tickets }: OutgoingFixture,
  messageIds: readonly number[],
  rows: readonly Row[],
): Promise<number[]> {
  await sql`delete from outbox where whatsapp_id = ${whatsappId}`
  const ids: number[] = []
  for (const [at, { operation, paced, state, about, dueInS }] of rows.entries()) {
    const messageId = operation === 'message' ? messageIds[at] : about === null ? null : messageIds[about]
    const [row] = await sql<{ id: number }[]>`
      insert into outbox (whatsapp_id, contact_id, message_id, operation, payload, paced, state, next_at) values (${whatsappId},
        ${tickets[0]?.contactId ?? 0}, ${messageId ?? null}, ${operation}, '{"type":"text","text":"x"}', ${paced}, ${state},
        now() + ${dueInS} * interval '1 second') returning id::float8 as id`
    ids.push(row?.id ?? 0)
  }
  return ids
}

/** Claims and ends what is due until nothing is; time passes where only that helps. Gives the rows in the order of their claims. */
async function drain(whatsappId: number, owned: OwnedConnection): Promise<number[]> {
  const order: number[] = []
  for (;;) {
    const claimed = await claims(owned)
    order.push(...claimed.map(({ id }) => id))
    const ended =
      await sql`update outbox set state = 'done' where whatsapp_id = ${whatsappId} and state = 'sending' returning 1`
    if (claimed.length > 0 || ended.length > 0) continue
    const passed = await sql`
      update outbox set next_at = now() where whatsapp_id = ${whatsappId} and state = 'queued' and next_at > now() returning 1`
    if (passed.length === 0) return order
  }
}

async function claims(owned: OwnedConnection, most = 8) {
  return claimDue(db, owned, most)
}

async function ownerOf(whatsappId: number): Promise<OwnedConnection> {
  const [row] = await sql<{ epoch: number }[]>`
    update whatsapp set epoch = epoch + 1 where id = ${whatsappId} returning epoch::float8 as epoch`
  return { whatsappId, epoch: row?.epoch ?? 0 }
}
