// Texts as lines of a width. Every step goes through a text once, however long it is and whatever is in it.
import type { StyledText, Words } from './document.ts'
import type { Faces, TextPiece } from './faces.ts'
import type { Weight } from './font-files.ts'

export interface TextStyle {
  readonly size: number
  /** From one line to the next. */
  readonly leading: number
  readonly weight: Weight
  readonly color: string
}

export interface DrawnPiece {
  readonly piece: TextPiece
  readonly weight: Weight
  readonly struck: boolean
}

export interface TextLine {
  readonly drawn: readonly DrawnPiece[]
  readonly width: number
}

/** What a word is made of: pieces, which may look different from one another. */
interface Word {
  readonly drawn: DrawnPiece[]
  width: number
  /** Of the blanks at its end. */
  blank: number
}

export interface LineLimits {
  readonly width: number
  /** More lines than these are cut, with an ellipsis. */
  readonly most?: number
}

/** A line of `style`, at least one even for no words at all. */
export function breakLines(
  faces: Faces,
  words: Words,
  style: TextStyle,
  { width, most = Number.POSITIVE_INFINITY }: LineLimits,
): TextLine[] {
  const lines: TextLine[] = []
  for (const paragraph of splitParagraphs(words)) {
    for (const line of wrapped(faces, paragraph, style, width)) {
      if (lines.length === most) return [...lines.slice(0, -1), cut(faces, lines.at(-1), style, width)]
      lines.push(line)
    }
  }
  return lines
}

export function measureWidth(faces: Faces, text: string, style: TextStyle): number {
  return faces.piecesOf(text, style.weight).reduce((sum, piece) => sum + piece.width * style.size, 0)
}

/** Spaces of all kinds; line feeds of all kinds; what is not seen: control characters, marks of direction, joiners, variants, skins. */
const SPACES = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
const FEEDS = /\r\n?|[\u0085\u2028\u2029\v\f]/g
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}|\u20e3|[\ufff9-\ufffb]|(?!\n)\p{Cc}/gu
/** A letter has no more marks than these: sorting them is no linear work. */
const MARKS = /(\p{M}{6})\p{M}+/gu

