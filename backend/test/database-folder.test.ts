import { afterAll, beforeEach, expect, test } from 'bun:test'
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseMissingError, resolveDatabaseFolder } from '../src/platform/database/folder.ts'

let home = ''
const homes: string[] = []
const shared = () => join(home, 'shared')
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'balcao-place-'))
  homes.push(home)
})
afterAll(async () => {
  for (const each of homes) await rm(each, { recursive: true, force: true })
})

/** As root's closed home is to Postgres. */
const closed = (dataDir: string) => resolveDatabaseFolder(join(dataDir, 'postgres'), shared(), () => false)
const open = (dataDir: string) => resolveDatabaseFolder(join(dataDir, 'postgres'), shared(), () => true)
const filled = async (folder: string) => {
  await mkdir(join(folder, 'cluster'), { recursive: true })
  await writeFile(join(folder, 'cluster/PG_VERSION'), '18')
  return folder
}

test('where Postgres may enter, the database lies in DATA_DIR', async () => {
  const data = join(home, 'data')
  expect(await open(data)).toBe(join(data, 'postgres'))
  await filled(join(data, 'postgres'))
  expect(await open(data)).toBe(join(data, 'postgres'))
})

test('a DATA_DIR that is moved, renamed or opened later keeps its database', async () => {
  const [data, moved] = [join(home, 'data'), join(home, 'elsewhere')]
  const folder = await filled(await closed(data))
  expect(folder).toStartWith(shared())
  expect(await closed(data)).toBe(folder)
  await rename(data, moved)
  expect(await closed(moved)).toBe(folder)
  expect(await open(moved)).toBe(folder)
  await rename(moved, data)
  expect(await closed(data)).toBe(folder)
  await symlink(data, join(home, 'another-name'))
  expect(await closed(join(home, 'another-name'))).toBe(folder)
})

test('a copy beside the original is refused, and a pointer to what is gone', async () => {
  const [data, copy] = [join(home, 'data'), join(home, 'copy')]
  const folder = await filled(await closed(data))
  await cp(data, copy, { recursive: true })
  await expect(closed(copy)).rejects.toThrow('is a copy')
  expect(await closed(data)).toBe(folder)
  await rm(folder, { recursive: true })
  await expect(closed(data)).rejects.toThrow(DatabaseMissingError)
})

test('a DATA_DIR that was deleted begins anew', async () => {
  const data = join(home, 'data')
  const before = await filled(await closed(data))
  await rm(data, { recursive: true })
  const after = await closed(data)
  expect(after).not.toBe(before)
  expect(await readdir(after)).toEqual(['belongs-to'])
})

test('a database of before there were pointers is found by its path, and after a move nothing begins empty beside it', async () => {
  const [data, moved, deleted] = [join(home, 'data'), join(home, 'moved'), join(home, 'deleted')]
  const old = (dataDir: string) => join(shared(), `data-${Bun.hash(join(dataDir, 'postgres')).toString(16)}`)
  await filled(old(data))
  await mkdir(join(moved, 'postgres'), { recursive: true })
  await expect(closed(moved)).rejects.toThrow(old(data))

  await mkdir(join(data, 'postgres'), { recursive: true })
  expect(await closed(data)).toBe(old(data))
  await rename(data, join(home, 'later'))
  expect(await closed(join(home, 'later'))).toBe(old(data))

  await filled(old(deleted))
  expect(await closed(deleted)).not.toBe(old(deleted))
})

test('a database in DATA_DIR that Postgres cannot reach any more is no reason to begin empty', async () => {
  const data = join(home, 'data')
  await filled(await open(data))
  await expect(closed(data)).rejects.toThrow('cannot be reached')
})
