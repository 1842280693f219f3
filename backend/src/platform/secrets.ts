// The secrets of an installation: from the environment, else kept in DATA_DIR.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config-error.ts'

/** Secrets from the environment win; the others are read from `secrets.json`, or made and written there (mode 0600). */
export function ensureSecrets<K extends string>(
  dataDir: string,
  configured: Record<K, string | null>,
): Record<K, string> {
  const path = join(dataDir, 'secrets.json')
  const stored = readSecrets(path)
  const secrets: Record<string, string> = {}
  let made = false
  for (const [name, value] of Object.entries<string | null>(configured)) {
    const known = value ?? stored[name]
    if (known === undefined) made = true
    secrets[name] = known ?? randomBytes(32).toString('base64url')
    if (value === null) stored[name] = secrets[name]
  }
  if (made) writeSecrets(dataDir, path, stored)
  return secrets
}

function writeSecrets(dataDir: string, path: string, secrets: Record<string, string>): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    // A full disk must not leave half a file: the next start would find no secrets.
    writeFileSync(`${path}.part`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${path}.part`, path)
  } catch (error) {
    throw new ConfigError([`DATA_DIR ${dataDir} cannot be written: ${error instanceof Error ? error.message : error}`])
  }
}

function readSecrets(path: string): Record<string, string> {
  if (!existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new ConfigError([`${path} cannot be read: restore it from a backup, without it e-mails and tokens are lost`])
  }
}
