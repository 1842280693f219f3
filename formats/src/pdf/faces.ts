// Letters as PDFKit's fonts have them. Texts are measured and written in pieces of a word each, which are kept: a report says the same
// words on every page.
import { FACES, RIGHTWARD_FACES, type Weight } from './font-files.ts'
import { formatNumber } from './syntax.ts'

/** What is used of PDFKit's fonts, whose own way measures and writes every text anew. */
interface Font {
  readonly id: string
  readonly font: { readonly characterSet: readonly number[] }
  encode(text: string): [glyphs: string[], places: Partial<GlyphPosition>[]]
  ref(): unknown
}

/** In thousandths of the size: how far the pen goes, how wide the letter is, and how far it stands from the pen. */
interface GlyphPosition {
  readonly xAdvance: number
  readonly advanceWidth: number
  readonly xOffset: number
  readonly yOffset: number
}

interface Face {
  readonly font: Font
  readonly letters: ReadonlySet<number>
}

/** A piece of a text in one font. */
export interface TextPiece {
  readonly font: Font
  readonly text: string
  /** As a content stream shows it; for `renderPiece`. */
  readonly shown: string
  /** For a size of 1. */
  readonly width: number
  /** What is meant by a box that is drawn because no font has it, or by letters in the order in which they are drawn. */
  readonly meant?: string
  /** Whether it is written from right to left; it is drawn joined and in that order. */
  readonly isRightward?: boolean
}

const MOST_KEPT = 8000
/** For letters that no font has. */
const BOX = '\u25fb'

export class Faces {
  private readonly opened = new Map<string, Face>()
  private readonly cache = new Map<string, readonly TextPiece[]>()

  constructor(private readonly doc: PDFKit.PDFDocument) {}

  /** A word with the blanks behind it, in as many pieces as it takes fonts. */
  piecesOf(word: string, weight: Weight): readonly TextPiece[] {
    const key = `${weight}:${word}`
    const known = this.cache.get(key)
    if (known) return known
    if (this.cache.size >= MOST_KEPT) this.cache.clear()
    const pieces = this.split(word, weight)
    this.cache.set(key, pieces)
    return pieces
  }

  private split(word: string, weight: Weight): TextPiece[] {
    const pieces: TextPiece[] = []
    let text = ''
    let font: Font | null = null
    let isMissing = false
    const box = this.faceWith(BOX.charCodeAt(0), weight) ?? this.open(FACES[weight][0] ?? '')
    const done = () => {
      if (font && text !== '')
        pieces.push(isMissing ? { ...toPiece(font, boxes(text)), meant: text } : drawnAs(font, text))
      text = ''
    }
    for (const letter of word) {
      const face = this.faceWith(letter.codePointAt(0) ?? 0, weight)
      const { font: next } = face ?? box
      if (next !== font || isMissing !== !face) done()
      font = next
      isMissing = !face
      text += letter
    }
    done()
    return pieces
  }

  private faceWith(code: number, weight: Weight): Face | null {
    const first = RIGHTWARD.test(String.fromCodePoint(code)) ? RIGHTWARD_FACES[weight] : []
    for (const path of [...first, ...FACES[weight]]) {
      const face = this.open(path)
      if (face.letters.has(code)) return face
    }
    return null
  }

  private open(path: string): Face {
    const known = this.opened.get(path)
    if (known) return known
    this.doc.font(path)
    const font = currentFont(this.doc)
    const face = { font, letters: new Set(font.font.characterSet) }
    this.opened.set(path, face)
    return face
  }
}

/** Scripts that are written from right to left and have letters here, with their commas. */
const RIGHTWARD = /[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}]/u

function drawnAs(font: Font, text: string): TextPiece {
  const piece = toPiece(font, text)
  return RIGHTWARD.test(text) ? { ...piece, meant: text, isRightward: true } : piece
}

function toPiece(font: Font, text: string): TextPiece {
  const [glyphs, places] = font.encode(text)
  let shown = ''
  let open = ''
  let width = 0
  for (const [at, glyph] of glyphs.entries()) {
    const { xAdvance = 0, advanceWidth = 0, xOffset = 0, yOffset = 0 } = places[at] ?? {}
    width += xAdvance
    if (xOffset !== 0 || yOffset !== 0) {
      // A dot or a mark, put where its letter wants it: the pen goes there and back.
      const back = Math.round(advanceWidth + xOffset - xAdvance)
      shown += `${open === '' ? '' : `<${open}>`}${-Math.round(xOffset)}] TJ ~${Math.round(yOffset)}~ Ts [<${glyph}>] TJ 0 Ts [${back}`
      open = ''
      continue
    }
    open += glyph
    if (xAdvance === advanceWidth) continue
    shown += `<${open}>${Math.round(advanceWidth - xAdvance)}`
    open = ''
  }
  return { font, text, shown: open === '' ? shown : `${shown}<${open}>`, width: width / 1000 }
}

/** What shows a piece in a size: how high marks stand goes with it. */
export function renderPiece({ shown }: TextPiece, size: number): string {
  return `[${shown.includes('~') ? shown.replace(/~(-?\d+)~/g, (_, high: string) => formatNumber((Number(high) * size) / 1000)) : shown}] TJ`
}

/** One for each letter. */
function boxes(text: string): string {
  return BOX.repeat([...text].length)
}

function currentFont(doc: PDFKit.PDFDocument): Font {
  const { _font: font } = doc as unknown as { readonly _font: Font }
  return font
}
