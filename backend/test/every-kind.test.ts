// Every kind of message alike: passed on as the table of kinds says, and nothing of it told once it was taken back (spec 1 §5;
// docs/decisions/0201).
import { describe, expect, test } from 'bun:test'
import { MESSAGE_KINDS, type MediaType, type Message } from '@balcao/contract'
import { publishMessageEvents } from '../src/desk/messages/present.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client
const KINDS = Object.keys(MESSAGE_KINDS) as MediaType[]
const SECRET = 'segredo-do-cliente'
const VCARD = `BEGIN:VCARD\nFN:${SECRET}\nEND:VCARD`

const queue = await makeQueue(db, 'Comercial')
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'admin', queueIds: [queue] })
const whatsappId = await makeConnection(db, 'Loja')
await sql`update whatsapp set status = 'CONNECTED'`
const place = { whatsappId, status: 'open' as const, queueId: queue, userId: brunaId }
const [contactId, otherId] = [await makeContact(db, 'Dona Lúcia'), await makeContact(db, 'Padaria')]
await sql`insert into contact_channel (contact_id, whatsapp_id, jid) select id, ${whatsappId}, '5531' || id || '@s.whatsapp.net' from contact`
const ticketId = await makeTicket(db, { contactId, ...place })
await makeTicket(db, { contactId: otherId, ...place })
const other = { id: otherId }
const bruna = await server.as('Bruna')

/** One of a kind, as it is stored when a customer sends it. */
async function sent(kind: MediaType): Promise<number> {
  const { isFile } = MESSAGE_KINDS[kind]
  const body = bodyOf(kind)
  const mediaId = isFile ? crypto.randomUUID() : null
  const media = isFile ? { name: 'arquivo', mime: 'application/pdf', size: 3, state: 'ready' } : null
  if (mediaId)
    await sql`insert into media (id, name, mime, size, sha256, owner, ticket_id) values (${mediaId}, 'arquivo', 'application/pdf', 3, 'x', 'message', ${ticketId})`
  const details =
    MESSAGE_KINDS[kind].forward === 'words' ? { card: { kind: 'actions', text: SECRET, buttons: [] } } : null
  const [row] = await sql<{ id: number }[]>`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, media_type, media_id, media, details, state, read)
    select ${ticketId}, contact_id, whatsapp_id, (select coalesce(max(seq), 0) + 1 from message where ticket_id = ${ticketId}), now(), false,
      ${body}, ${kind}, ${mediaId}, ${media && JSON.stringify(media)}::text::jsonb, ${details && JSON.stringify(details)}::text::jsonb, 'delivered', true
    from ticket where id = ${ticketId} returning id::float8 as id`
  return row?.id ?? 0
}

function bodyOf(kind: MediaType): string {
  if (kind === 'location') return `x|https://maps.google.com/?q=-19.9,-43.9|${SECRET}`
  return kind === 'vcard' || kind === 'contact_array' ? VCARD : SECRET
}

describe('spec 1 §5: passing on', () => {
  test.each(KINDS)('%s: whole, by its words, or not at all', async kind => {
    const id = await sent(kind)
    const { status, body } = await bruna.call<{ messages: Message[]; error?: string }>(
      'POST',
      `/messages/forward/${id}`,
      {
        contacts: [other],
      },
    )
    const { forward } = MESSAGE_KINDS[kind]
    if (forward === 'no') return expect([status, body.error]).toEqual([409, 'ERR_FORWARD_WAPP_MSG'])
    expect([status, body.error]).toEqual([201, undefined])
    const [made] = body.messages
    const mediaType = forward === 'words' ? 'chat' : kind === 'contact_array' ? 'vcard' : kind
    expect(made).toMatchObject({ mediaType, forward: 'true', fromMe: true })
    if (kind !== 'audio' && kind !== 'sticker') expect(made?.body).toContain(SECRET)
  })
})

describe('a message that was taken back', () => {
  test.each(KINDS)(
    '%s: neither the conversation, nor a quote, nor an event tells what it said, and it goes nowhere',
    async kind => {
      const id = await sent(kind)
      const quoting = await bruna.call<Message>('POST', `/messages/${ticketId}`, { body: 'Anotado', quotedMsg: { id } })
      await sql`update message set is_deleted = true, version = version + 1 where id = ${id}`
      const page = await bruna.call<{ messages: Message[] }>('GET', `/messages/${ticketId}`)
      const shown = page.body.messages.filter(one => one.id === id || one.id === quoting.body.id)
      expect(shown.find(one => one.id === id)).toMatchObject({
        isDeleted: true,
        body: '',
        details: null,
        mediaUrl: null,
      })
      expect(JSON.stringify(shown)).not.toContain(SECRET)
      const events = await db.transaction(tx => publishMessageEvents(tx, [id], 'update'))
      expect(JSON.stringify(events)).not.toContain(SECRET)
      const passed = await bruna.call('POST', `/messages/forward/${id}`, { contacts: [other] })
      expect(passed.status).not.toBe(201)
    },
  )
})
