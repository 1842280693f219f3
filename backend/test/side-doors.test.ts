// The ticket policy has no side door (decisions-2 §24): what somebody may not do to a conversation cannot be done by way of its contact, its
// messages, a list or a sheet either. Calls come from the contract's list: a new one is walked by itself.
import { describe, expect, test } from 'bun:test'
import { type Contact, type Endpoint, endpoints, type JobReference } from '@balcao/contract'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { takeRounds } from './rounds.ts'
import { makeSheetFile } from './sheet-files.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const finance = await makeQueue(db, 'Financeiro')
const deliveries = await makeQueue(db, 'Entregas')
const whatsappId = await makeConnection(db, 'Loja Centro')
await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [finance, deliveries] })
const rafaelId = await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [deliveries] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
const malloryId = await makePerson(db, { name: 'Mallory', profile: 'user', queueIds: [deliveries] })
await sql`update "user" set add_contact = true, edit_contact = true, del_contact = true`
const people = {
  admin: await server.as('Marina'),
  gerente: await server.as('Rafael'),
  mallory: await server.as('Mallory'),
  bruna: await server.as('Bruna'),
}

let numbers = 5531970000000
async function aCustomer(name: string): Promise<{ id: number; number: string }> {
  const number = String(numbers++)
  const [made] = await sql<
    { id: number }[]
  >`insert into contact (name, number) values (${name}, ${number}) returning id`
  const id = made?.id ?? 0
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${id})`
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${id}, ${whatsappId}, ${`${number}@s.whatsapp.net`})`
  return { id, number }
}

/** A customer whom Bruna serves, where Mallory sees nothing, and one of Mallory's own. */
async function aConversation() {
  const [victim, accomplice] = [await aCustomer('Padaria Estrela'), await aCustomer('Cúmplice')]
  const ticketId = await makeTicket(db, {
    ...{ contactId: victim.id, whatsappId, status: 'open', queueId: finance },
    userId: brunaId,
  })
  const messageId = await makeMessage(db, ticketId, 'Meu cartão final 1234')
  await sql`update message set provider_id = ${`in-${messageId}`}, chat = ${victim.number} where id = ${messageId}`
  const answerId = await makeMessage(db, ticketId, 'Já confiro')
  await sql`update message set from_me = true, author_id = null, state = 'read', chat = ${victim.number}, provider_id = ${`out-${answerId}`} where id = ${answerId}`
  const own = await makeTicket(db, {
    ...{ contactId: accomplice.id, whatsappId, status: 'open', queueId: deliveries },
    userId: malloryId,
  })
  const ownMessageId = await makeMessage(db, own, 'Passe adiante')
  return { victim, accomplice, ticketId, messageId, answerId, ownMessageId }
}
type Conversation = Awaited<ReturnType<typeof aConversation>>

/** Everything that says who serves the customer, what is said to whom, and where the next message goes. */
async function standing({ victim, ticketId }: Conversation) {
  const [row] = await sql`
    select
      (select to_jsonb(t) - '{updated_at,version,message_seq,last_message,last_message_id,last_message_type,last_message_from_me,last_message_state,last_message_at}'::text[]
        from ticket t where id = ${ticketId}) as ticket,
      (select jsonb_agg(to_jsonb(m) - '{version,raw}'::text[] order by id) from message m where ticket_id = ${ticketId} and media_type <> 'system') as messages,
      (select to_jsonb(c) - '{name,name_source,email,extra_info,updated_at,version,search_name,search_text,search_digits}'::text[]
        from contact c where id = ${victim.id}) as contact,
      (select jsonb_agg(to_jsonb(i) order by value) from contact_identity i where contact_id = ${victim.id}) as names,
      (select jsonb_agg(to_jsonb(h)) from contact_channel h where contact_id = ${victim.id}) as channels,
      (select jsonb_agg(to_jsonb(r)) from contact_redirect r where contact_id = ${victim.id}) as redirects,
      (select count(*)::int from protocol where ticket_id = ${ticketId}) as protocols,
      (select count(*)::int from outbox where contact_id = ${victim.id}) as outbox`
  return row
}

/** What changes the standing of somebody's conversation in the hands of who may do everything: the doors of the desk. */
const DOORS = [
  'DELETE /contacts/:id',
  'DELETE /messages/:id',
  'DELETE /tickets/:id',
  'POST /contacts/:id/merge',
  'POST /contacts/bulk',
  'POST /contacts/delegation',
  'POST /contacts/import',
  'POST /messages/:ticketId',
  'POST /messages/forward/:id',
  'POST /messages/react/:id',
  'POST /messages/vcard/:ticketId',
  'POST /tickets/:id/read',
  'POST /tickets/:id/unread',
  'PUT /contacts/:id',
  'PUT /tickets/:id',
]

