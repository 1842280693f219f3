// The file of a dump that was sent: in the folder DATA_DIR alone, until all of it is read or a day has passed.
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { OURS_ALONE } from '../../desk/media/folder.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { moveIns } from './table.ts'

const FOLDER = 'move-in'
const DAY_MS = 24 * 3_600_000

/** Writes what comes from a byte on. */
export async function writePart(
  dataDir: string,
  id: number,
  at: number,
  part: AsyncIterable<Uint8Array>,
): Promise<void> {
  await mkdir(join(dataDir, FOLDER), { recursive: true, mode: OURS_ALONE })
  const file = await open(getDumpPath(dataDir, id), at === 0 ? 'w' : 'r+', 0o600)
  try {
    let place = at
    for await (const chunk of part)
      for (let from = 0; from < chunk.byteLength; ) {
        const { bytesWritten } = await file.write(chunk, from, chunk.byteLength - from, place)
        from += bytesWritten
        place += bytesWritten
      }
  } finally {
    await file.close()
  }
}

export function getDumpPath(dataDir: string, id: number): string {
  return join(dataDir, FOLDER, `${id}.dump`)
}

/** How much of it is here. */
export async function measureDump(dataDir: string, id: number): Promise<number> {
  const found = await stat(getDumpPath(dataDir, id)).catch(() => null)
  return found?.size ?? 0
}

export function removeDump(dataDir: string, id: number): Promise<void> {
  return rm(getDumpPath(dataDir, id), { force: true })
}

/** Removes dumps that nobody has gone on with for a day; how many. */
export async function sweepDumps({
  db,
  config,
}: {
  readonly db: Db
  readonly config: Pick<Config, 'dataDir'>
}): Promise<number> {
  let gone = 0
  for (const name of await readdir(join(config.dataDir, FOLDER)).catch(() => [])) {
    const path = join(config.dataDir, FOLDER, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs > Date.now() - DAY_MS) continue
    const [move] = await db
      .select({ state: moveIns.state })
      .from(moveIns)
      .where(eq(moveIns.id, Number.parseInt(name, 10)))
    if (move?.state === 'reading') continue
    await rm(path, { force: true })
    gone++
  }
  return gone
}
