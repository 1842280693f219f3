// Menus a customer is shown, and how what he answers to them is read (decisions-2 §8, §22): the number, the line, or the name, typed or
// pressed; case, accents, blanks and marks around it do not count.
import { normalizeWords } from '../kit/normalize-words.ts'
import { findOnlyName, isStopRequest, readOptionNumber, readRating } from './phrases.ts'

export { normalizeWords } from '../kit/normalize-words.ts'

/** What can be chosen from a menu: under the number of its place, or under one of its own, as 99; `section`: what it stands under with others. */
export type MenuOption = string | { readonly number: string; readonly name: string; readonly section?: string }

/** A line of a menu, and what a button of it says. */
export function renderMenuLines(options: readonly MenuOption[]): string[] {
  return options.map((option, at) => `${getOptionNumber(option, at)} - ${getOptionName(option)}`)
}

/** What stands before an option: the number it is chosen by. */
export function getOptionNumber(option: MenuOption, at: number): string {
  return typeof option === 'string' ? String(at + 1) : option.number
}

/** What an option is called. */
export function getOptionName(option: MenuOption): string {
  return typeof option === 'string' ? option : option.name
}

/** What an option stands under, where the menu has sections. */
export function getOptionSection(option: MenuOption | undefined): string | undefined {
  return typeof option === 'object' ? option.section : undefined
}

/** Words with a menu under them, for who has no buttons. */
export function appendMenu(words: string, options: readonly MenuOption[]): string {
  if (options.length === 0) return words
  const lines = renderMenuLines(options).map((line, at) => {
    const section = getOptionSection(options[at])
    if (section === undefined || section === getOptionSection(options[at - 1])) return line
    return `${at === 0 ? '' : '\n'}*${section}*\n${line}`
  })
  return [words.trim(), lines.join('\n')].filter(Boolean).join('\n\n')
}

/**
 * The same in texts of no more than `most` characters. The words may lose their end; no option loses any of its own: a long menu goes on
 * in the next text, and an option by itself that is longer than a text does, too.
 */
export function renderMenuTexts(words: string, options: readonly MenuOption[], most: number): [string, ...string[]] {
  if (options.length === 0) return [shortenText(words, most)]
  const lines = renderMenuLines(options).flatMap(line => splitText(line, most))
  const menu = lines.join('\n')
  if (menu.length <= (most * 3) / 4) return [appendMenu(shortenText(words.trim(), most - menu.length - 2), options)]
  const texts = [shortenText(words.trim(), most)]
  for (const [at, line] of lines.entries()) {
    const joined = `${texts.at(-1)}\n${line}`
    if (at === 0 || joined.length > most) texts.push(line)
    else texts[texts.length - 1] = joined
  }
  const [first = '', ...rest] = texts.filter(Boolean)
  return [first, ...rest]
}

/** A text in as many as it needs, parted at ends of lines where there are any. */
export function splitText(text: string, most: number): string[] {
  const found: string[] = []
  let rest = text.trim()
  while (rest.length > most) {
    const line = rest.lastIndexOf('\n', most)
    const part = line > most / 2 ? rest.slice(0, line) : truncateText(rest, most)
    found.push(part.trimEnd())
    rest = rest.slice(part.length).trimStart()
  }
  return rest === '' ? found : [...found, rest]
}

/** A text of so many characters at most; what is cut ends in …. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${truncateText(text, most - 1).trimEnd()}…`
}

/** The first so many characters of a text, without half of a surrogate pair. */
export function truncateText(text: string, most: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(most - 1)) && /[\udc00-\udfff]/.test(text.charAt(most))
  return text.slice(0, isHalf ? most - 1 : most)
}

/**
 * Which option was meant, from 0; null: none.
 * @example resolveMenuChoice('2️⃣', ['Vendas', 'Financeiro']) // 1
 */
export function resolveMenuChoice(answer: string, options: readonly MenuOption[]): number | null {
  const words = normalizeWords(answer)
  const names = options.map(option => normalizeWords(getOptionName(option)))
  const numbered = parseLeadingNumber(words)
  if (numbered) {
    const { number, rest } = numbered
    const at = options.findIndex((option, place) =>
      typeof option === 'string' ? place === Number(number) - 1 : option.number === number,
    )
    if (names[at]?.startsWith(rest)) return at
  }
  const named = names.indexOf(words)
  if (named !== -1 && words !== '') return named
  const number = readOptionNumber(answer)
  const index = number === null ? -1 : options.findIndex((option, place) => getOptionNumber(option, place) === number)
  return index === -1 ? findOnlyName(answer, options.map(getOptionName)) : index
}

/** A number with nothing behind it, or with the beginning of a name: a button has no room for more. */
function parseLeadingNumber(input: string): { readonly number: string; readonly rest: string } | null {
  const [, number, rest = ''] = /^(\d{1,3})(?: ?[-.):·=] ?(.+))?$/.exec(input) ?? []
  return number === undefined ? null : { number, rest: rest.replace(/…$/, '').trim() }
}

/** What the stars of a survey are called, 1 to 5. */
export const RATES = ['Péssimo', 'Ruim', 'Médio', 'Bom', 'Ótimo'] as const

/** From which number to which a rating goes, and what they are called. */
export interface RatingScale {
  readonly from: number
  readonly to: number
  readonly nameOf: (rate: number) => string
}

const STARS: RatingScale = { from: 1, to: RATES.length, nameOf: rate => RATES[rate - 1] ?? '' }

/**
 * The rating somebody gave, on the scale of a survey or another one, when he says nothing else; null: he has something to say.
 * @example parseRating('Nota 5') // 5
 */
export function parseRating(answer: string, { from, to, nameOf }: RatingScale = STARS): number | null {
  // Below nothing is no rating, but marks around one are no sign.
  if (/^\s*[-−]\d/.test(answer)) return null
  const numbered = parseLeadingNumber(normalizeWords(answer).replace(/^nota:? ?/, ''))
  const rate = Number(numbered?.number)
  if (numbered && rate >= from && rate <= to && normalizeWords(nameOf(rate)).startsWith(numbered.rest)) return rate
  const names = Array.from({ length: to - from + 1 }, (_, at) => normalizeWords(nameOf(from + at)))
  // "3 - ótimo" says two of them.
  if (numbered && numbered.rest !== '' && names.some(name => name !== '' && name.startsWith(numbered.rest))) return null
  return readRating(answer, from, to)
}

/** What takes the word back that ends mass sends (decisions-2 §8). */
export const BACK_WORD = 'VOLTAR'

/** Whether somebody said one word and nothing else. */
export function isWord(text: string, word: string): boolean {
  const normalized = normalizeWords(word)
  return normalized !== '' && normalizeWords(text) === normalized
}

/** Whether somebody wants no more mass sends: the company's word for it, or a sentence that only asks to stop. Without a word there is no way out. */
export function isStopMessage(text: string, word: string): boolean {
  return isWord(text, word) || isStopRequest(text, word)
}
