// Notices in the bells and on the live line (spec 1 §4).
import { describe, expect, test } from 'bun:test'
import type { ResponseBody } from '@balcao/contract'
import { type Name, startNotificationsDesk } from './notifications-desk.ts'
import { waitUntil } from './until.ts'

const { sql, finance, sales, unstaffed, waiting, writes, set, chatWith, say, call, line, person, idOf } =
  await startNotificationsDesk()

describe('spec 1 §4 "Notifications": the bells', () => {
  test('hold what waits in the own queues, without a queue, or is one’s own and unread', async () => {
    const inQueue = await waiting({ queueId: finance })
    const nobodys = await waiting({ queueId: null })
    const own = await waiting({ queueId: finance, status: 'open', userId: idOf('Bruna'), unread: 2 })
    await waiting({ queueId: finance, status: 'open', userId: idOf('Bruna'), unread: 0 })
    const elsewhere = await waiting({ queueId: sales })
    const bruna = await bell('Bruna')
    expect(bruna.ids).toEqual([own, nobodys, inQueue])
    expect(bruna.count).toBe(3)
    expect((await bell('Rafael')).ids).toEqual([elsewhere, nobodys, inQueue])
    expect((await bell('Marina')).ids).toEqual([nobodys])
    expect(await countAlone('Bruna')).toBe(3)
  })

  test('take a changed setting at once', async () => {
    const parked = await waiting({ queueId: unstaffed })
    await set('notificateAllTickets', 'enabled')
    const all = (await bell('Marina')).ids
    expect(all.length).toBe(4)
    expect(all).not.toContain(parked)
    await set('onlyAdminSeeEmptyQueue', 'enabled')
    expect((await bell('Bruna')).count).toBe(2)
    expect((await bell('Marina')).count).toBe(4)
  })

  test('hold groups of one’s own, and all with notifyGroupToAllUsers', async () => {
    const group = await waiting({ queueId: finance, status: 'open', userId: idOf('Carlos'), unread: 1, isGroup: true })
    expect((await bell('Carlos')).ids).toContain(group)
    expect((await bell('Bruna')).ids).not.toContain(group)
    await set('notifyGroupToAllUsers', 'enabled')
    expect((await bell('Bruna')).ids).toContain(group)
  })

  test('hold the internal chats with something unread, counted by messages', async () => {
    const chatId = await chatWith('Rafael', 'Bruna')
    await say('Rafael', chatId, 'Bruna, vem cá')
    await say('Rafael', chatId, 'Rapidinho')
    const { chats } = await waits('Bruna')
    expect(chats).toMatchObject({ count: 2, items: [{ id: chatId, unreadMessages: 2, lastMessage: 'Rapidinho' }] })
    expect((await waits('Rafael')).chats.count).toBe(0)
    await call('Bruna', 'POST', `/chats/messages/read/${chatId}`)
    expect((await waits('Bruna')).chats).toEqual({ count: 0, items: [] })
  })
})

describe('spec 1 §4 "Notifications": the live line', () => {
  test('tells those who are to be told, and nobody else', async () => {
    const [bruna, rafael, marina] = await Promise.all([line('Bruna'), line('Rafael'), line('Marina')])
    const id = await waiting({ queueId: finance, unread: 1, text: 'Cadê meu boleto?' })
    await writes(id)
    for (const person of [bruna, rafael])
      expect(await person.until(id)).toMatchObject({ about: 'ticket', reason: 'message', text: 'Cadê meu boleto?' })
    const last = await waiting({ queueId: null, unread: 1 })
    await writes(last)
    await marina.until(last)
    expect(marina.notices.map(notice => notice.id)).not.toContain(id)
    for (const each of [bruna, rafael, marina]) each.close()
  })

  test('tells that a ticket was given to one, not what one did oneself', async () => {
    const [bruna, rafael] = await Promise.all([line('Bruna'), line('Rafael')])
    const id = await waiting({ queueId: finance, status: 'open', userId: idOf('Rafael') })
    await call('Rafael', 'PUT', `/tickets/${id}`, { queueId: finance, userId: idOf('Bruna') })
    expect((await bruna.until(id)).reason).toBe('assigned')
    await call('Bruna', 'PUT', `/tickets/${id}`, { status: 'pending' })
    expect((await rafael.until(id)).reason).toBe('arrived')
    expect(bruna.notices.filter(notice => notice.id === id)).toHaveLength(1)
    for (const each of [bruna, rafael]) each.close()
  })

  test('tells who gave it to one and why; it is unread, and stands in the bell', async () => {
    const bruna = await line('Bruna')
    const id = await waiting({ queueId: finance, status: 'open', userId: idOf('Rafael') })
    const transfer = { queueId: finance, userId: idOf('Bruna'), transferMessage: 'Quer a segunda via' }
    await call('Rafael', 'PUT', `/tickets/${id}`, transfer)
    expect(await bruna.until(id)).toMatchObject({ reason: 'assigned', author: 'Rafael', text: 'Quer a segunda via' })
    expect((await bell('Bruna')).items.find(ticket => ticket.id === id)).toMatchObject({ unreadMessages: 1 })
    bruna.close()
  })

  test('decisions §5 userCron: who gets what waited too long is told as of a transfer, and of nobody’s doing', async () => {
    const bruna = await line('Bruna')
    await set('userCron', String(idOf('Bruna')))
    const id = await waiting({ queueId: finance })
    await sql`update ticket_span set begun_at = now() - interval '1 hour' where ticket_id = ${id}`
    await sql`select graphile_worker.add_job('give-idle')`
    await waitUntil('she is told', () => bruna.notices.some(one => one.id === id && one.reason === 'assigned'))
    expect(bruna.notices.find(one => one.id === id && one.reason === 'assigned')).toMatchObject({ author: null })
    expect((await bell('Bruna')).items.find(ticket => ticket.id === id)).toMatchObject({
      status: 'open',
      unreadMessages: 1,
    })
    await set('userCron', '')
    bruna.close()
  })

  test('a ticket one gives oneself is not unread', async () => {
    const id = await waiting({ queueId: finance, status: 'open', userId: idOf('Rafael') })
    await call('Rafael', 'PUT', `/tickets/${id}`, { queueId: sales, userId: idOf('Rafael') })
    expect((await bell('Rafael')).ids).not.toContain(id)
  })

  test('tells of internal messages those in the chat but for who wrote', async () => {
    const [bruna, rafael, marina] = await Promise.all([line('Bruna'), line('Rafael'), line('Marina')])
    const chatId = await chatWith('Rafael', 'Bruna')
    await say('Rafael', chatId, 'Pode liberar')
    expect(await bruna.until(chatId, 'chat')).toMatchObject({ name: 'Rafael', author: null, text: 'Pode liberar' })
    const ticket = await waiting({ queueId: null, unread: 1 })
    await writes(ticket)
    await Promise.all([rafael.until(ticket), marina.until(ticket)])
    for (const each of [rafael, marina]) expect(each.notices.filter(notice => notice.about === 'chat')).toEqual([])
    for (const each of [bruna, rafael, marina]) each.close()
  })
})

async function waits(name: Name) {
  return (await person(name).call<ResponseBody<'GET /notifications'>>('GET', '/notifications')).body
}

async function bell(name: Name) {
  const { tickets } = await waits(name)
  return { count: tickets.count, ids: tickets.items.map(ticket => ticket.id), items: tickets.items }
}

async function countAlone(name: Name) {
  const { body } = await person(name).call<ResponseBody<'GET /notifications'>>('GET', '/notifications?limit=0')
  expect(body.tickets.items).toEqual([])
  return body.tickets.count
}
