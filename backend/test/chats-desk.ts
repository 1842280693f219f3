// Five people who talk among themselves.
import { beforeAll, expect } from 'bun:test'
import type { Chat, ChatMessage } from '@balcao/contract'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

export async function startChatsDesk() {
  const server = await startDeskServer()
  const { db, url } = server
  const ids: Record<string, number> = {}
  const people: Record<string, SignedInPerson> = {}

  beforeAll(async () => {
    const team = { Marina: 'admin', Rafael: 'gerente', Bruna: 'user', Diego: 'user', Carla: 'user' } as const
    for (const [name, profile] of Object.entries(team)) ids[name] = await makePerson(db, { name, profile })
    for (const name of Object.keys(team)) people[name] = await server.as(name)
    ids.Demitido = await makePerson(db, { name: 'Demitido', profile: 'user', active: false })
  })

  function as(name: string): SignedInPerson {
    const person = people[name]
    if (!person) throw new Error(`${name} is not signed in`)
    return person
  }

  async function directChat(name: string, other: string): Promise<Chat> {
    const { status, body } = await as(name).call<Chat>('POST', '/chats', {
      userId: ids[name],
      callingUserId: ids[other],
    })
    expect(status).toBe(201)
    return body
  }

  async function aGroup(name: string, groupName: string, others: string[]): Promise<Chat> {
    const users = others.map(other => ids[other])
    const { status, body } = await as(name).call<Chat>('POST', '/chats', { isGroup: true, groupName, users })
    expect(status).toBe(201)
    return body
  }

  async function say(name: string, chatId: number, body: string): Promise<ChatMessage> {
    const answer = await as(name).call<ChatMessage>('POST', `/chats/messages/${chatId}`, { body })
    expect(answer.status).toBe(201)
    return answer.body
  }

  async function unreadOf(name: string, chatId: number): Promise<number> {
    type Unread = { chats: { chatId: number; unreadMessages: number }[] }
    const { body } = await as(name).call<Unread>('GET', '/chats/unread')
    return body.chats.find(chat => chat.chatId === chatId)?.unreadMessages ?? 0
  }

  return { server, db, url, ids, people, as, directChat, aGroup, say, unreadOf }
}
