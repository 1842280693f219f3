// Reads bodies without ever holding more than allowed: refused by their announced length first, then by what really comes.
import { LIMITS, MB } from '@balcao/contract'
import { AppError } from './errors.ts'
import { storable } from './validate.ts'

const JSON_LIMIT = 2 * MB

/** The JSON of a request; an empty body is `undefined`. */
export async function readJson(request: Request): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(request, JSON_LIMIT))
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return /\\u(0000|d[89a-f])/i.test(text) ? storable(value) : value
  } catch {
    throw new AppError('ERR_BAD_REQUEST')
  }
}

/** The fields and files of a form; all of it at most `most` bytes. */
export async function readForm(request: Request, most: number = LIMITS.body): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw new AppError('ERR_BAD_REQUEST')
  const bytes = await readBytes(request, most)
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new AppError('ERR_BAD_REQUEST')
  }
}

/** The bytes of a body, at most `most`. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length') ?? '0')
  if (announced > most) throw new AppError('ERR_BODY_TOO_LARGE')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > most) throw new AppError('ERR_BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
