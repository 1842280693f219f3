// Where backups go and come from, as everybody else knows it: a place holds backups by their names, and none that is not whole.

/** Takes the bytes of one backup. */
export interface BackupSink {
  write(bytes: Uint8Array): Promise<void>
  /** It is whole: only now it has its name. */
  finish(): Promise<void>
  /** Nothing of it stays. */
  abort(): Promise<void>
}

/** A backup that is there. */
export interface BackupSource {
  readonly where: string
  readonly size: number
  stream(): AsyncIterable<Uint8Array>
}

/** A folder or bucket that holds backups, each by its name. */
export interface BackupStorage {
  where(name: string): string
  /** `first`: there was none before, so the place itself may have to be made. */
  sink(name: string, first?: boolean): Promise<BackupSink>
  /** Those that begin so, oldest first: a name ends with the instant. */
  names(prefix: string): Promise<string[]>
  remove(name: string): Promise<void>
}

/** Encrypted or not; the last is how they were called up to 7.1. */
const SUFFIXES = ['.tar.age', '.tar', '.backup'] as const

/**
 * How a backup is called: by installation, so that several may share a place, and instant.
 * @example formatBackupName('5f1c9a20', new Date('2026-11-23T03:00:00Z'), true) // 'balcao-5f1c9a20-2026-11-23T03-00-00Z.tar.age'
 */
export function formatBackupName(installation: string, at: Date, isEncrypted: boolean): string {
  const suffix = SUFFIXES[isEncrypted ? 0 : 1]
  return `${getNamePrefix(installation)}${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z${suffix}`
}

export function hasBackupName(name: string): boolean {
  return SUFFIXES.some(suffix => name.endsWith(suffix))
}

export function getNamePrefix(installation: string): string {
  return `balcao-${installation}-`
}

/** The instant in a name; null: the name is none of ours. */
export function parseBackupInstant(name: string): Date | null {
  const match = /-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.(?:tar(?:\.age)?|backup)$/.exec(name)
  return match ? new Date(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`) : null
}