/** Letters that stand as they are: most texts have no others. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u017f]*$/

/** What of a text can be drawn; at most so many letters. */
export function cleanText(text: string, most = Number.POSITIVE_INFINITY): string {
  if (text.length <= most && PLAIN.test(text)) return text
  // What is cut is cut before anything is done with it; some of it may be nothing to see.
  const some = text.length > most * 4 ? text.slice(0, most * 4) : text
  const spaced = some.toWellFormed().replace(FEEDS, '\n').replace(SPACES, ' ')
  const seen = spaced.replace(UNSEEN, '').replace(MARKS, '$1').normalize('NFC')
  return seen.length > most
    ? `${seen
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
    : seen
}

function toSpans(words: Words): readonly StyledText[] {
  return typeof words === 'string' ? [{ text: words }] : words
}

function splitParagraphs(words: Words): StyledText[][] {
  const paragraphs: StyledText[][] = [[]]
  for (const span of toSpans(words)) {
    for (const [at, text] of cleanText(span.text).split('\n').entries()) {
      if (at > 0) paragraphs.push([])
      if (text !== '') paragraphs.at(-1)?.push({ ...span, text })
    }
  }
  return paragraphs
}

function* wrapped(
  faces: Faces,
  paragraph: readonly StyledText[],
  style: TextStyle,
  width: number,
): Generator<TextLine> {
  let drawn: DrawnPiece[] = []
  let used = 0
  let blank = 0
  const line = (): TextLine => {
    const made = { drawn, width: used - blank }
    drawn = []
    used = 0
    blank = 0
    return made
  }
  for (const word of splitWords(faces, paragraph, style)) {
    if (drawn.length > 0 && used + word.width - word.blank > width) yield line()
    for (const part of word.width - word.blank > width ? broken(faces, word, style, width) : [word]) {
      if (drawn.length > 0 && used + part.width - part.blank > width) yield line()
      for (const one of part.drawn) drawn.push(one)
      used += part.width
      blank = part.blank
    }
  }
  yield line()
}

/** A word is taken in parts of at most so many letters. */
const PARTS = /[^ ]{1,64} *| +/gu

/** Words with the blanks behind them; a change of looks inside a word does not part it. */
function* splitWords(faces: Faces, paragraph: readonly StyledText[], style: TextStyle): Generator<Word> {
  let word: Word = { drawn: [], width: 0, blank: 0 }
  for (const { text, strong, slant, struck = false } of paragraph) {
    const weight: Weight = strong && style.weight === 'plain' ? 'strong' : slant && !strong ? 'slant' : style.weight
    for (const part of text.match(PARTS) ?? []) {
      for (const piece of faces.piecesOf(part, weight)) {
        word.drawn.push({ piece, weight, struck })
        word.width += piece.width * style.size
      }
      if (!part.endsWith(' ')) continue
      word.blank = measureWidth(faces, ' '.repeat(part.length - part.trimEnd().length), { ...style, weight })
      yield word
      word = { drawn: [], width: 0, blank: 0 }
    }
  }
  if (word.drawn.length > 0) yield word
}

/** A word that no line holds, letter by letter. */
function* broken(faces: Faces, word: Word, style: TextStyle, width: number): Generator<Word> {
  let some: Word = { drawn: [], width: 0, blank: 0 }
  for (const { piece, weight, struck } of word.drawn) {
    let text = ''
    let used = 0
    const done = () => {
      for (const one of faces.piecesOf(text, weight)) some.drawn.push({ piece: one, weight, struck })
      some.width += used
      text = ''
      used = 0
    }
    for (const letter of piece.meant ?? piece.text) {
      const wide = measureWidth(faces, letter, { ...style, weight })
      if (some.width + used + wide > width && (some.drawn.length > 0 || text !== '')) {
        done()
        yield some
        some = { drawn: [], width: 0, blank: 0 }
      }
      text += letter
      used += wide
    }
    done()
  }
  some.blank = word.blank
  yield some
}

function cut(faces: Faces, line: TextLine | undefined, style: TextStyle, width: number): TextLine {
  const letters = [...(line?.drawn ?? []).map(({ piece }) => piece.meant ?? piece.text).join('')]
  for (;;) {
    const text = `${letters.join('').trimEnd()}…`
    const wide = measureWidth(faces, text, style)
    if (wide <= width || letters.length === 0) return { drawn: toDrawnPieces(faces, text, style.weight), width: wide }
    letters.length -= 1
  }
}

/** Nothing in it has a direction of its own: blanks, signs, figures. */
const NEUTRAL = /^\P{L}*$/u

/**
 * Where each piece of a line begins, for a size of 1. Words from right to left that follow one another stand in their own order, with what
 * is between them; the line itself goes from left to right.
 */
export function computeOffsets(
  drawn: readonly { readonly piece: Pick<TextPiece, 'text' | 'width' | 'isRightward'> }[],
): number[] {
  const order = drawn.map((_, at) => at)
  for (let at = 0; at < drawn.length; at++) {
    if (!drawn[at]?.piece.isRightward) continue
    let end = at + 1
    for (let next = end; next < drawn.length; next++) {
      const { isRightward = false, text = '' } = drawn[next]?.piece ?? {}
      if (isRightward) end = next + 1
      else if (!NEUTRAL.test(text)) break
    }
    order.splice(at, end - at, ...order.slice(at, end).reverse())
    at = end - 1
  }
  const offsets: number[] = []
  let used = 0
  for (const at of order) {
    offsets[at] = used
    used += drawn[at]?.piece.width ?? 0
  }
  return offsets
}

function toDrawnPieces(faces: Faces, text: string, weight: Weight): DrawnPiece[] {
  return faces.piecesOf(text, weight).map(piece => ({ piece, weight, struck: false }))
}
