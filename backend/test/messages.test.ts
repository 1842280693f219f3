// What people do to messages, over HTTP as a browser would, on the real server.
import { afterAll, describe, expect, test } from 'bun:test'
import type { Message, MessageInformation } from '@balcao/contract'
import { type Ai, startAi } from '@balcao/simulator/ai/ai'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const ai: Ai = startAi()
afterAll(() => ai.stop())
const server = await startDeskServer(ai.env)
const { db } = server
const sql = db.$client

const SECRET = new TextEncoder().encode('segredo')

const finance = await makeQueue(db, 'Financeiro')
const deliveries = await makeQueue(db, 'Entregas')
const whatsappId = await makeConnection(db, 'Loja Centro')
const officialId = await makeConnection(db, 'Oficial', 'cloud_api')
await makePerson(db, { name: 'Marina', profile: 'admin' })
const bruna = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
await makePerson(db, { name: 'Rafael', profile: 'user', queueIds: [finance] })
await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [deliveries] })
const people = {
  marina: await server.as('Marina'),
  bruna: await server.as('Bruna'),
  rafael: await server.as('Rafael'),
  estranho: await server.as('Estranho'),
}

describe('spec 1 §5: editing and taking back a message that still waits', () => {
  test('an own text is changed where it waits: it goes out once, with the new words', async () => {
    const { ticketId } = await inService('Dona Lúcia')
    const written = await write(ticketId, 'O boleto vence dia 15')
    const edited = await people.bruna.call<Message>('PUT', `/messages/${ticketId}`, {
      messageId: written.id,
      body: 'O boleto vence dia 16',
    })
    expect([edited.status, edited.body.body, edited.body.isEdited]).toEqual([200, 'O boleto vence dia 16', false])
    expect(await outboxOf(written.id)).toEqual([
      { operation: 'message', state: 'queued', text: 'O boleto vence dia 16' },
    ])
    const { body } = await people.bruna.call<MessageInformation>('GET', `/messages/info/${written.id}`)
    expect(body.edits).toMatchObject([{ body: 'O boleto vence dia 15', by: 'Bruna' }])
  })

  test('an own message is taken back where it waits: nothing goes out', async () => {
    const { ticketId } = await inService('Seu Geraldo')
    const written = await write(ticketId, 'Mensagem por engano')
    expect((await people.bruna.call('DELETE', `/messages/${written.id}`)).status).toBe(204)
    expect(await outboxOf(written.id)).toEqual([])
    expect(await stored(ticketId, written.id)).toMatchObject({ isDeleted: true })
  })

  test('one that is being sent is changed and taken back at the customer, behind itself', async () => {
    const { ticketId } = await inService('Padaria Estrela')
    const written = await write(ticketId, 'Sai hoje')
    await claim(whatsappId)
    expect(
      (await people.bruna.call('PUT', `/messages/${ticketId}`, { messageId: written.id, body: 'Sai amanhã' })).status,
    ).toBe(200)
    expect((await people.bruna.call('DELETE', `/messages/${written.id}`)).status).toBe(204)
    expect((await outboxOf(written.id)).map(row => row.operation)).toEqual(['message', 'edit', 'revoke'])
  })

  test('the official API edits nothing that is out, and everything that still waits', async () => {
    const { ticketId, contactId } = await inService('Mercadinho Sol', officialId)
    await wroteNow(contactId, officialId)
    const waiting = await write(ticketId, 'Bom dia')
    const body = { messageId: waiting.id, body: 'Boa tarde' }
    expect((await people.bruna.call('PUT', `/messages/${ticketId}`, body)).status).toBe(200)
    await claim(officialId)
    const refused = await people.bruna.call('PUT', `/messages/${ticketId}`, body)
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_EDIT_WAPP_MSG'])
    const answer = await people.bruna.call('DELETE', `/messages/${waiting.id}`)
    expect([answer.status, answer.body.error]).toEqual([409, 'ERR_DELETE_WAPP_MSG'])
  })

  test('only own texts are edited and only own messages deleted', async () => {
    const { ticketId } = await inService('Bar do Zé')
    const theirs = await makeMessage(db, ticketId, 'Quero duas caixas')
    const edited = await people.bruna.call('PUT', `/messages/${ticketId}`, { messageId: theirs, body: 'x' })
    expect(edited.body.error).toBe('ERR_EDIT_WAPP_MSG')
    expect((await people.bruna.call('DELETE', `/messages/${theirs}`)).body.error).toBe('ERR_DELETE_WAPP_MSG')
  })
})

test('what was deleted stays hidden: in the conversation, in a quote, in its information and its file', async () => {
  const { ticketId } = await inService('Dona Célia')
  const photo = await people.bruna.call<{ uploadId: string }>(
    'PUT',
    `/uploads?name=cpf.txt&ticketId=${ticketId}`,
    SECRET,
  )
  const sent = await people.bruna.call<Message>('POST', `/messages/${ticketId}`, { body: '', ...photo.body })
  const file = sent.body.mediaUrl ?? ''
  const written = await write(ticketId, 'Meu CPF é segredo')
  await people.bruna.call('PUT', `/messages/${ticketId}`, { messageId: written.id, body: 'Meu CPF é um segredo' })
  const answer = { body: 'Anotado', quotedMsg: { id: written.id } }
  await people.bruna.call('POST', `/messages/${ticketId}`, answer)
  expect((await people.bruna.call('GET', file)).status).toBe(200)
  await sql`update message set is_deleted = true, version = version + 1 where id = any(${[sent.body.id, written.id]}::bigint[])`
  const page = await people.bruna.call<{ messages: Message[] }>('GET', `/messages/${ticketId}`)
  const [gone, , quoting] = page.body.messages.slice(-3)
  expect(gone).toMatchObject({ isDeleted: true, body: '', mediaUrl: null, media: null })
  expect(quoting?.quotedMsg).toMatchObject({ id: written.id, isDeleted: true, body: '' })
  const known = await people.bruna.call<MessageInformation>('GET', `/messages/info/${written.id}`)
  expect(JSON.stringify([page.body, known.body])).not.toMatch(/segredo|cpf/)
  for (const person of [people.bruna, people.marina]) expect((await person.call('GET', file)).status).toBe(404)
})

