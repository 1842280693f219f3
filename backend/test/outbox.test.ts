import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getCapabilities } from '@balcao/contract'
import { FencedError } from '../src/desk/connections/ownership.ts'
import { enqueueOperation } from '../src/desk/messages/enqueue.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { recoverSends } from '../src/messaging/outbox/recover.ts'
import { type Sender, startSender } from '../src/messaging/outbox/sender.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import type { Driver } from '../src/platform/channel/driver.ts'
import { toSendError } from '../src/platform/channel/send-errors.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { makeMessage } from './desk-world.ts'
import { startNetwork } from './network.ts'
import { createNetworkDriver } from './network-driver.ts'
import { makeOutgoingFixture, type OutgoingFixture, writeFromDesk } from './outgoing-world.ts'
import { waitUntil } from './until.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
const quiet = { warn() {}, error() {} }
let network = startNetwork()
let senders: Sender[] = []

beforeEach(() => {
  network = startNetwork()
})
afterEach(async () => {
  network.hold(false)
  await Promise.all(senders.map(sender => sender.stop()))
  senders = []
  network.stop()
})

describe('sending', () => {
  test('keeps the order within a customer and serves customers side by side', async () => {
    const world = await makeOutgoingFixture(db, 3)
    for (let n = 1; n <= 5; n++)
      for (let customer = 0; customer < 3; customer++) await world.write(customer, `${customer}-${n}`)
    await connect(world)
    await waitUntil('all are sent', async () => (await world.states()).every(one => one.state === 'sent'))
    for (const [at, { to }] of world.tickets.entries())
      expect(textsTo(to)).toEqual([1, 2, 3, 4, 5].map(n => `${at}-${n}`))
    expect(network.arrived).toHaveLength(15)
    expect((await world.states()).every(one => one.rows === 'done')).toBe(true)
  })

  test('waits with a file while the store of files is away, however long: it costs no try', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'Segue a foto')
    const payload = { type: 'media', media: 'image', mediaId: 'foto-no-balde', mime: 'image/png', name: 'foto.png' }
    await sql`update outbox set payload = ${JSON.stringify(payload)}::text::jsonb where message_id = ${id}`
    const wanted: string[] = []
    let isAway = true
    const sender = await begin(world, true, async ids => {
      wanted.push(...ids)
      return !isAway
    })
    sender.setConnected(true)
    const row = async () => (await sql`select state, attempts, error from outbox where message_id = ${id}`)[0]
    await waitUntil('it is put back', async () => String((await row())?.error).startsWith('files_away'))
    expect(await row()).toMatchObject({ state: 'queued', attempts: 0 })
    expect([wanted[0], network.arrived]).toEqual(['foto-no-balde', []])
    isAway = false
    await sql`update outbox set next_at = now() where message_id = ${id}`
    sender.wake()
    await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
    expect(network.arrived).toHaveLength(1)
  })

  test('tells every state and leaves the ticket with the last one', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'Bom dia!')
    await connect(world)
    await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
    const rows = await sql<{ state: string }[]>`
      select payload::json->'message'->>'state' as state from live_event
      where payload::json->>'event' = 'appMessage' and (payload::json->'message'->>'id')::int = ${id} order by id`
    expect(rows.map(one => one.state)).toEqual(['queued', 'sending', 'sent'])
    const [ticket] = await sql`select last_message_state from ticket where id = ${world.tickets[0]?.id ?? 0}`
    expect(ticket?.last_message_state).toBe('sent')
    const [row] = await sql`select raw, chat, provider_id from message where id = ${id}`
    expect(row?.raw).toEqual({ event: { sent: row?.provider_id } })
    expect(row?.chat).toBe(world.tickets[0]?.to)
  })

  test('keeps what opens later changes of it that come sealed', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'Bom dia!')
    const sent = { ok: true, id: 'SEALED', ack: 'sent', secret: 'c2VjcmV0' } as const
    network.answerNext(world.tickets[0]?.to ?? '', sent)
    await connect(world)
    await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
    const [row] = await sql`select secret from message where id = ${id}`
    expect(row?.secret).toBe('c2VjcmV0')
  })

  test("a refused message fails with the provider's words and holds nobody up", async () => {
    const world = await makeOutgoingFixture(db, 2)
    const refused = await world.write(0, 'ruim')
    const after = await world.write(0, 'depois')
    const other = await world.write(1, 'outro')
    network.answerNext(world.tickets[0]?.to ?? '', {
      ok: false,
      outcome: 'refused',
      code: '463',
      text: 'Restricted',
      details: 'why',
    })
    await connect(world)
    await waitUntil(
      'the others are sent',
      async () => (await world.stateOf(after)) === 'sent' && (await world.stateOf(other)) === 'sent',
    )
    expect(await world.stateOf(refused)).toBe('failed')
    const [row] = await sql`select error_log from message where id = ${refused}`
    expect(row?.error_log).toEqual({ code: '463', message: 'Restricted', error_data: { details: 'why' } })
  })

  test('to a group we were taken out of fails at once, in words, whatever the kind would say of it', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const group = world.tickets[0]?.contactId ?? 0
    const setOut = (isOut: boolean) => sql`update contact_channel set is_out = ${isOut} where contact_id = ${group}`
    await sql`update contact set is_group = true where id = ${group}`
    await setOut(true)
    const id = await world.write(0, 'Alguém?')
    await connect(world)
    await waitUntil('it failed', async () => (await world.stateOf(id)) === 'failed')
    const [row] =
      await sql`select m.error_log->>'code' as code, o.attempts from message m join outbox o on o.message_id = m.id where m.id = ${id}`
    expect(row).toEqual({ code: 'not_member', attempts: 1 })
    expect(toSendError('not_member')).toBe('ERR_SEND_NOT_MEMBER')
    expect(network.arrived).toEqual([])
    await setOut(false)
    const back = await world.write(0, 'Voltei')
    senders.at(-1)?.wake()
    await waitUntil('it is sent', async () => (await world.stateOf(back)) === 'sent')
  })

  test('"later" keeps a customer\'s order and the other customers going', async () => {
    const world = await makeOutgoingFixture(db, 2)
    await world.write(0, 'a1')
    await world.write(0, 'a2')
    await world.write(1, 'b1')
    const later = { ok: false, outcome: 'retry', code: '130429', text: 'Too fast', afterMs: 150 } as const
    network.answerNext(world.tickets[0]?.to ?? '', later, later)
    await connect(world)
    await waitUntil('all are sent', async () => (await world.states()).every(one => one.state === 'sent'))
    expect(network.arrived.map(one => textOf(one.message))).toEqual(['b1', 'a1', 'a2'])
  })

  test('nothing is sent while the connection is down, and nothing is lost', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'espera')
    const sender = await begin(world)
    sender.wake()
    expect(await claimable(world)).toBe(1)
    expect(await world.stateOf(id)).toBe('queued')
    sender.setConnected(true)
    await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
  })

  test('free text after 24 hours is refused early where the provider refuses it', async () => {
    const world = await makeOutgoingFixture(db, 1, 'cloud_api')
    const id = await world.write(0, 'tarde')
    await sql`update contact_channel set last_inbound_at = now() - interval '25 hours' where whatsapp_id = ${world.whatsappId}`
    await connect(world, false)
    await waitUntil('it failed', async () => (await world.stateOf(id)) === 'failed')
    const [row] = await sql`select error_log->>'code' as code from message where id = ${id}`
    expect(row?.code).toBe('131047')
    expect(network.arrived).toHaveLength(0)
  })

  test('an edit asked for before its message was sent goes out after it, with its id', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'errado')
    const [ticket] = world.tickets
    const ref = { chat: '', id: '', fromMe: true }
    await db.transaction(tx =>
      enqueueOperation(tx, { whatsappId: world.whatsappId, contactId: ticket?.contactId ?? 0 }, id, {
        type: 'edit',
        ref,
        text: 'certo',
      }),
    )
    await connect(world)
    await waitUntil('both went out', () => network.arrived.length === 2)
    const [first, second] = network.arrived
    expect(second?.message).toEqual({
      type: 'edit',
      ref: { chat: ticket?.to ?? '', id: first?.id ?? '', fromMe: true },
      text: 'certo',
    })
    await waitUntil('both are settled', async () => (await world.states())[0]?.rows === 'done,done')
  })

  test('an answer that waited quotes the words of now, and none that were taken back meanwhile', async () => {
    const world = await makeOutgoingFixture(db, 3)
    const says = ['São 200 reais', null, null]
    for (const [customer, { id: ticketId }] of world.tickets.entries()) {
      const quotedId = await makeMessage(db, ticketId, 'São 100 reais')
      const answerId = await world.write(customer, `resposta ${customer}`)
      const quote = { chat: 'x', id: `Q${quotedId}`, fromMe: false, body: 'São 100 reais' }
      await sql`update message set quoted_id = ${quotedId} where id = ${answerId}`
      await sql`update outbox set payload = payload || ${JSON.stringify({ quote })}::text::jsonb where message_id = ${answerId}`
      if (customer === 0) await sql`update message set body = 'São 200 reais', is_edited = true where id = ${quotedId}`
      if (customer === 1) await sql`update message set is_deleted = true where id = ${quotedId}`
      if (customer === 2) await sql`delete from message where id = ${quotedId}`
    }
    await connect(world)
    await waitUntil('all went out', () => network.arrived.length === 3)
    for (const [customer, { to }] of world.tickets.entries()) {
      const message = network.arrived.find(one => one.to === to)?.message
      expect(message).toMatchObject({ type: 'text', text: `resposta ${customer}` })
      const quote = message && 'quote' in message ? message.quote?.body : null
      expect(quote ?? null).toBe(says[customer] ?? null)
    }
  })
})

