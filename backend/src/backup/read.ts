// Reads a backup as it streams in, and believes nothing of it: every frame by its seal, every member by its sum, all by the last word.
import { createHash } from 'node:crypto'
import { BackupFault } from './fault.ts'
import { type Beginning, FORM, type Head, MAGIC, type Manifest, type MemberName, type Sum } from './format.ts'
import { type Frame, frameReader } from './frames.ts'
import { openLock } from './key.ts'
import { filesSum } from './sums.ts'

export interface Member {
  readonly name: MemberName
  /** To be read to its end; throws `BACKUP_DAMAGED` there when it is not what was kept. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Known once it was read. */
  sum(): Sum
}

export interface BackupReader {
  readonly head: Head
  readonly beginning: Beginning
  /** Bytes of the backup read so far. */
  readonly read: number
  /** The next member, when the one before was read to its end; null after the last. */
  next(): Promise<Member | null>
  /** Known after the last member. */
  manifest(): Manifest
  close(): Promise<void>
}

/** Throws `BACKUP_NOT_ONE`, `BACKUP_NEWER`, `BACKUP_KEY_NEEDED`, `BACKUP_KEY_WRONG`, `BACKUP_KEY_UNUSED`, `BACKUP_CUT`, `BACKUP_DAMAGED`. */
export async function readBackup(source: AsyncIterable<Uint8Array>, key: string | null): Promise<BackupReader> {
  const bytes = byteReader(source)
  const { head, raw } = await readHead(bytes.take)
  // Who can write where backups lie could put one of their own there: only what the key opens is trusted by whoever has one.
  if (head.lock === null && key !== null) throw new BackupFault('BACKUP_KEY_UNUSED')
  const opened = head.lock === null ? null : openLock(head.lock, key)
  const nextFrame = frameReader(raw, opened, bytes.take)
  const beginning: Beginning = jsonOf(await expected('beginning'))
  const files = filesSum()
  const tables: { name: string; sum: Sum }[] = []
  let manifest: Manifest | undefined
  let current: Member | undefined

  function damagedHere(): BackupFault {
    return damaged(`byte ${bytes.taken()}`)
  }

  async function frame(): Promise<Frame> {
    const read = await nextFrame()
    if (read === null) throw new BackupFault('BACKUP_CUT')
    return read
  }

  async function expected(kind: Frame['kind']): Promise<Frame> {
    const read = await frame()
    if (read.kind !== kind) throw damagedHere()
    return read
  }

  function memberOf(name: MemberName): Member {
    let sum: Sum | undefined
    async function* read(): AsyncGenerator<Uint8Array> {
      const hash = createHash('sha256')
      let size = 0
      for (;;) {
        const part = await frame()
        if (part.kind === 'data') {
          hash.update(part.bytes)
          size += part.bytes.length
          yield part.bytes
          continue
        }
        const said: Sum = part.kind === 'memberEnd' ? jsonOf(part) : { bytes: -1, sha256: '' }
        if (said.bytes !== size || said.sha256 !== hash.digest('hex')) throw damaged(labelOf(name))
        sum = said
        count(name, said)
        return
      }
    }
    return {
      name,
      bytes: read(),
      sum() {
        if (!sum) throw new Error('The member was not read to its end')
        return sum
      },
    }
  }

  function count(name: MemberName, sum: Sum): void {
    if (name.kind === 'table') tables.push({ name: name.name, sum })
    else files.add(name, sum)
  }

  /** Whatever was left out or came twice. */
  function checkSums(said: Manifest): void {
    const { count, bytes, sha256 } = files.result()
    const isSame =
      said.tables.length === tables.length &&
      said.tables.every(({ name, sha256 }, at) => tables[at]?.name === name && tables[at].sum.sha256 === sha256) &&
      [said.files.count, said.files.bytes, said.files.sha256].join() === [count, bytes, sha256].join()
    if (!isSame) throw damagedHere()
  }

  return {
    head,
    beginning,
    get read() {
      return bytes.taken()
    },
    async next() {
      current?.sum()
      const read = await frame()
      if (read.kind === 'member') {
        current = memberOf(jsonOf(read))
        return current
      }
      if (read.kind !== 'end') throw damagedHere()
      const said: Manifest = jsonOf(read)
      checkSums(said)
      if (!(await bytes.isOver())) throw damagedHere()
      manifest = said
      return null
    },
    manifest() {
      if (!manifest) throw new Error('The backup was not read to its end')
      return manifest
    },
    close: bytes.close,
  }
}

async function readHead(take: Take): Promise<{ head: Head; raw: Uint8Array }> {
  const line = await take(MAGIC.length + 2).catch(() => null)
  const text = line === null ? '' : Buffer.from(line).toString('latin1')
  const form = /^(\d)\n$/.exec(text.slice(MAGIC.length))?.[1]
  if (line === null || !text.startsWith(MAGIC) || form === undefined) throw new BackupFault('BACKUP_NOT_ONE')
  if (Number(form) !== FORM) throw new BackupFault('BACKUP_NEWER', { version: `${MAGIC}${form}` })
  const length = await take(4)
  const size = length === null ? 0 : Buffer.from(length).readUInt32BE()
  if (size > MOST_HEAD) throw damaged('byte 0')
  const json = length && (await take(size))
  if (!length || !json) throw new BackupFault('BACKUP_CUT')
  const head = parsedHead(json)
  return { head, raw: Buffer.concat([line, length, json]) }
}

const MOST_HEAD = 4096

function parsedHead(json: Uint8Array): Head {
  try {
    const head: Head = JSON.parse(Buffer.from(json).toString())
    const { lock } = head
    if (
      typeof head.id === 'string' &&
      (lock === null || (typeof lock.salt === 'string' && typeof lock.check === 'string'))
    )
      return head
  } catch {
    // As below: what is no head was changed.
  }
  throw damaged('byte 0')
}

type Take = (bytes: number) => Promise<Uint8Array | null>

/** So many bytes at a time; null where they have ended. Throws `BACKUP_CUT` when they end before that many. */
function byteReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  let taken = 0

  async function take(bytes: number): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = []
    let missing = bytes
    while (missing > 0) {
      if (rest.length === 0) {
        const { done, value } = await iterator.next()
        if (done) break
        rest = value
        continue
      }
      const part = rest.subarray(0, missing)
      rest = rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    if (missing === bytes && bytes > 0) return null
    if (missing > 0) throw new BackupFault('BACKUP_CUT')
    taken += bytes
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  }
  return {
    take,
    taken: () => taken,
    /** Whether nothing, not a single byte, comes behind what was taken. */
    isOver: () => take(1).then(byte => byte === null),
    async close() {
      await iterator.return?.()
    },
  }
}

function jsonOf<T>({ bytes }: Frame): T {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    throw damaged('JSON')
  }
}

function labelOf(name: MemberName): string {
  return name.kind === 'table' ? name.name : name.kind === 'file' ? name.id : `${name.id}.${name.kind}`
}

function damaged(what: string): BackupFault {
  return new BackupFault('BACKUP_DAMAGED', { what })
}
