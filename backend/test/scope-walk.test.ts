// Every call that is open to programs, made with its own scope alone: no answer holds what another scope reads (docs/decisions/0302).
import { expect, test } from 'bun:test'
import type { ApiScope } from '@balcao/contract'
import { CALL_EXAMPLES, type CallExample, PROGRAM_CALLS } from '@balcao/contract/api/examples'
import { makeContact, makeMessage, makeTicket } from './desk-world.ts'
import { startProgramDesk } from './program-desk.ts'

const { db, sql, sales, whatsappId, marinaId, marina, addToken, call } = await startProgramDesk()

/** Words that stand in one place of the desk, and which scopes may show them. */
const MARKS: readonly { readonly words: RegExp; readonly scopes: readonly ApiScope[] }[] = [
  { words: /senha do cofre/, scopes: ['readMessages', 'readTickets'] },
  { words: /Padaria Oculta|5531988887766/, scopes: ['readMessages', 'readTickets', 'contacts', 'serve'] },
  // Of the second ticket, which a program opens.
  { words: /Marina Souza/, scopes: ['readMessages', 'readTickets', 'contacts', 'serve'] },
  { words: /oculta@example/, scopes: ['contacts'] },
  { words: /Devedor/, scopes: ['readMessages', 'readTickets', 'contacts', 'serve'] },
]

/** What the examples speak of, each with the number 1, as what a holder makes in its turn has. */
async function fillDesk(): Promise<void> {
  await sql`truncate contact, ticket, tag, schedule, job, webhook restart identity cascade`
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
  if (body instanceof FormData) return body
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value))
  return form
}

const COMMENT = { path: { ticketId: 1 }, body: { body: '--Pagou na entrega?' } }
const SEND = 'POST /messages/:ticketId'

function makeFile(): CallExample {
  const body = new FormData()
  body.set('medias', new File(['Pedido 1042'], 'pedido.txt', { type: 'text/plain' }))
  return { path: { ticketId: 1 }, body }
}

/** Those of the description, and a file and a comment besides. */
function listRequests(): (readonly [string, CallExample])[] {
  return Object.entries(CALL_EXAMPLES).flatMap(([key, example]) =>
    key === SEND
      ? [[key, example] as const, [key, makeFile()] as const, [key, COMMENT] as const]
      : [[key, example] as const],
  )
}

/** What comes to nothing here, so that its answer says nothing, and why. */
const WITHOUT_ANSWER: Readonly<Record<string, string>> = {
  'GET /media/:id': 'the example names no file of this desk',
  'POST /meta/templates': 'Meta is not asked for templates here',
  'POST /integrations': 'what a webhook tells needs a scope that reads it',
  'PUT /integrations/:id': 'what a webhook tells needs a scope that reads it',
  'POST /integrations/:id/secret': 'the webhook tells of messages',
  'POST /integrations/:id/test': 'the webhook tells of messages',
  'GET /integrations/:id/deliveries': 'the webhook tells of messages',
  'POST /integrations/:id/deliveries/:deliveryId/replay': 'the webhook tells of messages',
  'POST /report/message': 'it needs a scope that reads messages',
}

/** Of a program that is nobody of the team. */
const WITHOUT_PERSON: Readonly<Record<string, string>> = {
  'POST /tickets/next': 'nobody is there to serve it',
  'POST /tickets': 'whose it is to be is not named',
  'GET /integrations': 'webhooks are of people',
  'DELETE /integrations/:id': 'webhooks are of people',
}

test('no answer to a token shows what its scope does not read', async () => {
  const found: string[] = []
  for (const [holder, without] of [
    [{ userId: marinaId }, WITHOUT_ANSWER],
    [{ queueIds: [sales] }, { ...WITHOUT_ANSWER, ...WITHOUT_PERSON }],
  ] as const) {
    await fillDesk()
    const tokens = new Map<ApiScope, string>()
    const refused: string[] = []
    let commentId = 0
    for (const [key, { path = {}, query = {}, body, text }] of listRequests()) {
      const { scope, bodyKind, body: schema } = PROGRAM_CALLS[key] ?? {}
      if (scope === undefined) throw new Error(`${key} is open to nobody`)
      // What a token made is its own.
      const token = tokens.get(scope) ?? (await addToken({ ...holder, scopes: [scope] })).token
      tokens.set(scope, token)
      const [method = '', pattern = ''] = key.split(' ')
      const place = pattern.replace(/:(\w+)/g, (_, name) => String(path[name] ?? 1))
      const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      const own = key === 'PUT /messages/:ticketId' ? { ...Object(body), messageId: commentId } : body
      const isForm = body instanceof FormData || (bodyKind === 'multipart' && !schema)
      const sent = text === undefined ? (isForm ? toForm(own) : own) : Buffer.from(text)
      await sql`update ticket set last_message = 'senha do cofre'`
      const { status, text: answer } = await call(token, method, `${place}?${parameters}`, sent)
      if (body === COMMENT.body) commentId = JSON.parse(answer).id
      if (status >= 300) refused.push(key)
      for (const { words, scopes } of MARKS)
        if (words.test(answer) && !scopes.includes(scope)) found.push(`${key} ${status} ${words.source}`)
    }
    expect(refused.toSorted()).toEqual(Object.keys(without).toSorted())
  }
  expect(found).toEqual([])
})
