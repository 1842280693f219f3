// Room on a disk while a database is made there: Postgres writes as long as it can, and what is kept free belongs to the desk's own.
import { ensureDiskSpace } from '../../desk/media/disk-space.ts'
import { toNoSpaceFault } from './fault.ts'

/** Throws `ERR_NO_SPACE` where a folder's disk has no more than is kept free. */
export type SpaceCheck = (folder: string) => Promise<void>

const LOOK_MS = 200

/** Ends `work` by its signal when the disk of `folder` has no more than is kept free. Throws `BACKUP_NO_SPACE` then. */
export async function runWhileDiskHasSpace<T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: (until: AbortSignal) => Promise<T>,
  ensureSpace: SpaceCheck = ensureDiskSpace,
): Promise<T> {
  const full = new AbortController()
  const checkRoom = () =>
    ensureSpace(folder).catch(error => {
      full.abort(toNoSpaceFault(folder, error))
    })
  await checkRoom()
  full.signal.throwIfAborted()
  const timer = setInterval(() => void checkRoom(), LOOK_MS)
  try {
    return await work(signal ? AbortSignal.any([signal, full.signal]) : full.signal)
  } finally {
    clearInterval(timer)
  }
}
