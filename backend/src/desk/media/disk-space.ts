// Room on the disk of DATA_DIR. Files stop before the disk is full: what is left belongs to the database and its texts.
import { mkdir, statfs } from 'node:fs/promises'
import { MB } from '@balcao/contract'
import { AppError } from '../../platform/http/errors.ts'

const MOST_KEPT_FREE = 256 * MB
const PART_KEPT_FREE = 0.05

/** Throws `ERR_NO_SPACE` when the disk has no room for another `bytes`. */
export async function ensureDiskSpace(dataDir: string, bytes = 0): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const reserve = Math.min(MOST_KEPT_FREE, blocks * bsize * PART_KEPT_FREE)
  if (bavail * bsize - bytes < reserve) throw new AppError('ERR_NO_SPACE')
}

/** What the system says of a full disk, a used-up quota or a file beyond a limit, in our words; anything else as it is. */
export function toNoSpaceError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? new AppError('ERR_NO_SPACE') : error
}
