// Backups in a folder: one file each. What is not whole has another name, and is gone when it failed.
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensureDiskSpace } from '../../desk/media/disk-space.ts'
import { BackupFault, toNoSpaceFault } from './fault.ts'
import { type BackupSink, type BackupSource, type BackupStorage, hasBackupName } from './storage.ts'

/** What is only begun; who died left it. */
const PART = '.part'
const DEAD_MS = 24 * 3_600_000

/**
 * A new file. A folder that is not there may be a disk that is not mounted: only the `first` backup makes it. Throws `BACKUP_THERE`,
 * `BACKUP_NO_FOLDER`, `BACKUP_NO_PLACE`, and while it is written `BACKUP_NO_SPACE`.
 */
export async function createFileSink(path: string, first = false): Promise<BackupSink> {
  const folder = dirname(path)
  const part = `${path}${PART}`
  if (await exists(path)) throw new BackupFault('BACKUP_THERE', { where: path })
  await rmDead(folder)
  const file = await (first ? mkdir(folder, { recursive: true }) : Promise.resolve())
    .then(() => open(part, 'wx', 0o600))
    .catch(error => {
      if (error.code === 'EEXIST' && error.path === part) throw new BackupFault('BACKUP_THERE', { where: part })
      if (error.code === 'ENOENT') throw new BackupFault('BACKUP_NO_FOLDER', { where: folder }, { cause: error })
      throw noPlace(folder, error)
    })
  return {
    async write(bytes) {
      try {
        await ensureDiskSpace(folder, bytes.length)
        for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
      } catch (error) {
        throw toNoSpaceFault(folder, error)
      }
    },
    async finish() {
      await file.sync().catch(error => {
        throw toNoSpaceFault(folder, error)
      })
      await file.close()
      await rename(part, path)
      // The name, too, outlives a power cut.
      const named = await open(folder)
      try {
        await named.sync()
      } finally {
        await named.close()
      }
    },
    async abort() {
      await file.close().catch(() => {})
      await rm(part, { force: true })
    },
  }
}

/** Throws `BACKUP_NO_PLACE`. */
export async function openFileSource(path: string): Promise<BackupSource> {
  const found = await stat(path).catch(error => {
    throw noPlace(path, error)
  })
  if (found.isDirectory()) throw new BackupFault('BACKUP_NO_PLACE', { where: path, why: 'EISDIR' })
  return { where: path, size: found.size, stream: () => Bun.file(path).stream() }
}

export function createFolderStorage(folder: string): BackupStorage {
  const where = (name: string) => join(folder, name)
  return {
    where,
    sink: (name, first) => createFileSink(where(name), first),
    async names(prefix) {
      const names = await readdir(folder).catch(() => [])
      return names.filter(name => name.startsWith(prefix) && hasBackupName(name)).sort()
    },
    remove: name => rm(where(name), { force: true }),
  }
}

async function rmDead(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(PART) || !hasBackupName(name.slice(0, -PART.length))) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs < Date.now() - DEAD_MS) await rm(path, { force: true })
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function noPlace(where: string, error: Error & { readonly code?: string }): BackupFault {
  return new BackupFault('BACKUP_NO_PLACE', { where, why: error.code ?? error.message }, { cause: error })
}
