// Files are stored in a bucket and let go.
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findSignatureFault } from '@balcao/simulator/s3/signature'
import { eq, sql } from 'drizzle-orm'
import { type Bucket, createFilesAwayError, getBucket } from '../src/desk/media/bucket.ts'
import { uploadToBucket, uploadWaitingFiles } from '../src/desk/media/bucket-files.ts'
import { releaseFiles } from '../src/desk/media/claim.ts'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { moveFiles } from '../src/desk/media/move.ts'
import { ensureLocalFiles, openMedia, removeMedia } from '../src/desk/media/store.ts'
import { media } from '../src/desk/media/table.ts'
import { loadReportContext } from '../src/insight/reports/context.ts'
import { buildConversationReport } from '../src/insight/reports/conversation-report.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { schedules } from '../src/messaging/schedules/table.ts'
import { sends } from '../src/messaging/sends/table.ts'
import type { ReportScope } from '../src/policy/access/report-scope.ts'
import { makeConnection, makeContact, makeTicket } from './desk-world.ts'
import { readPdf } from './pdf-reader.ts'
import { randomBytes, startS3Desk } from './s3-desk.ts'
import { waitUntil } from './until.ts'

const { s3, server, db, config, place, userId, bruna, PIXEL, upload, inFolder, get, keptIn, inBucket, forgetCopies } =
  await startS3Desk()

const LARGE = 600_000

/** Of a range of a large file so much is fetched at once. */
const WINDOW = 2 * 1024 * 1024

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

/** The answer does not wait for long; a large file on a slow machine is there a little later. */
async function uploadToStore(name: string, bytes: Buffer): Promise<string> {
  const id = await upload(name, bytes)
  await waitUntil('it is in the bucket', async () => (await keptIn(id)) === 's3')
  return id
}

function countRequests(id: string): number {
  return s3.requests.filter(request => request === `GET balcao/${id}`).length
}

/** Bytes that call themselves a film, long enough that nobody waits for all of it. */
function aFilm(): Buffer {
  const bytes = randomBytes(10_000_000)
  bytes.write('\u0000\u0000\u0000\u0020ftypisom\u0000\u0000\u0002\u0000isomiso2mp41', 0, 'latin1')
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