describe('receipts and sends that cross', () => {
  test("a receipt that comes before the provider's answer counts", async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'rápido')
    network.hold(true)
    await connect(world)
    await waitUntil('it is on its way', async () => (await world.stateOf(id)) === 'sending')
    const [row] = await sql<{ provider_id: string }[]>`select provider_id from message where id = ${id}`
    const ref = { chat: world.tickets[0]?.to ?? '', id: row?.provider_id ?? '', fromMe: true }
    await receiveEvents(db, { id: world.whatsappId }, [{ type: 'ack', ref, ack: 'read' }])
    expect(await world.stateOf(id)).toBe('read')
    network.hold(false)
    await waitUntil(
      'the answer is kept',
      async () => (await sql`select 1 from message where id = ${id} and raw is not null`).length === 1,
    )
    expect(await world.stateOf(id)).toBe('read')
  })

  test('a receipt for an id the desk does not know yet is applied when it does', async () => {
    const world = await makeOutgoingFixture(db, 1, 'cloud_api')
    const id = await world.write(0, 'oficial')
    await receiveEvents(db, { id: world.whatsappId }, [
      { type: 'ack', ref: { chat: world.tickets[0]?.to ?? '', id: 'net-1', fromMe: true }, ack: 'delivered' },
    ])
    await connect(world, false)
    await waitUntil('it is delivered', async () => (await world.stateOf(id)) === 'delivered')
  })
})

