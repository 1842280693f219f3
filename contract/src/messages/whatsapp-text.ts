// WhatsApp's own formatting (*bold* _italic_ ~struck~ `code` ```block```, > quote, lists) and links, as a tree of plain data.
import { truncateText } from '../follow-up/answers.ts'
// Nothing here makes HTML: the component draws the tree, so no text can ever become markup.
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike'; readonly children: readonly Inline[] }

export type TextBlock =
  | { readonly kind: 'line' | 'quote' | 'bullet'; readonly children: readonly Inline[] }
  | { readonly kind: 'number'; readonly n: string; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }

const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const
const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}*_~]/iuy
const DEEPEST = 6

/** A message body as blocks, one a line. */
export function parseBody(body: string): TextBlock[] {
  const blocks: TextBlock[] = []
  body.split('```').forEach((part, index, parts) => {
    const closed = index < parts.length - 1
    if (index % 2 === 1 && closed) blocks.push({ kind: 'code', text: part.replace(/^\n|\n$/g, '') })
    else blocks.push(...parseLines(index % 2 === 1 ? `\`\`\`${part}` : trimAround(part, index, parts.length)))
  })
  return blocks
}

/** The line feeds that only separate a code block from its neighbours are not empty lines. */
function trimAround(part: string, index: number, count: number): string {
  const start = index > 0 ? part.replace(/^\n/, '') : part
  return index < count - 1 ? start.replace(/\n$/, '') : start
}

function parseLines(text: string): TextBlock[] {
  if (text === '') return []
  return text.split('\n').map(line => {
    const quote = /^> (.*)$/u.exec(line)
    if (quote) return { kind: 'quote', children: parseInline(quote[1] ?? '') }
    const bullet = /^[*-] (.+)$/u.exec(line)
    if (bullet) return { kind: 'bullet', children: parseInline(bullet[1] ?? '') }
    const number = /^(\d{1,3})\. (.+)$/u.exec(line)
    if (number) return { kind: 'number', n: number[1] ?? '', children: parseInline(number[2] ?? '') }
    return { kind: 'line', children: parseInline(line) }
  })
}

/** One line: formatting and links. Goes through it once for each kind of mark, however many of them never close. */
export function parseInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = []
  const closing = findClosingMarks(text)
  let plain = ''
  let at = 0
  const add = (part: Inline, end: number) => {
    if (plain) out.push({ kind: 'text', text: plain })
    out.push(part)
    plain = ''
    at = end
  }
  while (at < text.length) {
    const mark = depth < DEEPEST ? findMark(text, at) : null
    const end = mark ? closing(mark, at + 2) : -1
    const link = end === -1 ? findLink(text, at) : null
    if (mark && end !== -1) {
      const inner = text.slice(at + 1, end)
      add(
        mark === '`' ? { kind: 'code', text: inner } : { kind: MARKS[mark], children: parseInline(inner, depth + 1) },
        end + 1,
      )
    } else if (link) add(link, at + link.text.length)
    else plain += text[at++]
  }
  if (plain) out.push({ kind: 'text', text: plain })
  return out
}

type Mark = keyof typeof MARKS | '`'

/** A mark that may begin a stretch here: it touches its text inside and no letter outside. */
function findMark(text: string, at: number): Mark | null {
  const mark = text[at]
  if (mark !== '*' && mark !== '_' && mark !== '~' && mark !== '`') return null
  const next = text[at + 1]
  return isWord(text[at - 1]) || !next || /\s/u.test(next) || next === mark ? null : mark
}

/** Finds the first mark of a kind that may end a stretch, from a place on. Places only grow, so what was passed is not looked at again. */
function findClosingMarks(text: string) {
  const found: Record<Mark, number> = { '*': 0, _: 0, '~': 0, '`': 0 }
  return (mark: Mark, from: number): number => {
    let end = found[mark]
    if (end !== -1 && end < from) {
      end = text.indexOf(mark, from)
      while (end !== -1 && !canCloseMark(text, end)) end = text.indexOf(mark, end + 1)
      found[mark] = end
    }
    return end
  }
}

function canCloseMark(text: string, at: number): boolean {
  return !/\s/u.test(text[at - 1] ?? '') && !isWord(text[at + 1])
}

/** A link is taken whole, so an underscore in an address does not become italic. */
function findLink(text: string, at: number): Extract<Inline, { kind: 'link' }> | null {
  if (isWord(text[at - 1]) || !/[hw]/i.test(text[at] ?? '')) return null
  LINK.lastIndex = at
  const found = LINK.exec(text)?.[0]
  const href = found ? toSafeHref(found) : null
  return found && href ? { kind: 'link', href, text: found } : null
}

/** Only http and https leave the page; anything else stays text. */
export function toSafeHref(text: string): string | null {
  try {
    const url = new URL(/^www\./i.test(text) ? `https://${text}` : text)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

/** A text on one line and without marks, for rows, quotes and screen readers; at most so many letters of it. */
export function toPlainText(body: string, most = Number.POSITIVE_INFINITY): string {
  // Marks and line feeds go: of a little more than wanted enough is left.
  const lines = truncateText(body, most * 2)
    .replaceAll('```', '')
    .split('\n')
  const words = lines.map(line => joinText(parseInline(line))).join(' ')
  return truncateText(words.replace(/\s+/g, ' ').trim(), most)
}

function joinText(parts: readonly Inline[]): string {
  return parts.map(part => ('children' in part ? joinText(part.children) : part.text)).join('')
}

/** Whether a body looks different from its letters: quick to say no for plain words. */
export function hasMarks(body: string): boolean {
  if (!/[*_~`>]|^(?:-|\d{1,3}\.) /m.test(body)) return false
  return parseBody(body).some(
    block => block.kind !== 'line' || block.children.some(part => part.kind !== 'text' && part.kind !== 'link'),
  )
}
