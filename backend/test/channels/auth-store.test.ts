// What a linked device remembers, in a real Postgres.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { initAuthCreds, proto } from '@whiskeysockets/baileys'
import { FencedError } from '../../src/desk/connections/ownership.ts'
import { AuthStore } from '../../src/messaging/channels/baileys/auth-store.ts'
import { closeDatabase, openDatabase } from '../../src/platform/database/client.ts'
import { getSql } from '../../src/platform/database/raw.ts'
import { createTestDatabase } from '../database.ts'
import { GRAPH_UNUSED } from './baileys-stand-in.ts'
import { ChannelDesk } from './desk.ts'
import { openLine } from './line.ts'

const { db, url } = await createTestDatabase()
let desk: ChannelDesk
let fenced = 0
const open = () => new AuthStore(desk.host, () => fenced++)

beforeEach(async () => {
  fenced = 0
  desk = await ChannelDesk.open(db, 'baileys', { whatsappWebUrl: null, graph: GRAPH_UNUSED })
})
afterEach(() => desk.close())

describe('keys', () => {
  test('of any type come back as they were, only those there are, and null deletes', async () => {
    const store = open()
    await store.set({
      'lid-mapping': { a: '1', b: '2' },
      'device-list': { a: ['0', '7'] },
      session: { 'x.0': new Uint8Array([1, 2, 255]) },
      tctoken: { t: { token: Buffer.from('tok'), timestamp: '9' } },
    })
    expect(await store.get('lid-mapping', ['a', 'b', 'c'])).toEqual({ a: '1', b: '2' })
    expect(await store.get('device-list', ['a'])).toEqual({ a: ['0', '7'] })
    expect(Buffer.from((await store.get('session', ['x.0']))['x.0'] ?? [])).toEqual(Buffer.from([1, 2, 255]))
    expect((await store.get('tctoken', ['t'])).t?.token).toEqual(Buffer.from('tok'))
    await store.set({ 'lid-mapping': { a: null }, session: { 'x.0': null } })
    expect(await store.get('lid-mapping', ['a', 'b'])).toEqual({ b: '2' })
    expect(await store.get('session', ['x.0'])).toEqual({})
  })

  test('sync keys come back as objects of the protocol', async () => {
    const store = open()
    const keyData = proto.Message.AppStateSyncKeyData.fromObject({ keyData: Buffer.from([9]), timestamp: 5 })
    await store.set({ 'app-state-sync-key': { k: keyData } })
    const { k } = await store.get('app-state-sync-key', ['k'])
    expect(k).toBeInstanceOf(proto.Message.AppStateSyncKeyData)
    expect(Buffer.from(k?.keyData ?? [])).toEqual(Buffer.from([9]))
  })

  test('names with quotes, commas and backslashes', async () => {
    const store = open()
    const name = 'a"b,c\\d{e}'
    await store.set({ 'lid-mapping': { [name]: 'ok' } })
    expect(await store.get('lid-mapping', [name])).toEqual({ [name]: 'ok' })
  })

  test('one commit of 812 keys is one transaction', async () => {
    const store = open()
    const pair = { public: new Uint8Array(32), private: new Uint8Array(32) }
    await store.set({ 'pre-key': Object.fromEntries(Array.from({ length: 812 }, (_, id) => [String(id), pair])) })
    const rows = await getSql(db)<{ xmin: string }[]>`
      select distinct xmin::text from whatsapp_auth where whatsapp_id = ${desk.connection.id}`
    expect(rows).toHaveLength(1)
    expect(Object.keys(await store.get('pre-key', ['0', '811']))).toHaveLength(2)
  })
})

describe('creds', () => {
  test('saved whole, and the newest state wins however fast they change', async () => {
    const store = open()
    const creds = initAuthCreds()
    creds.me = { id: '55@s.whatsapp.net' }
    creds.account = {}
    const saves = Array.from({ length: 20 }, (_, n) => {
      creds.nextPreKeyId = n
      return store.saveCreds(creds)
    })
    await Promise.all(saves)
    const loaded = await open().load()
    expect(loaded.paired).toBe(true)
    expect(loaded.creds.nextPreKeyId).toBe(19)
    expect(Buffer.from(loaded.creds.noiseKey.private)).toEqual(Buffer.from(creds.noiseKey.private))
  })

  test('a `me` without an account was never agreed: fresh creds, and no keys of that attempt', async () => {
    const store = open()
    await store.saveCreds({ ...initAuthCreds(), me: { id: '55@s.whatsapp.net' } })
    await store.set({ 'lid-mapping': { a: '1' } })
    const { creds, paired } = await open().load()
    expect(paired).toBe(false)
    expect(creds.me).toBeUndefined()
    expect(await store.get('lid-mapping', ['a'])).toEqual({})
  })
})

test('an older owner writes nothing, and is told so', async () => {
  const store = open()
  await store.set({ 'lid-mapping': { a: 'mine' } })
  await desk.takenOver()
  expect(store.set({ 'lid-mapping': { a: 'still mine?' } })).rejects.toBeInstanceOf(FencedError)
  expect(store.saveCreds(initAuthCreds())).rejects.toBeInstanceOf(FencedError)
  await expect(store.forget()).rejects.toBeInstanceOf(FencedError)
  expect(await store.get('lid-mapping', ['a'])).toEqual({ a: 'mine' })
  expect(fenced).toBe(3)
})

test('while the database is away keys wait: an error would cost the message that is being opened', async () => {
  const line = await openLine(url)
  const away = openDatabase(line.url, { max: 2 })
  const store = new AuthStore({ ...desk.host, db: away }, () => fenced++)
  await store.set({ 'lid-mapping': { a: '1' } })
  line.cut()
  const reading = store.get('lid-mapping', ['a'])
  const writing = store.set({ 'lid-mapping': { b: '2' } })
  await line.refused(4)
  line.mend()
  expect(await reading).toEqual({ a: '1' })
  await writing
  expect(await open().get('lid-mapping', ['a', 'b'])).toEqual({ a: '1', b: '2' })
  await closeDatabase(away)
  line.cut()
})

test('of a closed socket nothing waits for the database', async () => {
  const line = await openLine(url)
  const away = openDatabase(line.url, { max: 2 })
  const store = new AuthStore({ ...desk.host, db: away }, () => fenced++)
  line.cut()
  const reading = store.get('lid-mapping', ['a'])
  store.close()
  await expect(reading).rejects.toThrow()
  await closeDatabase(away)
})
