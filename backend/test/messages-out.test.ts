// What is done with a message that is out already, or may be: by the number it went out with, and with the words it has now.
import { describe, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import TEXTS from '@balcao/contract/texts/errors/pt.json'
import type { OwnedConnection } from '../src/desk/connections/ownership.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { recoverSends } from '../src/messaging/outbox/recover.ts'
import { decideOutcome, settle } from '../src/messaging/outbox/settle.ts'
import type { SendResult } from '../src/platform/channel/driver.ts'
import { makeConnection, makeMessage } from './desk-world.ts'
import { startMessagesDesk } from './messages-desk.ts'

const { db, sql, whatsappId, officialId, people, inService, write, stored } = await startMessagesDesk()
const { bruna } = people

describe('after a ticket changed its connection', () => {
  test('a message is edited, reacted to and taken back by the number it went out with', async () => {
    const { ticketId, otherId } = await moveTicket('Loja mudou')
    const sent = await writeSent(ticketId, 'Sai hoje')
    await move(ticketId, otherId)
    const edit = { messageId: sent.id, body: 'Sai amanhã' }
    expect((await bruna.call('PUT', `/messages/${ticketId}`, edit)).status).toBe(200)
    expect((await bruna.call('POST', `/messages/react/${sent.id}`, { emoji: '👍' })).status).toBe(200)
    expect((await bruna.call('DELETE', `/messages/${sent.id}`)).status).toBe(204)
    expect(await listOperations(ticketId)).toEqual([
      { operation: 'edit', whatsappId },
      { operation: 'reaction', whatsappId },
      { operation: 'revoke', whatsappId },
    ])
  })

  test('each message is read by the number it came to', async () => {
    const { ticketId, otherId } = await moveTicket('Lida depois')
    const before = await makeReceived(ticketId, 'antes')
    await move(ticketId, otherId)
    const after = await makeReceived(ticketId, 'depois')
    expect((await bruna.call('POST', `/tickets/${ticketId}/read`)).status).toBe(204)
    const rows = await sql<{ whatsappId: number; ids: string[] }[]>`
      select whatsapp_id as "whatsappId", array(select jsonb_array_elements(payload->'refs')->>'id') as ids
      from outbox where operation = 'read' and contact_id = (select contact_id from ticket where id = ${ticketId}) order by whatsapp_id`
    expect([...rows]).toEqual([
      { whatsappId, ids: [`W${before}`] },
      { whatsappId: otherId, ids: [`W${after}`] },
    ])
  })

  test('a message is quoted here alone: the other number does not know it', async () => {
    const { ticketId, otherId } = await moveTicket('Responde depois')
    const question = await makeReceived(ticketId, 'Tem bolo?')
    await move(ticketId, otherId)
    const answered = await bruna.call<Message>('POST', `/messages/${ticketId}`, {
      body: 'Tem',
      quotedMsg: { id: question },
    })
    expect([answered.status, answered.body.quotedMsg?.id]).toEqual([201, question])
    expect(await readQuote(answered.body.id)).toBeNull()
  })

  test('a message that failed goes again by the number it was written for, whatever became of the other', async () => {
    const { ticketId, otherId } = await moveTicket('Falhou antes')
    const failed = await write(ticketId, 'Não chegou')
    await sql`update outbox set state = 'failed' where message_id = ${failed.id}`
    await sql`update message set state = 'failed' where id = ${failed.id}`
    await sql`update whatsapp set deleted_at = now() where id = ${otherId}`
    await sql`update ticket set whatsapp_id = ${otherId} where id = ${ticketId}`
    expect((await bruna.call('POST', `/messages/retry/${failed.id}`)).status).toBe(200)
  })

  test('where that number is gone it stays as it is, here too', async () => {
    const { ticketId, otherId } = await moveTicket('Loja fechou')
    const goneId = await makeConnection(db, 'Loja que fecha')
    const sent = await writeSent(ticketId, 'Sai hoje')
    const read = await makeReceived(ticketId, 'antes')
    await sql`update message set whatsapp_id = ${goneId} where ticket_id = ${ticketId}`
    await move(ticketId, otherId)
    await sql`update whatsapp set deleted_at = now() where id = ${goneId}`
    const edit = { messageId: sent.id, body: 'Sai amanhã' }
    const refusals = [
      await bruna.call<{ error: string }>('PUT', `/messages/${ticketId}`, edit),
      await bruna.call<{ error: string }>('POST', `/messages/react/${sent.id}`, { emoji: '👍' }),
      await bruna.call<{ error: string }>('DELETE', `/messages/${sent.id}`),
    ]
    expect(refusals.map(({ body }) => body.error)).toEqual([
      'ERR_EDIT_WAPP_MSG',
      'ERR_SENDING_WAPP_MSG',
      'ERR_DELETE_WAPP_MSG',
    ])
    expect(await stored(ticketId, sent.id)).toMatchObject({ body: 'Sai hoje', isDeleted: false })
    expect((await bruna.call('POST', `/tickets/${ticketId}/read`)).status).toBe(204)
    expect(await stored(ticketId, read)).toMatchObject({ read: true })
    expect(await listOperations(ticketId)).toEqual([])
  })
})

test('the provider is asked only about messages that it knows: not about a missed call, a payment or the files of a form', async () => {
  const { ticketId } = await inService('Escreve e liga')
  const own = ['payment:PEDIDO7:paid', 'call:4711', 'wamid.A=:1']
  const [known = 0, ...others] = await Promise.all([1, 2, 3, 4].map(n => makeReceived(ticketId, `recado ${n}`)))
  for (const [at, id] of others.entries()) await sql`update message set provider_id = ${own[at] ?? ''} where id = ${id}`
  expect((await bruna.call('POST', `/tickets/${ticketId}/read`)).status).toBe(204)
  const [row] = await sql<{ ids: string[] }[]>`
    select array(select jsonb_array_elements(payload->'refs')->>'id') as ids from outbox
    where operation = 'read' and contact_id = (select contact_id from ticket where id = ${ticketId})`
  expect(row?.ids).toEqual([`W${known}`])
  const request = { body: 'Ligue depois', quotedMsg: { id: others[1] } }
  const answered = await bruna.call<Message>('POST', `/messages/${ticketId}`, request)
  expect([answered.status, answered.body.quotedMsg?.id]).toEqual([201, others[1]])
  expect(await readQuote(answered.body.id)).toBeNull()
  const refused = await bruna.call<{ error: string }>('POST', `/messages/react/${others[1]}`, { emoji: '👍' })
  expect(refused.body.error).toBe('ERR_SENDING_WAPP_MSG')
})

describe('a message that waits for another try, of which the first may have gone out', () => {
  test('is taken back at the customer, too', async () => {
    const { ticketId } = await inService('Apaga a tempo')
    const written = await write(ticketId, 'São 100 reais')
    await tryToSend(written.id, TIMEOUT)
    expect((await bruna.call('DELETE', `/messages/${written.id}`)).status).toBe(204)
    expect(await listRows(written.id)).toEqual([{ operation: 'revoke', state: 'queued', text: null }])
    expect(await readRef(written.id)).toMatchObject({ chat: CHAT, fromMe: true })
  })

  test('is taken back at the customer also once it was given up', async () => {
    const { ticketId } = await inService('Apaga depois')
    const written = await write(ticketId, 'São 100 reais')
    await tryToSend(written.id, TIMEOUT)
    await tryToSend(written.id, { ok: false, outcome: 'refused', code: '400', text: 'Bad request' })
    expect((await bruna.call('DELETE', `/messages/${written.id}`)).status).toBe(204)
    expect((await listRows(written.id)).map(row => row.operation)).toEqual(['revoke'])
  })

  test('goes out with the new words, and is changed where the old ones are', async () => {
    const { ticketId } = await inService('Corrige a tempo')
    const written = await write(ticketId, 'São 100 reais')
    await tryToSend(written.id, TIMEOUT)
    const edit = { messageId: written.id, body: 'São 200 reais' }
    const edited = await bruna.call<Message>('PUT', `/messages/${ticketId}`, edit)
    expect([edited.status, edited.body.isEdited]).toEqual([200, true])
    expect(await listRows(written.id)).toEqual([
      { operation: 'message', state: 'queued', text: 'São 200 reais' },
      { operation: 'edit', state: 'queued', text: 'São 200 reais' },
    ])
  })

  test('the same holds after a crash', async () => {
    const { ticketId } = await inService('Caiu no meio')
    const written = await write(ticketId, 'São 100 reais')
    await claimOne(written.id)
    await recoverSends(db, await takeOver(), true)
    expect((await bruna.call('DELETE', `/messages/${written.id}`)).status).toBe(204)
    expect((await listRows(written.id)).map(row => row.operation)).toEqual(['revoke'])
  })

  test('where nothing was handed over, it is taken back where it waits', async () => {
    const { ticketId } = await inService('Nem saiu')
    const written = await write(ticketId, 'São 100 reais')
    await tryToSend(written.id, { ok: false, outcome: 'retry', code: 'busy', text: 'Later' })
    expect((await bruna.call('DELETE', `/messages/${written.id}`)).status).toBe(204)
    expect(await listRows(written.id)).toEqual([])
  })

  test('stays where its number cannot take it back: it may be with the customer', async () => {
    const { ticketId, contactId } = await inService('Oficial em dúvida', officialId)
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at) values (${contactId}, ${officialId}, ${CHAT}, now())`
    const written = await write(ticketId, 'São 100 reais')
    await sql`update outbox set state = 'unknown' where message_id = ${written.id}`
    await sql`update message set state = 'unknown' where id = ${written.id}`
    expect((await bruna.call('POST', `/messages/retry/${written.id}`)).status).toBe(200)
    type Refusal = { readonly error: string; readonly message: string }
    const change = { messageId: written.id, body: 'São 200' }
    const edited = await bruna.call<Refusal>('PUT', `/messages/${ticketId}`, change)
    expect([edited.body.error, edited.body.message]).toEqual(['ERR_EDIT_WAPP_MSG', TEXTS.mayBeOut])
    const deleted = await bruna.call<Refusal>('DELETE', `/messages/${written.id}`)
    expect([deleted.body.error, deleted.body.message]).toEqual(['ERR_DELETE_WAPP_MSG', TEXTS.repeatStopped])
    // Nobody knows of the first try; the second does not follow, and may be asked for again.
    expect([...(await sql`select state, is_deleted from message where id = ${written.id}`)]).toEqual([
      { state: 'unknown', is_deleted: false },
    ])
    expect((await listRows(written.id)).map(({ state }) => state)).toEqual(['unknown'])
    expect((await bruna.call('POST', `/messages/retry/${written.id}`)).status).toBe(200)
  })
})

test('an answer to a message that was deleted goes out without its words', async () => {
  const { ticketId } = await inService('Apagou o que disse')
  const taken = await makeReceived(ticketId, 'Meu CPF é segredo')
  await sql`update message set is_deleted = true where id = ${taken}`
  const answer = { body: 'Anotado', quotedMsg: { id: taken } }
  const answered = await bruna.call<Message>('POST', `/messages/${ticketId}`, answer)
  expect([answered.status, answered.body.quotedMsg]).toMatchObject([201, { id: taken, isDeleted: true, body: '' }])
  expect(await readQuote(answered.body.id)).toBeNull()
})

const TIMEOUT: SendResult = { ok: false, outcome: 'unknown', code: 'timeout', text: 'No answer in time' }

async function takeOver(): Promise<OwnedConnection> {
  const [row] = await sql<{ epoch: number }[]>`
    update whatsapp set epoch = epoch + 1 where id = ${whatsappId} returning epoch::float8 as epoch`
  return { whatsappId, epoch: row?.epoch ?? 0 }
}

async function claimOne(messageId: number) {
  const owned = await takeOver()
  await sql`update outbox set next_at = now() + interval '1 hour' where state = 'queued'`
  await sql`update outbox set next_at = now() where message_id = ${messageId}`
  const [claim] = await claimDue(db, owned, 1)
  if (claim?.messageId !== messageId) throw new Error('It was not claimed')
  await sql`update message set chat = ${CHAT} where id = ${messageId}`
  return { owned, claim }
}

async function tryToSend(messageId: number, result: SendResult): Promise<void> {
  const { owned, claim } = await claimOne(messageId)
  await settle(db, owned, claim, decideOutcome(result, claim, true))
}

async function listRows(messageId: number) {
  const rows = await sql<{ operation: string; state: string; text: string | null }[]>`
    select operation, state, payload->>'text' as text from outbox where message_id = ${messageId} order by id`
  return [...rows]
}

async function readRef(messageId: number): Promise<unknown> {
  const [row] = await sql<{ ref: unknown }[]>`
    select payload->'ref' as ref from outbox where message_id = ${messageId} and operation = 'revoke'`
  return row?.ref
}

async function moveTicket(name: string) {
  return { ...(await inService(name)), otherId: await makeConnection(db, `Depois de ${name}`) }
}

async function move(ticketId: number, to: number): Promise<void> {
  const { status, body } = await bruna.call('PUT', `/tickets/${ticketId}`, { whatsappId: to })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** One that went out. */
async function writeSent(ticketId: number, words: string): Promise<Message> {
  const message = await write(ticketId, words)
  await sql`update outbox set state = 'done', attempts = 1, done_at = now() where message_id = ${message.id}`
  await sql`update message set state = 'sent', chat = ${CHAT} where id = ${message.id}`
  return message
}

async function makeReceived(ticketId: number, words: string): Promise<number> {
  const id = await makeMessage(db, ticketId, words)
  await sql`update message set provider_id = 'W' || id, chat = ${CHAT} where id = ${id}`
  await sql`update ticket set unread_messages = unread_messages + 1 where id = ${ticketId}`
  return id
}

const CHAT = '5531988880000@s.whatsapp.net'

/** What waits to be done with messages, in its order. */
async function listOperations(ticketId: number) {
  const rows = await sql<{ operation: string; whatsappId: number }[]>`
    select operation, whatsapp_id as "whatsappId" from outbox where operation <> 'message'
      and contact_id = (select contact_id from ticket where id = ${ticketId}) order by id`
  return [...rows]
}

async function readQuote(messageId: number): Promise<unknown> {
  const [row] = await sql<{ quote: unknown }[]>`
    select payload->'quote' as quote from outbox where message_id = ${messageId} and operation = 'message'`
  return row?.quote ?? null
}
