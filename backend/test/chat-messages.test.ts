// Messages, files and live events of internal chats (spec 1 §4, §7).
import { describe, expect, test } from 'bun:test'
import type { Chat, ChatMessage, LiveEvent, ResponseBody } from '@balcao/contract'
import { startChatsDesk } from './chats-desk.ts'
import { makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const { server, db, url, ids, people, as, directChat, aGroup, say, unreadOf } = await startChatsDesk()

describe('messages (spec 1 §7)', () => {
  test('come in order, page by page, and each has its reader ticks', async () => {
    const group = await aGroup('Bruna', 'Páginas', ['Diego', 'Carla'])
    for (let n = 1; n <= 7; n++) await say('Bruna', group.id, `recado ${n}`)
    const page = await pageOf('Diego', { chatId: group.id, limit: 3 })
    expect(page.messages.map(({ body }) => body)).toEqual(['recado 5', 'recado 6', 'recado 7'])
    const before = await pageOf('Diego', { chatId: group.id, limit: 3, cursor: page.nextCursor })
    expect(before.messages.map(({ body }) => body)).toEqual(['recado 2', 'recado 3', 'recado 4'])
    expect(await pageOf('Diego', { chatId: group.id, limit: 3, pageNumber: 3 })).toMatchObject({
      hasMore: false,
      count: 1,
    })
    const middle = page.messages[0]?.id ?? 0
    expect((await pageOf('Diego', { chatId: group.id, around: middle })).messages.map(({ id }) => id)).toContain(middle)
    await as('Diego').call('POST', `/chats/messages/read/${group.id}`)
    expect((await pageOf('Bruna', { chatId: group.id })).messages.at(-1)).toMatchObject({ ack: 1, read: false })
    await as('Carla').call('POST', `/chats/messages/read/${group.id}`)
    expect((await pageOf('Bruna', { chatId: group.id })).messages.at(-1)).toMatchObject({ ack: 3, read: true })
  })

  test('come from the first that oneself has not read, where that is asked, and else from the newest', async () => {
    const group = await aGroup('Bruna', 'Férias', ['Diego', 'Carla'])
    const ids = []
    for (const name of ['Bruna', 'Diego', 'Bruna', 'Carla', 'Bruna', 'Carla', 'Bruna'])
      ids.push((await say(name, group.id, name)).id)
    const query = { chatId: group.id, unread: true, limit: 4 }
    expect(await pageOf('Diego', query)).toMatchObject({
      unreadFrom: ids[2],
      messages: ids.slice(0, 4).map(id => ({ id })),
    })
    await as('Bruna').call('DELETE', `/chats/messages/${ids[2]}`)
    expect(await pageOf('Diego', query)).toMatchObject({ unreadFrom: ids[3], hasMore: true })
    expect(await pageOf('Carla', query)).toMatchObject({ unreadFrom: ids[6] })
    const all = await pageOf('Bruna', query)
    expect([all.unreadFrom, all.messages.map(({ id }) => id)]).toEqual([undefined, ids.slice(3)])
  })

  test('are unread for everybody but who wrote them, until read', async () => {
    const group = await aGroup('Bruna', 'Contagem', ['Diego', 'Carla'])
    await say('Bruna', group.id, 'um')
    await say('Bruna', group.id, 'dois')
    const { body } = await as('Diego').call<Chat & Record<string, unknown>>('GET', `/chats/${group.id}`)
    expect(body).toMatchObject({ unreadMessages: 2, messagesUnread: 2, [`messagesUnreadBy${ids.Carla}`]: 2 })
    expect(await unreadOf('Bruna', group.id)).toBe(0)
    const read = await as('Diego').call('POST', `/chats/messages/read/${group.id}`)
    expect(read.status).toBe(204)
    expect([await unreadOf('Diego', group.id), await unreadOf('Carla', group.id)]).toEqual([0, 2])
  })

  test('the same clientId again gives the same message; empty text is refused', async () => {
    const chat = await directChat('Bruna', 'Carla')
    const send = () =>
      as('Bruna').call<ChatMessage>('POST', `/chats/messages/${chat.id}`, { body: 'oi', clientId: 'c-1' })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.body.id]).toEqual([201, first.body.id])
    expect((await as('Bruna').call('POST', `/chats/messages/${chat.id}`, { body: '  ' })).status).toBe(422)
  })

  test('are edited by their sender only, keeping the words before', async () => {
    const chat = await directChat('Bruna', 'Carla')
    const { id } = await say('Bruna', chat.id, 'às 15h')
    const edit = (name: string) =>
      as(name).call<ChatMessage>('PUT', `/chats/messages/${chat.id}`, { messageId: id, body: 'às 16h' })
    const refused = await as('Carla').call('PUT', `/chats/messages/${chat.id}`, { messageId: id, body: 'x' })
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_EDIT_WAPP_MSG'])
    expect((await edit('Bruna')).body).toMatchObject({ body: 'às 16h', editedMsg: 'às 15h', isEdited: true })
    expect((await edit('Bruna')).body).toMatchObject({ body: 'às 16h', editedMsg: 'às 15h' })
    expect((await as('Carla').call<Chat>('GET', `/chats/${chat.id}`)).body.lastMessage).toBe('às 16h')
  })

  test('are deleted by their sender only; nothing of the words is left, nor unread', async () => {
    const chat = await directChat('Bruna', 'Carla')
    await as('Carla').call('POST', `/chats/messages/read/${chat.id}`)
    const { id } = await say('Bruna', chat.id, 'senha: margarida')
    const refused = await as('Carla').call('DELETE', `/chats/messages/${id}`)
    expect([refused.status, refused.body.message]).toEqual([409, 'Não foi possível excluir essa mensagem'])
    expect((await as('Bruna').call('DELETE', `/chats/messages/${id}`)).status).toBe(204)
    const page = await pageOf('Carla', { chatId: chat.id })
    expect(page.messages.find(message => message.id === id)).toMatchObject({ isDeleted: true, body: '' })
    const found = await as('Carla').call<{ messages: unknown[] }>(
      'GET',
      `/chats/search/${chat.id}?messageToSearch=margarida`,
    )
    expect(found.body.messages).toEqual([])
    expect(JSON.stringify((await as('Carla').call('GET', '/chats')).body)).not.toContain('margarida')
    expect(await unreadOf('Carla', chat.id)).toBe(0)
  })

  test('quote only messages of the same chat', async () => {
    const chat = await directChat('Bruna', 'Carla')
    const elsewhere = await say('Bruna', (await directChat('Bruna', 'Diego')).id, 'outra conversa')
    const quoted = await say('Bruna', chat.id, 'qual o prazo?')
    const answer = await as('Carla').call<ChatMessage>('POST', `/chats/messages/${chat.id}`, {
      body: 'amanhã',
      quotedMsg: { id: quoted.id },
    })
    expect(answer.body.quotedMsg).toMatchObject({ id: quoted.id, body: 'qual o prazo?', sender: { name: 'Bruna' } })
    const refused = await as('Carla').call('POST', `/chats/messages/${chat.id}`, {
      body: 'x',
      quotedMsg: { id: elsewhere.id },
    })
    expect(refused.body.error).toBe('ERR_NO_MESSAGE_FOUND')
  })

  test('are found without accents and case', async () => {
    const group = await aGroup('Bruna', 'Busca', ['Diego'])
    await say('Bruna', group.id, 'Reunião às nove')
    const { body } = await as('Diego').call<{ messages: ChatMessage[] }>(
      'GET',
      `/chats/search/${group.id}?messageToSearch=REUNIAO`,
    )
    expect(body.messages.map(message => message.body)).toEqual(['Reunião às nove'])
    expect((await as('Diego').call('GET', `/chats/search/${group.id}?messageToSearch=%20`)).status).toBe(422)
  })
})

