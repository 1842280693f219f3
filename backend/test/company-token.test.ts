// A token of the company works on tickets within its queues: under its own name, as nobody's.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Job, Message, Ticket } from '@balcao/contract'
import { reportJobs } from '../src/insight/reports/jobs.ts'
import { makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { startProgramDesk } from './program-desk.ts'
import { waitForSettledEvents } from './settled-events.ts'
import { waitUntil } from './until.ts'

const desk = await startProgramDesk(reportJobs)
const { db, sql, url, sales, finance, whatsappId, marina } = desk
const support = await makeQueue(db, 'Suporte')
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [sales] })
const carlosId = await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [sales, support] })
const danielId = await makePerson(db, { name: 'Daniel', profile: 'user', queueIds: [finance] })
const { id, token } = await make('Loja virtual')

beforeEach(async () => {
  await sql`update api_token set uses = 0`
})

function make(name: string, queueIds = [sales, support]) {
  return desk.addToken({ name, queueIds })
}

/** What these tests look at, of whatever is answered. */
interface Answer {
  readonly id: number
  readonly jobId: number
  readonly error?: string
  readonly details?: readonly { readonly path: string }[]
  readonly status: string
  readonly state: string
  readonly userId: number | null
  readonly unreadMessages: number
  readonly result: Job['result']
}

const call = (method: string, path: string, body?: unknown, by = token) => desk.call<Answer>(by, method, path, body)

async function open(status: Ticket['status'], queueId: number, userId: number | null = null) {
  const contactId = await makeContact(db, `Cliente ${crypto.randomUUID()}`)
  return makeTicket(db, { contactId, whatsappId, status, queueId, userId })
}

const readTicket = async (ticketId: number) => (await marina.call<Ticket>('GET', `/tickets/${ticketId}`)).body
const readLines = async (ticketId: number) =>
  (await marina.call<{ messages: Message[] }>('GET', `/messages/${ticketId}`)).body.messages

