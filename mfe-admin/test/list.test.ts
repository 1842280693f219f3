import { describe, expect, test } from 'bun:test'
import type { Connection } from '@balcao/contract'
import { RowStore } from '@balcao/ui/rows'
import { compareConnections, isAttentionNeeded, toRowChange, withAddress } from '../src/connections/list.ts'
import { makeConnection, makeTrouble } from './connection.ts'

describe('the list of connections', () => {
  test('a session event replaces the connection with its newest state, a late older one does not', async () => {
    const store = await createList(makeConnection({ id: 7, status: 'qrcode', qrcode: 'one', version: 3 }))
    tell(store, makeConnection({ id: 7, status: 'qrcode', qrcode: 'two', version: 4 }))
    tell(store, makeConnection({ id: 7, status: 'OPENING', qrcode: null, version: 2 }))
    expect(store.now().rows.map(({ qrcode }) => qrcode)).toEqual(['two'])
  })

  test('a deleted connection goes', async () => {
    const store = await createList(makeConnection({ id: 1 }), makeConnection({ id: 2 }))
    const change = toRowChange({ event: 'whatsapp', action: 'delete', version: 2, whatsappId: 1 })
    if (change) store.take(change)
    expect(store.now().rows.map(({ id }) => id)).toEqual([2])
  })

  test('a brief connection, as other profiles get it, is left out', () => {
    const brief = { id: 9, name: 'x', api: 'baileys', status: 'OPENING' } as const
    expect(toRowChange({ event: 'whatsapp', action: 'create', version: 1, whatsapp: brief })).toBeNull()
  })

  test('the default comes first, then by name, with numbers in the order people count', () => {
    const all = [
      makeConnection({ id: 1, name: 'Óleos' }),
      makeConnection({ id: 2, name: 'Atacado' }),
      makeConnection({ id: 3, name: 'Zona Sul', isDefault: true }),
      makeConnection({ id: 4, name: 'Loja 10' }),
      makeConnection({ id: 5, name: 'Loja 9' }),
    ]
    expect(all.sort(compareConnections).map(({ id }) => id)).toEqual([3, 2, 5, 4, 1])
  })

  test('the address for Meta stays known when a live event carries only its path', async () => {
    const store = await createList(makeConnection({ api: 'cloud_api', webhookUrl: 'https://desk/webhooks/cloud/1' }))
    tell(store, makeConnection({ api: 'cloud_api', webhookUrl: '/webhooks/cloud/1', version: 2 }))
    expect(store.now().rows[0]?.webhookUrl).toBe('https://desk/webhooks/cloud/1')
  })

  test('connected and connecting by itself need nobody', () => {
    expect(isAttentionNeeded(makeConnection({ status: 'CONNECTED' }))).toBe(false)
    expect(isAttentionNeeded(makeConnection({ status: 'OPENING', trouble: makeTrouble() }))).toBe(false)
    expect(isAttentionNeeded(makeConnection({ status: 'qrcode' }))).toBe(true)
    expect(isAttentionNeeded(makeConnection({ status: 'LOGGEDOUT' }))).toBe(true)
  })
})

async function createList(...rows: Connection[]) {
  const page = async () => ({ rows, nextCursor: null })
  const store = new RowStore<Connection, object>(
    { page, order: compareConnections, matches: () => true, keep: withAddress },
    {},
  )
  await store.load()
  return store
}

function tell(store: RowStore<Connection, object>, session: Connection) {
  const change = toRowChange({ event: 'whatsappSession', action: 'update', version: session.version, session })
  if (change) store.take(change)
}
