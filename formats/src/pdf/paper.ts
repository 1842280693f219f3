// Pages, one after the other: what is drawn goes out when its page is full. Coordinates are PDFKit's: points from the upper left corner.
import type { Language } from '@balcao/contract'
import { Bytes } from './bytes.ts'
import type { DocumentHead, Words } from './document.ts'
import { Faces, renderPiece } from './faces.ts'
import { breakLines, cleanText, computeOffsets, measureWidth, type TextLine, type TextStyle } from './lines.ts'
import { COLORS, PAGE, STYLES, toColor } from './looks.ts'
import { encodeUtf16, formatNumber } from './syntax.ts'
import { Tags } from './tags.ts'

const LANG: Record<Language, string> = { pt: 'pt-BR', en: 'en', es: 'es' }
const PAGE_OF: Record<Language, (page: number, pages: number) => string> = {
  pt: (page, pages) => `Página ${page} de ${pages}`,
  en: (page, pages) => `Page ${page} of ${pages}`,
  es: (page, pages) => `Página ${page} de ${pages}`,
}

export class Paper {
  readonly doc: Bytes
  readonly faces: Faces
  readonly tags: Tags
  /** Where the next thing begins. */
  y: number = PAGE.top
  /** Where on each page its number goes: it is drawn when it is known how many there are. */
  private readonly numbers: PDFKit.PDFKitReference[] = []
  /** Drawn again at the top of each page, while a table goes on. */
  onNewPage: (() => void) | null = null

  constructor(private readonly head: DocumentHead) {
    this.doc = new Bytes(buildOptions(head))
    this.faces = new Faces(this.doc)
    this.tags = new Tags(this.doc)
    this.begin()
  }

  /** What is left of the page. */
  get room(): number {
    return PAGE.bottom - this.y
  }

  /** Goes on on a new page where this one has no room for so much. */
  need(height: number): void {
    if (this.room < height && this.y > PAGE.top) this.newPage()
  }

  newPage(): void {
    this.tags.pageDone()
    this.begin()
    this.onNewPage?.()
  }

  lines(words: Words, style: TextStyle, width: number, most?: number): TextLine[] {
    return breakLines(this.faces, words, style, { width, ...(most === undefined ? {} : { most }) })
  }

  /** Lines below each other, the first from `y` on; gives where the next would be. */
  write(lines: readonly TextLine[], style: TextStyle, x: number, y: number, right?: number): number {
    let at = y
    for (const line of lines) {
      this.writeLine(line, style, right === undefined ? x : right - line.width, at)
      at += style.leading
    }
    return at
  }

  /** A text on one line. */
  writeText(
    text: string,
    style: TextStyle,
    x: number,
    y: number,
    { right, width = 500 }: { right?: number; width?: number } = {},
  ): void {
    this.write(this.lines(text, style, width, 1), style, x, y, right)
  }

  widthOf(text: string, style: TextStyle): number {
    return measureWidth(this.faces, cleanText(text, 500), style)
  }

  /** From the left margin on; a table has as many as rows. */
  rule(y: number, right: number, color: string, width: number): void {
    this.doc.addContent(
      `${formatNumber(width)} w ${rgb(color)} RG ${PAGE.left} ${formatNumber(y)} m ${formatNumber(right)} ${formatNumber(y)} l S`,
    )
  }

  /** A mark of a colour before a text that names it. */
  dot(x: number, middle: number, color: string): void {
    this.doc.roundedRect(x, middle - 2.6, 5.2, 5.2, 1.4).fill(toColor(color))
  }

  /** The last page, and the numbers of all. */
  end(): void {
    const pages = this.numbers.length
    for (const [at, place] of this.numbers.entries()) this.number(place, PAGE_OF[this.head.language](at + 1, pages))
    this.tags.pageDone()
    this.tags.root.end()
    this.doc.end()
  }

