// Receipts that name what went out with a send (decision 0131).
import { describe, expect, test } from 'bun:test'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { giveUpWaiting } from '../src/messaging/outbox/give-up.ts'
import { recoverSends, settleDoubts } from '../src/messaging/outbox/recover.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import type { ChannelEvent } from '../src/platform/channel/driver.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { makeOutgoingFixture, type OutgoingFixture } from './outgoing-world.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
type Ack = Extract<ChannelEvent, { type: 'ack' }>

describe('a receipt for a send whose answer was lost', () => {
  test('gives the message its id and settles it; later ones find it without the trace, and states only grow', async () => {
    const { world, id, trace } = await cutOff()
    await deliverAck(world, { id: 'wamid.1', ack: 'delivered', trace })
    expect(await known(id)).toEqual({ state: 'delivered', provider_id: 'wamid.1', row: 'done' })
    await deliverAck(world, { id: 'wamid.1', ack: 'sent', trace })
    await deliverAck(world, { id: 'wamid.1', ack: 'read' })
    expect(await known(id)).toEqual({ state: 'read', provider_id: 'wamid.1', row: 'done' })
  })

  test('is waited for before a person is asked, and still heard after', async () => {
    const { world, id, trace } = await cutOff()
    expect(await recoverSends(db, { whatsappId: world.whatsappId, epoch: 1 }, false, 60_000)).toBe(1)
    expect(await settleDoubts(db, { whatsappId: world.whatsappId, epoch: 1 })).toBe(0)
    expect(await known(id)).toEqual({ state: 'sending', provider_id: null, row: 'unknown' })
    await sql`update outbox set next_at = now() - interval '1 second' where whatsapp_id = ${world.whatsappId}`
    expect(await settleDoubts(db, { whatsappId: world.whatsappId, epoch: 1 })).toBe(1)
    expect(await known(id)).toEqual({ state: 'unknown', provider_id: null, row: 'unknown' })
    await deliverAck(world, { id: 'wamid.2', ack: 'sent', trace })
    expect(await known(id)).toEqual({ state: 'sent', provider_id: 'wamid.2', row: 'done' })
    expect(await settleDoubts(db, { whatsappId: world.whatsappId, epoch: 1 })).toBe(0)
  })

  test('counts although the same was told before by its id alone, which nobody knew then', async () => {
    const { world, id, trace } = await cutOff()
    await deliverAck(world, { id: 'wamid.20', ack: 'delivered' })
    expect(await known(id)).toMatchObject({ provider_id: null, row: 'sending' })
    await deliverAck(world, { id: 'wamid.20', ack: 'delivered', trace })
    expect(await known(id)).toEqual({ state: 'delivered', provider_id: 'wamid.20', row: 'done' })
  })

  test('that tells of a refusal makes the message failed', async () => {
    const { world, id, trace } = await cutOff()
    await deliverAck(world, { id: 'wamid.3', ack: 'error', code: '131047', text: 'Re-engagement message', trace })
    expect(await known(id)).toEqual({ state: 'failed', provider_id: 'wamid.3', row: 'failed' })
  })

  test('takes back the try a person asked for meanwhile: it does not go out twice', async () => {
    const { world, id, trace } = await cutOff()
    await askedAgain(world, id)
    await deliverAck(world, { id: 'wamid.4', ack: 'error', code: '131026', trace })
    expect(await known(id)).toMatchObject({ state: 'queued', row: 'queued' })
    await deliverAck(world, { id: 'wamid.4', ack: 'sent', trace })
    expect(await known(id)).toEqual({ state: 'sent', provider_id: 'wamid.4', row: 'done' })
    expect(await claimDue(db, { whatsappId: world.whatsappId, epoch: 1 }, 5, true)).toEqual([])
  })

  test('of the first of two tries leaves the second its id: what either reached counts, what one was refused does not', async () => {
    const { world, id, trace } = await cutOff()
    await askedAgain(world, id)
    const owned = { whatsappId: world.whatsappId, epoch: 1 }
    const [again] = await claimDue(db, owned, 5, true)
    expect(again?.trace).toBe(trace)
    if (again) await settle(db, owned, again, { state: 'done', ack: 'sent', id: 'wamid.6' })
    await deliverAck(world, { id: 'wamid.5', ack: 'error', code: '131026', trace })
    expect(await known(id)).toEqual({ state: 'sent', provider_id: 'wamid.6', row: 'done' })
    await deliverAck(world, { id: 'wamid.5', ack: 'delivered', trace })
    expect(await known(id)).toEqual({ state: 'delivered', provider_id: 'wamid.6', row: 'done' })
  })

  test('of the first of two tries that was refused does not stop the second one, which is on its way', async () => {
    const { world, id, trace } = await cutOff()
    await askedAgain(world, id)
    const owned = { whatsappId: world.whatsappId, epoch: 1 }
    const [again] = await claimDue(db, owned, 5, true)
    await deliverAck(world, { id: 'wamid.11', ack: 'error', code: '131026', trace })
    expect(await known(id)).toMatchObject({ state: 'failed', provider_id: 'wamid.11' })
    if (again) await settle(db, owned, again, { state: 'done', ack: 'sent', id: 'wamid.12' })
    expect(await known(id)).toEqual({ state: 'sent', provider_id: 'wamid.12', row: 'done' })
    await deliverAck(world, { id: 'wamid.12', ack: 'read' })
    expect(await known(id)).toMatchObject({ state: 'read' })
  })

  test('that came before the answer and tells of a refusal is not overruled by it', async () => {
    const { world, id, trace } = await cutOff()
    await askedAgain(world, id)
    const owned = { whatsappId: world.whatsappId, epoch: 1 }
    const [again] = await claimDue(db, owned, 5, true)
    await deliverAck(world, { id: 'wamid.13', ack: 'error', code: '131026', trace })
    if (again) await settle(db, owned, again, { state: 'done', ack: 'sent', id: 'wamid.13' })
    expect(await known(id)).toEqual({ state: 'failed', provider_id: 'wamid.13', row: 'failed' })
  })

  test('lets in what waited for the message: a reaction that was told before', async () => {
    const { world, id, trace } = await cutOff()
    const customer = { jid: world.tickets[0]?.to ?? '', group: false }
    const reaction: ChannelEvent = {
      type: 'reaction',
      ref: { chat: customer.jid, id: 'wamid.14', fromMe: true },
      chat: customer,
      by: customer,
      fromMe: false,
      emoji: '👍',
      at: Date.now(),
    }
    await receiveEvents(db, { id: world.whatsappId }, [reaction])
    await deliverAck(world, { id: 'wamid.14', ack: 'delivered', trace })
    const [row] = await sql<{ reactions: { emoji: string }[] }[]>`select reactions from message where id = ${id}`
    expect(row?.reactions.map(one => one.emoji)).toEqual(['👍'])
  })

  test('is waited for no longer once the connection is deleted', async () => {
    const { world, id } = await cutOff()
    await recoverSends(db, { whatsappId: world.whatsappId, epoch: 1 }, false, 60_000)
    await db.transaction(tx => giveUpWaiting(tx, world.whatsappId))
    expect(await known(id)).toEqual({ state: 'unknown', provider_id: null, row: 'unknown' })
    // As long as it is tried to log it out, that is done again and again: it is told once.
    const version = () => sql<{ version: number }[]>`select version::float8 as version from message where id = ${id}`
    const before = await version()
    await db.transaction(tx => giveUpWaiting(tx, world.whatsappId))
    expect(await version()).toEqual(before)
  })

  test('with a trace nobody gave, or one of another connection, changes nothing', async () => {
    const { world, id, trace } = await cutOff()
    const other = await makeOutgoingFixture(db, 1, 'cloud_api')
    await deliverAck(other, { id: 'wamid.7', ack: 'delivered', trace })
    await deliverAck(world, { id: 'wamid.8', ack: 'read', trace: crypto.randomUUID() })
    await deliverAck(world, { id: 'wamid.9', ack: 'read' })
    expect(await known(id)).toEqual({ state: 'sending', provider_id: null, row: 'sending' })
  })

  test('with an id that is another message already leaves both as they are', async () => {
    const { world, id, trace } = await cutOff()
    const other = await world.write(0, 'outra')
    await sql`update message set provider_id = 'wamid.10', state = 'sent' where id = ${other}`
    await deliverAck(world, { id: 'wamid.10', ack: 'delivered', trace })
    expect(await known(id)).toMatchObject({ state: 'sending', provider_id: null })
    expect(await known(other)).toMatchObject({ state: 'delivered', provider_id: 'wamid.10' })
  })
})

