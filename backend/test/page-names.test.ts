// Names on a page of tickets are kept in the process, and the page's own statement says whether they still are what it saw (0304): a change
// is shown by the next page, whoever made it.
import { beforeAll, expect, test } from 'bun:test'
import type { Message, ResponseBody, Ticket } from '@balcao/contract'
import type postgres from 'postgres'
import { loadNames, nameRevisionSql } from '../src/desk/names/known-names.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const { db, as } = await startDeskServer()
const sql = db.$client
let [queueId, userId, whatsappId, contactId] = [0, 0, 0, 0]
let ana: SignedInPerson

beforeAll(async () => {
  queueId = await makeQueue(db, 'Financeiro')
  whatsappId = await makeConnection(db, 'Loja Centro')
  userId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
  await makePerson(db, { name: 'Ana', profile: 'admin' })
  contactId = await makeContact(db, 'Padaria Estrela')
  await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId })
  const tags = await sql<{ id: number }[]>`insert into tag (name) values ('Vip'), ('Atacado') returning id`
  for (const { id } of tags) await sql`insert into contact_tag (contact_id, tag_id) values (${contactId}, ${id})`
  ana = await as('Ana')
})

async function readFirst(): Promise<Ticket> {
  const { body } = await ana.call<ResponseBody<'GET /tickets'>>('GET', '/tickets?status=open&showAll=true')
  const [ticket] = body.tickets
  if (!ticket) throw new Error('The list is empty.')
  return ticket
}

const CHANGES: [
  what: string,
  change: (on: postgres.TransactionSql) => Promise<unknown>,
  shown: (ticket: Ticket) => unknown,
  value: unknown,
][] = [
  [
    'a queue’s name',
    on => on`update queue set name = 'Cobrança' where id = ${queueId}`,
    t => t.queue?.name,
    'Cobrança',
  ],
  ['a queue’s colour', on => on`update queue set color = '#123456'`, t => t.queue?.color, '#123456'],
  ['a person’s name', on => on`update "user" set name = 'Bia' where id = ${userId}`, t => t.user?.name, 'Bia'],
  ['a person’s picture', on => on`update "user" set profile_pic_url = '/b.png'`, t => t.user?.profilePicUrl, '/b.png'],
  ['a connection’s name', on => on`update whatsapp set name = 'Loja Norte'`, t => t.whatsapp.name, 'Loja Norte'],
  ['a connection’s status', on => on`update whatsapp set status = 'PAIRING'`, t => t.whatsapp.status, 'PAIRING'],
  [
    'a tag’s name, and with it the order',
    on => on`update tag set name = 'Zona sul' where name = 'Atacado'`,
    t => t.contact.tags.map(tag => tag.name),
    ['Vip', 'Zona sul'],
  ],
  [
    'a tag that goes',
    on => on`delete from tag where name = 'Vip'`,
    t => t.contact.tags.map(tag => tag.name),
    ['Zona sul'],
  ],
]

test.each(CHANGES)('the next page shows %s, and none before it was settled', async (_, change, shown, value) => {
  const before = shown(await readFirst())
  expect(before).not.toEqual(value)
  await sql.begin(async tx => {
    await change(tx)
    expect(shown(await readFirst())).toEqual(before)
  })
  expect(shown(await readFirst())).toEqual(value)
})

test('a conversation shows who wrote and who is quoted by the name of now', async () => {
  const [ticket] = await sql<{ id: number }[]>`select id from ticket`
  const path = `/messages/${ticket?.id}`
  const write = (seq: number, quotedId: number | null) => sql<{ id: number }[]>`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, chat, from_me, user_id, body, state, quoted_id)
    values (${ticket?.id ?? 0}, ${contactId}, ${whatsappId}, ${seq}, now(), '5531999990000', true, ${userId}, 'Bom dia', 'sent', ${quotedId})
    returning id`
  const [first] = await write(1, null)
  await write(2, first?.id ?? null)
  for (const name of ['Beatriz', 'Bia Souza']) {
    await sql`update "user" set name = ${name} where id = ${userId}`
    const { body } = await ana.call<ResponseBody<'GET /messages/:ticketId'>>('GET', path)
    const shown = body.messages.map(message => [message.user?.name, message.quotedMsg?.contact.name, message.ticket])
    const ticketPart: Message['ticket'] = { whatsapp: { api: 'baileys' } }
    expect(shown).toEqual([
      [name, undefined, ticketPart],
      [name, name, ticketPart],
    ])
  }
})

test('a page of which no name was changed reads no names', async () => {
  const readRevision = async () =>
    (await sql<{ revision: string }[]>`select ${nameRevisionSql(sql)} as revision`)[0]?.revision ?? null
  const names = await loadNames(db, await readRevision())
  await sql`update whatsapp set last_message_at = now(), battery = 80`
  await sql`update queue set greeting_message = 'Olá', last_turn = ${userId}`
  expect(await loadNames(db, await readRevision())).toBe(names)
})
