// Reads bodies without ever holding more than allowed: refused by their announced length first, then by what really comes.
import { MB } from '@balcao/contract'
import { storable } from '../database/storable.ts'
import { AppError } from './errors.ts'

const JSON_LIMIT = 2 * MB
const DEEPEST = 100
/** Well above Node's pool for small buffers. */
const SHARED_MOST = 32_768

/** The JSON of a request; an empty body is `undefined`. */
export async function readJson(request: Request): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(request, JSON_LIMIT))
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isTooDeep(value)) throw new AppError('ERR_BAD_REQUEST')
    return /\\u(0000|d[89a-f])/i.test(text) ? storable(value) : value
  } catch {
    throw new AppError('ERR_BAD_REQUEST')
  }
}

/** Further than anybody means: what walks through such a value by itself runs out of stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((one): unknown[] => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/**
 * The chunks of a body as they come, each good until the next is asked for: its memory is then given back at once. Left to the
 * collector, five large uploads at a time hold a hundred megabytes of chunks that were written long ago.
 */
export async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  for await (const chunk of body ?? []) {
    yield chunk
    giveBack(chunk)
  }
}

/** Only large buffers that hold nothing else: small ones share theirs. */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength >= SHARED_MOST) buffer.transfer(0)
}

/** The bytes of a body, at most `most`. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  refuseAnnounced(request, most)
  return Buffer.concat(await Array.fromAsync(atMost(request.body ?? [], most)))
}

/** Before anything of it is read. */
export function refuseAnnounced({ headers }: Request, most: number): void {
  if (Number(headers.get('content-length') ?? '0') > most) throw new AppError('ERR_BODY_TOO_LARGE')
}

/** The chunks of a body until there are more than allowed. */
export async function* atMost<Chunk extends Uint8Array>(
  body: AsyncIterable<Chunk> | readonly Chunk[],
  most: number,
): AsyncGenerator<Chunk> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > most) throw new AppError('ERR_BODY_TOO_LARGE')
    yield chunk
  }
}
