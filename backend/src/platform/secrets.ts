// The secrets of an installation: from the environment, else kept in DATA_DIR.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from './config-error.ts'

/** Secrets from the environment win; the others are read from `secrets.json`, or made and written there (mode 0600). */
export function ensureSecrets<K extends string>(
  dataDir: string,
  configured: Record<K, string | null>,
): Record<K, string> {
  const path = join(dataDir, 'secrets.json')
  const isKept = (name: string, secrets: Stored) => secrets[name] !== undefined
  const wanted = Object.entries<string | null>(configured).flatMap(([name, value]) => (value === null ? [name] : []))
  let stored = readSecrets(path)
  if (!wanted.every(name => isKept(name, stored))) stored = addSecrets(dataDir, path, wanted)
  const secrets: Record<string, string> = {}
  for (const [name, value] of Object.entries<string | null>(configured)) secrets[name] = value ?? stored[name] ?? ''
  return secrets
}

type Stored = Record<string, string | undefined>

/** To what is there by then: two servers that begin at once on an empty folder must both work with the same ones. */
function addSecrets(dataDir: string, path: string, names: readonly string[]): Stored {
  try {
    mkdirSync(dataDir, { recursive: true })
    const release = acquireLock(`${path}.lock`)
    try {
      const stored = readSecrets(path)
      for (const name of names) stored[name] ??= randomBytes(32).toString('base64url')
      writeSecretsFile(path, `${JSON.stringify(stored, null, 2)}\n`)
      return stored
    } finally {
      release()
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError([`DATA_DIR ${dataDir} cannot be written: ${error instanceof Error ? error.message : error}`])
  }
}

/** All of it or nothing, after a power cut, too: neither a full disk nor half a file may cost an installation its secrets. */
export function writeSecretsFile(path: string, text: string): void {
  const part = `${path}.part`
  const file = openSync(part, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(part, path)
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Held for a moment: whoever holds it for so long has died. */
const DEAD_MS = 5000
const LOOK_MS = 5

/** Waits for a file that only one makes; what is returned removes it. */
function acquireLock(lock: string): () => void {
  let [holder, since] = [Number.NaN, performance.now()]
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    // By our clock alone: the one that dates the file may be another machine's.
    const seen = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN
    if (seen !== holder) [holder, since] = [seen, performance.now()]
    else if (performance.now() - since > DEAD_MS) rmSync(lock, { force: true })
    Bun.sleepSync(LOOK_MS)
  }
}

function readSecrets(path: string): Stored {
  if (!existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new ConfigError([`${path} cannot be read: restore it from a backup, without it e-mails and tokens are lost`])
  }
}
