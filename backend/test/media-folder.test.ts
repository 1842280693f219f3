// What customers sent is nobody's business who only has an account on this machine.
import { expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder, receiveFile } from '../src/desk/media/folder.ts'

async function inFolder(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-media-'))
  try {
    await work(dataDir)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('the folder of files is closed to others, also where a file is there before the server', async () => {
  await inFolder(async dataDir => {
    const { path } = await receiveFile(dataDir, new Blob(['olá']).stream(), 10)
    expect([await modeOf(join(dataDir, 'media')), await modeOf(join(path, '..'))]).toEqual([0o700, 0o700])
  })
})

test('one that stands open is closed when the server starts', async () => {
  await inFolder(async dataDir => {
    await mkdir(join(dataDir, 'media'))
    await chmod(join(dataDir, 'media'), 0o755)
    await makeFolder(dataDir)
    expect(await modeOf(join(dataDir, 'media'))).toBe(0o700)
  })
})