/** A send whose owner died between the provider's answer and our commit. */
async function cutOff(): Promise<{ world: OutgoingFixture; id: number; trace: string }> {
  const world = await makeOutgoingFixture(db, 1, 'cloud_api')
  const id = await world.write(0, 'meio caminho')
  const [claim] = await claimDue(db, { whatsappId: world.whatsappId, epoch: 0 }, 5, true)
  if (!claim?.trace) throw new Error('It was claimed without a trace')
  await sql`update whatsapp set epoch = 1 where id = ${world.whatsappId}`
  return { world, id, trace: claim.trace }
}

/** As a person does who is asked about an unknown one. */
async function askedAgain(world: OutgoingFixture, id: number): Promise<void> {
  await recoverSends(db, { whatsappId: world.whatsappId, epoch: 1 }, false)
  await sql`update outbox set state = 'queued', next_at = now(), epoch = null where message_id = ${id}`
  await sql`update message set state = 'queued' where id = ${id}`
}

async function deliverAck({ whatsappId }: OutgoingFixture, { id, ...ack }: Omit<Ack, 'type' | 'ref'> & { id: string }) {
  await receiveEvents(db, { id: whatsappId }, [
    { type: 'ack', ref: { chat: '5531987650001', id, fromMe: true }, ...ack },
  ])
}

async function known(id: number) {
  const [row] = await sql<{ state: string; provider_id: string | null; row: string }[]>`
    select m.state, m.provider_id, o.state as row from message m join outbox o on o.message_id = m.id where m.id = ${id}`
  return { ...row }
}