describe('files', () => {
  test('are readable by those in the chat only, and by nobody once deleted', async () => {
    const chat = await directChat('Bruna', 'Diego')
    const form = new FormData()
    form.append('body', 'a planilha')
    form.append('medias', new File(['a;b\n1;2\n'], 'relatório.csv', { type: 'text/csv' }))
    form.append('medias', new File(['olá'], 'nota.txt', { type: 'text/plain' }))
    const { status, body } = await as('Bruna').call<ChatMessage[]>('POST', `/chats/messages/${chat.id}`, form)
    expect([status, body.map(message => [message.body, message.media?.name])]).toEqual([
      201,
      [
        ['a planilha', 'relatorio.csv'],
        ['', 'nota.txt'],
      ],
    ])
    const [first] = body
    expect((await as('Diego').call('GET', first?.mediaUrl ?? '')).status).toBe(200)
    expect((await as('Carla').call('GET', first?.mediaUrl ?? '')).status).toBe(404)
    await as('Bruna').call('DELETE', `/chats/messages/${first?.id}`)
    expect((await as('Diego').call('GET', first?.mediaUrl ?? '')).status).toBe(404)
  })

  test('uploaded before become part of one chat, and only for who uploaded them', async () => {
    const chat = await directChat('Bruna', 'Diego')
    const upload = await as('Bruna').call<{ uploadId: string }>(
      'PUT',
      `/uploads?name=a.txt&chatId=${chat.id}`,
      new TextEncoder().encode('texto'),
    )
    const { uploadId } = upload.body
    const stolen = await as('Diego').call('POST', `/chats/messages/${chat.id}`, { body: '', uploadId })
    expect(stolen.body.error).toBe('ERR_NO_FILE_FOUND')
    const sent = await as('Bruna').call<ChatMessage>('POST', `/chats/messages/${chat.id}`, { body: '', uploadId })
    expect(sent.body).toMatchObject({ mediaType: 'application', media: { state: 'ready', name: 'a.txt' } })
    const other = await directChat('Bruna', 'Carla')
    const twice = await as('Bruna').call('POST', `/chats/messages/${other.id}`, { body: '', uploadId })
    expect(twice.body.error).toBe('ERR_NO_FILE_FOUND')
  })
})

