// Every call that is open to programs, made with its own scope alone: no answer holds what another scope reads (docs/decisions/0302).
import { expect, test } from 'bun:test'
import type { ApiScope } from '@balcao/contract'
import { CALL_EXAMPLES, PROGRAM_CALLS } from '@balcao/contract/api/examples'
import { makeContact, makeMessage, makeTicket } from './desk-world.ts'
import { startProgramDesk } from './program-desk.ts'

const { db, sql, sales, whatsappId, marinaId, marina, addToken, call } = await startProgramDesk()

/** Words that stand in one place of the desk, and which scopes may show them. */
const MARKS: readonly { readonly words: RegExp; readonly scopes: readonly ApiScope[] }[] = [
  { words: /senha do cofre/, scopes: ['readMessages', 'readTickets'] },
  { words: /Padaria Oculta|5531988887766/, scopes: ['readMessages', 'readTickets', 'contacts', 'serve'] },
  { words: /oculta@example/, scopes: ['contacts'] },
  { words: /Devedor/, scopes: ['readMessages', 'readTickets', 'contacts', 'serve'] },
]

/** What the examples speak of, each with the number 1. */
async function fillDesk(): Promise<void> {
  const contactId = await makeContact(db, 'Padaria Oculta')
  await sql`update contact set number = '5531988887766', email = 'oculta@example.com' where id = ${contactId}`
  const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Devedor', '#111111') returning id`
  await sql`insert into contact_tag (contact_id, tag_id) values (${contactId}, ${tag?.id ?? 0})`
  const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: sales, userId: marinaId })
  await makeMessage(db, ticketId, 'senha do cofre')
  await sql`update ticket set last_message = 'senha do cofre' where id = ${ticketId}`
  const webhook = {
    name: 'n8n',
    address: 'https://n8n.example/x',
    events: ['message.received'],
    fields: ['messageText'],
  }
  await marina.call('POST', '/integrations', webhook)
  expect([contactId, tag?.id, ticketId, whatsappId]).toEqual([1, 1, 1, 1])
}

function toForm(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value))
  return form
}

test('no answer to a token shows what its scope does not read', async () => {
  await fillDesk()
  const found: string[] = []
  const answered = new Set<string>()
  for (const holder of [{ userId: marinaId }, { queueIds: [sales] }])
    for (const [key, { path = {}, query = {}, body, text }] of Object.entries(CALL_EXAMPLES)) {
      const { scope, bodyKind, body: schema } = PROGRAM_CALLS[key] ?? {}
      if (scope === undefined) throw new Error(`${key} is open to nobody`)
      const { token } = await addToken({ ...holder, scopes: [scope] })
      const [method = '', pattern = ''] = key.split(' ')
      const place = pattern.replace(/:(\w+)/g, (_, name) => String(path[name] ?? 1))
      const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      const sent = text === undefined ? (bodyKind === 'multipart' && !schema ? toForm(body) : body) : Buffer.from(text)
      await sql`update ticket set last_message = 'senha do cofre'`
      const { status, text: answer } = await call(token, method, `${place}?${parameters}`, sent)
      if (status < 300) answered.add(scope)
      for (const { words, scopes } of MARKS)
        if (words.test(answer) && !scopes.includes(scope)) found.push(`${key} ${status} ${words.source}`)
    }
  expect(found).toEqual([])
  // It came to something with each of them.
  expect([...answered].toSorted()).toEqual([
    ...['contacts', 'readMessages', 'readTickets', 'reports', 'send', 'serve', 'webhooks'],
  ])
})