/** Calls that ring at nobody's conversation: they would end who walks. */
const OWN_SESSION = /^(POST|DELETE) \/auth\//
const walked = Object.entries<Endpoint>(endpoints)
  .filter(([key, { audience }]) => !key.startsWith('GET ') && audience === undefined && !OWN_SESSION.test(key))
  .map(([key]) => key)

/** Fields by which a call may name somebody's conversation, with what who wants it would say. */
function namedValues({ victim, accomplice, ticketId, messageId }: Conversation, userId: number) {
  const person = userId === malloryId ? 'Mallory' : 'Rafael'
  const sheets = [
    [
      ['nome', 'numero', 'celular', 'resposta_automatica'],
      ['Padaria', victim.number, String(numbers + 600_000), 'não'],
    ],
    [
      ['numero', 'fila', 'usuario'],
      [victim.number, 'Entregas', person],
    ],
  ]
  const values: Record<string, readonly unknown[]> = {
    ...{
      medias: sheets.map(rows => makeSheetFile(rows)),
      numbers: ['all'],
      contactsIds: [victim.id],
      mensagem: ['troquei'],
      message: ['troquei de número'],
    },
    ...{ recurrence: ['every_day'], RValue: [''], sendAt: ['09:00'], shortcut: ['troquei'] },
    contactId: [victim.id, accomplice.id],
    ...{ contacts: [[victim.id]], ids: [[victim.id]], give: [[victim.id]], ticketId: [ticketId] },
    ...{ messageId: [messageId], id: [messageId], userId: [userId], queueId: [deliveries], whatsappId: [whatsappId] },
    ...{ number: [String(numbers + 500_000)], optedOut: [true], respostaAutomatica: [false] },
    redirect: [[{ queueId: deliveries, userId }]],
    ...{ status: ['open', 'paused', 'pending', 'closed'], action: ['delegate', 'delete', 'tag', 'untag'] },
    ...{ substituteId: [userId], body: ['troquei de número'], emoji: ['👎'], pauseTag: ['Almoço'] },
  }
  return values
}

/** One way to make a call. */
interface Attempt {
  readonly path: string
  readonly body: Record<string, unknown> | FormData | undefined
}

/** Every way to make a call that names the conversation: each of its ids in the path, each field by itself and with all that is needed. */
function attempts(key: string, at: Conversation, userId: number): Attempt[] {
  const [, pattern = ''] = key.split(' ')
  const { victim, accomplice, ticketId, messageId, answerId, ownMessageId } = at
  const ids = [victim.id, accomplice.id, ticketId, messageId, answerId, ownMessageId, brunaId, finance, whatsappId]
  const paths = pattern.includes(':')
    ? [...new Set(ids)].map(id => pattern.replace(/:\w+/, String(id)).replace(/:\w+/, String(userId)))
    : [pattern]
  const endpoint = Object.entries<Endpoint>(endpoints).find(([each]) => each === key)?.[1]
  const schema: Record<string, unknown> = Object(endpoint?.body ?? endpoint?.form)
  const fields = Object.keys(Object(schema.properties))
  const needed: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const named = namedValues(at, userId)
  const bodies = fields.length === 0 ? [undefined] : bodiesOf(fields, needed, named)
  const isForm = endpoint?.body === undefined && endpoint?.form !== undefined
  return paths.flatMap(path => bodies.map(body => ({ path, body: isForm ? toForm(body) : body })))
}

function toForm(fields: Readonly<Record<string, unknown>> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value instanceof File ? value : String(value))
  return form
}

function bodiesOf(
  fields: readonly string[],
  needed: readonly unknown[],
  named: Readonly<Record<string, readonly unknown[]>>,
): Record<string, unknown>[] {
  const known = fields.filter(field => named[field] !== undefined)
  const first = (list: readonly string[]) => Object.fromEntries(list.map(field => [field, named[field]?.[0]]))
  const least = first(known.filter(field => needed.includes(field)))
  const single = known.flatMap(field => (named[field] ?? []).map(value => ({ ...least, [field]: value })))
  const whole = known.flatMap(field => (named[field] ?? []).map(value => ({ ...first(known), [field]: value })))
  return single.length === 0 ? [least] : [...single, ...whole]
}

async function jobsAreOver(): Promise<void> {
  await waitUntil('the long work is over', async () => {
    const live = await sql`select 1 from job where state in ('waiting', 'running')`
    return live.length === 0
  })
}