describe('live (spec 1 §4)', () => {
  test('those in a chat hear of it, also one of two administrators alone, and nobody else', async () => {
    await makePerson(db, { name: 'Sonia', profile: 'admin' }).then(id => Object.assign(ids, { Sonia: id }))
    people.Sonia = await server.as('Sonia')
    const [diego, carla, marina, sonia] = await Promise.all([
      listen('Diego'),
      listen('Carla'),
      listen('Marina'),
      listen('Sonia'),
    ])
    const chat = await directChat('Marina', 'Diego')
    await say('Marina', chat.id, 'só para o Diego')
    const heard = () => diego.of('appMessageChat').find(({ message }) => message.body === 'só para o Diego')
    await waitUntil('the message', () => heard() !== undefined && marina.of('appMessageChat').length > 0)
    await as('Diego').call('POST', `/chats/messages/read/${chat.id}`)
    await waitUntil('the reading', () => marina.of('unreadMessageChat').some(event => event.userId === ids.Diego))
    // What all hear comes after: by then the others would have heard the rest.
    const open = await aGroup('Marina', 'Todos', ['Carla', 'Sonia'])
    await waitUntil('the group', () =>
      [carla, sonia].every(ear => ear.of('chat').some(event => 'chat' in event && event.chat.id === open.id)),
    )
    for (const ear of [carla, sonia]) expect(JSON.stringify(ear.events)).not.toContain('só para o Diego')
  })

  test('who is taken out of a group is told that it is gone', async () => {
    const group = await aGroup('Bruna', 'Saída', ['Diego', 'Carla'])
    const carla = await listen('Carla')
    await as('Bruna').call('PUT', `/chats/${group.id}`, { users: [ids.Diego] })
    await waitUntil('gone', () =>
      carla.of('chat').some(event => event.action === 'delete' && event.chatId === group.id),
    )
  })

  test('typing reaches the others in the chat only', async () => {
    const chat = await directChat('Bruna', 'Diego')
    const [bruna, diego, carla] = await Promise.all([listen('Bruna'), listen('Diego'), listen('Carla')])
    bruna.send({ type: 'typingChat', chatId: chat.id, state: 'typing' })
    await waitUntil('typing', () =>
      diego.volatiles.some(frame => frame.kind === 'typingChat' && frame.chatId === chat.id),
    )
    expect([bruna, carla].flatMap(ear => ear.volatiles.filter(frame => frame.kind === 'typingChat'))).toEqual([])
  })

  test('a chat one may not see cannot be entered', async () => {
    const chat = await directChat('Bruna', 'Diego')
    const carla = await listen('Carla')
    carla.send({ type: 'joinChatBoxChat', chatId: chat.id })
    await waitUntil('the refusal', () => carla.errors.includes('ERR_NO_PERMISSION'))
  })
})

async function pageOf(name: string, query: Record<string, unknown>) {
  type Page = ResponseBody<'POST /chats/messages/get'>
  const { body } = await as(name).call<Page>('POST', '/chats/messages/get', query)
  return body
}

type Told = { kind: string; chatId?: number }

/** A socket of a person, which has said hello. */
async function listen(name: string) {
  const { body } = await as(name).call<{ token: string }>('POST', '/auth/socket', {})
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/socket?token=${body.token}`)
  const ear = {
    events: [] as LiveEvent[],
    volatiles: [] as Told[],
    errors: [] as string[],
    of: <N extends LiveEvent['event']>(event: N) =>
      ear.events.filter((each): each is Extract<LiveEvent, { event: N }> => each.event === event),
    send: (frame: unknown) => socket.send(JSON.stringify(frame)),
  }
  let welcomed = false
  socket.onopen = () => ear.send({ type: 'hello', cursor: null })
  socket.onmessage = message => {
    const frame = JSON.parse(String(message.data))
    if (frame.type === 'welcome') welcomed = true
    if (frame.type === 'events') ear.events.push(...frame.events)
    if (frame.type === 'volatile') ear.volatiles.push(frame.volatile)
    if (frame.type === 'error') ear.errors.push(frame.error)
  }
  await waitUntil(`${name} is welcome`, () => welcomed)
  return ear
}
