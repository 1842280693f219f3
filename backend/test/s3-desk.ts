// A desk whose files lie in a bucket.
import { afterAll, beforeEach } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startS3 } from '@balcao/simulator/s3/s3'
import { eq } from 'drizzle-orm'
import { MARK } from '../src/desk/media/bucket-owner.ts'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { createMediaStorage } from '../src/desk/media/storage.ts'
import { storeMedia } from '../src/desk/media/store.ts'
import { type MediaRow, media } from '../src/desk/media/table.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

export function randomBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

export async function startS3Desk() {
  const s3 = await startS3()

  afterAll(() => s3.stop())
  const server = await startDeskServer({ ...s3.env, S3_PREFIX: 'balcao' })
  const { db, config } = server
  const place = createMediaStorage(server)
  const folder = { db, dataDir: config.dataDir }
  const userId = await makePerson(db, { name: 'Bruna', profile: 'admin' })
  const bruna = await server.as('Bruna')
  const PIXEL = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  beforeEach(async () => {
    s3.away(false)
    s3.failNext(0)
    await db.delete(media)
    s3.objects.clear()
    await forgetCopies()
  })

  async function upload(name: string, bytes: Buffer): Promise<string> {
    const { status, body } = await bruna.call<{ uploadId: string }>(
      'PUT',
      `/uploads?name=${name}`,
      new Uint8Array(bytes),
    )
    if (status >= 300) throw new Error(`Not taken: ${status} ${JSON.stringify(body)}`)
    return body.uploadId
  }

  /** One of the time before there was a bucket. */
  async function inFolder(text: string): Promise<string> {
    return (await storeMedia(folder, new Blob([text]).stream(), { name: 'nota.txt', userId, most: 1000 })).id
  }

  async function get(path: string, headers: Record<string, string> = {}) {
    const cookie = [...bruna.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${server.url}/media/${path}`, {
      headers: { cookie, authorization: `Bearer ${bruna.token}`, ...headers },
    })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  async function keptIn(id: string): Promise<MediaRow['keptIn'] | undefined> {
    const [row] = await db.select().from(media).where(eq(media.id, id))
    return row?.keptIn
  }

  /** The files that are there; whose it is is said beside. */
  function inBucket(): string[] {
    return [...s3.objects.keys()].filter(key => key !== `balcao/${MARK}`)
  }

  /** Another machine, or this one a day later: nothing lies in the folder. */
  async function forgetCopies(but: readonly string[] = []): Promise<void> {
    const files = await Promise.all(
      but.map(async id => [id, await Bun.file(getMediaPath(config.dataDir, id)).bytes()] as const),
    )
    await rm(join(config.dataDir, 'media'), { recursive: true, force: true })
    for (const [id, bytes] of files) await Bun.write(getMediaPath(config.dataDir, id), bytes)
  }

  return { s3, server, db, config, place, userId, bruna, PIXEL, upload, inFolder, get, keptIn, inBucket, forgetCopies }
}