describe('what nobody waits for, such as farewells', () => {
  test('keeps 3 to 6 s between two on one connection, behind what people say', async () => {
    const world = await makeOutgoingFixture(db, 4)
    const farewell = (customer: number) =>
      db.transaction(tx =>
        writeFromDesk(tx, world.tickets[customer]?.id ?? 0, `Até logo ${customer}`, { unhurried: true }),
      )
    for (const customer of [0, 1, 2]) await farewell(customer)
    const answers = [await world.write(2, 'Só mais uma coisa'), await world.write(3, 'Bom dia')]
    await connect(world)
    for (const id of answers) await waitUntil('the answers are sent', async () => (await world.stateOf(id)) === 'sent')
    await waitUntil('two farewells are sent', () => farewells(world).length === 2)
    const [first, second] = farewells(world)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeWithin(3000, 8000)
    expect(textsTo(world.tickets[2]?.to ?? '')).toEqual(['Só mais uma coisa'])
    expect(network.arrived.findIndex(({ message }) => textOf(message) === 'Bom dia')).toBeLessThan(
      network.arrived.findIndex(({ message }) => textOf(message) === second?.text),
    )
  })

  test('and is said within a conversation goes before what follows it, which hurries it on, and is not taken back', async () => {
    const world = await makeOutgoingFixture(db, 2)
    const give = ({ id }: { id: number }) =>
      db.transaction(tx => writeFromDesk(tx, id, 'Seu protocolo', { unhurried: true, paced: false }))
    const protocols = await Promise.all(world.tickets.map(give))
    await world.write(1, 'Só mais uma coisa')
    await sql`update ticket set accepted_at = now() + interval '1 second' where whatsapp_id = ${world.whatsappId}`
    const claims = await claimDue(db, { whatsappId: world.whatsappId, epoch: 0 }, 8, false, 0)
    expect(claims.map(({ messageId }) => messageId)).toEqual([protocols[1] ?? 0])
    await sql`update outbox set state = 'queued', attempts = 0 where state = 'sending'`
    await connect(world)
    for (const id of protocols) await waitUntil('it is said', async () => (await world.stateOf(id)) === 'sent')
    const [, second] = world.tickets
    await waitUntil('what follows is said', () => textsTo(second?.to ?? '').length === 2)
    expect(textsTo(second?.to ?? '')).toEqual(['Seu protocolo', 'Só mais uma coisa'])
  })

  test('goes at once over the official API', async () => {
    const world = await makeOutgoingFixture(db, 3, 'cloud_api')
    for (const { id } of world.tickets)
      await db.transaction(tx => writeFromDesk(tx, id, `Até logo, oficial ${id}`, { unhurried: true }))
    const claims = await claimDue(db, { whatsappId: world.whatsappId, epoch: 0 }, 5)
    expect(claims).toHaveLength(3)
  })

  test('of those that are due the claim takes as many as it is told, and everything else', async () => {
    const world = await makeOutgoingFixture(db, 4)
    for (const { id } of world.tickets.slice(0, 3))
      await db.transaction(tx => writeFromDesk(tx, id, 'Até logo', { unhurried: true }))
    await world.write(3, 'Oi')
    const owned = { whatsappId: world.whatsappId, epoch: 0 }
    expect((await claimDue(db, owned, 8, false, 1)).map(({ unhurried }) => unhurried).sort()).toEqual([false, true])
    expect(await claimDue(db, owned, 8, false, 0)).toEqual([])
    expect(await claimDue(db, owned, 8, false, 8)).toHaveLength(2)
  })

  function farewells(world: OutgoingFixture) {
    const own = new Set(world.tickets.map(({ to }) => to))
    return network.arrived
      .map(({ to, message, at }) => ({ to, at, text: textOf(message) }))
      .filter(({ to, text }) => own.has(to) && text.startsWith('Até logo'))
  }
})

