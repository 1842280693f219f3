// The bytes of a document until they are taken. PDFKit pushes every line of every object through a stream of Node as an array of its own:
// of a long table that is a million of them.
import PDFDocument from 'pdfkit'

/** So many lines are made bytes at once. */
const AT_ONCE = 5000

export class Bytes extends PDFDocument {
  // Set when first written to: PDFKit writes before it has made the document.
  declare private done: Uint8Array[] | undefined
  /** What was written since, a character each byte. */
  declare private lines: string[] | undefined

  /** How many pages there are so far. */
  get pages(): number {
    const { _root: root } = this as unknown as { _root: { data: { Pages: { data: { Count: number } } } } }
    return root.data.Pages.data.Count
  }

  /** All that was written since this was last asked. */
  taken(): Uint8Array[] {
    this.join()
    const { done = [] } = this
    this.done = []
    return done
  }

  /** PDFKit's one way out; `_offset` is what it counts. */
  _write(data: string | Uint8Array): void {
    const inner = this as unknown as { _offset: number }
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

  private join(): void {
    this.done ??= []
    if (this.lines) this.done.push(Buffer.from(`${this.lines.join('\n')}\n`, 'latin1'))
    this.lines = undefined
  }
}
