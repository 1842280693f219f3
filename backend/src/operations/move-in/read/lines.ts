// Lines of a file that may be many gigabytes: as they come, no more of it in memory than one chunk and one line.
import { AppError } from '../../../platform/http/errors.ts'
import { decodeTexts } from './encoding.ts'

const MOST_CHARACTERS = 64 << 20
const GZIP = [0x1f, 0x8b]

/** The lines of a text, chunk by chunk; packed ones are unpacked. Throws `ERR_MOVE_IN_UNREADABLE`, `ERR_MOVE_IN_CUT`. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const { first, all } = await peek(bytes)
  const unpacked = startsWith(first, GZIP) ? unpack(all) : all
  let begun: string[] = []
  let size = 0
  for await (const text of decodeTexts(unpacked)) {
    size += text.length
    if (size > MOST_CHARACTERS) throw new AppError('ERR_MOVE_IN_UNREADABLE')
    begun.push(text)
    if (!text.includes('\n')) continue
    const lines = begun.join('').split('\n')
    const rest = lines.pop() ?? ''
    begun = [rest]
    size = rest.length
    yield lines.map(stripReturn)
  }
  const rest = begun.join('')
  if (rest !== '') yield [stripReturn(rest)]
}

function stripReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function startsWith(bytes: Uint8Array, sign: readonly number[]): boolean {
  return sign.every((byte, at) => bytes[at] === byte)
}

async function peek(bytes: AsyncIterable<Uint8Array>): Promise<{ first: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const { value: first = new Uint8Array(), done } = await iterator.next()
  async function* replay(): AsyncGenerator<Uint8Array> {
    if (done) return
    yield first
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { first, all: replay() }
}

async function* unpack(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { createGunzip } = await import('node:zlib')
  const { Readable } = await import('node:stream')
  const gunzip = createGunzip()
  const source = Readable.from(bytes)
  source.on('error', error => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip)
  } catch (error) {
    const isCut = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'
    throw new AppError(isCut ? 'ERR_MOVE_IN_CUT' : 'ERR_MOVE_IN_UNREADABLE')
  }
}
