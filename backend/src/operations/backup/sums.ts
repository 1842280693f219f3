// What the members of a backup add up to, made alike by who writes and who reads.
import { createHash } from 'node:crypto'
import { BackupFault } from './fault.ts'
import type { Checksum, Manifest, MemberName } from './format.ts'

type FileName = Extract<MemberName, { id: string }>

export type Summing = ReturnType<typeof startSum>

export function startSum() {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    update(chunk: Uint8Array): void {
      hash.update(chunk)
      bytes += chunk.length
    },
    result: (): Checksum => ({ bytes, sha256: hash.digest('hex') }),
  }
}

export function createFilesSum() {
  const hash = createHash('sha256')
  let [count, bytes] = [0, 0]
  return {
    add({ kind, id }: FileName, sum: Checksum): void {
      hash.update(`${kind} ${id} ${sum.sha256}\n`)
      if (kind !== 'file') return
      count++
      bytes += sum.bytes
    },
    result: (): Pick<Manifest['files'], 'count' | 'bytes' | 'sha256'> => ({ count, bytes, sha256: hash.digest('hex') }),
  }
}

/** The sums of what was read, to be compared with the manifest: whatever was changed, left out or came twice. */
export function memberSums() {
  const files = createFilesSum()
  const tables: { name: string; sha256: string }[] = []
  return {
    add(name: MemberName, sum: Checksum): void {
      if (name.kind === 'table') tables.push({ name: name.name, sha256: sum.sha256 })
      else files.add(name, sum)
    },
    /** Throws `BACKUP_DAMAGED`. */
    compare(manifest: Manifest): void {
      const other = manifest.tables.find(
        ({ name, sha256 }, at) => tables[at]?.name !== name || tables[at].sha256 !== sha256,
      )
      if (other || manifest.tables.length !== tables.length) throw damaged(other?.name ?? 'tables')
      const { count, bytes, sha256 } = files.result()
      if (manifest.files.count !== count || manifest.files.bytes !== bytes || manifest.files.sha256 !== sha256)
        throw damaged('media')
    },
  }
}

/** `what`: a table, a file or a place, as it stands in the backup. */
export function damaged(entry: string): BackupFault {
  return new BackupFault('BACKUP_DAMAGED', { what: entry })
}
