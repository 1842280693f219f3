// A form with files: its texts in memory, its files on the disk as they come in, and gone after the request unless they were kept.
import { rm } from 'node:fs/promises'
import { LIMITS, MB } from '@balcao/contract'
import { toStorableText } from '../../platform/database/storable.ts'
import { checkAnnouncedSize, limitBytes, streamChunks, takeBodyTurn } from '../../platform/http/body.ts'
import { AppError } from '../../platform/http/errors.ts'
import { PEOPLE } from '../../platform/http/in-flight.ts'
import { parseMultipart } from '../../platform/http/multipart.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { receiveFile } from './folder.ts'
import type { ReceivedFile } from './store.ts'

export interface UploadForm {
  /** The first text of this name, without what a database cannot keep. */
  text(name: string): string | null
  readonly texts: Readonly<Record<string, string>>
  /** Files under these names, or all. */
  files(...names: string[]): ReceivedFile[]
}

const TEXTS_LIMIT = 2 * MB
/** Each becomes a message of its own, or a row: nobody picks more at once, and a thousand keep a request busy for half a minute. */
const MOST_FILES = 100

/** A call whose body is a form. */
export interface FormCall<S> {
  readonly request: Request
  readonly address: string
  readonly admitted: () => Promise<S>
}

/**
 * Reads a form of at most `most` bytes for as long as `work` goes on, which is given who is asking as it is after the last of it came:
 * files come slowly, and who was let out or lost a right meanwhile is out. Throws `ERR_BAD_REQUEST`, `ERR_BODY_TOO_LARGE`, `ERR_NO_SPACE`, and as `BytesInFlight`.
 */
export async function readForm<T, S>(
  { config }: Pick<Parts, 'config'>,
  { request, address, admitted }: FormCall<S>,
  work: (form: UploadForm, session: S) => Promise<T>,
  most: number = LIMITS.body,
): Promise<T> {
  checkAnnouncedSize(request, most)
  const type = request.headers.get('content-type') ?? ''
  const texts = new Map<string, string>()
  const files: { field: string; file: ReceivedFile }[] = []
  const flight = PEOPLE.begin(address)
  let textsLeft = TEXTS_LIMIT
  try {
    for await (const part of parseMultipart(limitBytes(streamChunks(request), most), type)) {
      if (part.filename !== null) {
        if (files.length === MOST_FILES) throw new AppError('ERR_BAD_REQUEST')
        const file = await receiveFile(config.dataDir, part.bytes, Number.POSITIVE_INFINITY)
        files.push({ field: part.name, file: { ...file, name: part.filename, type: part.type } })
      } else {
        flight.hold(part.name.length)
        const chunks = await Array.fromAsync(limitBytes(part.bytes, textsLeft), chunk => {
          flight.hold(chunk.byteLength)
          return Buffer.from(chunk)
        })
        await takeBodyTurn(chunks.reduce((sum, { length }) => sum + length, 0))
        const text = Buffer.concat(chunks)
        textsLeft -= text.length
        if (!texts.has(part.name)) texts.set(part.name, decodeFieldText(text))
      }
    }
    const form: UploadForm = {
      texts: Object.fromEntries(texts),
      text: name => texts.get(name) ?? null,
      files: (...names) =>
        files.flatMap(({ field, file }) => (names.length === 0 || names.includes(field) ? file : [])),
    }
    return await work(form, await admitted())
  } finally {
    flight.end()
    for (const { file } of files) await rm(file.path, { force: true })
  }
}

/**
 * A browser sends the ends of lines in a form as two signs; on a phone they would be two. Left out among the bytes: to replace a million in
 * a text takes ten times as long.
 */
function decodeFieldText(bytes: Buffer): string {
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte !== CR || bytes[at + 1] !== LF) bytes[length++] = byte
  }
  return toStorableText(bytes.toString('utf8', 0, length))
}

const [CR, LF] = Buffer.from('\r\n')
