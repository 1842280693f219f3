// Whose a bucket is, moving files, copies at hand, and what waits or is away.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bucket, getBucket } from '../src/desk/media/bucket.ts'
import { uploadWaitingFiles } from '../src/desk/media/bucket-files.ts'
import { MARK, takeOverBucket } from '../src/desk/media/bucket-owner.ts'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { countFiles, moveFiles } from '../src/desk/media/move.ts'
import type { MediaStorage } from '../src/desk/media/storage.ts'
import { openMedia, removeMedia, storeMedia } from '../src/desk/media/store.ts'
import { media } from '../src/desk/media/table.ts'
import { startUploader, sweepBucketCopies } from '../src/desk/media/uploader.ts'
import { runCheckUp } from '../src/operations/doctor/check-up.ts'
import { randomBytes, startS3Desk } from './s3-desk.ts'
import { waitUntil } from './until.ts'

const { s3, db, config, place, userId, PIXEL, upload, inFolder, get, keptIn, inBucket, forgetCopies } =
  await startS3Desk()

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
