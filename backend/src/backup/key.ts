// The key of a backup. What is given is stretched with the backup's own salt, so no two backups are written with one key.
import { createHmac, hkdfSync, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BackupFault } from './fault.ts'

const SHORTEST = 16
/** A tenth of a second, and 32 MB: many times what each try costs who guesses. */
const STRETCH = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** What stands in the clear at the head of an encrypted backup. */
export interface Lock {
  readonly salt: string
  /** Tells a wrong key from a changed backup. */
  readonly check: string
}

export function newLock(given: string): { readonly lock: Lock; readonly key: Buffer } {
  if (given.trim().length < SHORTEST) throw new BackupFault('BACKUP_KEY_SHORT')
  const salt = randomBytes(32)
  const key = stretched(given, salt)
  return { lock: { salt: salt.toString('hex'), check: checkOf(key) }, key }
}

/** Throws `BACKUP_KEY_NEEDED`, `BACKUP_KEY_WRONG`. */
export function openLock({ salt, check }: Lock, given: string | null): Buffer {
  if (given === null) throw new BackupFault('BACKUP_KEY_NEEDED')
  const key = stretched(given, Buffer.from(salt, 'hex'))
  const [one, other] = [Buffer.from(checkOf(key)), Buffer.from(check)]
  if (one.length !== other.length || !timingSafeEqual(one, other)) throw new BackupFault('BACKUP_KEY_WRONG')
  return key
}

/** The key of `--key-file`, else of the environment; null: none was given. */
export async function backupKey(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (file === undefined) return env.BALCAO_BACKUP_KEY?.trim() || null
  const text = await readFile(file, 'utf8').catch(error => {
    throw new BackupFault('BACKUP_NO_PLACE', { where: file, why: String(error.code ?? error) }, { cause: error })
  })
  return text.trim()
}

/** By it a backup knows whose DATA_KEY it needs, without saying it. */
export function printOf(dataKey: string): string {
  return Buffer.from(hkdfSync('sha256', dataKey, '', 'print of DATA_KEY', 8)).toString('hex')
}

function stretched(given: string, salt: Buffer): Buffer {
  return scryptSync(given.trim(), salt, 32, STRETCH)
}

function checkOf(key: Buffer): string {
  return createHmac('sha256', key).update('backup').digest('hex').slice(0, 32)
}
