// The key of a backup: a passphrase, or keys as `age-keygen` makes them, of which the public one closes and the secret one does both.
import { hkdfSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BackupFault } from './fault.ts'

export type BackupKey =
  | { readonly passphrase: string }
  /** Those that open, and those that only close. */
  | { readonly identities: readonly string[]; readonly recipients: readonly string[] }

/** Keys of age stand one a line, with lines of `#` between them as `age-keygen` writes them; anything else is a passphrase as it is. */
export function parseKey(text: string): BackupKey {
  const lines = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
  const identities = lines.filter(line => line.startsWith('AGE-SECRET-KEY-'))
  const recipients = lines.filter(line => line.startsWith('age1'))
  const isOfAge = lines.length > 0 && identities.length + recipients.length === lines.length
  return isOfAge ? { identities, recipients } : { passphrase: text.trim() }
}

/** The key of `--key-file`, else of the environment; null: none was given. */
export async function readBackupKey(
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
export function fingerprintDataKey(dataKey: string): string {
  return Buffer.from(hkdfSync('sha256', dataKey, '', 'print of DATA_KEY', 8)).toString('hex')
}
