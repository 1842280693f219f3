// Internal chats are opened, seen and listed (spec 1 §4 to §6).
import { describe, expect, test } from 'bun:test'
import type { Chat, ChatMessage } from '@balcao/contract'
import { startChatsDesk } from './chats-desk.ts'
import { makePerson } from './desk-world.ts'

const { db, ids, as, directChat, aGroup, say, unreadOf } = await startChatsDesk()

describe('opening a chat (spec 1 §4, §5)', () => {
  test('with a colleague gives the chat there is, whoever opens it', async () => {
    const first = await directChat('Bruna', 'Diego')
    const again = await directChat('Diego', 'Bruna')
    expect(again.id).toBe(first.id)
    expect(first).toMatchObject({ isGroup: false, userName: 'Bruna', callingName: 'Diego', unreadMessages: 0 })
  })

  test('of two who open it at the same moment both get the same one', async () => {
    const opened = await Promise.all([directChat('Bruna', 'Rafael'), directChat('Rafael', 'Bruna')])
    expect(opened[0]?.id).toBe(opened[1]?.id ?? 0)
  })

  test('as a group gives it a name that turns nothing around', async () => {
    const group = await aGroup('Bruna', 'Plantão\u202E ', ['Diego'])
    expect(group.groupName).toBe('Plantão')
    const rename = (groupName: string) => as('Bruna').call<Chat>('PUT', `/chats/${group.id}`, { groupName })
    expect((await rename('\u202EPlantão 2')).body.groupName).toBe('Plantão 2')
    expect((await rename('\u202E')).status).toBe(422)
  })

  test('as a group once under one `clientId`, with what is written by then', async () => {
    const make = (groupName: string, other: string, clientId = 'grupo-1') =>
      as('Bruna').call<Chat>('POST', '/chats', { isGroup: true, groupName, users: [ids[other]], clientId })
    const [first, again] = [await make('Recepção', 'Diego'), await make('Recepção', 'Diego')]
    expect([again.status, again.body.id, again.body.groupName]).toEqual([201, first.body.id, 'Recepção'])
    const { body } = await make('Recepção 2', 'Carla')
    expect([body.id, body.groupName]).toEqual([first.body.id, 'Recepção 2'])
    const members = new Set<number | undefined>(body.users.map(({ id }) => id))
    expect(members).toEqual(new Set([ids.Bruna, ids.Carla]))
    expect((await make('Recepção', 'Diego', 'grupo-2')).body.id).not.toBe(body.id)
  })

  test('with oneself is refused: Você não pode abrir um chat para você mesmo', async () => {
    const { status, body } = await as('Bruna').call('POST', '/chats', { callingUserId: ids.Bruna })
    expect([status, body.error, body.message]).toEqual([
      422,
      'ERR_CHAT_WITH_ONESELF',
      'Você não pode abrir um chat para você mesmo',
    ])
  })

  test('a group needs participants', async () => {
    const { status, body } = await as('Bruna').call('POST', '/chats', { isGroup: true, groupName: 'Vazio', users: [] })
    expect([status, body.error]).toEqual([422, 'ERR_VALIDATION'])
  })

  test('somebody who is not active, unknown, or the hidden owner cannot be asked in', async () => {
    for (const callingUserId of [ids.Demitido, 99_999, 1]) {
      const { status, body } = await as('Bruna').call('POST', '/chats', { callingUserId })
      expect([status, body.error]).toEqual([404, 'ERR_NO_USER_FOUND'])
    }
  })
})

