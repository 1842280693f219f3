// The archive of a backup (docs/decisions/0229): an ordinary tar of tables, files and a manifest, which `tar` takes apart without us.
import { pack } from 'tar-stream'
import type { ArchiveManifest, MemberName } from './format.ts'

/** The number of the form of everything in it; 1 was none of tar. */
export const FORM = 2
export const BEGINNING = 'balcao.json'
export const MANIFEST = 'manifest.json'
/** A table comes in parts of so many bytes, since a tar says the length of each file first; each is packed by itself. */
export const PART_BYTES = 4 * 1024 * 1024
/** What age seals at once. */
export const SEALED_BYTES = 64 * 1024

type FileName = Extract<MemberName, { id: string }>

/** @example getPartPath('public.message', 1) // 'tables/public.message/000001.copy.zst' */
export function getPartPath(table: string, part: number): string {
  return `tables/${encodeURIComponent(table)}/${String(part).padStart(6, '0')}.copy.zst`
}

/** As the file lies in DATA_DIR. */
export function getFilePath({ kind, id }: FileName): string {
  return `media/${id.slice(0, 2)}/${id}${kind === 'thumb' ? '.thumb' : ''}`
}

/** Null: no path of a backup. */
export function parseMemberPath(path: string): MemberName | null {
  const [, id, thumb] = /^media\/[\w-]{2}\/([\w-]{10,64})(\.thumb)?$/.exec(path) ?? []
  if (id !== undefined) return { kind: thumb === undefined ? 'file' : 'thumb', id }
  const [, table] = /^tables\/([^/]+)\/\d+\.copy\.zst$/.exec(path) ?? []
  try {
    return table === undefined ? null : { kind: 'table', name: decodeURIComponent(table) }
  } catch {
    return null
  }
}

/** The header of a file in the archive. */
export function getHeader(name: string, size: number, at: string) {
  return { name, size, mode: 0o600, mtime: new Date(at) }
}

/**
 * Everything behind the last member, made alike by who writes and who reads: the manifest, filled up with blanks, and the end of the tar.
 * Only that end is in the last bytes that age seals, so whatever ends there too early or too late is told apart from what was changed.
 */
export async function makeTail(manifest: ArchiveManifest, at: string): Promise<Buffer> {
  const text = JSON.stringify(manifest)
  const end = manifest.archive.bytes + HEADER_BYTES + Buffer.byteLength(text)
  const json = Buffer.from(text + ' '.repeat(Math.ceil(end / SEALED_BYTES) * SEALED_BYTES - end))
  const tar = pack()
  tar.entry(getHeader(MANIFEST, json.length, at), json)
  tar.finalize()
  return Buffer.concat(await Array.fromAsync(readBytes(tar)))
}

const HEADER_BYTES = 512

/** What a stream of the library gives, which does not say that it is bytes. */
export async function* readBytes(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk
}

/** The same bytes in pieces of one size, but for the last. */
export async function* splitEvenly(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let held = 0
  for await (const part of bytes) {
    for (let at = 0; at < part.length; ) {
      const piece = part.subarray(at, at + size - held)
      parts.push(piece)
      held += piece.length
      at += piece.length
      if (held < size) continue
      yield Buffer.concat(parts)
      parts = []
      held = 0
    }
  }
  if (held > 0) yield Buffer.concat(parts)
}