describe('a conversation one does not see', () => {
  for (const [person, name] of [
    ['mallory', 'an agent'],
    ['gerente', 'a manager'],
  ] as const)
    for (const key of walked)
      test(`${name} of another queue changes nothing of it by ${key}`, async () => {
        const at = await aConversation()
        const before = await standing(at)
        const [method = ''] = key.split(' ')
        for (const { path, body } of attempts(key, at, person === 'mallory' ? malloryId : rafaelId)) {
          const { status } = await people[person].call(method, path, body)
          expect([path, status >= 500]).toEqual([path, false])
        }
        await jobsAreOver()
        expect(await standing(at)).toEqual(before)
      })

  test('may be changed by these calls, for who may do everything: the walk knows the doors', async () => {
    const open: string[] = []
    const tried = [...new Set([...takeRounds(DOORS, 4), ...takeRounds(walked, 25)])]
    for (const key of tried) {
      const [method = ''] = key.split(' ')
      const first = await aConversation()
      let isOpen = false
      for (const [n] of attempts(key, first, malloryId).entries()) {
        const at = n === 0 ? first : await aConversation()
        const attempt = attempts(key, at, malloryId)[n]
        const before = await standing(at)
        if (attempt) await people.admin.call(method, attempt.path, attempt.body)
        await jobsAreOver()
        isOpen = JSON.stringify(await standing(at)) !== JSON.stringify(before)
        if (isOpen) break
      }
      if (isOpen) open.push(key)
    }
    expect(open.sort()).toEqual(DOORS.filter(door => tried.includes(door)))
  })
})

