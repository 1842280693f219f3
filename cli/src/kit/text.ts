// Text on a terminal: how wide it is, and that what customers wrote cannot steer it.
import stringWidth from 'string-width'

/**
 * What may be written to a terminal of a text from outside: one line, without control characters (which move the cursor, ring, or answer
 * in the reader's name) and without marks that turn its direction around.
 */
export function toSafeLine(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu, '')
    .trim()
}

/** Columns a text takes. */
export function measureWidth(text: string): number {
  return stringWidth(text)
}

/** A text in at most so many columns, its end marked where something is missing. */
export function cut(text: string, most: number): string {
  if (measureWidth(text) <= most) return text
  let result = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += measureWidth(segment)
    if (width > most - 1) break
    result += segment
  }
  return `${result.trimEnd()}…`
}

/** A text with blanks up to so many columns. */
export function padText(text: string, columns: number, right = false): string {
  const blanks = ' '.repeat(Math.max(0, columns - measureWidth(text)))
  return right ? blanks + text : text + blanks
}

/** A text in lines of at most so many columns, broken between words; a longer word is broken where it must be. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap(word => breakWord(word, columns))) {
    if (line === '') line = word
    else if (measureWidth(line) + 1 + measureWidth(word) <= columns) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

function breakWord(word: string, columns: number): string[] {
  if (measureWidth(word) <= columns) return [word]
  const found: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(word)) {
    if (measureWidth(piece) + measureWidth(segment) > columns && piece !== '') {
      found.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...found, piece]
}

const graphemes = new Intl.Segmenter()
