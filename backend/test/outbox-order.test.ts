// The rule of the outbox: of one customer never a thing before an older one, of several customers side by side.
import { expect, test } from 'bun:test'
import type { OwnedConnection } from '../src/desk/connections/ownership.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'

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

async function claims(owned: OwnedConnection, most = 8) {
  return claimDue(db, owned, most)
}

async function ownerOf(whatsappId: number): Promise<OwnedConnection> {
  const [row] = await sql<{ epoch: number }[]>`
    update whatsapp set epoch = epoch + 1 where id = ${whatsappId} returning epoch::float8 as epoch`
  return { whatsappId, epoch: row?.epoch ?? 0 }
}