describe('a token of the company', () => {
  test('gives a waiting ticket to whom it names, who is told, and nobody else gets it then', async () => {
    const ticketId = await open('pending', sales)
    const missing = await call('PUT', `/tickets/${ticketId}`, { status: 'open' })
    expect([missing.status, missing.body.details?.[0]?.path]).toEqual([422, 'userId'])
    const strange = await call('PUT', `/tickets/${ticketId}`, { status: 'open', userId: danielId })
    expect(strange.status).toBe(422)
    expect((await call('PUT', `/tickets/${ticketId}`, { status: 'open', userId: 1 })).status).toBe(404)
    const acceptance = await call('PUT', `/tickets/${ticketId}`, { status: 'open', userId: brunaId })
    expect([acceptance.status, acceptance.body.userId, acceptance.body.status]).toEqual([200, brunaId, 'open'])
    expect(acceptance.body.unreadMessages).toBe(1)
    expect((await call('PUT', `/tickets/${ticketId}`, { status: 'open', userId: brunaId })).status).toBe(200)
    const late = await call('PUT', `/tickets/${ticketId}`, { status: 'open', userId: carlosId })
    expect([late.status, late.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
    const line = (await readLines(ticketId)).find(({ mediaType }) => mediaType === 'system')
    expect(line).toMatchObject({ userId: null, system: { params: { user: 'Loja virtual', to: 'Bruna' } } })
    const [entry] =
      await sql`select user_id, source from log_entry where action = 'ticket.accept' order by id desc limit 1`
    expect(entry).toMatchObject({ user_id: null, source: 'api' })
  })

  test('transfers to a queue or a person, pauses, resumes, resolves and reopens, and none of it is anybody’s', async () => {
    const ticketId = await open('open', sales, brunaId)
    const put = (body: object) => call('PUT', `/tickets/${ticketId}`, body)
    expect((await put({ queueId: support, userId: null })).body).toMatchObject({ status: 'pending', queueId: support })
    expect((await put({ userId: carlosId })).body).toMatchObject({ status: 'open', userId: carlosId })
    expect((await put({ userId: brunaId })).status).toBe(422)
    const pause = { status: 'paused', pauseTag: 'Pagamento', pauseMessage: 'Espera o banco', pauseUntil: 'answer' }
    expect((await put(pause)).body.status).toBe('paused')
    expect((await put({ status: 'open' })).body).toMatchObject({ status: 'open', userId: null })
    expect((await put({ status: 'closed', onlyClose: true })).body).toMatchObject({ status: 'closed', userId: null })
    expect((await put({ status: 'open' })).status).toBe(422)
    expect((await put({ status: 'open', userId: carlosId })).body).toMatchObject({ status: 'open', userId: carlosId })
    expect((await call('POST', `/tickets/${ticketId}/read`)).status).toBe(204)
    const lines = await readLines(ticketId)
    expect(lines.filter(({ userId }) => userId !== null)).toEqual([])
    expect(lines.find(({ body }) => body === 'Espera o banco')?.user).toEqual({ id: null, name: 'Loja virtual' })
  })

  test('does nothing in a ticket of another queue, and takes none from there', async () => {
    const ticketId = await open('pending', finance)
    for (const body of [{ status: 'open', userId: brunaId }, { queueId: sales }, { status: 'closed' }])
      expect((await call('PUT', `/tickets/${ticketId}`, body)).status).toBe(403)
    expect((await call('POST', `/messages/${ticketId}`, { body: '-- oi' })).status).toBe(403)
    expect((await call('POST', `/tickets/${ticketId}/read`)).status).toBe(403)
    expect(await readTicket(ticketId)).toMatchObject({ status: 'pending', queueId: finance, userId: null })
    const contactId = await makeContact(db, 'Novo')
    const opened = { contactId, whatsappId, userId: danielId }
    expect((await call('POST', '/tickets', { ...opened, queueId: finance })).status).toBe(403)
    expect((await call('POST', '/tickets', { contactId, whatsappId, queueId: sales })).status).toBe(422)
    expect((await call('POST', '/tickets', { ...opened, queueId: sales, userId: brunaId })).status).toBe(201)
  })

  test('comments and writes under its name, which stays when it is renamed and when it is revoked', async () => {
    const own = await make('ERP')
    const ticketId = await open('open', sales, brunaId)
    const comment = await call('POST', `/messages/${ticketId}`, { body: '-- Pago, @Bruna', clientId: 'c1' }, own.token)
    expect(comment.status).toBe(201)
    expect(comment.body).toMatchObject({ mediaType: 'comment', userId: null, user: { id: null, name: 'ERP' } })
    const again = await call('POST', `/messages/${ticketId}`, { body: '-- Pago, @Bruna', clientId: 'c1' }, own.token)
    expect(again.body.id).toBe(comment.body.id)
    const bruna = await desk.as('Bruna')
    const { body } = await bruna.call<{ mentions: { items: { author: string }[] } }>('GET', '/notifications')
    expect(body.mentions.items.map(({ author }) => author)).toEqual(['ERP'])
    const form = new FormData()
    form.set('medias', new File(['Nota 1042'], 'nota.txt', { type: 'text/plain' }))
    const sent = await call('POST', `/messages/${ticketId}`, form, own.token)
    expect(sent.status).toBe(201)
    await marina.call('PUT', `/integrations/tokens/${own.id}`, { name: 'ERP novo' })
    await marina.call('DELETE', `/integrations/tokens/${own.id}`)
    const names = (await readLines(ticketId)).map(({ user }) => user?.name)
    expect(names).toEqual(['ERP', 'ERP'])
  })

  test('changes its own comments, with and without a number of its own, and nothing else', async () => {
    const [own, other] = [await make('ERP'), await make('ERP')]
    const ticketId = await open('pending', sales)
    const write = async (form: object, by = own.token) =>
      (await call('POST', `/messages/${ticketId}`, form, by)).body.id
    const edit = async (messageId: number, by = own.token) => {
      const body = { messageId, body: 'Pago, @Bruna' }
      return (await call('PUT', `/messages/${ticketId}`, body, by)).status
    }
    const comments = [await write({ body: '-- A pagar' }), await write({ body: '-- A pagar', clientId: 'c1' })]
    for (const id of comments) expect([await edit(id, other.token), await edit(id)]).toEqual([409, 200])
    const lines = (await readLines(ticketId)).filter(({ mediaType }) => mediaType === 'comment')
    expect(lines.map(({ body, user, clientId }) => [body, user?.name, clientId])).toEqual([
      ['Pago, @Bruna', 'ERP', null],
      ['Pago, @Bruna', 'ERP', 'c1'],
    ])
    expect((await sql`select 1 from message_edit where user_id is null`).length).toBe(2)
    await call('PUT', `/tickets/${ticketId}`, { status: 'open', userId: brunaId }, own.token)
    const text = await write({ body: 'O pedido saiu', clientId: 'c2' })
    const bruna = await desk.as('Bruna')
    const hers = await bruna.call<Message>('POST', `/messages/${ticketId}`, { body: '-- só nosso' })
    expect([await edit(text), await edit(hers.body.id)]).toEqual([409, 409])
  })

  test('as a person changes the comments of that person, and quotes nothing to who may not read messages', async () => {
    const form = { name: 'Bruna', scopes: ['send'], userId: brunaId }
    const { body } = await marina.call<{ token: string }>('POST', '/integrations/tokens', form)
    const ticketId = await open('open', sales, brunaId)
    const quoted = await makeMessage(db, ticketId, 'segredo')
    const bruna = await desk.as('Bruna')
    const write = (text: string, more: object = {}) =>
      bruna.call<Message>('POST', `/messages/${ticketId}`, { body: text, ...more })
    const edit = async (message: { body: Message }) =>
      call('PUT', `/messages/${ticketId}`, { messageId: message.body.id, body: 'Outro' }, body.token)
    expect((await edit(await write('-- um'))).status).toBe(200)
    expect((await edit(await write('um'))).status).toBe(409)
    const refusal = await edit(await write('-- dois', { quotedMsg: { id: quoted } }))
    expect([refusal.status, refusal.text.includes('segredo')]).toEqual([403, false])
  })

  test('gets the files of the messages it may read, and no other', async () => {
    const send = async (ticketId: number) => {
      const form = new FormData()
      form.set('medias', new File(['Nota 1042'], 'nota.txt', { type: 'text/plain' }))
      const { body } = await marina.call<Message | Message[]>('POST', `/messages/${ticketId}`, form)
      return [body].flat()[0]?.mediaUrl ?? ''
    }
    const marinaId = (await sql<{ id: number }[]>`select id from "user" where name = 'Marina'`)[0]?.id ?? 0
    const [ours, theirs] = [
      await send(await open('open', sales, marinaId)),
      await send(await open('open', finance, marinaId)),
    ]
    expect((await call('GET', ours)).text).toBe('Nota 1042')
    expect((await call('GET', theirs)).status).toBe(404)
    const form = { name: 'Só contatos', scopes: ['contacts'], queueIds: [sales] }
    const { body } = await marina.call<{ token: string }>('POST', '/integrations/tokens', form)
    expect((await call('GET', ours, undefined, body.token)).status).toBe(403)
    expect((await call('GET', ours, undefined, 'blc_x')).status).toBe(401)
  })

  test('schedules to whom it may write; managers see it and cancel it, other programs do not', async () => {
    const other = await make('Outra loja')
    const contactOf = async (ticketId: number) => (await readTicket(ticketId)).contactId
    const schedule = async (contactsIds: number | string, more: object = {}) => {
      const form = new FormData()
      const sendAt = '2036-03-02T12:00:00.000Z'
      const fields = {
        title: 'Lembrete',
        message: 'Amanhã, {{name}}',
        recurrence: 'once',
        sendAt,
        contactsIds,
        whatsappId,
      }
      for (const [name, value] of Object.entries({ ...fields, ...more })) form.set(name, String(value))
      return call('POST', '/agendamento', form)
    }
    expect((await schedule(await contactOf(await open('open', finance, danielId)))).status).toBe(403)
    expect((await schedule('', { allContacts: 'true' })).status).toBe(403)
    const contactId = await contactOf(await open('open', sales, brunaId))
    const made = await schedule(contactId, { clientId: 's1' })
    expect(made.status).toBe(201)
    // Asked for again, also when nothing else knows of it any more.
    await db.$client`delete from api_request`
    expect((await schedule(contactId, { clientId: 's1' })).body.id).toBe(made.body.id)
    expect(made.body).toMatchObject({ userId: null, program: { id, name: 'Loja virtual' } })
    const path = `/agendamento/${made.body.id}`
    expect((await call('GET', path)).status).toBe(200)
    expect((await call('GET', path, undefined, other.token)).status).toBe(404)
    expect((await call('DELETE', path, undefined, other.token)).status).toBe(404)
    const listed = await call('GET', '/agendamento', undefined, other.token)
    expect(listed.text).not.toContain('Lembrete')
    expect((await call('GET', '/agendamento')).text).toContain('Lembrete')
    expect((await call('PUT', `${path}/pause`)).body).toMatchObject({ state: 'paused', stateUser: null })
    expect((await marina.call('PUT', `${path}/cancel`)).status).toBe(200)
  })

  test('asks for a report of its queues and fetches it; nobody else’s token sees it, nor does it once it is revoked', async () => {
    const own = await make('Painel')
    await makeMessage(db, await open('open', finance, danielId), 'segredo')
    const period = { startDate: '2020-01-01', endDate: '2036-12-31', format: 'xlsx' }
    expect((await call('POST', '/report/ticket', { ...period, queueId: finance }, own.token)).status).toBe(403)
    const begun = await call('POST', '/report/ticket', period, own.token)
    expect(begun.status).toBe(202)
    const path = `/jobs/${begun.body.jobId}`
    const read = async () => (await call('GET', path, undefined, own.token)).body
    await waitUntil('the report is done', async () => (await read()).state === 'done')
    const { result, userId } = await read()
    expect(userId).toBeNull()
    expect((await fetch(url + (result?.url ?? ''))).status).toBe(200)
    expect((await call('GET', path)).status).toBe(404)
    expect((await marina.call('GET', path)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
    await marina.call('DELETE', `/integrations/tokens/${own.id}`)
    expect((await fetch(url + (result?.url ?? ''))).status).toBe(404)
  })

  test('is told what changed since, as it is now, and what is gone or out of sight; after its rights changed it begins anew', async () => {
    const own = await make('Espelho', [sales])
    interface Changes {
      tickets: Ticket[]
      messages: Message[]
      gone: number[]
      reset: boolean
      nextCursor: string
    }
    const read = async (list: 'tickets' | 'messages', cursor = '') => {
      await waitForSettledEvents(sql)
      const answer = await call('GET', `/${list}/changes?cursor=${cursor}`, undefined, own.token)
      const changes: Changes = JSON.parse(answer.text)
      return { ...changes, status: answer.status, ids: (changes[list] ?? []).map(row => row.id) }
    }
    const [tickets, messages] = [await read('tickets'), await read('messages')]
    expect([tickets.ids, tickets.gone, tickets.reset]).toEqual([[], [], false])
    const [ours, theirs] = [await open('open', sales, brunaId), await open('open', finance, danielId)]
    const bruna = await desk.as('Bruna')
    const greeting = await bruna.call<Message>('POST', `/messages/${ours}`, { body: 'Bom dia' })
    const daniel = await desk.as('Daniel')
    await daniel.call('POST', `/messages/${theirs}`, { body: 'segredo' })
    const [first, words] = [await read('tickets', tickets.nextCursor), await read('messages', messages.nextCursor)]
    expect([first.ids, words.ids]).toEqual([[ours], [greeting.body.id]])
    expect((await read('tickets', first.nextCursor)).ids).toEqual([])
    await bruna.call('DELETE', `/messages/${greeting.body.id}`)
    const revoked = await read('messages', words.nextCursor)
    expect(revoked.messages.map(({ id, isDeleted, body }) => [id, isDeleted, body])).toEqual([
      [greeting.body.id, true, ''],
    ])
    // The log of before names the words; what is read is what is there now.
    expect(JSON.stringify(await read('messages', messages.nextCursor))).not.toContain('Bom dia')
    await marina.call('PUT', `/tickets/${ours}`, { queueId: finance, userId: null })
    const away = await read('tickets', first.nextCursor)
    expect([away.ids, away.gone]).toEqual([[], [ours]])
    expect((await read('messages', words.nextCursor)).gone).toContain(greeting.body.id)
    await marina.call('PUT', `/integrations/tokens/${own.id}`, { queueIds: [sales, finance] })
    const widened = await read('tickets', away.nextCursor)
    expect([widened.reset, widened.ids]).toEqual([true, []])
    await marina.call('DELETE', `/tickets/${theirs}`)
    expect((await read('tickets', widened.nextCursor)).gone).toEqual([theirs])
    await sql`delete from live_event where id <= (select max(id) - 1 from live_event)`
    expect((await read('tickets', widened.nextCursor)).reset).toBe(true)
    expect((await read('tickets', 'ontem')).status).toBe(422)
  })
})
