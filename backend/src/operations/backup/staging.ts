// Folders in DATA_DIR that a command needs for a while: `restore` lays files down there before they are somebody's, `verify` has its
// scratch Postgres there. Each says that its command lives, by its age.
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

export interface Staging extends Disposable {
  readonly path: string
}

export type StagingKind = 'restore' | 'verify'

const PREFIX: Readonly<Record<StagingKind, string>> = { restore: 'media.restoring-', verify: 'verify-' }
const NAME: Readonly<Record<StagingKind, RegExp>> = { restore: /^media\.restoring-/, verify: /^verify-[0-9a-f]{8}$/ }
const BEAT_MS = 30_000
/** A command of which nothing was seen for so long has died; its machine may have been held still for a while. */
const DEAD_MS = 3_600_000

/** One's own: another command in this folder may be going on. It is young until it is disposed of. */
export function createStaging(dataDir: string, kind: StagingKind, beatMs = BEAT_MS): Staging {
  const id = crypto.randomUUID()
  const path = join(dataDir, `${PREFIX[kind]}${kind === 'verify' ? id.slice(0, 8) : id}`)
  const timer = setInterval(() => {
    const now = new Date()
    // There is none before its first file, nor after its last.
    utimes(path, now, now).catch(() => {})
  }, beatMs)
  return { path, [Symbol.dispose]: () => clearInterval(timer) }
}

export interface DeadStaging {
  readonly kind: StagingKind
  readonly path: string
}

/** What commands left that died. */
export async function listDeadStagings(dataDir: string): Promise<DeadStaging[]> {
  const dead: DeadStaging[] = []
  for (const name of await readdir(dataDir).catch(() => [])) {
    const kind = (['restore', 'verify'] as const).find(each => NAME[each].test(name))
    if (kind === undefined) continue
    const path = join(dataDir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs < Date.now() - DEAD_MS) dead.push({ kind, path })
  }
  return dead
}
