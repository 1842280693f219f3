// Reads backups as versions up to 7.1 wrote them (docs/decisions/0229): frames that are packed and sealed one by one. Goes with 8.0.
import { createDecipheriv, createHash, createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import { BackupFault } from './fault.ts'
import type { Checksum, FormReader, Manifest, MemberName } from './format.ts'
import { damaged, memberSums, startSum } from './sums.ts'

export const OLD_MAGIC = 'BALCAO BACKUP '
const LONGEST = 2 * 1024 * 1024
const MOST_HEAD = 4096
const TAG = 16
const PACKED = 1
const STRETCH = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
/** The kinds of frames, by the number they have. */
const KINDS = ['beginning', 'member', 'data', 'memberEnd', 'end'] as const

interface Frame {
  readonly kind: (typeof KINDS)[number]
  readonly bytes: Uint8Array
}

interface Head {
  readonly lock: { readonly salt: string; readonly check: string } | null
}

type Take = (bytes: number) => Promise<Buffer | null>

export async function readOldForm(source: AsyncGenerator<Uint8Array>, text: string | null): Promise<FormReader> {
  const take = takeFrom(source)
  const { head, raw } = await readHead(take)
  if (head.lock === null && text !== null) throw new BackupFault('BACKUP_KEY_UNUSED')
  const key = head.lock && openLock(head.lock, text)
  const sums = memberSums()
  let count = 0
  let manifest: Manifest | undefined

  async function readFrame(): Promise<Frame> {
    const length = await take(4)
    const size = length?.readUInt32BE() ?? 0
    if (length && (size < TAG + 2 || size > LONGEST)) throw damaged(`#${count}`)
    const sealed = length && (await take(size))
    if (!sealed) throw new BackupFault('BACKUP_CUT')
    const body = openFrame(raw, key, count, sealed)
    const [kind, bytes] = [KINDS[body[0] ?? -1], body.subarray(2)]
    if (kind === undefined) throw damaged(`#${count}`)
    count++
    return { kind, bytes: body[1] === PACKED ? await Bun.zstdDecompress(bytes) : bytes }
  }

  async function* readMember(name: MemberName): AsyncGenerator<Uint8Array> {
    const sum = startSum()
    let frame = await readFrame()
    for (; frame.kind === 'data'; frame = await readFrame()) {
      sum.update(frame.bytes)
      yield frame.bytes
    }
    const [found, declared] = [sum.result(), parse<Checksum>(frame)]
    if (frame.kind !== 'memberEnd' || declared.bytes !== found.bytes || declared.sha256 !== found.sha256)
      throw damaged(name.kind === 'table' ? name.name : name.id)
    sums.add(name, found)
  }

  const beginning = await readFrame()
  if (beginning.kind !== 'beginning') throw damaged('#0')
  return {
    beginning: parse(beginning),
    async next() {
      const frame = await readFrame()
      if (frame.kind === 'member') {
        const name = parse<MemberName>(frame)
        return { name, bytes: readMember(name) }
      }
      if (frame.kind !== 'end') throw damaged(`#${count}`)
      const said = parse<Manifest>(frame)
      sums.compare(said)
      if ((await take(1)) !== null) throw damaged(`#${count}`)
      manifest = said
      return null
    },
    manifest() {
      if (!manifest) throw new Error('The backup was not read to its end')
      return manifest
    },
  }
}

async function readHead(take: Take): Promise<{ head: Head; raw: Buffer }> {
  const line = await take(OLD_MAGIC.length + 2)
  const form = line?.toString('latin1', OLD_MAGIC.length)
  if (line && form !== '1\n') throw new BackupFault('BACKUP_NEWER', { version: `${OLD_MAGIC}${form?.trim()}` })
  const length = line && (await take(4))
  const size = length?.readUInt32BE() ?? 0
  if (size > MOST_HEAD) throw damaged('byte 0')
  const json = length && (await take(size))
  if (!json) throw new BackupFault('BACKUP_CUT')
  return { head: parse({ kind: 'beginning', bytes: json }), raw: Buffer.concat([line, length, json]) }
}

function openLock({ salt, check }: NonNullable<Head['lock']>, text: string | null): Buffer {
  if (text === null) throw new BackupFault('BACKUP_KEY_NEEDED')
  const key = scryptSync(text.trim(), Buffer.from(salt, 'hex'), 32, STRETCH)
  if (createHmac('sha256', key).update('backup').digest('hex').slice(0, 32) !== check)
    throw new BackupFault('BACKUP_KEY_WRONG')
  return key
}

function openFrame(head: Buffer, key: Buffer | null, count: number, sealed: Buffer): Buffer {
  const [body, tag] = [sealed.subarray(0, -TAG), sealed.subarray(-TAG)]
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(count), 4)
  try {
    if (key !== null) {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(head).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()])
    }
    const found = createHash('sha256').update(head).update(nonce).update(body).digest().subarray(0, TAG)
    if (timingSafeEqual(tag, found)) return body
  } catch {
    // Said below: it is the same with a key and without.
  }
  throw damaged(`#${count}`)
}

/** So many bytes at a time; null where they have ended. Throws `BACKUP_CUT` when they end before that many. */
function takeFrom(source: AsyncGenerator<Uint8Array>): Take {
  let rest = Buffer.alloc(0)
  return async bytes => {
    const parts = [rest]
    let held = rest.length
    while (held < bytes) {
      const next = await source.next()
      if (next.done) break
      parts.push(Buffer.from(next.value))
      held += next.value.length
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts)
    if (all.length === 0 && bytes > 0) return null
    if (all.length < bytes) throw new BackupFault('BACKUP_CUT')
    rest = all.subarray(bytes)
    return all.subarray(0, bytes)
  }
}

function parse<T>({ bytes }: Frame): T {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    throw damaged('JSON')
  }
}
