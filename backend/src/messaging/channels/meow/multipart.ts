// A form with a file, streamed: `FormData` would take the whole file into memory.
import { toReadableStream } from '../shared/readable-stream.ts'

export interface FormPart {
  readonly name: string
  /** Words, or a file by its path, or its bytes. */
  readonly value: string | { readonly file: Blob; readonly name: string; readonly mime: string }
}

/** The body of a form and the headers it goes with. */
export function encodeMultipart(parts: readonly FormPart[]): { body: ReadableStream; headers: Record<string, string> } {
  const boundary = `----balcao${crypto.randomUUID().replaceAll('-', '')}`
  const pieces: (Buffer | Blob)[] = parts.flatMap(part => [
    renderPartHead(boundary, part),
    ...toPieces(part),
    Buffer.from('\r\n'),
  ])
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  const size = pieces.reduce((sum, piece) => sum + ('size' in piece ? piece.size : piece.length), 0)
  return {
    body: toReadableStream(readPieces(pieces), () => {}),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(size) },
  }
}

function renderPartHead(boundary: string, { name, value }: FormPart): Buffer {
  const isFile = typeof value !== 'string'
  const file = isFile ? `; filename="${quoted(value.name)}"\r\nContent-Type: ${value.mime.replace(/[\r\n]/g, '')}` : ''
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`)
}

function toPieces({ value }: FormPart): (Buffer | Blob)[] {
  return [typeof value === 'string' ? Buffer.from(value) : value.file]
}

async function* readPieces(pieces: readonly (Buffer | Blob)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (!('size' in piece)) yield piece
    else yield* piece.stream()
  }
}

/** As browsers write names in a form. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replace(/\r?\n|\r/g, ' ')
}
