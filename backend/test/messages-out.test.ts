// What is done with a message that is out already, or may be: by the number it went out with, and with the words it has now.
import { describe, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { makeConnection, makeMessage } from './desk-world.ts'
import { startMessagesDesk } from './messages-desk.ts'

const { db, sql, whatsappId, people, inService, write, stored } = await startMessagesDesk()
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
    const asked = await makeReceived(ticketId, 'Tem bolo?')
    await move(ticketId, otherId)
    const answered = await bruna.call<Message>('POST', `/messages/${ticketId}`, {
      body: 'Tem',
      quotedMsg: { id: asked },
    })
    expect([answered.status, answered.body.quotedMsg?.id]).toEqual([201, asked])
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