describe('spec 1 §5: the prefix -- makes an internal comment that is not sent', () => {
  test('also with a space before it; it is stored without the prefix, and nothing goes out', async () => {
    const { ticketId } = await inService('Dona Ivone')
    for (const body of ['--cliente difícil', '  -- cliente difícil ']) {
      const comment = await write(ticketId, body)
      expect([comment.mediaType, comment.body]).toEqual(['comment', 'cliente difícil'])
      expect(await outboxOf(comment.id)).toEqual([])
    }
  })

  test('without words it is refused, as an empty text is', async () => {
    const { ticketId } = await inService('Seu Antenor')
    for (const body of ['--', ' --  ', '   ']) {
      const { status, body: refusal } = await people.bruna.call('POST', `/messages/${ticketId}`, { body })
      expect([status, refusal.details]).toEqual([422, [{ path: 'body', message: 'Digite uma mensagem' }]])
    }
  })

  test('with a file it is refused, in a form and with one uploaded before: its words would be a caption', async () => {
    const { ticketId } = await inService('Oficina Norte')
    const refusal = [422, [{ path: 'body', message: 'Um comentário interno não leva arquivo' }]]
    for (const name of ['nota.txt', 'nota.ogg']) {
      const form = new FormData()
      form.append('medias', new File([name.endsWith('ogg') ? ogg() : 'texto'], name))
      form.append('body', ' -- não cobrar juros')
      const inForm = await people.bruna.call('POST', `/messages/${ticketId}`, form)
      expect([inForm.status, inForm.body.details]).toEqual(refusal)
    }
    const path = `/uploads?name=nota.txt&ticketId=${ticketId}`
    const upload = await people.bruna.call<{ uploadId: string }>('PUT', path, new TextEncoder().encode('texto'))
    const { uploadId } = upload.body
    const uploaded = await people.bruna.call('POST', `/messages/${ticketId}`, { body: '-- não cobrar juros', uploadId })
    expect([uploaded.status, uploaded.body.details]).toEqual(refusal)
    expect(await sql`select 1 from message where ticket_id = ${ticketId}`).toHaveLength(0)
  })

  test('what is the customer’s is never edited into one, waiting or sent, signed or not', async () => {
    const { ticketId } = await inService('Papelaria Sol')
    const plain = await write(ticketId, 'Sai hoje')
    const signed = await write(ticketId, '*Bruna:*\nSai hoje')
    const edit = (messageId: number, body: string) =>
      people.bruna.call<Message>('PUT', `/messages/${ticketId}`, { messageId, body })
    for (const [message, body] of [
      [plain, ' -- cliente difícil'],
      [signed, '*Bruna:*\n-- cliente difícil'],
    ] as const) {
      expect((await edit(message.id, body)).status).toBe(422)
    }
    await claim(whatsappId)
    expect((await edit(plain.id, '-- cliente difícil')).status).toBe(422)
    expect(await outboxOf(plain.id)).toMatchObject([{ operation: 'message', text: 'Sai hoje' }])
    expect((await edit(signed.id, '*Bruna:*\nSai amanhã')).status).toBe(200)
  })

  test('a comment stays one when it is edited, with or without the prefix', async () => {
    const { ticketId } = await inService('Dona Zilda')
    const comment = await write(ticketId, '-- paga no dia 5')
    for (const body of ['-- paga no dia 10', 'paga no dia 10']) {
      const edited = await people.bruna.call<Message>('PUT', `/messages/${ticketId}`, { messageId: comment.id, body })
      expect([edited.body.mediaType, edited.body.body]).toEqual(['comment', 'paga no dia 10'])
    }
    const empty = await people.bruna.call('PUT', `/messages/${ticketId}`, { messageId: comment.id, body: '--' })
    expect(empty.status).toBe(422)
    expect(await outboxOf(comment.id)).toEqual([])
  })
})

describe('spec 1 §4: the composer is enabled only while the ticket is open', () => {
  test('in any other status nothing is written, edited or taken back; only one that waits takes internal comments', async () => {
    const { ticketId } = await inService('Sítio Boa Vista')
    const text = await write(ticketId, 'Bom dia')
    const comment = await write(ticketId, '-- paga no dia 5')
    for (const status of ['pending', 'paused', 'bot', 'nps', 'closed']) {
      await sql`update ticket set status = ${status}, user_id = ${status === 'pending' ? null : bruna} where id = ${ticketId}`
      const { marina } = people
      const answers = [
        await marina.call('POST', `/messages/${ticketId}`, { body: 'Boa tarde' }),
        await marina.call('POST', `/messages/${ticketId}`, { body: '-- nota' }),
        await marina.call('PUT', `/messages/${ticketId}`, { messageId: text.id, body: 'Boa tarde' }),
        await marina.call('PUT', `/messages/${ticketId}`, { messageId: comment.id, body: 'paga no dia 10' }),
        await marina.call('DELETE', `/messages/${text.id}`),
        await marina.call('DELETE', `/messages/${comment.id}`),
      ]
      const makeRefusal = (code: string) => [409, code, { status }]
      expect(answers.map(answer => [answer.status, answer.body.error, answer.body.details])).toEqual([
        makeRefusal('ERR_SENDING_WAPP_MSG'),
        status === 'pending' ? [201, undefined, null] : makeRefusal('ERR_SENDING_WAPP_MSG'),
        makeRefusal('ERR_EDIT_WAPP_MSG'),
        makeRefusal('ERR_EDIT_WAPP_MSG'),
        makeRefusal('ERR_DELETE_WAPP_MSG'),
        makeRefusal('ERR_DELETE_WAPP_MSG'),
      ])
    }
    expect(await outboxOf(text.id)).toMatchObject([{ operation: 'message', text: 'Bom dia' }])
  })
})

