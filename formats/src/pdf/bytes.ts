// The bytes of a document until they are taken. PDFKit makes bytes of every line of every object, and keeps every object: of a long table
// these are a million. Here lines are joined first, and small objects are packed by the hundred, which is a tenth of their size.
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'

/** So many lines are made bytes at once. */
const AT_ONCE = 5000
/** So many objects are one pack. */
const PACK = 200

/** What of PDFKit its types do not tell. */
interface Inner {
  /** Where each object begins, by its number; of one in a pack the number of the pack and its place in it, below zero. */
  readonly _offsets: (number | null)[]
  _offset: number
  readonly _root: {
    toString(): string
    readonly data: { readonly Pages: { readonly data: { readonly Count: number } } }
  }
  readonly _info: { toString(): string }
  info: Readonly<Record<string, unknown>>
  readonly _id: Uint8Array
  readonly page: { write(text: string): void } | null
  push(end: null): void
}

export class Bytes extends PDFDocument {
  // Set when first written to: PDFKit writes before it has made the document.
  declare private done: Uint8Array[] | undefined
  /** What was written since, a character each byte. */
  declare private lines: string[] | undefined
  /** What the page of now draws. */
  declare private drawn: string[] | undefined
  declare private packed: { readonly id: number; readonly text: string }[] | undefined

  /** How many pages there are so far. */
  get pages(): number {
    return this.inner._root.data.Pages.data.Count
  }

  /** All that was written since this was last asked. */
  taken(): Uint8Array[] {
    this.join()
    const { done = [] } = this
    this.done = []
    return done
  }

  /** The number of an object to come. */
  reserve(): number {
    return this.inner._offsets.push(null)
  }

  /** An object that is no stream, in characters of a byte each. */
  say(id: number, text: string): void {
    this.packed ??= []
    if (this.packed.push({ id, text }) >= PACK) this.pack()
  }

  /** A page is drawn as one text. */
  override addContent(data: unknown): this {
    this.drawn ??= []
    this.drawn.push(String(data))
    return this
  }

  override flushPages(): void {
    const { drawn = [] } = this
    this.drawn = []
    if (drawn.length > 0) this.inner.page?.write(drawn.join('\n'))
    super.flushPages()
  }

  /** PDFKit puts what a document is called into its XML as it stands. */
  override endMetadata(): void {
    const { inner } = this
    const escaped = Object.entries(inner.info).map(([name, value]) => [
      name,
      typeof value === 'string' ? inXml(value) : value,
    ])
    inner.info = Object.fromEntries(escaped)
    super.endMetadata()
  }

  /** PDFKit's one way out; `_offset` is what it counts. */
  _write(data: string | Uint8Array): void {
    const { inner } = this
    if (typeof data === 'string') {
      this.lines ??= []
      inner._offset += data.length + 1
      if (this.lines.push(data) >= AT_ONCE) this.join()
    } else {
      this.join()
      this.done?.push(data)
      inner._offset += data.length
    }
  }

  /** At the end PDFKit writes a table of where everything is, which has no places in packs: this one is a stream (PDF 1.5). */
  _finalize(): void {
    this.pack()
    const { inner } = this
    const id = this.reserve()
    const place = inner._offset
    inner._offsets[id - 1] = place
    const file = `<${Buffer.from(inner._id).toString('hex')}>`
    const dictionary = `/Type/XRef/Size ${inner._offsets.length + 1}/W[1 5 2]/Root ${inner._root}/Info ${inner._info}/ID[${file}${file}]`
    this.writeStream(id, dictionary, encodeOffsets(inner._offsets))
    this._write(`startxref\n${place}\n%%EOF`)
    inner.push(null)
  }

  private get inner(): Inner {
    return this as unknown as Inner
  }

  private join(): void {
    this.done ??= []
    if (this.lines) this.done.push(Buffer.from(`${this.lines.join('\n')}\n`, 'latin1'))
    this.lines = undefined
  }

  private pack(): void {
    const { packed = [], inner } = this
    this.packed = []
    if (packed.length === 0) return
    const pack = this.reserve()
    const heads: string[] = []
    let at = 0
    for (const [nth, { id, text }] of packed.entries()) {
      heads.push(`${id} ${at}`)
      at += text.length + 1
      inner._offsets[id - 1] = -(pack * PACK + nth)
    }
    const head = `${heads.join(' ')}\n`
    const bytes = Buffer.from(head + packed.map(({ text }) => text).join('\n'), 'latin1')
    this.writeStream(pack, `/Type/ObjStm/N ${packed.length}/First ${head.length}`, bytes)
  }

  private writeStream(id: number, text: string, bytes: Uint8Array): void {
    const small = deflateSync(bytes)
    this.inner._offsets[id - 1] = this.inner._offset
    this._write(`${id} 0 obj\n<<${text}/Filter/FlateDecode/Length ${small.length}>>\nstream`)
    this._write(small)
    this._write('\nendstream\nendobj')
  }
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const ENTRY = 8

/** A byte for the kind, five for the place or the pack, two for the place in the pack. */
function encodeOffsets(offsets: readonly (number | null)[]): Uint8Array {
  const bytes = Buffer.alloc((offsets.length + 1) * ENTRY)
  bytes.writeUInt16BE(0xffff, ENTRY - 2)
  for (const [at, offset] of offsets.entries()) {
    if (offset === null) continue
    const from = (at + 1) * ENTRY
    bytes.writeUInt8(offset < 0 ? 2 : 1, from)
    bytes.writeUIntBE(offset < 0 ? Math.floor(-offset / PACK) : offset, from + 1, 5)
    bytes.writeUInt16BE(offset < 0 ? -offset % PACK : 0, from + 6)
  }
  return bytes
}
