import { afterEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { type Fetcher, nameFile, startFetcher } from '../src/desk/media/fetcher.ts'
import { openMedia } from '../src/desk/media/store.ts'
import { verifyFileStream } from '../src/messaging/channels/shared/verify-file.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { ChannelError, type MediaHandle } from '../src/platform/channel/driver.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { makeTestFolder } from './test-folder.ts'
import { waitUntil } from './until.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
const media = { db, dataDir: makeTestFolder() }
const warned: unknown[] = []
const log = { warn: (fields: object) => void warned.push(fields), error() {} }
let fetcher: Fetcher | undefined
let rings = 0
afterEach(() => fetcher?.stop())

const [connection] = await sql<
  { id: number }[]
>`insert into whatsapp (name, api) values ('Loja', 'baileys') returning id`
const whatsappId = connection?.id ?? 0

describe('the file of a message that came in', () => {
  test('is fetched at once, stored, and told', async () => {
    const png = await new Bun.Image(await tinyPicture()).png().bytes()
    const id = await arrives({ mime: 'image/png', name: 'foto.png', handle: { key: 1 } })
    const requests: unknown[] = []
    start(async handle => {
      requests.push(handle.handle)
      return streamOf(png)
    })
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    expect(requests).toEqual([{ key: 1 }])
    expect(await mediaOf(id)).toMatchObject({ mime: 'image/png', size: png.length, thumb: true, error: null })
    const [row] = await sql<{ media_id: string }[]>`select media_id from message where id = ${id}`
    const file = await openMedia(media, row?.media_id ?? '')
    expect(readFileSync(file?.path ?? '').equals(Buffer.from(png))).toBe(true)
    expect(rings).toBeGreaterThan(0)
    const rows = await sql`select 1 from live_event where payload::json->'message'->'media'->>'state' = 'ready'`
    expect(rows).toHaveLength(1)
  })

  test('is tried again after a failure, also when it was typed on the phone', async () => {
    const id = await arrives({ mime: 'text/plain', name: 'nota.txt', handle: {} }, true)
    let tries = 0
    start(async () => {
      tries += 1
      if (tries === 1) throw new Error('the line broke')
      return streamOf(Buffer.from('olá'))
    })
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    expect(tries).toBe(2)
  })

  test('is not kept where it came cut short: it is fetched again', async () => {
    const id = await arrives({ mime: 'text/plain', name: 'nota.txt', handle: {} })
    const parts = ['olá, meu', 'olá, meu bem']
    const states: unknown[] = []
    start(async () => {
      states.push(await mediaOf(id))
      return verifyFileStream(streamOf(Buffer.from(parts.shift() ?? '')), { size: Buffer.byteLength('olá, meu bem') })
    })
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    expect(states).toMatchObject([{ state: 'pending' }, { state: 'pending' }])
    expect(await wordsOf(id)).toBe('olá, meu bem')
  })

  test('is called as its sender called it, accents and all', async () => {
    const id = await arrives({ mime: 'text/plain', name: 'Orçamento março.txt', handle: {} })
    start(async () => streamOf(Buffer.from('olá')))
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    expect(await mediaOf(id)).toMatchObject({ name: 'Orçamento março.txt' })
  })

  test('is called after what it is where its sender gave it no name', async () => {
    const png = await new Bun.Image(await tinyPicture()).png().bytes()
    const id = await arrives({ mime: 'image/png', handle: {} })
    start(async () => streamOf(png))
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    expect(await mediaOf(id)).toMatchObject({ name: 'foto.png' })
    const names = ['audio/ogg; codecs=opus', 'video/mp4', 'image/jpeg', 'application/pdf'].map(mime =>
      nameFile({ mime }),
    )
    expect(names).toEqual(['audio.ogg', 'video.mp4', 'foto.jpg', 'arquivo.pdf'])
  })

  test('says that it failed when the provider has it no longer', async () => {
    const id = await arrives({ mime: 'image/jpeg', handle: {} })
    start(() => Promise.reject(new ChannelError('gone', 'expired')))
    await waitUntil('it failed', async () => (await mediaOf(id)).state === 'failed')
    expect((await mediaOf(id)).error).toBe('ERR_WAPP_DOWNLOAD_MEDIA')
  })

  test('spec 1 §8: says that it was refused when it is larger than anybody may make us keep', async () => {
    const id = await arrives({ mime: 'video/mp4', name: 'filme.mp4', handle: {} })
    let tries = 0
    start(async () => {
      tries += 1
      return streamOf(Buffer.alloc(2000))
    }, 1000)
    await waitUntil('it failed', async () => (await mediaOf(id)).state === 'failed')
    expect([(await mediaOf(id)).error, tries]).toEqual(['ERR_WAPP_DOWNLOAD_MEDIA_DENIED', 1])
  })

  test('a size nobody could ever keep is refused, not waited for as if the disk were full', async () => {
    const id = await arrives({ mime: 'video/mp4', name: 'filme.mp4', size: 2 ** 50, handle: {} })
    let tries = 0
    start(async () => {
      tries += 1
      return streamOf(Buffer.from('olá'))
    })
    await waitUntil('it failed', async () => (await mediaOf(id)).state === 'failed')
    expect([(await mediaOf(id)).error, tries]).toEqual(['ERR_WAPP_DOWNLOAD_MEDIA_DENIED', 0])
  })

  test('a size the disk has no room for now is not asked for: the file waits', async () => {
    const id = await arrives({ mime: 'video/mp4', name: 'filme.mp4', size: 2 ** 50, handle: {} })
    let tries = 0
    start(async () => {
      tries += 1
      return streamOf(Buffer.from('olá'))
    }, 2 ** 51)
    await waitUntil('it was put off', () =>
      warned.some(fields => Bun.deepEquals(fields, { messageId: id, attempts: 1, reason: 'ERR_NO_SPACE' })),
    )
    expect([(await mediaOf(id)).state, tries]).toEqual(['pending', 0])
    await sql`update message set media = media || '{"state": "failed"}' where id = ${id}`
  })

  test('that calls itself a picture and is a page is kept as a plain file', async () => {
    const id = await arrives({ mime: 'image/png', name: 'foto.png', handle: {} })
    start(async () => streamOf(Buffer.from('<html><script>alert(1)</script></html>')))
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    expect((await mediaOf(id)).mime).toBe('application/octet-stream')
  })

  test('gives way to a better one that comes meanwhile', async () => {
    const small = Promise.withResolvers<ReadableStream<Uint8Array>>()
    const id = await arrives({ mime: 'text/plain', handle: 'small' })
    const requests: unknown[] = []
    start(({ handle }) => {
      requests.push(handle)
      return handle === 'small' ? small.promise : Promise.resolve(streamOf(Buffer.from('the better one')))
    })
    await waitUntil('the small one is asked for', () => requests.includes('small'))
    await arrives({ mime: 'text/plain', handle: 'better' }, false, `F${count}`)
    small.resolve(streamOf(Buffer.from('the small one')))
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    expect(requests).toEqual(['small', 'better'])
    expect(await wordsOf(id)).toBe('the better one')
  })

  test('stays when the better one cannot be had', async () => {
    const id = await arrives({ mime: 'text/plain', handle: 'small' })
    start(async ({ handle }) => {
      if (handle === 'better') throw new ChannelError('gone', 'It is not there')
      return streamOf(Buffer.from('the small one'))
    })
    await waitUntil('it is ready', async () => (await mediaOf(id)).state === 'ready')
    await arrives({ mime: 'text/plain', handle: 'better' }, false, `F${count}`)
    expect((await mediaOf(id)).state).toBe('pending')
    fetcher?.wake()
    await waitUntil('it is ready again', async () => (await mediaOf(id)).state === 'ready')
    expect(await wordsOf(id)).toBe('the small one')
  })
})

async function wordsOf(id: number): Promise<string> {
  const [row] = await sql<{ media_id: string }[]>`select media_id from message where id = ${id}`
  return readFileSync((await openMedia(media, row?.media_id ?? ''))?.path ?? '').toString()
}

function start(download: (handle: MediaHandle) => Promise<ReadableStream<Uint8Array>>, mostBytes?: number): void {
  const most = mostBytes === undefined ? {} : { mostBytes }
  fetcher = startFetcher({ db, whatsappId, driver: { download }, media, ring: () => void rings++, log, ...most })
}

let count = 0
async function arrives(file: MediaHandle, fromMe = false, betterOf?: string): Promise<number> {
  const id = `F${++count}`
  const chat = { jid: '5531998762210@s.whatsapp.net', pn: '5531998762210', group: false }
  const ref = { chat: chat.jid, id, fromMe }
  await receiveEvents(db, { id: whatsappId }, [
    {
      ...{
        type: 'message',
        ref,
        chat,
        at: Date.now(),
        mediaType: 'image',
        body: '',
        media: file,
        replay: false,
        raw: {},
      },
      ...(betterOf && { betterOf }),
    },
  ])
  const [row] = await sql<{ id: string }[]>`select id from message where provider_id = ${id}`
  return Number(row?.id)
}

async function mediaOf(id: number): Promise<{ state: string; error: string | null; mime: string }> {
  const [row] = await sql<
    { media: { state: string; error: string | null; mime: string } }[]
  >`select media from message where id = ${id}`
  return row?.media ?? { state: 'none', error: null, mime: '' }
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new Response(new Uint8Array(bytes)).body ?? new ReadableStream()
}

/** One red pixel. */
async function tinyPicture(): Promise<Uint8Array> {
  return Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  )
}
