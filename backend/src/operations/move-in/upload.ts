// A dump that is sent with the page (docs/decisions/0325): in parts, which proxies let through, so that a broken line goes on where it was.
import { MOVE_IN_PART, MOVE_IN_WORKING, type MoveInSource } from '@balcao/contract'
import { ensureDiskSpace, toNoSpaceError } from '../../desk/media/disk-space.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { limitBytes, streamChunks } from '../../platform/http/body.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { claimTurn, type MoveInAsker } from './begin.ts'
import { getDumpPath, measureDump, removeDump, writePart } from './dump-file.ts'
import { isPacked } from './read/dump.ts'
import { loadMoveInState, noteState } from './state.ts'
import { moveIns } from './table.ts'

interface UploadRequest {
  readonly source: MoveInSource
  readonly name: string
  readonly size: number
  readonly openTag: string
}

type Here = { readonly db: Db; readonly config: Pick<Config, 'dataDir' | 'moveInMostBytes'> }

/** Announces a dump. Throws `ERR_FILE_TOO_LARGE`, `ERR_NO_SPACE` before anything of it comes, `ERR_MOVE_IN_BUSY`. */
export async function beginUpload({ db, config }: Here, asker: MoveInAsker, request: UploadRequest): Promise<number> {
  const { source, name, size, openTag } = request
  const most = config.moveInMostBytes
  if (size > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  await ensureDiskSpace(config.dataDir, size)
  return runInTransaction(db, async tx => {
    await claimTurn({ db: tx, config }, ['uploading', 'ready', 'stopped', 'undoStopped', ...MOVE_IN_WORKING])
    const upload = {
      source,
      fileName: name,
      fileSize: size,
      openTag,
      userId: asker.viewer.id,
      state: 'uploading',
    } as const
    const [made] = await tx.insert(moveIns).values(upload).returning({ id: moveIns.id })
    if (!made) throw new Error('The move was not stored')
    return made.id
  })
}

/** Takes the part that begins at a byte, where that is the next one; how many bytes are here then. Throws `ERR_MOVE_IN_STATE`, `ERR_NO_SPACE`, `ERR_MOVE_IN_UNREADABLE`. */
export async function receivePart(
  { db, config }: Here,
  { viewer }: Pick<Session, 'viewer'>,
  request: Request,
  { id, at }: { readonly id: number; readonly at: number },
): Promise<{ received: number }> {
  const { state, userId, dump } = await loadMoveInState({ db, config }, id)
  if (state !== 'uploading' || userId !== viewer.id || !dump) throw new AppError('ERR_MOVE_IN_STATE')
  if (at !== dump.received) return { received: dump.received }
  await ensureDiskSpace(config.dataDir, Math.min(MOVE_IN_PART, dump.size - at))
  const part = limitBytes(streamChunks(request), Math.min(MOVE_IN_PART, dump.size - at))
  try {
    await writePart(config.dataDir, id, at, part)
  } catch (error) {
    throw toNoSpaceError(error)
  }
  if (at === 0) await refusePacked({ db, config }, id)
  return { received: await measureDump(config.dataDir, id) }
}

/** What is no text is refused with its first part, not with its last. Throws `ERR_MOVE_IN_UNREADABLE`. */
async function refusePacked({ db, config }: Here, id: number): Promise<void> {
  const head = await Bun.file(getDumpPath(config.dataDir, id)).slice(0, HEAD_BYTES).bytes()
  if (!isPacked(new TextDecoder('latin1').decode(head))) return
  await removeDump(config.dataDir, id)
  await noteState(db, id, 'failed', 'ERR_MOVE_IN_UNREADABLE')
  throw new AppError('ERR_MOVE_IN_UNREADABLE')
}

const HEAD_BYTES = 8
