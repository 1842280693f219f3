// Editing, comments, information and reading of messages (spec 1 §4, §5).
import { describe, expect, test } from 'bun:test'
import type { Message, MessageInformation } from '@balcao/contract'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import type { SignedInPerson } from './desk-server.ts'
import { makeMessage } from './desk-world.ts'
import { ogg, startMessagesDesk } from './messages-desk.ts'

const { db, sql, SECRET, whatsappId, officialId, bruna, people, inService, write, stored } = await startMessagesDesk()

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

  test('the same words once more are no edit: they go out once, and what stood before is kept', async () => {
    const { ticketId } = await inService('Padaria Lua')
    const written = await write(ticketId, 'Sai hoje')
    await claim(whatsappId)
    const edit = () =>
      people.bruna.call<Message>('PUT', `/messages/${ticketId}`, { messageId: written.id, body: 'Sai amanhã ' })
    const [first, second] = [await edit(), await edit()]
    expect([second.status, second.body.editedMsg, second.body.version]).toEqual([200, 'Sai hoje', first.body.version])
    expect((await outboxOf(written.id)).map(row => row.operation)).toEqual(['message', 'edit'])
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

async function outboxOf(messageId: number) {
  return [
    ...(await sql<{ operation: string; state: string; text: string | null }[]>`
      select operation, state, payload->>'text' as text from outbox where message_id = ${messageId} order by id`),
  ]
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
