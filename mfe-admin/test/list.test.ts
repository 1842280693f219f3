import { describe, expect, test } from 'bun:test'
import type { Connection } from '@balcao/contract'
import { RowStore } from '@balcao/ui/rows'
import { changeOf, inOrder, needsSomeone, withAddress } from '../src/connections/list.ts'
import { aConnection, aTrouble } from './connection.ts'

describe('the list of connections', () => {
  test('a session event replaces the connection with its newest state, a late older one does not', async () => {
    const store = await listOf(aConnection({ id: 7, status: 'qrcode', qrcode: 'one', version: 3 }))
    tell(store, aConnection({ id: 7, status: 'qrcode', qrcode: 'two', version: 4 }))
    tell(store, aConnection({ id: 7, status: 'OPENING', qrcode: null, version: 2 }))
    expect(store.now().rows.map(({ qrcode }) => qrcode)).toEqual(['two'])
  })

  test('a deleted connection goes', async () => {
    const store = await listOf(aConnection({ id: 1 }), aConnection({ id: 2 }))
    const change = changeOf({ event: 'whatsapp', action: 'delete', version: 2, whatsappId: 1 })
    if (change) store.take(change)
    expect(store.now().rows.map(({ id }) => id)).toEqual([2])
  })

  test('a brief connection, as other profiles get it, is left out', () => {
    const brief = { id: 9, name: 'x', api: 'baileys', status: 'OPENING' } as const
    expect(changeOf({ event: 'whatsapp', action: 'create', version: 1, whatsapp: brief })).toBeNull()
  })

  test('the default comes first, then by name, with numbers in the order people count', () => {
    const all = [
      aConnection({ id: 1, name: 'Óleos' }),
      aConnection({ id: 2, name: 'Atacado' }),
      aConnection({ id: 3, name: 'Zona Sul', isDefault: true }),
      aConnection({ id: 4, name: 'Loja 10' }),
      aConnection({ id: 5, name: 'Loja 9' }),
    ]
    expect(all.sort(inOrder).map(({ id }) => id)).toEqual([3, 2, 5, 4, 1])
  })

  test('the address for Meta stays known when a live event carries only its path', async () => {
    const store = await listOf(aConnection({ api: 'cloud_api', webhookUrl: 'https://desk/webhooks/cloud/1' }))
    tell(store, aConnection({ api: 'cloud_api', webhookUrl: '/webhooks/cloud/1', version: 2 }))
    expect(store.now().rows[0]?.webhookUrl).toBe('https://desk/webhooks/cloud/1')
  })

  test('connected and connecting by itself need nobody', () => {
    expect(needsSomeone(aConnection({ status: 'CONNECTED' }))).toBe(false)
    expect(needsSomeone(aConnection({ status: 'OPENING', trouble: aTrouble() }))).toBe(false)
    expect(needsSomeone(aConnection({ status: 'qrcode' }))).toBe(true)
    expect(needsSomeone(aConnection({ status: 'LOGGEDOUT' }))).toBe(true)
  })
})

async function listOf(...rows: Connection[]) {
  const page = async () => ({ rows, nextCursor: null })
  const store = new RowStore<Connection, object>({ page, order: inOrder, matches: () => true, keep: withAddress }, {})
  await store.load()
  return store
}

function tell(store: RowStore<Connection, object>, session: Connection) {
  const change = changeOf({ event: 'whatsappSession', action: 'update', version: session.version, session })
  if (change) store.take(change)
}
