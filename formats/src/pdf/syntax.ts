// Numbers and texts as PDF writes them.

export function formatNumber(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}

/** A text of any letters. */
export function encodeUtf16(text: string): string {
  return `<feff${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex')}>`
}

/** `12 0 R`: an object by its number. PDFKit writes it as it stands. */
export class Reference {
  /** What has a name of its own is no dictionary to PDFKit. */
  readonly [Symbol.toStringTag] = 'Reference'

  constructor(readonly id: number) {}

  toString(): string {
    return `${this.id} 0 R`
  }
}