describe('who may see and write (spec 1 §6)', () => {
  test('in a direct chat only its two sides; nobody else finds anything of it, by no door', async () => {
    const chat = await directChat('Bruna', 'Diego')
    const message = await say('Bruna', chat.id, 'o cofre abre com 4711')
    for (const name of ['Carla', 'Rafael', 'Marina']) {
      const calls = [
        as(name).call('GET', `/chats/${chat.id}`),
        as(name).call('PUT', `/chats/${chat.id}`, { groupName: 'x' }),
        as(name).call('POST', '/chats/messages/get', { chatId: chat.id }),
        as(name).call('POST', `/chats/messages/${chat.id}`, { body: 'oi' }),
        as(name).call('PUT', `/chats/messages/${chat.id}`, { messageId: message.id, body: 'x' }),
        as(name).call('POST', `/chats/messages/read/${chat.id}`),
        as(name).call('GET', `/chats/search/${chat.id}?messageToSearch=cofre`),
        as(name).call('PUT', `/uploads?name=a.txt&chatId=${chat.id}`, new Uint8Array([104, 105])),
      ]
      for (const call of calls) {
        const { status, body } = await call
        expect([name, status, body.error]).toEqual([name, 403, 'ERR_NO_PERMISSION'])
        expect(body.message).toBe('Você não tem permissão para acessar esse chat')
      }
      const deleted = await as(name).call('DELETE', `/chats/messages/${message.id}`)
      expect([deleted.status, deleted.body.error]).toEqual([404, 'ERR_NO_MESSAGE_FOUND'])
      for (const path of ['/chats', '/chats?showAll=true', '/chats?searchParam=bruna', '/chats/unread'])
        expect(JSON.stringify((await as(name).call('GET', path)).body)).not.toContain('4711')
    }
  })

  test('with adminChatInterno admins see all chats, write in none of others, and read nothing away', async () => {
    const chat = await directChat('Bruna', 'Diego')
    await say('Bruna', chat.id, 'recado só nosso')
    await setting('adminChatInterno', 'enabled')
    const marina = as('Marina')
    expect(await chatIds('Marina', '?showAll=true')).toContain(chat.id)
    expect(await chatIds('Marina')).not.toContain(chat.id)
    expect(await chatIds('Rafael', '?showAll=true')).not.toContain(chat.id)
    expect((await marina.call('POST', '/chats/messages/get', { chatId: chat.id })).status).toBe(200)
    expect((await marina.call('POST', `/chats/messages/${chat.id}`, { body: 'vi tudo' })).status).toBe(403)
    expect((await marina.call('POST', `/chats/messages/read/${chat.id}`)).status).toBe(204)
    expect(await unreadOf('Diego', chat.id)).toBeGreaterThan(0)
    await setting('adminChatInterno', 'disabled')
    expect((await marina.call('GET', `/chats/${chat.id}`)).status).toBe(403)
  })

  test('a group is for its members; who is taken out loses it, who comes in sees it', async () => {
    const group = await aGroup('Bruna', 'Fechamento', ['Diego'])
    await say('Bruna', group.id, 'fechamos às 18h')
    expect((await as('Carla').call('GET', `/chats/${group.id}`)).status).toBe(403)
    const changed = await as('Diego').call<Chat>('PUT', `/chats/${group.id}`, { users: [ids.Carla, { id: ids.Bruna }] })
    expect(changed.body.users.map(user => user.name)).toEqual(['Bruna', 'Carla', 'Diego'])
    const seen = await as('Carla').call<{ messages: ChatMessage[] }>('POST', '/chats/messages/get', {
      chatId: group.id,
    })
    expect(seen.body.messages.map(message => message.body)).toEqual(['fechamos às 18h'])
    await as('Bruna').call('PUT', `/chats/${group.id}`, { users: [ids.Carla] })
    expect((await as('Diego').call('POST', `/chats/messages/${group.id}`, { body: 'oi' })).status).toBe(403)
    expect(await chatIds('Diego')).not.toContain(group.id)
  })

  test('who is added or removed comes and goes beside what a colleague changed, also who has left the company', async () => {
    const group = await aGroup('Bruna', 'Plantão', ['Diego'])
    const nobody = await makePerson(db, { name: 'Saiu', profile: 'user' })
    await as('Diego').call('PUT', `/chats/${group.id}`, { add: [ids.Carla, nobody] })
    await db.$client`update "user" set active = false, deleted_at = now() where id = ${nobody}`
    const renamed = await as('Bruna').call<Chat>('PUT', `/chats/${group.id}`, { groupName: 'Plantão 2' })
    expect(renamed.body.users).toHaveLength(4)
    const { body } = await as('Bruna').call<Chat>('PUT', `/chats/${group.id}`, {
      add: [ids.Carla],
      remove: [ids.Diego, nobody, ids.Bruna],
    })
    expect(body.users.map(user => user.name)).toEqual(['Bruna', 'Carla'])
    expect((await as('Bruna').call('PUT', `/chats/${group.id}`, { remove: [ids.Carla] })).status).toBe(422)
  })

  test('who changes a group stays in it, and a direct chat has no participants to change', async () => {
    const group = await aGroup('Bruna', 'Sozinhos', ['Diego'])
    const { body } = await as('Bruna').call<Chat>('PUT', `/chats/${group.id}`, { users: [ids.Carla] })
    expect(body.users.map(user => user.name)).toEqual(['Bruna', 'Carla'])
    const direct = await directChat('Bruna', 'Diego')
    expect((await as('Bruna').call('PUT', `/chats/${direct.id}`, { users: [ids.Carla] })).status).toBe(422)
  })
})

describe('the list', () => {
  test('has the newest chat first and pages by key', async () => {
    const groups = [
      await aGroup('Carla', 'G1', ['Diego']),
      await aGroup('Carla', 'G2', ['Diego']),
      await aGroup('Carla', 'G3', ['Diego']),
    ]
    for (const group of groups) await say('Carla', group.id, 'oi')
    const first = await as('Carla').call<{ chats: Chat[]; nextCursor: string }>('GET', '/chats?limit=2')
    expect(first.body.chats.map(chat => chat.groupName)).toEqual(['G3', 'G2'])
    const next = await as('Carla').call<{ chats: Chat[] }>('GET', `/chats?limit=1&cursor=${first.body.nextCursor}`)
    expect(next.body.chats.map(chat => chat.groupName)).toEqual(['G1'])
  })

  test('is searched by the name of the group and of the others', async () => {
    const group = await aGroup('Rafael', 'Logística', ['Carla'])
    expect(await chatIds('Rafael', '?searchParam=logistica')).toEqual([group.id])
    expect(await chatIds('Rafael', '?searchParam=carla')).toContain(group.id)
    expect(await chatIds('Rafael', '?searchParam=ninguem')).toEqual([])
  })
})

async function chatIds(name: string, query = ''): Promise<number[]> {
  return (await as(name).call<{ chats: Chat[] }>('GET', `/chats${query}`)).body.chats.map(chat => chat.id)
}

async function setting(key: string, value: string) {
  expect((await as('Marina').call('PUT', `/settings/${key}`, { value })).status).toBe(200)
}
