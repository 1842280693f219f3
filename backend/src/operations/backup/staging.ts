// Where a restore lays files down before they are somebody's: a folder beside `media` that says that its restore lives, by its age.
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

export interface Staging extends Disposable {
  readonly path: string
}

const NAME = 'media.restoring-'
const BEAT_MS = 30_000
/** A restore of which nothing was seen for so long has died; its machine may have been held still for a while. */
const DEAD_MS = 3_600_000

/** One's own: another restore into this folder may be going on. It is young until it is disposed of. */
export function createStaging(dataDir: string, beatMs = BEAT_MS): Staging {
  const path = join(dataDir, `${NAME}${crypto.randomUUID()}`)
  const timer = setInterval(() => {
    const now = new Date()
    // There is none before its first file, nor after its last.
    utimes(path, now, now).catch(() => {})
  }, beatMs)
  return { path, [Symbol.dispose]: () => clearInterval(timer) }
}

/** Removes what restores left that died. */
export async function removeDeadStagings(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    if (!name.startsWith(NAME)) continue
    const path = join(dataDir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs < Date.now() - DEAD_MS) await rm(path, { recursive: true, force: true })
  }
}