describe('after a crash', () => {
  test('what may be repeated is sent again under the same id', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'meio caminho')
    const [claim] = await claimDue(db, { whatsappId: world.whatsappId, epoch: 0 }, 5)
    expect(claim?.providerId).toMatch(/^3EB0/)
    await newEpoch(world)
    await connect(world)
    await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
    expect(network.arrived.map(one => one.id)).toEqual([claim?.providerId ?? ''])
  })

  test('what may not be repeated is unknown, and a person decides', async () => {
    const world = await makeOutgoingFixture(db, 1, 'cloud_api')
    const id = await world.write(0, 'meio caminho')
    await claimDue(db, { whatsappId: world.whatsappId, epoch: 0 }, 5)
    await newEpoch(world)
    expect(await recoverSends(db, { whatsappId: world.whatsappId, epoch: 1 }, false)).toBe(1)
    expect(await world.states()).toEqual([{ body: 'meio caminho', state: 'unknown', rows: 'unknown' }])
    expect(id).toBeGreaterThan(0)
  })

  test('a receipt proves that it went out', async () => {
    const world = await makeOutgoingFixture(db, 1)
    await world.write(0, 'provado')
    const [claim] = await claimDue(db, { whatsappId: world.whatsappId, epoch: 0 }, 5)
    const ref = { chat: world.tickets[0]?.to ?? '', id: claim?.providerId ?? '', fromMe: true }
    await receiveEvents(db, { id: world.whatsappId }, [{ type: 'ack', ref, ack: 'delivered' }])
    await newEpoch(world)
    await recoverSends(db, { whatsappId: world.whatsappId, epoch: 1 }, true)
    expect(await world.states()).toEqual([{ body: 'provado', state: 'delivered', rows: 'done' }])
  })

  test('an owner whose time is over can neither claim nor settle', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'velho dono')
    const old = { whatsappId: world.whatsappId, epoch: 0 }
    const [claim] = await claimDue(db, old, 5)
    if (!claim) throw new Error('nothing was claimed')
    await newEpoch(world)
    await expect(claimDue(db, old, 5)).rejects.toBeInstanceOf(FencedError)
    await expect(settle(db, old, claim, { state: 'failed', error: { code: 'x', message: '' } })).rejects.toBeInstanceOf(
      FencedError,
    )
    expect(await world.stateOf(id)).toBe('sending')
  })
})

