// Without an AI key (spec 1 §5 "Transcription / AI summary need an AI key configured").
import { expect, test } from 'bun:test'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeTicket } from './desk-world.ts'

const server = await startDeskServer()

test('spec 1 §5: without a key the desk is told so, and both calls are refused with the reason', async () => {
  const { db } = server
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  const contactId = await makeContact(db, 'Dona Lúcia')
  const whatsappId = await makeConnection(db, 'Loja')
  const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open' })
  const message = await makeMessage(db, ticketId, 'Oi')
  const marina = await server.as('Marina')
  expect((await marina.call('GET', '/ai')).body).toEqual({ enabled: false })
  for (const path of [`/tickets/ai/resume/${ticketId}`, `/messages/transcribe/${message}`]) {
    const { status, body } = await marina.call('POST', path)
    expect([status, body.error]).toEqual([409, 'ERR_NO_AI_KEY'])
  }
})