test('the own comment is changed and taken back in a ticket that waits, too; a colleague’s is not', async () => {
  const { ticketId } = await inService('Espera com nota')
  await sql`update ticket set status = 'pending', user_id = null where id = ${ticketId}`
  const { id } = await write(ticketId, '-- paga no dia 5')
  const { bruna: author, rafael } = people
  const change = (person: SignedInPerson) =>
    person.call<Message>('PUT', `/messages/${ticketId}`, { messageId: id, body: 'paga no dia 10' })
  expect([(await change(rafael)).status, (await rafael.call('DELETE', `/messages/${id}`)).status]).toEqual([409, 409])
  expect((await change(author)).body).toMatchObject({ mediaType: 'comment', body: 'paga no dia 10' })
  expect((await author.call('DELETE', `/messages/${id}`)).status).toBe(204)
  expect(await stored(ticketId, id)).toMatchObject({ isDeleted: true })
  const [ticket] = await sql`select status, user_id from ticket where id = ${ticketId}`
  expect(ticket).toMatchObject({ status: 'pending', user_id: null })
})

describe('spec 1 §5: information of a message', () => {
  test('tells when it was queued, sent, delivered and read, and by whom it was written', async () => {
    const { ticketId } = await inService('Hotel Ipê')
    const written = await write(ticketId, 'Pedido confirmado')
    const [sent] = await claim(whatsappId, written.id)
    if (!sent) throw new Error('nothing was claimed')
    await settle(db, await owned(whatsappId), sent, { state: 'done', ack: 'sent', id: sent.providerId ?? '' })
    const ref = { chat: 'x', id: sent.providerId ?? '', fromMe: true }
    const at = Date.parse('2026-11-21T12:00:00Z')
    await receiveEvents(db, { id: whatsappId }, [
      { type: 'ack', ref, ack: 'delivered', at },
      { type: 'ack', ref, ack: 'read', at: at + 60_000 },
    ])
    const { status, body } = await people.bruna.call<MessageInformation>('GET', `/messages/info/${written.id}`)
    expect(status).toBe(200)
    expect(body.queuedAt).not.toBeNull()
    expect(body.sentAt).not.toBeNull()
    expect([body.deliveredAt, body.readAt]).toEqual(['2026-11-21T12:00:00.000Z', '2026-11-21T12:01:00.000Z'])
    expect([body.message.user?.name, body.connection]).toEqual(['Bruna', 'Loja Centro'])
  })

  test('keeps every earlier text of what a customer edits', async () => {
    const { ticketId, contactId } = await inService('Dona Cida')
    const id = await makeMessage(db, ticketId, 'às 8')
    await sql`update message set provider_id = 'C1' where id = ${id}`
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '5531999990000', ${contactId})`
    const chat = { jid: '5531999990000@s.whatsapp.net', pn: '5531999990000', group: false }
    const ref = { chat: chat.jid, id: 'C1', fromMe: false }
    for (const body of ['às 9', 'às 10'])
      await receiveEvents(db, { id: whatsappId }, [{ type: 'edit', ref, chat, body, at: Date.now() }])
    const { body } = await people.bruna.call<MessageInformation>('GET', `/messages/info/${id}`)
    expect(body.message.body).toBe('às 10')
    expect(body.edits.map(edit => [edit.body, edit.by])).toEqual([
      ['às 8', null],
      ['às 9', null],
    ])
  })
})

describe('reading', () => {
  async function unreadOnes(name: string, count: number) {
    const { ticketId } = await inService(name)
    const ids: number[] = []
    for (let n = 1; n <= count; n++) ids.push(await makeMessage(db, ticketId, `recado ${n}`))
    await sql`update message set provider_id = 'W' || id, chat = '5531988880000@s.whatsapp.net' where ticket_id = ${ticketId}`
    await sql`update ticket set unread_messages = ${count} where id = ${ticketId}`
    return { ticketId, ids }
  }
  const unreadNow = async (ticketId: number) => {
    const [ticket] = await sql<
      { unread: number }[]
    >`select unread_messages as unread from ticket where id = ${ticketId}`
    const rows = await sql<
      { id: string }[]
    >`select id from message where ticket_id = ${ticketId} and not read and not from_me order by seq`
    return { count: ticket?.unread, ids: rows.map(row => Number(row.id)) }
  }

  test('marks what was seen alone: what stands behind it stays unread, counted, and without blue ticks', async () => {
    const { ticketId, ids } = await unreadOnes('Lê aos poucos', 5)
    const read = (upTo?: number) => people.bruna.call('POST', `/tickets/${ticketId}/read${upTo ? `?upTo=${upTo}` : ''}`)
    expect((await read(ids[2])).status).toBe(204)
    expect(await unreadNow(ticketId)).toEqual({ count: 2, ids: ids.slice(3) })
    const [row] = await sql<{ refs: { id: string }[] }[]>`
      select payload->'refs' as refs from outbox where operation = 'read' and contact_id = (select contact_id from ticket where id = ${ticketId})`
    expect(row?.refs.map(ref => ref.id)).toEqual(ids.slice(0, 3).map(id => `W${id}`))
    expect((await read(ids[1])).status).toBe(204)
    expect((await unreadNow(ticketId)).count).toBe(2)
    expect((await read()).status).toBe(204)
    expect(await unreadNow(ticketId)).toEqual({ count: 0, ids: [] })
  })

  test('what is unread is looked for behind what is read, whatever was read before the ticket said how far', async () => {
    const { ticketId, ids } = await unreadOnes('Escreve todo dia', 4)
    const read = (upTo?: number) => people.bruna.call('POST', `/tickets/${ticketId}/read${upTo ? `?upTo=${upTo}` : ''}`)
    const seqs = async () => {
      const [row] = await sql<{ first: number; readSeq: number; last: number }[]>`
        select (select min(seq) from message where ticket_id = t.id) as first, read_seq as "readSeq", message_seq as last from ticket t where id = ${ticketId}`
      if (!row) throw new Error('There is no ticket')
      return row
    }
    // As a process of before, which does not say how far.
    await sql`update message set read = true where id = ${ids[0] ?? 0}`
    // The provider says of the last one that it came first.
    await sql`update message set at = at - interval '1 hour' where id = ${ids[3] ?? 0}`
    await read(ids[1])
    expect((await unreadNow(ticketId)).ids).toEqual([ids[2] ?? 0])
    const { first, readSeq } = await seqs()
    expect(readSeq).toBe(first + 1)
    await read()
    const { last, readSeq: all } = await seqs()
    expect(all).toBe(last)
    const later = await makeMessage(db, ticketId, 'mais um')
    await sql`update ticket set unread_messages = 1 where id = ${ticketId}`
    const { body } = await people.bruna.call<{ unreadFrom?: number }>('GET', `/messages/${ticketId}?unread=true`)
    expect(body.unreadFrom).toBe(later)
    await read()
    expect(await unreadNow(ticketId)).toEqual({ count: 0, ids: [] })
  })

  test('what is written again in the first minutes of a message stands in no index', async () => {
    const rows = await sql<{ name: string }[]>`
      select distinct a.attname as name from pg_index i join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where i.indrelid = 'message'::regclass and d.refobjid = 'message'::regclass`
    const indexed = rows.map(row => row.name)
    expect(indexed).toContain('provider_id')
    const changes = ['state', 'read', 'sent_at', 'delivered_at', 'read_at', 'version']
    expect(indexed.filter(name => changes.includes(name))).toEqual([])
  })

  test('tells the provider of the messages as they stand in the conversation, the newest last, whatever the database has moved about', async () => {
    const { ticketId, ids } = await unreadOnes('Corrige o que escreveu', 6)
    await sql`update message set at = at - interval '1 hour' where id = ${ids[5] ?? 0}`
    for (const id of [ids[4] ?? 0, ids[0] ?? 0])
      await sql`update message set body = 'corrigido', is_edited = true where id = ${id}`
    expect((await people.bruna.call('POST', `/tickets/${ticketId}/read`)).status).toBe(204)
    const [row] = await sql<{ refs: { id: string }[] }[]>`
      select payload->'refs' as refs from outbox where operation = 'read' and contact_id = (select contact_id from ticket where id = ${ticketId})`
    expect(row?.refs.map(ref => ref.id)).toEqual([ids[5] ?? 0, ...ids.slice(0, 5)].map(id => `W${id}`))
  })

  test('begins at the first unread one, however many there are; with none it is the newest page', async () => {
    const { ticketId, ids } = await unreadOnes('Escreve muito', 60)
    await sql`update ticket set unread_messages = 50 where id = ${ticketId}`
    type Page = { messages: Message[]; unreadFrom?: number; newerCursor: string | null }
    const page = () => people.bruna.call<Page>('GET', `/messages/${ticketId}?unread=true&limit=10`)
    const { body } = await page()
    expect(body.unreadFrom).toBe(ids[10] ?? 0)
    expect(body.messages.map(message => message.id)).toEqual(ids.slice(5, 15))
    expect(body.newerCursor).not.toBeNull()
    expect((await people.bruna.call('POST', `/tickets/${ticketId}/read`)).status).toBe(204)
    const read = await page()
    expect([read.body.unreadFrom, read.body.messages.at(-1)?.id]).toEqual([undefined, ids.at(-1) ?? 0])
  })

  test('fetched ahead of being opened, what may not be seen is no failure and shows nothing', async () => {
    const { ticketId } = await inService('Aberta por outra')
    const page = (as: SignedInPerson, query: string) => as.call('GET', `/messages/${ticketId}${query}`)
    expect((await page(people.estranho, '')).status).toBe(403)
    expect(await page(people.estranho, '?ahead=true&unread=true')).toMatchObject({
      status: 200,
      body: { messages: [], hasMore: false, refused: true },
    })
    expect((await page(people.bruna, '?ahead=true')).body).not.toHaveProperty('refused')
  })
})

describe('spec 1 §7: POST /messages/forward/{id}', () => {
  test('makes one outgoing message per contact, in the open ticket or a new one', async () => {
    const source = await inService('Origem')
    const message = await makeMessage(db, source.ticketId, 'Promoção de sexta')
    const served = await inService('Já atendida')
    const fresh = await makeContact(db, 'Sem conversa')
    const { status, body } = await forward(people.bruna, message, [served.contactId, fresh])
    expect([status, body.messages.length, body.refused]).toEqual([201, 2, []])
    expect(body.messages.map(each => [each.body, each.forward, each.fromMe, each.state])).toEqual([
      ['Promoção de sexta', 'true', true, 'queued'],
      ['Promoção de sexta', 'true', true, 'queued'],
    ])
    expect(body.messages.find(each => each.contactId === served.contactId)?.ticketId).toBe(served.ticketId)
    const [opened] = await sql`select status, user_id, queue_id from ticket where contact_id = ${fresh}`
    expect(opened).toMatchObject({ status: 'open', user_id: bruna, queue_id: finance })
    const logged =
      await sql`select 1 from log_entry where action = 'message.forward' and contact_id in (${served.contactId}, ${fresh})`
    expect(logged).toHaveLength(2)
  })

  test('asked for again with the same clientId it sends nothing more', async () => {
    const source = await inService('Origem repetida')
    const message = await makeMessage(db, source.ticketId, 'Só uma vez')
    const target = await makeContact(db, 'Alvo repetido')
    const first = await forward(people.bruna, message, [target], 'f1')
    const second = await forward(people.bruna, message, [target], 'f1')
    expect(second.body.messages.map(each => each.id)).toEqual(first.body.messages.map(each => each.id))
  })

  test('leaves the signature of who wrote it behind', async () => {
    const source = await inService('Origem assinada')
    const message = await write(source.ticketId, '*Rafael:*\nSegue a tabela')
    const { body } = await forward(people.bruna, message.id, [await makeContact(db, 'Outra')])
    expect(body.messages[0]?.body).toBe('Segue a tabela')
  })

  test('shares the file: who sees the new conversation can open it', async () => {
    const source = await inService('Origem do arquivo')
    const form = new FormData()
    form.append('medias', new File(['preços'], 'tabela.txt', { type: 'text/plain' }))
    const sent = await people.bruna.call<Message[]>('POST', `/messages/${source.ticketId}`, form)
    const file = sent.body[0]
    const target = await inService('Destino do arquivo', whatsappId, await personId('Rafael'))
    const { body } = await forward(people.marina, file?.id ?? 0, [target.contactId])
    expect(body.messages[0]?.mediaUrl).toBe(file?.mediaUrl ?? '')
    expect((await people.rafael.call('GET', file?.mediaUrl ?? '')).status).toBe(200)
    expect((await people.estranho.call('GET', file?.mediaUrl ?? '')).status).toBe(404)
    const [row] = await sql`select payload from outbox where message_id = ${body.messages[0]?.id ?? 0}`
    expect(row?.payload).toMatchObject({ type: 'media', forward: 'true', name: 'tabela.txt' })
  })

  test('reaches who waits, and takes nobody: the conversation goes on waiting', async () => {
    const source = await inService('Origem para quem espera')
    const message = await makeMessage(db, source.ticketId, 'Tabela de preços')
    const waiting = await makeContact(db, 'Ainda esperando')
    const ticketId = await makeTicket(db, { contactId: waiting, whatsappId, status: 'pending', queueId: finance })
    const { status, body } = await forward(people.bruna, message, [waiting])
    expect([status, body.messages.map(each => each.ticketId)]).toEqual([201, [ticketId]])
    const [ticket] = await sql`select status, user_id from ticket where id = ${ticketId}`
    expect(ticket).toMatchObject({ status: 'pending', user_id: null })
    const queued = await sql`select 1 from outbox where message_id = ${body.messages[0]?.id ?? 0}`
    expect(queued).toHaveLength(1)
  })

  test('says for each contact why it did not go there, and sends to the others', async () => {
    const source = await inService('Origem parcial')
    const message = await makeMessage(db, source.ticketId, 'Aviso')
    const waiting = await makeContact(db, 'Em pausa')
    await makeTicket(db, { contactId: waiting, whatsappId, status: 'paused', queueId: finance })
    const foreign = await inService('De outra pessoa', whatsappId, await personId('Rafael'))
    const good = await makeContact(db, 'Livre')
    const { status, body } = await forward(people.bruna, message, [waiting, foreign.contactId, good])
    expect([status, body.messages.map(each => each.contactId)]).toEqual([201, [good]])
    expect(body.refused).toMatchObject([
      { contactId: waiting, name: 'Em pausa', error: 'ERR_OTHER_OPEN_TICKET', details: { status: 'paused' } },
      { contactId: foreign.contactId, error: 'ERR_OTHER_OPEN_TICKET', details: { user: 'Rafael' } },
    ])
    const alone = await people.bruna.call('POST', `/messages/forward/${message}`, { contacts: [waiting] })
    expect([alone.status, alone.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
  })

  test('several messages go to each contact in their order; what is refused is named and keeps nothing else back', async () => {
    const source = await inService('Origem de várias')
    const ids = [
      await makeMessage(db, source.ticketId, 'Primeira'),
      await makeMessage(db, source.ticketId, 'Apagada'),
      await makeMessage(db, source.ticketId, 'Terceira'),
    ] as const
    await sql`update message set is_deleted = true where id = ${ids[1]}`
    const hidden = await inService('Que ela não vê', whatsappId, await personId('Rafael'))
    const foreign = await makeMessage(db, hidden.ticketId, 'Segredo')
    const targets = [await makeContact(db, 'Alvo um'), await makeContact(db, 'Alvo dois')]
    const paused = await makeContact(db, 'Em pausa de várias')
    await makeTicket(db, { contactId: paused, whatsappId, status: 'paused', queueId: finance })
    const request = { contacts: [...targets, paused], further: [ids[2], ids[1], foreign, ids[0]], clientId: 'v1' }
    type Answer = { messages: Message[]; refused: object[] }
    const { status, body } = await people.bruna.call<Answer>('POST', `/messages/forward/${ids[0]}`, request)
    const sent = targets.flatMap(contactId => ['Primeira', 'Terceira'].map(words => [contactId, words]))
    expect([status, body.messages.map(each => [each.contactId, each.body])]).toEqual([201, sent])
    for (const contactId of targets) {
      const rows =
        await sql`select body from message where contact_id = ${contactId} and from_me and system is null order by seq`
      expect(rows.map(row => row.body)).toEqual(['Primeira', 'Terceira'])
    }
    const stays = { error: 'ERR_FORWARD_WAPP_MSG', messageIds: [ids[1]] }
    const denied = { error: 'ERR_NO_MESSAGE_FOUND', messageIds: [foreign] }
    expect(body.refused).toMatchObject([
      ...targets.flatMap(contactId => [
        { contactId, ...stays },
        { contactId, ...denied },
      ]),
      { contactId: paused, error: 'ERR_OTHER_OPEN_TICKET', messageIds: [ids[0], ids[2]] },
      { contactId: paused, ...stays },
      { contactId: paused, ...denied },
    ])
    const again = await people.bruna.call<Answer>('POST', `/messages/forward/${ids[0]}`, request)
    expect(again.body.messages.map(each => each.id)).toEqual(body.messages.map(each => each.id))
    const many = { ...request, further: Array.from({ length: 30 }, () => ids[2]) }
    expect((await people.bruna.call('POST', `/messages/forward/${ids[0]}`, many)).status).toBe(422)
  })

  test('refused for everybody, it says each reason and whom it concerns', async () => {
    const source = await inService('Origem de ninguém')
    const gone = await makeMessage(db, source.ticketId, 'Apagada')
    await sql`update message set is_deleted = true where id = ${gone}`
    const message = await makeMessage(db, source.ticketId, 'Para ninguém')
    const paused = await makeContact(db, 'Parada')
    await makeTicket(db, { contactId: paused, whatsappId, status: 'paused', queueId: finance })
    const foreign = await inService('Com Rafael', whatsappId, await personId('Rafael'))
    const contacts = [paused, foreign.contactId]
    const answer = await people.bruna.call('POST', `/messages/forward/${message}`, { contacts, further: [gone] })
    expect([answer.status, answer.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
    const stays = { error: 'ERR_FORWARD_WAPP_MSG', messageIds: [gone] }
    expect(answer.body.details).toMatchObject({
      refused: [
        { contactId: paused, name: 'Parada', error: 'ERR_OTHER_OPEN_TICKET', details: { status: 'paused' } },
        { contactId: paused, ...stays },
        { contactId: foreign.contactId, error: 'ERR_OTHER_OPEN_TICKET', details: { user: 'Rafael' } },
        { contactId: foreign.contactId, ...stays },
      ],
    })
  })

  test('what goes to one contact goes in one transaction, however many messages these are', async () => {
    const source = await inService('Origem em lote')
    const ids: number[] = []
    for (let nth = 1; nth <= 12; nth++) ids.push(await makeMessage(db, source.ticketId, `Foto ${nth}`))
    const contacts = [await makeContact(db, 'Lote um'), await makeContact(db, 'Lote dois')]
    const request = { contacts, further: ids.slice(1), clientId: 'lote' }
    const { body } = await people.bruna.call<{ messages: Message[] }>('POST', `/messages/forward/${ids[0]}`, request)
    const words = ids.map((_, at) => `Foto ${at + 1}`)
    expect(body.messages.map(each => each.body)).toEqual([...words, ...words])
    const [written] = await sql<{ rows: number; transactions: number }[]>`
      select count(*)::int as rows, count(distinct xmin::text)::int as transactions from log_entry
      where action = 'message.forward' and contact_id = any(${contacts}::int[])`
    expect(written).toEqual({ rows: 24, transactions: 2 })
    const [further = 0] = [await makeMessage(db, source.ticketId, 'Mais uma')]
    const more = { ...request, further: [...request.further, further] }
    const again = await people.bruna.call<{ messages: Message[] }>('POST', `/messages/forward/${ids[0]}`, more)
    const before = new Set(body.messages.map(({ id }) => id))
    expect(again.body.messages.flatMap(({ id, body: text }) => (before.has(id) ? [] : [text]))).toEqual([
      'Mais uma',
      'Mais uma',
    ])
  })

  test('on the official API nobody is written to who has not written within 24 hours, and no ticket is opened', async () => {
    const source = await inService('Origem oficial', officialId)
    const message = await makeMessage(db, source.ticketId, 'Fora do prazo')
    const target = await makeContact(db, 'Calado')
    const refused = await people.bruna.call('POST', `/messages/forward/${message}`, { contacts: [target] })
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_WINDOW_CLOSED'])
    expect(await sql`select 1 from ticket where contact_id = ${target}`).toHaveLength(0)
  })

  test('comments and lines about the ticket stay where they are', async () => {
    const { ticketId } = await inService('Origem interna')
    const comment = await write(ticketId, '--cliente difícil')
    const refused = await people.bruna.call('POST', `/messages/forward/${comment.id}`, {
      contacts: [await makeContact(db, 'X')],
    })
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_FORWARD_WAPP_MSG'])
  })
})

describe('spec 1 §8: a file that could not be downloaded', () => {
  const fetching = (id: number) => people.bruna.call<Message>('POST', `/messages/download/${id}`)
  const failedFile = async (ticketId: number, error: string) => {
    const id = await makeMessage(db, ticketId, '')
    const media = { state: 'failed', name: 'nota.pdf', mime: 'application/pdf', size: 9, error }
    await sql`update message set media_type = 'application', media = ${JSON.stringify(media)}::text::jsonb where id = ${id}`
    return id
  }

  test('is fetched again, unless it was refused', async () => {
    const { ticketId } = await inService('Nota fiscal')
    const id = await failedFile(ticketId, 'ERR_WAPP_DOWNLOAD_MEDIA')
    const { status, body } = await fetching(id)
    expect([status, body.media?.state, body.media?.error]).toEqual([202, 'pending', null])
    const refused = await people.bruna.call(
      'POST',
      `/messages/download/${await failedFile(ticketId, 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED')}`,
    )
    expect([refused.status, refused.body.error]).toEqual([422, 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED'])
  })

  test('cannot be had any more once its connection was deleted', async () => {
    const closing = await makeConnection(db, 'Loja antiga')
    const { ticketId } = await inService('Cliente antigo', closing)
    const id = await failedFile(ticketId, 'ERR_WAPP_DOWNLOAD_MEDIA')
    await sql`update whatsapp set deleted_at = now() where id = ${closing}`
    const { status, body } = await people.bruna.call('POST', `/messages/download/${id}`)
    expect([status, body.error]).toEqual([502, 'ERR_WAPP_DOWNLOAD_MEDIA'])
    expect(await stored(ticketId, id)).toMatchObject({ media: { state: 'failed' } })
  })

  test('a message without a file has nothing to fetch', async () => {
    const { ticketId } = await inService('Só palavras')
    expect(
      (await people.bruna.call('POST', `/messages/download/${await makeMessage(db, ticketId, 'oi')}`)).body.error,
    ).toBe('ERR_FETCH_WAPP_MSG')
  })
})

describe('spec 1 §7: POST /messages/transcribe/{id}', () => {
  test('answers 202, and the text arrives as an update of the message', async () => {
    const { ticketId } = await inService('Voz')
    const id = await aRecording(ticketId)
    const { status, body } = await people.bruna.call<Message>('POST', `/messages/transcribe/${id}`)
    expect([status, body.transcriptionState]).toEqual([202, 'pending'])
    await waitUntil('it is written out', async () => (await stored(ticketId, id))?.transcription !== null)
    expect(await stored(ticketId, id)).toMatchObject({ transcriptionState: null })
    const rows = await sql`select 1 from live_event where payload::json->>'event' = 'appMessage'
      and payload::json->'message'->>'id' = ${String(id)} and payload::json->'message'->>'transcription' is not null`
    expect(rows).toHaveLength(1)
    expect(ai.requests.at(-1)).toMatchObject({ path: '/v1/audio/transcriptions', request: 'audio.ogg' })
  })

  test('what the endpoint refuses says so, and can be asked for again', async () => {
    const { ticketId } = await inService('Voz ruim')
    const id = await aRecording(ticketId)
    ai.failNext(400)
    await people.bruna.call('POST', `/messages/transcribe/${id}`)
    await waitUntil('it failed', async () => (await stored(ticketId, id))?.transcriptionState === 'failed')
    await people.bruna.call('POST', `/messages/transcribe/${id}`)
    await waitUntil('it is written out', async () => (await stored(ticketId, id))?.transcription !== null)
  })

  test('only recordings are transcribed', async () => {
    const { ticketId } = await inService('Só texto')
    const id = await makeMessage(db, ticketId, 'Oi')
    expect((await people.bruna.call('POST', `/messages/transcribe/${id}`)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  })
})

describe('spec 1 §7: POST /tickets/ai/resume/{id}', () => {
  test('sums a ticket up without names, numbers, places or cards', async () => {
    const { ticketId } = await inService('Dona Benedita')
    await makeMessage(db, ticketId, 'Meu pedido não chegou')
    const card = await makeMessage(db, ticketId, 'BEGIN:VCARD\nFN:Zé\nTEL;waid=5531988887777:x\nEND:VCARD')
    await sql`update message set media_type = 'vcard' where id = ${card}`
    await write(ticketId, '*Bruna:*\nVou verificar')
    const { status, body } = await people.bruna.call<{ resume: string }>('POST', `/tickets/ai/resume/${ticketId}`)
    expect(status).toBe(200)
    expect(body.resume).toContain('O cliente escreveu 2 de 3 mensagens.')
    const prompt = ai.requests.at(-1)?.request ?? ''
    expect(prompt).toBe('Cliente: Meu pedido não chegou\nCliente: [contato]\nAtendente: Vou verificar')
  })

  test('tells it what was ordered, and not what somebody is paid by', async () => {
    const { ticketId } = await inService('Dona Zuleide')
    for (const [type, body] of [
      ['order', '2 × Café'],
      ['payment', 'Zuleide Prado\n031.996.998-45'],
      ['unknown', ''],
    ] as const) {
      const id = await makeMessage(db, ticketId, body)
      await sql`update message set media_type = ${type} where id = ${id}`
    }
    await people.bruna.call('POST', `/tickets/ai/resume/${ticketId}`)
    expect(ai.requests.at(-1)?.request).toBe('Cliente: [pedido] 2 × Café\nCliente: [pagamento]')
  })

  test('an endpoint that does not answer is a refusal with words', async () => {
    const { ticketId } = await inService('Sem resposta')
    await makeMessage(db, ticketId, 'Oi')
    ai.failNext(500)
    const { status, body } = await people.bruna.call('POST', `/tickets/ai/resume/${ticketId}`)
    expect([status, body.error]).toEqual([502, 'ERR_AI_FAILED'])
  })

  test('GET /ai says that there is a key', async () => {
    expect((await people.bruna.call('GET', '/ai')).body).toEqual({ enabled: true })
  })
})

describe('spec 1 §7: POST /contact', () => {
  test('gives the contact who has the number, with or without the ninth digit, or makes one', async () => {
    const made = await people.bruna.call('POST', '/contact', { name: 'Zé do Bar', number: '+55 31 98888-1234' })
    expect([made.status, made.body.name, made.body.number]).toEqual([200, 'Zé do Bar', '5531988881234'])
    const again = await people.bruna.call('POST', '/contact', { name: 'Outro nome', number: '553188881234' })
    expect([again.body.id, again.body.name]).toEqual([made.body.id, 'Zé do Bar'])
  })

  test('a new contact needs the right to add one', async () => {
    await sql`update "user" set add_contact = false where name = 'Estranho'`
    const refused = await people.estranho.call('POST', '/contact', { name: 'Novo', number: '5531977776666' })
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    expect((await people.estranho.call('POST', '/contact', { name: 'Zé', number: '5531988881234' })).status).toBe(200)
  })
})

describe('spec 1 §6: who may not see the ticket', () => {
  test('neither forwards, transcribes, sums up nor asks about its messages', async () => {
    const { ticketId } = await inService('Segredo')
    const id = await aRecording(ticketId)
    const { estranho } = people
    const calls = [
      estranho.call('POST', `/messages/forward/${id}`, { contacts: [await makeContact(db, 'Amigo')] }),
      estranho.call('POST', `/messages/transcribe/${id}`),
      estranho.call('GET', `/messages/info/${id}`),
    ]
    for (const call of calls) {
      const { status, body } = await call
      expect([status, body.error]).toEqual([404, 'ERR_NO_MESSAGE_FOUND'])
    }
    const summary = await estranho.call('POST', `/tickets/ai/resume/${ticketId}`)
    expect([summary.status, summary.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })
})

async function inService(name: string, connection = whatsappId, userId = bruna) {
  const contactId = await makeContact(db, name)
  const fields = { contactId, whatsappId: connection, status: 'open', queueId: finance, userId } as const
  return { contactId, ticketId: await makeTicket(db, fields) }
}

async function write(ticketId: number, body: string): Promise<Message> {
  const { status, body: message } = await people.bruna.call<Message>('POST', `/messages/${ticketId}`, { body })
  if (status !== 201) throw new Error(JSON.stringify(message))
  return message
}

function forward(person: SignedInPerson, id: number, contacts: readonly number[], clientId?: string) {
  return person.call<{ messages: Message[]; refused: object[] }>('POST', `/messages/forward/${id}`, {
    contacts,
    ...(clientId ? { clientId } : {}),
    log: { descricao: 'encaminhada', origem: 'message' },
  })
}

async function outboxOf(messageId: number) {
  return [
    ...(await sql<{ operation: string; state: string; text: string | null }[]>`
      select operation, state, payload->>'text' as text from outbox where message_id = ${messageId} order by id`),
  ]
}

async function stored(ticketId: number, id: number): Promise<Message | undefined> {
  const { body } = await people.marina.call<{ messages: Message[] }>('GET', `/messages/${ticketId}`)
  return body.messages.find(message => message.id === id)
}

async function owned(id: number) {
  const [row] = await sql<{ epoch: number }[]>`select epoch::int as epoch from whatsapp where id = ${id}`
  return { whatsappId: id, epoch: row?.epoch ?? 0 }
}

/** Begins to send what waits, as the connection's owner does. */
async function claim(id: number, messageId?: number) {
  const claims = await claimDue(db, await owned(id), 100)
  return messageId === undefined ? claims : claims.filter(one => one.messageId === messageId)
}

async function wroteNow(contactId: number, connection: number): Promise<void> {
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at) values (${contactId}, ${connection}, ${`55319${contactId}`}, now())`
}

async function personId(name: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from "user" where name = ${name}`
  return row?.id ?? 0
}

/** A voice note of the customer, fetched: its file came by an upload of ours. */
async function aRecording(ticketId: number): Promise<number> {
  const upload = await people.marina.call<{ uploadId: string }>('PUT', '/uploads?name=audio.ogg', ogg())
  const id = await makeMessage(db, ticketId, '')
  const info = { state: 'ready', name: 'audio.ogg', mime: 'audio/ogg', size: 2000, seconds: 3, voice: true }
  const media = { ...info, width: null, height: null, waveform: null, error: null }
  await sql`update media set owner = 'message', ticket_id = ${ticketId} where id = ${upload.body.uploadId}`
  await sql`update message set media_type = 'audio', media_id = ${upload.body.uploadId}, media = ${JSON.stringify(media)}::text::jsonb where id = ${id}`
  return id
}

/** The beginning of a voice note's file. */
function ogg(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2000)
  bytes.set(Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead'))
  return bytes
}
