// What a backup is made of (docs/decisions/0229): what it is of, the tables, the files, and the sums of all of it as the last word.
import type { DeskSecrets } from './secrets.ts'

export interface TableShape {
  /** With its schema, as Postgres quotes it. */
  readonly name: string
  readonly columns: readonly string[]
  /** What its rows are sorted by, as SQL: the order of a heap is nobody's. */
  readonly order: string
}

export interface SequenceState {
  readonly name: string
  readonly last: string
  readonly called: boolean
}

export interface BackupBeginning {
  /** Of the product that wrote it. */
  readonly version: string
  /** The instant of the snapshot, by the database's clock. */
  readonly at: string
  /** The migrations of its tables, by their hashes, in their order. */
  readonly migrations: readonly string[]
  readonly tables: readonly TableShape[]
  readonly sequences: readonly SequenceState[]
  /** Which DATA_KEY its rows are sealed with (`fingerprintDataKey`). */
  readonly dataKeyPrint: string
  /** What stands in `secrets.json`, or in the environment instead; only in an encrypted one. */
  readonly secrets: DeskSecrets | null
}

/** A table, a stored file, or the small picture beside one. */
export type MemberName =
  | { readonly kind: 'table'; readonly name: string }
  | { readonly kind: 'file' | 'thumb'; readonly id: string }

export interface Checksum {
  readonly bytes: number
  readonly sha256: string
}

export interface TableChecksum extends Checksum {
  readonly name: string
  readonly rows: number
}

export interface Manifest {
  readonly tables: readonly TableChecksum[]
  readonly files: {
    readonly count: number
    readonly bytes: number
    /** Over the sums of all files, in their order. */
    readonly sha256: string
    /** Files that the desk itself removed while the backup was being written. */
    readonly gone: number
    /** Rows whose file was not there, and files that are not what was stored once: the first hundred ids of each. */
    readonly missing: readonly string[]
    readonly damaged: readonly string[]
  }
}

export interface ArchiveManifest extends Manifest {
  /** Everything that stands before the manifest. */
  readonly archive: Checksum
}

export interface ArchiveMember {
  readonly name: MemberName
  /** To be read to its end; throws `BACKUP_DAMAGED` there when it is not what was kept. */
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface BackupReader {
  readonly beginning: BackupBeginning
  /** Bytes of the backup read so far. */
  readonly read: number
  /** The next member, when the one before was read to its end; null after the last. */
  next(): Promise<ArchiveMember | null>
  /** Known after the last member. */
  manifest(): Manifest
  close(): Promise<void>
}

/** What a form of backups is read by. */
export type FormReader = Omit<BackupReader, 'read' | 'close'>

/** How far something has come: bytes written or read, of how many where that is known. */
export interface BackupProgress {
  readonly step: 'tables' | 'files' | 'indexes' | 'compare' | 'upgrade'
  /** The table it is at. */
  readonly name?: string
  readonly bytes: number
  readonly of: number | null
}

export interface ProgressOptions {
  readonly progress?: (progress: BackupProgress) => void
  readonly signal?: AbortSignal
}