test('an owner that stood still sends nothing until it is sure again that the connection is its own', async () => {
  const world = await makeOutgoingFixture(db, 1)
  const id = await world.write(0, 'oi')
  let sure = false
  const sender = await begin(world, false, undefined, () => sure)
  sender.setConnected(true)
  await waitUntil('it waits', async () => (await claimable(world)) === 1 && (await readError(id)) === 'not_connected')
  expect(textsTo(world.tickets[0]?.to ?? '')).toEqual([])
  sure = true
  await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
  expect(textsTo(world.tickets[0]?.to ?? '')).toEqual(['oi'])
})

describe('a farewell that waits its turn', () => {
  const farewell = (id: number) => db.transaction(tx => writeFromDesk(tx, id, 'Até logo!', { unhurried: true }))
  async function isTakenBack(id: number): Promise<boolean> {
    const rows = await sql`
      select 1 from message m where m.id = ${id} and m.is_deleted and not exists (select 1 from outbox where message_id = m.id)`
    return rows.length === 1
  }

  test('is not said where the conversation was opened again or the next one has begun, and stands as deleted', async () => {
    const world = await makeOutgoingFixture(db, 3)
    const [again, next, over] = world.tickets
    if (!again || !next || !over) throw new Error('There is no ticket')
    await sql`update ticket set status = 'closed', closed_at = now() where whatsapp_id = ${world.whatsappId}`
    const reopened = await farewell(again.id)
    const begun = await farewell(next.id)
    const ended = await farewell(over.id)
    await sql`update ticket set status = 'open', accepted_at = now() + interval '1 millisecond' where id = ${again.id}`
    const [live] = await sql<{ id: number }[]>`
      insert into ticket (status, contact_id, whatsapp_id) values ('open', ${next.contactId}, ${world.whatsappId}) returning id`
    await db.transaction(tx => writeFromDesk(tx, again.id, 'Mais uma coisa'))
    await db.transaction(tx => writeFromDesk(tx, live?.id ?? 0, 'Bom dia de novo'))
    await connect(world)
    const areTakenBack = async () => (await isTakenBack(reopened)) && (await isTakenBack(begun))
    await waitUntil('the others are taken back', areTakenBack)
    await waitUntil('the last one said good-bye', async () => (await world.stateOf(ended)) === 'sent')
    expect([again, next, over].map(({ to }) => textsTo(to))).toEqual([
      ['Mais uma coisa'],
      ['Bom dia de novo'],
      ['Até logo!'],
    ])
  })

  test('nor where the customer wrote and so has the conversation back, closed or still to be rated', async () => {
    const world = await makeOutgoingFixture(db, 2)
    const ended: number[] = []
    for (const [at, { id: ticketId }] of world.tickets.entries())
      ended.push(
        await db.transaction(async tx => {
          const status = at === 0 ? 'closed' : 'nps'
          await getSql(tx)`
            update ticket set status = ${status}, accepted_at = now() - interval '1 hour',
              closed_at = case when ${at === 0}::boolean then now() end where id = ${ticketId}`
          return writeFromDesk(tx, ticketId, 'Até logo!', { unhurried: true })
        }),
      )
    await sql`update ticket set status = 'pending', user_id = null, closed_at = null where whatsapp_id = ${world.whatsappId}`
    await connect(world)
    await waitUntil('both are taken back', async () => (await Promise.all(ended.map(isTakenBack))).every(Boolean))
    expect(network.arrived).toHaveLength(0)
  })

  test('is none where somebody was just given the ticket: that is said', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const ticketId = world.tickets[0]?.id ?? 0
    const id = await db.transaction(async tx => {
      await getSql(tx)`update ticket set accepted_at = now() where id = ${ticketId}`
      return writeFromDesk(tx, ticketId, 'Bruna cuida de você', { unhurried: true })
    })
    await connect(world)
    await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
  })
})