  private writeLine({ drawn }: TextLine, { size, leading, color }: TextStyle, x: number, y: number): void {
    const baseline = y + leading / 2 + size * 0.36
    const offsets = computeOffsets(drawn)
    const content = [`${rgb(color)} rg`]
    for (const [nth, { piece, struck }] of drawn.entries()) {
      const at = x + (offsets[nth] ?? 0) * size
      getPage(this.doc).fonts[piece.font.id] ??= piece.font.ref()
      const text = `BT /${piece.font.id} ${size} Tf 1 0 0 -1 ${formatNumber(at)} ${formatNumber(baseline)} Tm ${renderPiece(piece, size)} ET`
      content.push(
        piece.meant === undefined ? text : `/Span <</ActualText ${encodeUtf16(piece.meant)}>> BDC ${text} EMC`,
      )
      const wide = piece.width * size
      if (struck)
        content.push(
          `${formatNumber(at)} ${formatNumber(baseline - size * 0.27)} ${formatNumber(wide)} ${formatNumber(size * 0.07)} re f`,
        )
    }
    this.doc.addContent(content.join('\n'))
  }

  private begin(): void {
    this.doc.addPage()
    this.y = PAGE.top
    const { left, middle = '' } = this.head.foot
    this.tags.furniture(() => {
      this.doc.moveTo(PAGE.left, PAGE.foot).lineTo(PAGE.right, PAGE.foot).lineWidth(0.6).stroke(COLORS.line)
      const at = PAGE.foot + 7
      const [first] = this.lines(left, STYLES.small, 210, 1)
      const [second] = this.lines(middle, STYLES.small, 190, 1)
      if (first) this.write([first], STYLES.small, PAGE.left, at)
      if (second) this.write([second], STYLES.small, (PAGE.left + PAGE.right - second.width) / 2, at)
      this.placeNumber()
    }, 'Pagination')
  }

  /** A form that is written at the end: until then nobody knows how many pages there are. */
  private placeNumber(): void {
    const place = this.doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, -4, NUMBER_WIDTH, 10] })
    const name = `N${this.numbers.push(place)}`
    getPage(this.doc).xobjects[name] = place
    this.doc.addContent(`q 1 0 0 -1 ${PAGE.right - NUMBER_WIDTH} ${PAGE.foot + 14} cm /${name} Do Q`)
  }

  private number(place: PDFKit.PDFKitReference, text: string): void {
    const { size, color } = STYLES.small
    const [line] = this.lines(text, STYLES.small, NUMBER_WIDTH, 1)
    const fonts: Record<string, unknown> = {}
    const content = [`${rgb(color)} rg`]
    let at = NUMBER_WIDTH - (line?.width ?? 0)
    for (const { piece } of line?.drawn ?? []) {
      fonts[piece.font.id] = piece.font.ref()
      content.push(`BT /${piece.font.id} ${size} Tf 1 0 0 1 ${formatNumber(at)} 0 Tm ${renderPiece(piece, size)} ET`)
      at += piece.width * size
    }
    Object.assign(place.data, { Resources: { Font: fonts } })
    place.end(content.join('\n'))
  }
}

/** With letters of its own alone, and none kept by PDFKit: it keeps every word of a document. */
function buildOptions({ language, title, company }: DocumentHead): PDFKit.PDFDocumentOptions {
  const info = {
    Title: cleanText(title, 300),
    Author: cleanText(company.name, 300),
    Creator: 'Balcão',
    Producer: 'Balcão',
  }
  const options = { pdfVersion: '1.7', tagged: true, displayTitle: true, lang: LANG[language], info } as const
  const newer = { subset: 'PDF/UA', fontLayoutCache: false, font: '' }
  return { ...options, ...newer, size: 'A4', margin: 0, autoFirstPage: false } as PDFKit.PDFDocumentOptions
}

const NUMBER_WIDTH = 110

/** What of a page PDFKit's types do not tell. */
interface Page {
  readonly fonts: Record<string, unknown>
  readonly xobjects: Record<string, unknown>
}

function getPage({ page }: PDFKit.PDFDocument): Page {
  return page as unknown as Page
}

/** Of our own colours, which are few. */
const SHARES = new Map<string, string>()

function rgb(color: string): string {
  const known = SHARES.get(color)
  if (known !== undefined) return known
  const shares = [1, 3, 5].map(at => formatNumber(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ')
  SHARES.set(color, shares)
  return shares
}
