// Forwarding, files that did not come, transcriptions, summaries, cards, and who may not (spec 1 §6 to §8).
import { describe, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import type { SignedInPerson } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makeTicket } from './desk-world.ts'
import { ogg, startMessagesDesk } from './messages-desk.ts'
import { waitUntil } from './until.ts'

const { ai, db, sql, finance, whatsappId, officialId, bruna, people, inService, write, stored } =
  await startMessagesDesk()

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
    // By the key alone (0324).
    expect(await sql`select 1 from setting where key = 'aiAssist' and value = 'enabled'`).toHaveLength(0)
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
    expect(readFenced()).toBe('Cliente: Meu pedido não chegou\nCliente: [contato]\nAtendente: Vou verificar')
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
    expect(readFenced()).toBe('Cliente: [pedido] 2 × Café\nCliente: [pagamento]')
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

function forward(person: SignedInPerson, id: number, contacts: readonly number[], clientId?: string) {
  return person.call<{ messages: Message[]; refused: object[] }>('POST', `/messages/forward/${id}`, {
    contacts,
    ...(clientId ? { clientId } : {}),
    log: { descricao: 'encaminhada', origem: 'message' },
  })
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

/** The conversation that was last summed up: all there is of it stands within its fence. */
function readFenced(): string | undefined {
  const [, code, conversation] =
    /^<conversation ([\w-]+)>\n([\s\S]*)\n<\/conversation \1>$/.exec(ai.requests.at(-1)?.request ?? '') ?? []
  return code && conversation
}
