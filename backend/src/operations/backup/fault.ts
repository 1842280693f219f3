// What can be wrong with a backup, or with where it is to go. Each has a code, and a sentence that says what can be done about it.
import { fillBraces } from '@balcao/contract'
import { toNoSpaceError } from '../../desk/media/disk-space.ts'
import { AppError } from '../../platform/http/errors.ts'

const SAID = {
  BACKUP_NOTHING: 'There is no desk in this database, so there is nothing to keep',
  BACKUP_NOT_ONE: 'This is no backup of Balcão: its first bytes are something else',
  BACKUP_CUT:
    'The backup ends in the middle: it was cut while it was written or copied. Take another copy of it, or an older one',
  BACKUP_DAMAGED:
    'The backup was changed after it was written ({{what}}): not what it says is what was kept. Take another copy of it, or an older one',
  BACKUP_NEWER: 'The backup was made by a newer version ({{version}}): bring Balcão to that version first',
  BACKUP_UNKNOWN_VERSION: 'The backup was made by a version ({{version}}) whose tables this one does not know',
  BACKUP_KEY_NEEDED: 'The backup is encrypted: give its key, by --key-file or BALCAO_BACKUP_KEY',
  BACKUP_KEY_WRONG: 'The backup is encrypted with another key',
  BACKUP_KEY_UNUSED:
    'The backup is not encrypted though a key was given: somebody else may have put it there. Without the key it is taken as it is',
  BACKUP_KEY_PUBLIC: 'This key only closes backups: opening one takes the secret key of it (AGE-SECRET-KEY-…)',
  BACKUP_KEY_INVALID: 'The key looks like one of age but is none: it may have been cut or mistyped',
  BACKUP_KEY_SHORT: 'A key of a backup has at least 16 characters',
  BACKUP_NOT_EMPTY:
    'The database is not empty: it has {{what}}. A backup is restored only where there is nothing; nothing was changed',
  BACKUP_FOLDER_NOT_EMPTY:
    'There are files in {{where}}. A backup is restored only where there is nothing; nothing was changed',
  BACKUP_FOLDER_APART:
    '{{where}} is a link or a disk of its own, and files take its place in one step: take the link or the mount away, restore, move the files there and bring it back. Nothing was changed',
  BACKUP_OTHER_DATA_KEY:
    'The backup belongs to another DATA_KEY than this installation has, and without that one nobody is found by their e-mail and no token can be used. It is not encrypted and so has no secrets: bring secrets.json of the old machine into DATA_DIR first, or set DATA_KEY',
  BACKUP_DATA_KEY_GIVEN:
    'The backup belongs to another DATA_KEY than the environment gives, and without that one nobody is found by their e-mail and no token can be used. Set DATA_KEY to that one, or leave it out: the backup has it',
  BACKUP_NO_SPACE: 'There is no room for it in {{where}}: nothing of it was left there',
  BACKUP_THERE: 'There is something of that name already: {{where}}',
  BACKUP_NO_PLACE: '{{where}} cannot be used: {{why}}',
  BACKUP_NO_FOLDER:
    'The folder {{where}} is not there. It may be a disk that is not mounted, so none is made: mount the disk, or make the folder',
  BACKUP_NO_STORE: '{{where}} cannot be opened: BACKUP_S3_* or S3_* name no key of a store',
  BACKUP_RUNNING: 'Another backup of this database is being written',
  BACKUP_NO_SCRATCH:
    'This installation came without a Postgres of its own, so a backup is verified in a scratch database on the server of DATABASE_URL, and the role there may not create one: allow it (alter role … createdb), or verify on a machine whose Balcão has a Postgres',
  BACKUP_DIFFERENT: 'What was restored is not what was kept: {{what}}. Nothing was changed',
} as const

export type BackupCode = keyof typeof SAID

/** A fault somebody can do something about; `params` fill the sentence in any language, so they are names, numbers and codes, no words. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault'
  constructor(
    readonly code: BackupCode,
    readonly params: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(fillBraces(SAID[code], params), options)
  }
}

/** What the system says of a full disk, a used-up quota or a file beyond a limit, in our words; anything else as it is. */
export function toNoSpaceFault(where: string, error: unknown): unknown {
  const noSpace = toNoSpaceError(error)
  return noSpace instanceof AppError && noSpace.code === 'ERR_NO_SPACE'
    ? new BackupFault('BACKUP_NO_SPACE', { where }, { cause: error })
    : error
}

/** The code of what ended a backup. */
export function getFaultCode(error: unknown): string {
  if (error instanceof BackupFault) return error.code
  return error instanceof Error ? error.name : 'Error'
}
