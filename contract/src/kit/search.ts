// How searches read what a person typed, and where a text holds it: the same on the server, which finds, and on the screen, which marks.

/** A stretch of a text, from the first place to before the second. */
export type TextSpan = readonly [from: number, to: number]

const FEWEST = 3
const NUMBER = /^[\d\s()+./-]+$/
/** What letters lose that are no letter with an accent. */
const PLAIN: Record<string, string> = { ø: 'o', đ: 'd', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe' }

/**
 * The words of a search, all of which a text must hold. Between quotes everything is one; so are only short words together,
 * because no index knows them.
 * @example parseSearchWords('boleto  de março') // ['boleto', 'de', 'março']
 * @example parseSearchWords('"bom dia"') // ['bom dia']
 */
export function parseSearchWords(search: string): string[] {
  const text = search.trim().replace(/\s+/g, ' ')
  const quoted = /^["“](.+?)["”]?$/.exec(text)?.[1]?.trim()
  if (quoted) return [quoted]
  const words = [...new Set(text.split(' '))].filter(word => word !== '')
  return words.some(word => [...word].length >= FEWEST) ? words : words.length > 0 ? [text] : []
}

/** What a search of contacts looks for: words that must all stand in name or e-mail, or digits that stand in a number. */
export interface ContactSearch {
  readonly words: readonly string[]
  readonly digits: string | null
}

/**
 * Reads a search of contacts. A text of digits and the signs people write numbers with is looked for in numbers, however it is
 * spelled, and in names and e-mails where its parts are long enough to be found there.
 * @example parseContactSearch('almeida joão') // { words: ['almeida', 'joão'], digits: null }
 * @example parseContactSearch('(031) 94002-8922').digits // '31940028922'
 */
export function parseContactSearch(search: string): ContactSearch {
  const words = parseSearchWords(search)
  const number = NUMBER.test(search) ? search.replace(/\D/g, '').replace(/^0+/, '') : ''
  if (number.length < FEWEST) return { words, digits: null }
  return { words: words.some(isIndexed) ? words : [], digits: number }
}

/** Whether an index of letters by threes knows a word. */
export function isIndexed(word: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(word)
}

/** Whether a contact is what is looked for; the server finds just these. */
export function isContactFound(
  { name, email, numbers }: { readonly name: string; readonly email: string; readonly numbers: readonly string[] },
  { words, digits }: ContactSearch,
): boolean {
  const texts = [foldText(name), foldText(email)]
  const stands = (word: string) => texts.some(text => text.includes(foldText(word)))
  return (words.length > 0 && words.every(stands)) || (digits !== null && numbers.some(one => one.includes(digits)))
}

/** A text as searches compare it: small letters without accents. */
export function foldText(text: string): string {
  return [...text].map(foldLetter).join('')
}

/** Where a text holds any of the words, in order and without overlaps, for marking them. */
export function findSearchMarks(text: string, words: readonly string[]): TextSpan[] {
  const places: number[] = []
  let plain = ''
  let at = 0
  for (const letter of text) {
    const flat = foldLetter(letter)
    for (let n = 0; n < flat.length; n++) places.push(at)
    plain += flat
    at += letter.length
  }
  places.push(at)
  const found: [number, number][] = []
  for (const word of words.map(foldText)) {
    if (word === '') continue
    for (let from = plain.indexOf(word); from !== -1; from = plain.indexOf(word, from + word.length))
      found.push([places[from] ?? 0, places[from + word.length] ?? at])
  }
  return mergeSpans(found)
}

/** The line of a text that holds most of the words, cut to so many letters around the first of them. */
export function excerptLine(text: string, words: readonly string[], most = 160): string {
  const wanted = words.map(foldText)
  let best = ''
  let held = -1
  for (const line of text.split('\n')) {
    const plain = foldText(line)
    const count = line.trim() === '' ? -1 : wanted.filter(word => plain.includes(word)).length
    if (count <= held) continue
    best = line
    held = count
  }
  return cut(best.trim(), words, most)
}

function cut(line: string, words: readonly string[], most: number): string {
  if (line.length <= most) return line
  const first = findSearchMarks(line, words)[0]?.[0] ?? 0
  const from = first < most * 0.7 ? 0 : findWordStart(line, first - Math.floor(most / 3))
  const shown = line.slice(from, from + most)
  return `${from > 0 ? '…' : ''}${shown.trim()}${from + most < line.length ? '…' : ''}`
}

function findWordStart(line: string, near: number): number {
  const space = line.indexOf(' ', near)
  return space !== -1 && space - near < 20 ? space + 1 : near
}

function foldLetter(letter: string): string {
  // Most letters have no accent to lose, and long texts many of them.
  if (letter < '\u0080') return letter.toLowerCase()
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return PLAIN[plain] ?? plain
}

function mergeSpans(found: [number, number][]): TextSpan[] {
  const marks: [number, number][] = []
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    const last = marks.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else marks.push([from, to])
  }
  return marks
}