describe('an unforeseen error', () => {
  const words = new Error('Key (number)=(5531998762210) is not present')

  test('before anything was handed over is a plain retry, also where sending twice would show: it goes out once', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'oi')
    let faults = 1
    const sender = await begin(world, false, undefined, () => {
      if (faults-- > 0) throw words
      return true
    })
    sender.setConnected(true)
    await waitUntil('it is put back', async () => (await readError(id)) === 'not_handed_over')
    expect(await world.stateOf(id)).toBe('queued')
    expect(await keptWords(id)).not.toContain('5531998762210')
    await sql`update outbox set next_at = now() where message_id = ${id}`
    await waitUntil('it is sent', async () => (await world.stateOf(id)) === 'sent')
    expect(textsTo(world.tickets[0]?.to ?? '')).toEqual(['oi'])
  })

  test.each([true, false])('while it is sent leaves none of its words behind (own ids: %p)', async ownIds => {
    const world = await makeOutgoingFixture(db, 1)
    const id = await world.write(0, 'oi')
    const send = () => Promise.reject(words)
    const sender = await begin(world, ownIds, undefined, undefined, driver => Object.assign(driver, { send }))
    sender.setConnected(true)
    await waitUntil(
      'it was tried',
      async () => (await world.stateOf(id)) === 'unknown' || (await readError(id)) === 'error',
    )
    expect(await keptWords(id)).not.toContain('5531998762210')
  })
})

async function keptWords(id: number): Promise<string> {
  const [row] = await sql<{ words: string }[]>`
    select concat(o.error, m.error_log) as words from outbox o join message m on m.id = o.message_id where m.id = ${id}`
  return row?.words ?? ''
}

async function readError(id: number): Promise<string | undefined> {
  const [row] = await sql<{ error: string | null }[]>`select error from outbox where message_id = ${id}`
  return row?.error?.split(' ')[0]
}

async function begin(
  world: OutgoingFixture,
  ownIds = true,
  bringFiles: (ids: readonly string[]) => Promise<boolean> = async () => true,
  isOwner = () => true,
  change: (driver: Driver) => void = () => {},
): Promise<Sender> {
  const [row] = await sql<{ epoch: string }[]>`select epoch from whatsapp where id = ${world.whatsappId}`
  const owned = { whatsappId: world.whatsappId, epoch: Number(row?.epoch) }
  const driver = createNetworkDriver({ emit: async () => {} }, { url: network.url, ownIds })
  expect(driver.capabilities.resendSafe).toBe(ownIds ? getCapabilities('baileys').resendSafe : false)
  change(driver)
  const sender = await startSender({
    db,
    owned,
    driver,
    ring: () => {},
    fenced: () => {},
    isOwner,
    bringFiles,
    log: quiet,
  })
  senders.push(sender)
  return sender
}

async function connect(world: OutgoingFixture, ownIds = true): Promise<void> {
  ;(await begin(world, ownIds)).setConnected(true)
}

async function newEpoch(world: OutgoingFixture): Promise<void> {
  await sql`update whatsapp set epoch = epoch + 1 where id = ${world.whatsappId}`
}

async function claimable(world: OutgoingFixture): Promise<number> {
  return (await sql`select 1 from outbox where whatsapp_id = ${world.whatsappId} and state = 'queued'`).length
}

function textsTo(to: string): string[] {
  return network.arrived.filter(one => one.to === to).map(one => textOf(one.message))
}

function textOf(message: { readonly type: string }): string {
  return 'text' in message && typeof message.text === 'string' ? message.text : ''
}
