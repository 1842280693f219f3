// The parts of a multipart body one after another as they stream in: never more of it in memory than a chunk and a line.
import { releaseBuffer, takeBodyTurn } from './body.ts'
import { AppError } from './errors.ts'

export interface Part {
  readonly name: string
  /** Null: a field of text. */
  readonly filename: string | null
  readonly type: string
  /** Its bytes, to be read before the next part is asked for; each chunk is good until the next. */
  readonly bytes: AsyncIterable<Uint8Array>
}

const MOST_PARTS = 1000
const LONGEST_HEAD = 4096
const LINE = '\r\n'

/** Reads a body of this content type. Throws `ERR_BAD_REQUEST` for what is no form or ends too soon. */
export async function* parseMultipart(body: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<Part> {
  const boundary = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (name === undefined) throw new AppError('ERR_BAD_REQUEST')
  const text = new Cutter(body)
  const end = `${LINE}--${name}`
  try {
    for await (const _preamble of text.until(end));
    for (let count = 0; (await text.peek(2)) !== '--'; count++) {
      // A thousand small parts may have come at once.
      await takeBodyTurn()
      const head = await text.head()
      if (count === MOST_PARTS || head === null) throw new AppError('ERR_BAD_REQUEST')
      const bytes = text.until(end)
      yield { ...head, bytes }
      for await (const _unread of bytes);
    }
  } finally {
    await text.close()
  }
}

class Cutter {
  private readonly chunks: AsyncIterator<Uint8Array>
  /** The first delimiter may stand at the very beginning, as if after a line. */
  private whole: Buffer = Buffer.from(LINE)
  private rest: Buffer = this.whole

  constructor(body: AsyncIterable<Uint8Array>) {
    this.chunks = body[Symbol.asyncIterator]()
  }

  /** What comes before these characters, which are left out. */
  async *until(mark: string): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.rest.indexOf(mark)
      const ready = at >= 0 ? at : Math.max(0, this.rest.length - mark.length + 1)
      const bytes = this.rest.subarray(0, ready)
      this.rest = this.rest.subarray(at >= 0 ? at + mark.length : ready)
      if (bytes.length > 0) yield bytes
      if (at >= 0) return
      await this.more()
    }
  }

  async peek(length: number): Promise<string> {
    while (this.rest.length < length) await this.more()
    return this.rest.toString('latin1', 0, length)
  }

  /** The lines above a part's bytes; null for a part that has no name. */
  async head(): Promise<Omit<Part, 'bytes'> | null> {
    const end = LINE + LINE
    while (this.rest.indexOf(end) < 0) {
      if (this.rest.length > LONGEST_HEAD) throw new AppError('ERR_BAD_REQUEST')
      await this.more()
    }
    const at = this.rest.indexOf(end)
    const lines = this.rest.toString('utf8', 0, at).split(LINE)
    this.rest = this.rest.subarray(at + end.length)
    const headerOf = (header: string) =>
      lines.find(line => line.toLowerCase().startsWith(`${header}:`))?.slice(header.length + 1)
    const disposition = headerOf('content-disposition') ?? ''
    const name = parameter(disposition, 'name')
    if (name === null) return null
    return { name, filename: parseFilename(disposition), type: headerOf('content-type')?.trim() ?? '' }
  }

  /** Nobody reads the rest: it is not kept. */
  async close(): Promise<void> {
    await this.chunks.return?.()
  }

  private async more(): Promise<void> {
    const { done, value } = await this.chunks.next()
    if (done) throw new AppError('ERR_BAD_REQUEST')
    const before = this.whole
    this.whole = Buffer.allocUnsafeSlow(this.rest.length + value.length)
    this.whole.set(this.rest)
    this.whole.set(value, this.rest.length)
    this.rest = this.whole
    releaseBuffer(before)
  }
}

/** Browsers write quotes and line ends as %22, %0D and %0A and nothing else so; other programs put a backslash before a quote. */
function parameter(disposition: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^;\\s]+))`, 'i').exec(disposition)
  const value = found?.[1] ?? found?.[2]
  return value?.replaceAll('\\"', '"').replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n') ?? null
}

/** Some programs write a name with accents as `filename*=UTF-8''boleto%20n%C2%BA`. */
function parseFilename(disposition: string): string | null {
  const encoded = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {} // not what it says: the plain name stands beside it
  return parameter(disposition, 'filename')
}
