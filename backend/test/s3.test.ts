// Files in a store that speaks S3 (decisions "files", design "Media"): whole or not at all, whatever the store does.
import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { open, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { startS3 } from '@balcao/simulator/s3/s3'
import { findSignatureFault } from '@balcao/simulator/s3/signature'
import { eq, sql } from 'drizzle-orm'
import { type Bucket, createFilesAwayError, getBucket } from '../src/desk/media/bucket.ts'
import { uploadToBucket, uploadWaitingFiles } from '../src/desk/media/bucket-files.ts'
import { MARK, takeOverBucket } from '../src/desk/media/bucket-owner.ts'
import { releaseFiles } from '../src/desk/media/claim.ts'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { countFiles, moveFiles } from '../src/desk/media/move.ts'
import { createMediaStorage, type MediaStorage } from '../src/desk/media/storage.ts'
import { ensureLocalFiles, openMedia, removeMedia, storeMedia } from '../src/desk/media/store.ts'
import { type MediaRow, media } from '../src/desk/media/table.ts'
import { startUploader, sweepBucketCopies } from '../src/desk/media/uploader.ts'
import { loadReportContext } from '../src/insight/reports/context.ts'
import { buildConversationReport } from '../src/insight/reports/conversation-report.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { schedules } from '../src/messaging/schedules/table.ts'
import { sends } from '../src/messaging/sends/table.ts'
import { runCheckUp } from '../src/operations/doctor/check-up.ts'
import type { ReportScope } from '../src/policy/access/report-scope.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeTicket } from './desk-world.ts'
import { readPdf } from './pdf-reader.ts'
import { waitUntil } from './until.ts'

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
const LARGE = 600_000
/** Of a range of a large file so much is fetched at once. */
const WINDOW = 2 * 1024 * 1024

beforeEach(async () => {
  s3.away(false)
  s3.failNext(0)
  await db.delete(media)
  s3.objects.clear()
  await forgetCopies()
})

test('the stand-in checks signatures as Amazon’s own examples have them', () => {
  const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
  const now = new Date('2013-05-24T00:00:00Z')
  const credential = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'
  const headers = (signature: string) =>
    new Headers({
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=${signature}`,
    })
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
  const right = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
  expect(findSignatureFault(keys, { method: 'GET', url, headers: headers(right) }, now)).toBeNull()
  const wrong = right.replace('f', '0')
  expect(findSignatureFault(keys, { method: 'GET', url, headers: headers(wrong) }, now)).toBe('SignatureDoesNotMatch')

  const address = new URL(
    `${url}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(credential)}&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
  )
  const host = new Headers({ host: 'examplebucket.s3.amazonaws.com' })
  expect(findSignatureFault(keys, { method: 'GET', url: address, headers: host }, now)).toBeNull()
  const late = new Date('2013-05-25T00:00:01Z')
  expect(findSignatureFault(keys, { method: 'GET', url: address, headers: host }, late)).toBe('RequestTimeTooSkewed')
})

describe('a file that is stored', () => {
  test('is kept in the bucket, and comes from there to who may see it: whole, in ranges, and as a small picture', async () => {
    const bytes = randomBytes(LARGE)
    const id = await uploadToStore('dados.bin', bytes)
    expect(await keptIn(id)).toBe('s3')
    expect(Buffer.from(s3.objects.get(`balcao/${id}`) ?? []).equals(bytes)).toBe(true)

    await forgetCopies()
    const part = await get(id, { range: 'bytes=1000-1999' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${LARGE}`])
    expect(part.bytes.equals(bytes.subarray(1000, 2000))).toBe(true)
    await forgetCopies()
    expect((await get(id)).bytes.equals(bytes)).toBe(true)

    const picture = await uploadToStore('foto.png', PIXEL)
    await forgetCopies()
    const small = await get(`${picture}?thumb=1`)
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(existsSync(getMediaPath(config.dataDir, picture))).toBe(false)
    const stranger = await fetch(`${server.url}/media/${id}`)
    expect(stranger.status).toBe(401)
  })

  test('goes there in parts when it is large, and comes back the same', async () => {
    const bytes = randomBytes(20_000_000)
    const id = await uploadToStore('grande.bin', bytes)
    await forgetCopies()
    expect((await get(id)).bytes.equals(bytes)).toBe(true)
  })

  test('begins to play while it still comes: a range of a large film is answered with its beginning, and later from the copy', async () => {
    const bytes = aFilm()
    const id = await uploadToStore('filme.mp4', bytes)
    await forgetCopies()
    const before = countRequests(id)
    const letCome = s3.holdWhole()
    const first = await get(id, { range: 'bytes=0-' })
    expect([first.status, first.headers.get('content-range')]).toEqual([206, `bytes 0-${WINDOW - 1}/${bytes.length}`])
    expect(first.bytes.equals(bytes.subarray(0, WINDOW))).toBe(true)
    const end = await get(id, { range: 'bytes=-1000' })
    expect(end.headers.get('content-range')).toBe(`bytes ${bytes.length - 1000}-${bytes.length - 1}/${bytes.length}`)
    expect(end.bytes.equals(bytes.subarray(-1000))).toBe(true)
    expect(existsSync(getMediaPath(config.dataDir, id))).toBe(false)
    s3.cutAfter(500_000)
    const cut = await get(id, { range: 'bytes=5000000-5999999' })
    expect(cut.bytes.equals(bytes.subarray(5_000_000, 6_000_000))).toBe(true)
    letCome()
    await waitUntil('its copy is at hand', () => existsSync(getMediaPath(config.dataDir, id)))
    const copied = await get(id, { range: 'bytes=0-' })
    expect(copied.bytes.equals(bytes)).toBe(true)
    // Its beginning, its end, the middle twice, and the whole once.
    expect(countRequests(id) - before).toBe(5)

    const sheet = await uploadToStore('tabela.bin', randomBytes(10_000_000))
    await forgetCopies()
    // What is saved and not played comes as it was asked for.
    expect((await get(sheet, { range: 'bytes=1-' })).bytes.length).toBe(9_999_999)
  })

  test('a range of a large film is answered with 503 while the store is away, and 404 when the store has lost it', async () => {
    const id = await uploadToStore('filme.mp4', aFilm())
    await forgetCopies()
    s3.away(true)
    expect((await get(id, { range: 'bytes=0-' })).status).toBe(503)
    s3.away(false)
    s3.objects.clear()
    expect((await get(id, { range: 'bytes=0-' })).status).toBe(404)
  })

  test('comes whole although the store answers 503 and then half of it; however many ask, it comes once', async () => {
    const bytes = randomBytes(LARGE)
    const id = await uploadToStore('dados.bin', bytes)
    await forgetCopies()
    const before = countRequests(id)
    s3.failNext(1)
    s3.cutAfter(LARGE / 2)
    const answers = await Promise.all([get(id), get(id), get(id)])
    expect(answers.map(answer => [answer.status, answer.bytes.equals(bytes)])).toEqual(answers.map(() => [200, true]))
    // Refused, cut, and the rest of it.
    expect(countRequests(id) - before).toBe(3)
  })

  test('is on the disk before it is a copy at hand', async () => {
    const id = await uploadToStore('dados.bin', randomBytes(LARGE))
    await forgetCopies()
    const handle = await open(import.meta.path)
    const synced = spyOn(Object.getPrototypeOf(handle), 'sync')
    try {
      await get(id)
      // The bytes and the name.
      expect(synced).toHaveBeenCalledTimes(2)
    } finally {
      synced.mockRestore()
      await handle.close()
    }
  })

  test('is not shown when the store gives other bytes than it was given, and nothing of it is left', async () => {
    const bytes = randomBytes(LARGE)
    const id = await uploadToStore('dados.bin', bytes)
    await forgetCopies()
    s3.changeNext(3)
    const refused = await get(id)
    expect([refused.status, JSON.parse(refused.bytes.toString()).error]).toEqual([503, 'ERR_FILES_AWAY'])
    expect(existsSync(getMediaPath(config.dataDir, id))).toBe(false)
    expect((await get(id)).bytes.equals(bytes)).toBe(true)
  })

  test('waits in the folder while the store is away, is shown from there, and is in the bucket once that is back', async () => {
    s3.away(true)
    const bytes = randomBytes(1000)
    const id = await upload('nota.bin', bytes)
    expect(await keptIn(id)).toBe('waiting')
    expect((await get(id)).bytes.equals(bytes)).toBe(true)
    s3.away(false)
    await uploadWaitingFiles(place)
    expect(await keptIn(id)).toBe('s3')
    await forgetCopies()
    expect((await get(id)).bytes.equals(bytes)).toBe(true)
  })

  test('is answered with 503 while the store is away and no copy is at hand, and 404 when the store has lost it', async () => {
    const id = await upload('nota.bin', randomBytes(1000))
    await forgetCopies()
    s3.away(true)
    expect((await get(id)).status).toBe(503)
    s3.away(false)
    s3.objects.clear()
    expect((await get(id)).status).toBe(404)
  })
})

describe('a store that does not answer at all', () => {
  let letAnswer = () => {}
  /** Nothing is left of the silence of a test before. */
  beforeEach(() => getBucket(config.s3)?.remove('nothing'))
  afterEach(() => letAnswer())

  test('is asked once for whoever waits, then for nobody; every few seconds one tries, and once it answers everybody reads', async () => {
    const ids = await Promise.all([1, 2, 3].map(n => upload(`nota${n}.bin`, randomBytes(1000))))
    await forgetCopies()
    letAnswer = s3.hang()
    const asks = async (work: () => Promise<unknown>) => {
      const before = s3.requests.length
      await work()
      return s3.requests.length - before
    }
    const all = () => Promise.all(ids.map(async id => (await get(id)).status))
    expect(await asks(async () => expect(await all()).toEqual([503, 503, 503]))).toBe(3)
    expect(await asks(async () => expect(await all()).toEqual([503, 503, 503]))).toBe(0)
    const tried: number[] = []
    await waitUntil('one tries', async () => tried.push(await asks(all)) > 0 && tried.at(-1) !== 0)
    expect(tried.at(-1)).toBe(1)
    letAnswer()
    await waitUntil('it is read again', async () => (await all()).every(status => status === 200))
  })

  test('keeps no picture from being written or scheduled: it is sent once it can be read', async () => {
    const id = await upload('foto.png', PIXEL)
    await forgetCopies()
    const contactId = await makeContact(db, 'Carla')
    const whatsappId = await makeConnection(db, 'Loja')
    const ticketId = await makeTicket(db, { contactId, whatsappId, userId, status: 'open' })
    letAnswer = s3.hang()
    const written = await bruna.call('POST', `/messages/${ticketId}`, { body: '', uploadId: id, clientId: 'foto' })
    expect(written).toMatchObject({ status: 201, body: { mediaType: 'image' } })
    await db.insert(schedules).values({
      message: 'A foto',
      recurrence: 'once',
      sendTime: '10:00',
      mediaId: id,
      whatsappId,
      userId,
      nextRunAt: sql`now()`,
    })
    await startDueSchedules(place)
    expect(await db.select().from(sends)).toMatchObject([{ file: { mediaId: id } }])
  })

  test('holds up no other send: one with a file is put off within seconds, and has it once the store answers', async () => {
    const id = await upload('nota.bin', randomBytes(1000))
    await forgetCopies()
    letAnswer = s3.hang()
    expect(await ensureLocalFiles(place, [id])).toBe(false)
    letAnswer()
    await waitUntil('it is at hand', () => ensureLocalFiles(place, [id]))
    expect(existsSync(getMediaPath(config.dataDir, id))).toBe(true)
  })

  test('keeps nobody waiting who removes a file; the sweep removes it later', async () => {
    const id = await upload('nota.bin', randomBytes(1000))
    letAnswer = s3.hang()
    await removeMedia(place, [id])
    expect([(await get(id)).status, inBucket()]).toEqual([404, [`balcao/${id}`]])
    letAnswer()
    await waitUntil('it is gone', async () => {
      await sweepFiles(place)
      return inBucket().length === 0
    })
  })

  test('a move that is told to end meanwhile ends in seconds, with every file where it was and nothing half of one', async () => {
    const far = await upload('longe.bin', randomBytes(1000))
    const here = await inFolder('perto')
    for (const to of ['s3', 'folder'] as const) {
      await forgetCopies([here])
      const ending = new AbortController()
      const before = s3.requests.length
      letAnswer = s3.hang()
      const moving = moveFiles(place, { to, signal: ending.signal })
      await waitUntil('it waits for the store', () => s3.requests.length > before)
      ending.abort()
      expect(await moving).toMatchObject({ moved: 0, missing: 0, damaged: 0 })
      expect([await keptIn(far), await keptIn(here)]).toEqual(['s3', 'folder'])
      expect(await readdir(join(config.dataDir, 'media', 'incoming')).catch(() => [])).toEqual([])
      letAnswer()
    }
    expect(await moveFiles(place, { to: 'folder' })).toMatchObject({ moved: 1 })
  })
})

test('a report of conversations asks for one picture while the store is away, and names all', async () => {
  const contactId = await makeContact(db, 'Lúcia')
  const whatsappId = await makeConnection(db, 'Filial')
  const ticketId = await makeTicket(db, { contactId, whatsappId, userId, status: 'open' })
  for (const n of [1, 2, 3]) {
    const uploadId = await upload(`foto${n}.png`, PIXEL)
    const answer = await bruna.call('POST', `/messages/${ticketId}`, { body: '', uploadId, clientId: `foto${n}` })
    expect(answer.status).toBe(201)
  }
  await forgetCopies()
  s3.away(true)
  const before = s3.requests.length
  const text = await conversationsOf(contactId)
  const keys = new Set(s3.requests.slice(before))
  s3.away(false)
  await getBucket(config.s3)?.remove('nothing')
  expect([keys.size, ...[1, 2, 3].map(n => text.includes(`foto${n}.png`))]).toEqual([1, true, true, true])
})

describe('a file that is let go', () => {
  test('goes from the bucket with its small picture; while that is away nobody sees it, and the sweep goes on later', async () => {
    const id = await upload('foto.png', PIXEL)
    expect(inBucket().sort()).toEqual([`balcao/${id}`, `balcao/${id}.thumb`])
    await releaseFiles(db, [id])
    s3.away(true)
    expect(await sweepFiles(place).catch(error => error.code)).toBe('ERR_FILES_AWAY')
    expect([(await get(id)).status, await openMedia(place, id)]).toEqual([404, null])
    s3.away(false)
    expect(await sweepFiles(place)).toBe(1)
    expect([inBucket(), await db.$count(media)]).toEqual([[], 0])
  })
})

/** The bucket, where something happens at one of its calls. */
function bucketThat(calls: Partial<Pick<Bucket, 'put' | 'remove'>>): Bucket {
  const real = getBucket(config.s3)
  if (!real) throw new Error('There is no bucket')
  const odd: Bucket = { ...real, ...calls, until: () => odd }
  return odd
}

test('a file that is let go while it is being put into the bucket is not left there', async () => {
  const id = await inFolder('nota')
  const [row] = await db.select().from(media).where(eq(media.id, id))
  if (!row) throw new Error('It was not stored')
  const real = bucketThat({})
  const odd = bucketThat({
    async put(key, path) {
      await real.put(key, path)
      await db.update(media).set({ owner: 'gone' }).where(eq(media.id, id))
    },
  })
  expect(await uploadToBucket(place, odd, row)).toBe('missing')
  expect(inBucket()).toEqual([])
})

test('a file on its way back whose object is not let go yet waits in the folder, where no sweep takes it', async () => {
  const id = await upload('nota.bin', randomBytes(1000))
  const odd = bucketThat({ remove: () => Promise.reject(createFilesAwayError()) })
  expect(await moveFiles({ ...place, bucket: odd }, { to: 'folder' }).catch(error => error.code)).toBe('ERR_FILES_AWAY')
  expect(await keptIn(id)).toBe('waiting')
  expect(await moveFiles(place, { to: 'folder' })).toMatchObject({ moved: 1 })
  expect([await keptIn(id), inBucket()]).toEqual(['folder', []])
})

describe('copies at hand', () => {
  test('go after a day in which nobody needed them, those of the bucket alone', async () => {
    const [used, unused] = [await upload('usado.bin', randomBytes(1000)), await upload('velho.bin', randomBytes(1000))]
    const own = await inFolder('nota')
    const yesterday = new Date(Date.now() - 25 * 3_600_000)
    for (const id of [used, unused, own]) await utimes(getMediaPath(config.dataDir, id), yesterday, yesterday)
    await openMedia(place, used)
    await sweepBucketCopies(place)
    expect([used, unused, own].map(id => existsSync(getMediaPath(config.dataDir, id)))).toEqual([true, false, true])
    expect((await get(unused)).status).toBe(200)
  })
})

describe('what another machine removed', () => {
  test('goes from this one at the next sweep, its small picture too; what is just being stored stays', async () => {
    const [erased, remaining] = [await upload('foto.png', PIXEL), await upload('nota.bin', randomBytes(1000))]
    const there = await openMedia(place, erased)
    const paths = [there?.path ?? '', there?.thumbPath ?? '']
    // Another machine has a folder of its own.
    const elsewhere = join(config.dataDir, 'elsewhere')
    await removeMedia({ ...place, dataDir: elsewhere }, [erased])
    const young = getMediaPath(config.dataDir, 'ainda-sem-linha-0001')
    await Bun.write(young, 'uma linha vem já')
    expect(paths.map(path => existsSync(path))).toEqual([true, true])
    const before = new Date(Date.now() - 15 * 60_000)
    for (const path of [...paths, getMediaPath(config.dataDir, remaining)]) await utimes(path, before, before)
    await sweepBucketCopies(place)
    const left = [...paths, getMediaPath(config.dataDir, remaining), young].map(path => existsSync(path))
    expect(left).toEqual([false, false, true, true])
  })
})

test('a store that is away is told by the doctor at once, though it answered just before', async () => {
  const readErrors = async () =>
    (await runCheckUp({ db, config })).findings.find(({ code }) => code === 'files.bucket')?.level
  expect(await readErrors()).toBe('ok')
  s3.away(true)
  expect(await readErrors()).toBe('danger')
  s3.away(false)
  expect(await readErrors()).toBe('ok')
})

describe('a file that waits on a machine that does not come back', () => {
  test('is not read again with every look, and is put there once it is back', async () => {
    s3.away(true)
    const id = await upload('nota.bin', randomBytes(1000))
    s3.away(false)
    const bytes = await Bun.file(getMediaPath(config.dataDir, id)).bytes()
    await rm(getMediaPath(config.dataDir, id))
    await db.update(media).set({ createdAt: new Date(Date.now() - 2 * 3_600_000).toISOString() })
    expect(await uploadWaitingFiles(place, 3_600_000)).toBe(0)
    await Bun.write(getMediaPath(config.dataDir, id), bytes)
    expect([await uploadWaitingFiles(place, 3_600_000), await keptIn(id)]).toEqual([0, 'waiting'])
    // The first look after a start is a thorough one.
    const keeping = startUploader(place, { info() {}, warn() {}, error() {} }, 20)
    await waitUntil('it is in the bucket', async () => (await keptIn(id)) === 's3')
    await keeping.stop()
  })
})

describe('whose the bucket is', () => {
  /** The same bucket with nothing remembered of it, as another process has it. */
  const anew = (from: MediaStorage): MediaStorage => ({ ...from, bucket: getBucket(config.s3 && { ...config.s3 }) })

  test('stands in it from the first file on', async () => {
    await storeMedia(anew(place), new Blob(['um']).stream(), { name: 'nota.txt', userId, most: 10 })
    expect(s3.objects.has(`balcao/${MARK}`)).toBe(true)
  })

  test('a copy of the desk with the same bucket puts and removes nothing there, and its doctor says why; until it takes it over', async () => {
    const id = await upload('nota.bin', randomBytes(1000))
    const theirs = new TextEncoder().encode('7000000000000000000-16384')
    s3.objects.set(`balcao/${MARK}`, theirs)
    const copy = anew(place)
    const names = [`balcao/${id}`]
    await removeMedia(copy, [id])
    expect([inBucket(), (await openMedia(copy, id)) === null]).toEqual([names, true])
    expect(await sweepFiles(copy).catch(error => error.code)).toBe('ERR_FILES_AWAY')
    const own = await storeMedia(copy, new Blob(['dois']).stream(), { name: 'nota.txt', userId, most: 10 })
    expect(await uploadWaitingFiles(copy).catch(error => error.code)).toBe('ERR_FILES_AWAY')
    expect([await keptIn(own.id), inBucket()]).toEqual(['waiting', names])
    expect(await moveFiles(copy, { to: 's3' }).catch(error => error.code)).toBe('ERR_FILES_AWAY')

    const { findings } = await runCheckUp({ db, config: { ...config, s3: config.s3 && { ...config.s3 } } })
    expect(findings.filter(({ code }) => code === 'files.otherDesk')).toMatchObject([{ level: 'danger' }])

    if (copy.bucket) await takeOverBucket(copy, copy.bucket)
    expect(s3.objects.get(`balcao/${MARK}`)).not.toEqual(theirs)
    expect([await uploadWaitingFiles(copy), await sweepFiles(copy), inBucket()]).toEqual([1, 1, [`balcao/${own.id}`]])
    const after = await runCheckUp({ db, config })
    expect(after.findings.filter(({ area }) => area === 'files').map(({ code }) => code)).toContain('files.bucket')
  })

  test('a copy of the desk that sweeps, or moves its files into the folder, takes none from the other one', async () => {
    const id = await upload('nota.bin', randomBytes(1000))
    s3.objects.set(`balcao/${MARK}`, new TextEncoder().encode('7000000000000000000-16384'))
    const copy = anew(place)
    const yesterday = new Date(Date.now() - 25 * 3_600_000)
    await utimes(getMediaPath(config.dataDir, id), yesterday, yesterday)
    await sweepBucketCopies(copy)
    expect(existsSync(getMediaPath(config.dataDir, id))).toBe(true)
    expect(await moveFiles(copy, { to: 'folder' })).toMatchObject({ moved: 1 })
    expect([await keptIn(id), inBucket()]).toEqual(['folder', [`balcao/${id}`]])
  })

  test('what a copy restored into its folder and never put there goes from the folder alone', async () => {
    const id = await inFolder('restaurada')
    s3.objects.set(`balcao/${id}`, new TextEncoder().encode('restaurada'))
    s3.objects.set(`balcao/${MARK}`, new TextEncoder().encode('7000000000000000000-16384'))
    const copy = anew(place)
    await removeMedia(copy, [id])
    expect([inBucket(), await db.$count(media), existsSync(getMediaPath(config.dataDir, id))]).toEqual([
      [`balcao/${id}`],
      0,
      false,
    ])
  })
})

describe('moving files', () => {
  test('can be ended in the middle and goes on; what is damaged or not there stays and is told', async () => {
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push(await inFolder(`Nota ${n}`))
    const [damaged = '', missing = '', cut = ''] = ids
    await Bun.write(getMediaPath(config.dataDir, damaged), 'Nora 0')
    await rm(getMediaPath(config.dataDir, missing))
    await Bun.write(getMediaPath(config.dataDir, cut), 'No')

    const ending = new AbortController()
    const first = await moveFiles(place, {
      to: 's3',
      signal: ending.signal,
      progress: done => done.moved === 4 && ending.abort(),
    })
    expect(first.moved).toBe(4)
    expect(await moveFiles(place, { to: 's3' })).toMatchObject({ moved: 5, damaged: 2, missing: 1 })
    expect(await countFiles(place)).toMatchObject({ s3: { files: 9 }, folder: { files: 3 } })
    await forgetCopies([damaged, cut])
    for (const [n, id] of ids.entries()) if (n > 2) expect((await get(id)).bytes.toString()).toBe(`Nota ${n}`)

    expect(await moveFiles(place, { to: 'folder' })).toMatchObject({ moved: 9, missing: 0 })
    expect(inBucket()).toEqual([])
    for (const [n, id] of ids.entries()) if (n > 2) expect((await get(id)).bytes.toString()).toBe(`Nota ${n}`)
  })

  test('back into the folder takes no copy for the file because it is as long', async () => {
    const id = await inFolder('Nota 1')
    await moveFiles(place, { to: 's3' })
    await Bun.write(getMediaPath(config.dataDir, id), 'Nora 1')
    expect(await moveFiles(place, { to: 'folder' })).toMatchObject({ moved: 1 })
    expect([inBucket(), (await get(id)).bytes.toString()]).toEqual([[], 'Nota 1'])
  })

  test('back into the folder, ended by the store while the object goes: the next run removes it', async () => {
    const id = await inFolder('Nota 1')
    await moveFiles(place, { to: 's3' })
    const { bucket } = place
    if (!bucket) throw new Error('There is no bucket')
    const remove = (key: string) => {
      s3.away(true)
      return bucket.remove(key)
    }
    const failing: Bucket = { ...bucket, isAway: false, remove, until: () => failing }
    const cut = { ...place, bucket: failing }
    expect(await moveFiles(cut, { to: 'folder' }).catch(error => error.code)).toBe('ERR_FILES_AWAY')
    s3.away(false)
    expect(await moveFiles(place, { to: 'folder' })).toMatchObject({ moved: 1 })
    expect([inBucket(), await keptIn(id), (await get(id)).bytes.toString()]).toEqual([[], 'folder', 'Nota 1'])
  })

  test('a store that once gives other bytes is given them again; one that goes on so is away, and nothing of it is left', async () => {
    const id = await inFolder('Nota 1')
    s3.changeNext(1)
    expect(await moveFiles(place, { to: 's3' })).toMatchObject({ moved: 1, damaged: 0 })
    const other = await inFolder('Nota 2')
    s3.changeNext(3)
    expect(await moveFiles(place, { to: 's3' }).catch(error => error.code)).toBe('ERR_FILES_AWAY')
    expect([inBucket(), await keptIn(id), await keptIn(other)]).toEqual([[`balcao/${id}`], 's3', 'folder'])
  })

  test('ends when the store goes away, and nothing is lost', async () => {
    const ids = [await inFolder('um'), await inFolder('dois')]
    s3.away(true)
    expect(await moveFiles(place, { to: 's3' }).catch(error => error.code)).toBe('ERR_FILES_AWAY')
    expect(await countFiles(place)).toMatchObject({ folder: { files: 2 }, s3: { files: 0 } })
    s3.away(false)
    expect(await moveFiles(place, { to: 's3' })).toMatchObject({ moved: 2 })
    expect((await Promise.all(ids.map(id => get(id)))).map(({ bytes }) => bytes.toString())).toEqual(['um', 'dois'])
  })
})

async function upload(name: string, bytes: Buffer): Promise<string> {
  const { status, body } = await bruna.call<{ uploadId: string }>('PUT', `/uploads?name=${name}`, new Uint8Array(bytes))
  if (status >= 300) throw new Error(`Not taken: ${status} ${JSON.stringify(body)}`)
  return body.uploadId
}

/** The answer does not wait for long; a large file on a slow machine is there a little later. */
async function uploadToStore(name: string, bytes: Buffer): Promise<string> {
  const id = await upload(name, bytes)
  await waitUntil('it is in the bucket', async () => (await keptIn(id)) === 's3', 60_000)
  return id
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

function countRequests(id: string): number {
  return s3.requests.filter(request => request === `GET balcao/${id}`).length
}

/** Another machine, or this one a day later: nothing lies in the folder. */
async function forgetCopies(but: readonly string[] = []): Promise<void> {
  const files = await Promise.all(
    but.map(async id => [id, await Bun.file(getMediaPath(config.dataDir, id)).bytes()] as const),
  )
  await rm(join(config.dataDir, 'media'), { recursive: true, force: true })
  for (const [id, bytes] of files) await Bun.write(getMediaPath(config.dataDir, id), bytes)
}

/** Bytes that call themselves a film, long enough that nobody waits for all of it. */
function aFilm(): Buffer {
  const bytes = randomBytes(10_000_000)
  bytes.write('\u0000\u0000\u0000\u0020ftypisom\u0000\u0000\u0002\u0000isomiso2mp41', 0, 'latin1')
  return bytes
}

function randomBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

/** The words of a report of all that was ever said with a contact. */
async function conversationsOf(contactId: number): Promise<string> {
  const [first, last] = ['2026-01-01', '2099-12-31']
  const period = { first, last, from: `${first}T00:00:00.000Z`, until: `${last}T00:00:00.000Z` }
  const filters = { queueId: null, userId: null, contactId, status: '', format: 'pdf', language: 'pt' } as const
  const scope: ReportScope = { profile: 'admin', queueIds: [], hierarchy: false, onlyAdminSeeEmptyQueue: false }
  const which = { ...filters, startDate: first, endDate: last, viewerId: userId, scope, period }
  const made = { timezone: 'America/Sao_Paulo', company: 'Loja', now: new Date() }
  const context = await loadReportContext(db, 'message', which, made)
  const { file } = await buildConversationReport(context, {
    ...place,
    limits: {},
    step: async () => {},
    filterPages: () => nothing(),
  })
  const { pages } = await readPdf(Buffer.concat(await Array.fromAsync(file.bytes)))
  return pages.map(page => page.text).join('\n')
}

async function* nothing(): AsyncGenerator<never> {}
