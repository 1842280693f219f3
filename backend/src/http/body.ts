// Reads bodies without ever holding more than allowed: refused by their announced length first, then by what really comes.
import { MB } from '@balcao/contract'
import { storable } from '../database/storable.ts'
import { AppError } from './errors.ts'

const JSON_LIMIT = 2 * MB
const DEEPEST = 100
/** Five times what the longest list of the contract has. */
const MOST_VALUES = 50_000
/** Well above Node's pool for small buffers. */
const SHARED_MOST = 32_768

/** The JSON of a request; an empty body is `undefined`. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, JSON_LIMIT)
  if (!isModest(bytes)) throw new AppError('ERR_BAD_REQUEST')
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return /\\u(0000|d[89a-f])/i.test(text) ? storable(value) : value
  } catch {
    throw new AppError('ERR_BAD_REQUEST')
  }
}

/**
 * Whether a JSON has no more values and lists within each other than anybody means: who makes values of the text, or walks through them by
 * itself, stands still for a second, or runs out of stack.
 */
function isModest(json: Uint8Array): boolean {
  let values = 0
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === BACKSLASH) at++
    else if (byte === QUOTE) isInText = !isInText
    else if (isInText) continue
    else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      depth++
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > MOST_VALUES || depth > DEEPEST) return false
  }
  return true
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}')

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
