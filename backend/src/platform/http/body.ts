// Reads bodies without ever holding more than allowed: refused by their announced length first, then by what really comes.
import { MB } from '@balcao/contract'
import { toStorable } from '../database/storable.ts'
import { AppError } from './errors.ts'
import { type BytesInFlight, PEOPLE, STRANGERS } from './in-flight.ts'
import { createRounds, createTurns } from './turns.ts'

/** What a body may be: its bytes, the seconds until the last of them, and whose memory it takes. */
export interface BodyLimits {
  readonly most: number
  readonly seconds: number
  readonly inFlight: BytesInFlight
}

/** Of people with a session. */
export const JSON_LIMITS: BodyLimits = { most: 2 * MB, seconds: 60, inFlight: PEOPLE }
/** Of the calls anybody may make: an e-mail address and a password. */
export const PUBLIC_LIMITS: BodyLimits = { most: 8192, seconds: 10, inFlight: STRANGERS }
/** A file of 100 MB over the slowest line of a phone. */
const FILE_SECONDS = 3600
const DEEPEST = 100
/** Five times what the longest list of the contract has. */
const MOST_VALUES = 50_000
/** Well above Node's pool for small buffers. */
const SHARED_MOST = 32_768

const takeTurn = createTurns()
const takeRound = createRounds()

/** What came of many bodies at once is looked at in turns, beside those of the requests: who only asks waits for no body. */
export function takeBodyTurn(bytes = 0): Promise<void> {
  return bytes >= SHARED_MOST ? takeRound() : takeTurn()
}

/** The JSON of a request; an empty body is `undefined`. Throws `ERR_BAD_REQUEST` for what is none or does not call itself so. */
export async function readJson(request: Request, address: string, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBytes(request, address, limits)
  // A form of another site's page has another type, and needs nobody's leave to be sent.
  if (bytes.length > 0 && !isJsonType(request)) throw new AppError('ERR_BAD_REQUEST')
  await takeBodyTurn(bytes.length)
  if (!isModest(bytes)) throw new AppError('ERR_BAD_REQUEST')
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return /\\u(0000|d[89a-f])/i.test(text) ? toStorable(value) : value
  } catch {
    throw new AppError('ERR_BAD_REQUEST')
  }
}

/** The value of a JSON of at most so many characters that stands in a field of a form. Throws `ERR_BAD_REQUEST`. */
export function parseFieldJson(text: string, most: number): unknown {
  if (text.length > most || !isModest(Buffer.from(text))) throw new AppError('ERR_BAD_REQUEST')
  try {
    return JSON.parse(text)
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
export async function* streamChunks(request: Request, seconds = FILE_SECONDS): AsyncGenerator<Uint8Array> {
  for await (const chunk of inTime(request, seconds)) {
    yield chunk
    releaseBuffer(chunk)
  }
}

/** The chunks of a body. Throws `ERR_BODY_TOO_SLOW` when the last has not come after so many seconds, however often one comes. */
async function* inTime({ body }: Request, seconds: number): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  const late = startDeadline(seconds)
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late.promise])
      if (done) return
      await takeBodyTurn(value.byteLength)
      yield value
    }
  } finally {
    late.clear()
    reader.cancel().catch(() => {})
  }
}

/** A promise that is refused as `ERR_BODY_TOO_SLOW` after so many seconds, unless it is cleared. */
function startDeadline(seconds: number): { readonly promise: Promise<never>; clear(): void } {
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => {})
  const timer = setTimeout(() => late.reject(new AppError('ERR_BODY_TOO_SLOW', undefined, CLOSING)), seconds * 1000)
  return { promise: late.promise, clear: () => clearTimeout(timer) }
}

/** Whatever else comes over this connection is the rest of a body nobody reads. */
const CLOSING = { connection: 'close' }

/** Only large buffers that hold nothing else: small ones share theirs. */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength >= SHARED_MOST) buffer.transfer(0)
}

/** The bytes of a body. Throws `ERR_BODY_TOO_LARGE`, `ERR_BODY_TOO_SLOW`, and as `BytesInFlight`. */
export async function readBytes(
  request: Request,
  address: string,
  { most, seconds, inFlight }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  checkAnnouncedSize(request, most)
  const flight = inFlight.begin(address)
  try {
    const announced = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
    if (announced < SHARED_MOST) {
      flight.hold(announced)
      return await readSmallBody(request, seconds)
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of limitBytes(inTime(request, seconds), most)) {
      flight.hold(chunk.byteLength)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    flight.end()
  }
}

/** A body that says how small it is comes in one piece, without a stream of its own. */
async function readSmallBody(request: Request, seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const late = startDeadline(seconds)
  try {
    const bytes = await Promise.race([request.bytes(), late.promise])
    await takeBodyTurn(bytes.byteLength)
    return bytes
  } finally {
    late.clear()
  }
}

/** Whether a request says that it brings JSON. */
export function isJsonType({ headers }: Request): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '')
}

/** Before anything of it is read. */
export function checkAnnouncedSize({ headers }: Request, most: number): void {
  if (Number(headers.get('content-length') ?? '0') > most) throw new AppError('ERR_BODY_TOO_LARGE')
}

/** The chunks of a body until there are more than allowed. */
export async function* limitBytes<Chunk extends Uint8Array>(
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
