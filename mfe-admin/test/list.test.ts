import { describe, expect, test } from 'bun:test'
import { afterEvent, connectionsFeed, merged, needsSomeone } from '../src/connections/list.ts'
import { aConnection, aTrouble } from './connection.ts'

describe('the list of connections', () => {
  test('a session event replaces the connection with its newest state', () => {
    const list = [aConnection({ id: 7, status: 'qrcode', qrcode: 'one', version: 3 })]
    const session = aConnection({ id: 7, status: 'qrcode', qrcode: 'two', version: 4 })
    const after = afterEvent(list, { event: 'whatsappSession', action: 'update', version: 4, session })
    expect(after.map(connection => connection.qrcode)).toEqual(['two'])
  })

  test('a late older event changes nothing', () => {
    const list = [aConnection({ id: 7, status: 'CONNECTED', version: 5 })]
    const session = aConnection({ id: 7, status: 'OPENING', version: 4 })
    expect(afterEvent(list, { event: 'whatsappSession', action: 'update', version: 4, session })).toBe(list)
  })

  test('the same event twice ends the same', () => {
    const whatsapp = aConnection({ id: 2, name: 'Atacado' })
    const event = { event: 'whatsapp', action: 'create', version: 1, whatsapp } as const
    const once = afterEvent([aConnection()], event)
    expect(afterEvent(once, event)).toEqual(once)
    expect(once).toHaveLength(2)
  })

  test('a deleted connection goes', () => {
    const event = { event: 'whatsapp', action: 'delete', version: 2, whatsappId: 1 } as const
    expect(afterEvent([aConnection({ id: 1 }), aConnection({ id: 2 })], event).map(({ id }) => id)).toEqual([2])
  })

  test('a connection deleted while the list was on its way does not come back with it', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof aConnection>[]>()
    const feed = connectionsFeed()
    const asked = feed.fetch(() => answer.promise, merged)
    feed.take({ event: 'whatsapp', action: 'delete', version: 2, whatsappId: 1 })
    answer.resolve([aConnection({ id: 1 }), aConnection({ id: 2 })])
    await asked
    expect(feed.now().map(({ id }) => id)).toEqual([2])
  })

  test('a brief connection, as other profiles get it, is left out', () => {
    const brief = { id: 9, name: 'x', api: 'baileys', status: 'OPENING' } as const
    expect(afterEvent([], { event: 'whatsapp', action: 'create', version: 1, whatsapp: brief })).toEqual([])
  })

  test('the default comes first, then by name', () => {
    const fetched = [
      aConnection({ id: 1, name: 'Óleos' }),
      aConnection({ id: 2, name: 'Atacado' }),
      aConnection({ id: 3, name: 'Zona Sul', isDefault: true }),
    ]
    expect(merged([], fetched).map(({ id }) => id)).toEqual([3, 2, 1])
  })

  test('an answer that is older than a live event does not win', () => {
    const known = [aConnection({ status: 'CONNECTED', version: 8 })]
    expect(merged(known, [aConnection({ status: 'OPENING', version: 7 })])[0]?.status).toBe('CONNECTED')
  })

  test('the address for Meta stays known when a live event carries only its path', () => {
    const known = aConnection({ api: 'cloud_api', webhookUrl: 'https://desk/webhooks/cloud/1' })
    const session = aConnection({ api: 'cloud_api', webhookUrl: '/webhooks/cloud/1', version: 2 })
    const after = afterEvent([known], { event: 'whatsappSession', action: 'update', version: 2, session })
    expect(after[0]?.webhookUrl).toBe('https://desk/webhooks/cloud/1')
  })

  test('names with numbers stand in the order people count', () => {
    const names = ['Loja 10', 'Loja 9'].map((name, index) => aConnection({ id: index + 1, name }))
    expect(merged([], names).map(({ name }) => name)).toEqual(['Loja 9', 'Loja 10'])
  })

  test('connected and connecting by itself need nobody', () => {
    expect(needsSomeone(aConnection({ status: 'CONNECTED' }))).toBe(false)
    expect(needsSomeone(aConnection({ status: 'OPENING', trouble: aTrouble() }))).toBe(false)
    expect(needsSomeone(aConnection({ status: 'qrcode' }))).toBe(true)
    expect(needsSomeone(aConnection({ status: 'LOGGEDOUT' }))).toBe(true)
  })
})