describe('who sees one of the conversations of two contacts', () => {
  test('may not take apart what an administrator united', async () => {
    const { victim, accomplice } = await aConversation()
    const united = await people.admin.call<{ merge: { id: number } }>('POST', `/contacts/${victim.id}/merge`, {
      contactId: accomplice.id,
    })
    expect(united.status).toBe(200)
    const { status, body } = await people.mallory.call('DELETE', `/contacts/merges/${united.body.merge.id}`)
    expect([status, body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    expect((await people.admin.call('DELETE', `/contacts/merges/${united.body.merge.id}`)).status).toBe(200)
  })

  test('nor bring one back to life that was closed for it', async () => {
    const [accomplice, victim] = [await aCustomer('Cúmplice'), await aCustomer('Padaria Estrela')]
    const place = { whatsappId, status: 'open' } as const
    await makeTicket(db, { ...place, contactId: accomplice.id, queueId: deliveries, userId: malloryId })
    const hidden = await makeTicket(db, { ...place, contactId: victim.id, queueId: finance, userId: brunaId })
    const united = await people.admin.call<{ merge: { id: number } }>('POST', `/contacts/${accomplice.id}/merge`, {
      contactId: victim.id,
    })
    const status = async () => (await sql`select status from ticket where id = ${hidden}`)[0]?.status
    expect(await status()).toBe('closed')
    expect((await people.mallory.call('DELETE', `/contacts/merges/${united.body.merge.id}`)).status).toBe(403)
    expect(await status()).toBe('closed')
  })

  test('is told why, not only no', async () => {
    const { victim, accomplice } = await aConversation()
    const { body } = await people.mallory.call('POST', `/contacts/${accomplice.id}/merge`, { contactId: victim.id })
    expect(body.message).toBe(
      'Este contato está em um atendimento que você não vê. Peça a quem atende ou a um administrador.',
    )
    expect((await people.mallory.call('GET', `/contacts/${accomplice.id}/merge/${victim.id}`)).status).toBe(403)
  })
})

describe('whoever serves a customer', () => {
  test('unites, redirects, renumbers and lets out of sends as before', async () => {
    const { victim } = await aConversation()
    const other = await aCustomer('Padaria Estrela (fixo)')
    const change = { number: String(numbers++), optedOut: true, redirect: [{ queueId: finance, userId: brunaId }] }
    expect((await people.bruna.call('PUT', `/contacts/${victim.id}`, change)).status).toBe(200)
    expect((await people.bruna.call('POST', `/contacts/${victim.id}/merge`, { contactId: other.id })).status).toBe(200)
  })

  test('and everybody with the right, what steers nothing: the name, and a form that is saved as it was', async () => {
    const { victim } = await aConversation()
    const { body: now } = await people.mallory.call<Contact>('GET', `/contacts/${victim.id}`)
    const { number, respostaAutomatica, redirect } = now
    const form = { name: 'Padaria da Esquina', number, respostaAutomatica, redirect, optedOut: false }
    expect((await people.mallory.call('PUT', `/contacts/${victim.id}`, form)).status).toBe(200)
  })
})

describe('a conversation that is over keeps nobody from its contact, though they never saw it:', () => {
  test('they are united as before', async () => {
    const { victim, accomplice, ticketId } = await aConversation()
    await sql`update ticket set status = 'closed', closed_at = now() where id = ${ticketId}`
    const other = await aCustomer('Padaria Estrela (fixo)')
    const unite = (id: number, contactId: number) => people.mallory.call('POST', `/contacts/${id}/merge`, { contactId })
    expect((await unite(victim.id, other.id)).status).toBe(200)
    expect((await unite(accomplice.id, victim.id)).status).toBe(200)
    const open = await aConversation()
    expect((await unite(open.accomplice.id, open.victim.id)).status).toBe(403)
    expect((await unite(open.victim.id, open.accomplice.id)).status).toBe(403)
  })
})

describe('many contacts at once', () => {
  test('leave as they are whose conversation one does not see, and say so beforehand', async () => {
    const { victim, accomplice } = await aConversation()
    const ids = [victim.id, accomplice.id]
    const before = await sql`select id from contact where id = ${victim.id}`
    const looked = await people.mallory.call('POST', '/contacts/bulk?preview=true', { ids, action: 'delete' })
    expect(looked.body).toMatchObject({ contacts: 2, kept: 1, tickets: 1 })
    const delegate = { ids, action: 'delegate', queueId: deliveries, userId: malloryId }
    const preview = await people.mallory.call('POST', '/contacts/bulk?preview=true', delegate)
    expect(preview.body).toMatchObject({ contacts: 2, kept: 1 })
    await people.mallory.call<JobReference>('POST', '/contacts/bulk', delegate)
    await jobsAreOver()
    const redirected = await sql`select contact_id from contact_redirect where contact_id = any(${ids}::int[])`
    expect(redirected.map(row => row.contact_id)).toEqual([accomplice.id])
    await people.mallory.call<JobReference>('POST', '/contacts/bulk', { ids, action: 'delete' })
    await jobsAreOver()
    expect(await sql`select id from contact where id = any(${ids}::int[])`).toEqual(before)
  })

  test('of a sheet are refused in their row where they would go to somebody else', async () => {
    const { victim, accomplice } = await aConversation()
    const rows = [
      ['numero', 'fila', 'usuario'],
      [victim.number, 'Entregas', 'Mallory'],
      [accomplice.number, 'Entregas', 'Mallory'],
    ]
    const form = () => {
      const data = new FormData()
      data.set('medias', makeSheetFile(rows))
      return data
    }
    const answer = await people.mallory.call<{ updated: number; errors: { row: number; code: string }[] }>(
      ...(['POST', '/contacts/delegation?preview=true', form()] as const),
    )
    expect(answer.body.updated).toBe(1)
    expect(answer.body.errors.map(({ row, code }) => [row, code])).toEqual([[2, 'ticketHidden']])
    await people.mallory.call('POST', '/contacts/delegation', form())
    await jobsAreOver()
    const redirected =
      await sql`select contact_id from contact_redirect where contact_id in (${victim.id}, ${accomplice.id})`
    expect(redirected.map(row => row.contact_id)).toEqual([accomplice.id])
    const byAdmin = await people.admin.call<{ errors: unknown[] }>('POST', '/contacts/delegation?preview=true', form())
    expect(byAdmin.body.errors).toEqual([])
  })

  test('of a sheet get no other number and no other answers: the row says so', async () => {
    const first = await aConversation()
    const second = await aConversation()
    const third = await aConversation()
    await sql`delete from contact_channel where contact_id = ${third.victim.id}`
    const short = third.victim.number.slice(2)
    await sql`update contact set number = ${short} where id = ${third.victim.id}`
    await sql`update contact_identity set value = ${short} where contact_id = ${third.victim.id}`
    const other = String(numbers + 700_000)
    const rows = [
      ['nome', 'numero', 'celular', 'resposta_automatica', 'email'],
      ['Padaria Estrela', first.victim.number, other, '', ''],
      ['Padaria Estrela', second.victim.number, '', 'não', ''],
      ['Padaria Estrela', third.victim.number, '', '', ''],
      ['Cúmplice', first.accomplice.number, '', '', 'compras@estrela.example'],
    ]
    const form = () => {
      const data = new FormData()
      data.set('medias', makeSheetFile(rows))
      data.set('numbers', 'all')
      return data
    }
    const refused = [2, 3, 4].map(row => [row, 'ticketHidden'])
    const before = await Promise.all([first, second, third].map(standing))
    const { body } = await people.mallory.call<{ updated: number; errors: { row: number; code: string }[] }>(
      ...(['POST', '/contacts/import?preview=true', form()] as const),
    )
    expect(body.errors.map(({ row, code }) => [row, code])).toEqual(refused)
    await people.mallory.call('POST', '/contacts/import', form())
    await jobsAreOver()
    expect(await Promise.all([first, second, third].map(standing))).toEqual(before)
    const [changed] = await sql`select email from contact where id = ${first.accomplice.id}`
    expect(changed?.email).toBe('compras@estrela.example')
    const byAdmin = await people.admin.call<{ errors: unknown[] }>('POST', '/contacts/import?preview=true', form())
    expect(byAdmin.body.errors).toEqual([])
  })
})
