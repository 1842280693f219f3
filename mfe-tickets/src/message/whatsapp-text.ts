// WhatsApp's own formatting (*bold* _italic_ ~struck~ `code` ```block```, > quote, lists) and links, as a tree of plain data.
// Nothing here makes HTML: the component draws the tree, so no text can ever become markup.
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike'; readonly children: readonly Inline[] }

export type Block =
  | { readonly kind: 'line' | 'quote' | 'bullet'; readonly children: readonly Inline[] }
  | { readonly kind: 'number'; readonly n: string; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }

const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const
const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}*_~]/iu
const DEEPEST = 6

/** A message body as blocks, one a line. */
export function parseBody(body: string): Block[] {
  const blocks: Block[] = []
  body.split('```').forEach((part, index, parts) => {
    const closed = index < parts.length - 1
    if (index % 2 === 1 && closed) blocks.push({ kind: 'code', text: part.replace(/^\n|\n$/g, '') })
    else blocks.push(...linesOf(index % 2 === 1 ? `\`\`\`${part}` : trimAround(part, index, parts.length)))
  })
  return blocks
}

/** The line feeds that only separate a code block from its neighbours are not empty lines. */
function trimAround(part: string, index: number, count: number): string {
  const start = index > 0 ? part.replace(/^\n/, '') : part
  return index < count - 1 ? start.replace(/\n$/, '') : start
}

function linesOf(text: string): Block[] {
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

/** One line: formatting and links. */
export function parseInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = []
  let plain = ''
  let at = 0
  const flush = () => {
    if (plain) out.push(...withLinks(plain))
    plain = ''
  }
  while (at < text.length) {
    const found = depth < DEEPEST ? markedAt(text, at) : null
    if (!found) {
      const link = linkAt(text, at)
      plain += link ?? text[at]
      at += link ? link.length : 1
      continue
    }
    flush()
    if (found.mark === '`') out.push({ kind: 'code', text: found.inner })
    else out.push({ kind: MARKS[found.mark], children: parseInline(found.inner, depth + 1) })
    at = found.end
  }
  flush()
  return out
}

/** A marked stretch that begins here: the marks touch their text inside and no letter outside. */
function markedAt(text: string, at: number) {
  const mark = text[at]
  if (mark !== '*' && mark !== '_' && mark !== '~' && mark !== '`') return null
  if (isWord(text[at - 1]) || !text[at + 1] || /\s/u.test(text[at + 1] ?? '') || text[at + 1] === mark) return null
  for (let end = text.indexOf(mark, at + 2); end !== -1; end = text.indexOf(mark, end + 1)) {
    if (/\s/u.test(text[end - 1] ?? '') || isWord(text[end + 1])) continue
    return { mark, inner: text.slice(at + 1, end), end: end + 1 } as const
  }
  return null
}

/** A link is taken whole, so an underscore in an address does not become italic. */
function linkAt(text: string, at: number): string | null {
  if (isWord(text[at - 1]) || !/[hw]/i.test(text[at] ?? '')) return null
  const found = LINK.exec(text.slice(at, at + 2048))
  return found?.index === 0 ? found[0] : null
}

function withLinks(text: string): Inline[] {
  const out: Inline[] = []
  let rest = text
  for (let found = LINK.exec(rest); found; found = LINK.exec(rest)) {
    const href = safeHref(found[0])
    if (found.index > 0) out.push({ kind: 'text', text: rest.slice(0, found.index) })
    out.push(href ? { kind: 'link', href, text: found[0] } : { kind: 'text', text: found[0] })
    rest = rest.slice(found.index + found[0].length)
  }
  if (rest) out.push({ kind: 'text', text: rest })
  return out
}

/** Only http and https leave the page; anything else stays text. */
export function safeHref(text: string): string | null {
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

/** The first line without marks, for list rows' names and screen readers. */
export function plainText(body: string): string {
  return body
    .replace(/```/g, '')
    .replace(/(^|[^\p{L}\p{N}])([*_~`])(\S(?:.*?\S)?)\2(?![\p{L}\p{N}])/gu, '$1$3')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Whether a body looks different from its letters: quick to say no for plain words. */
export function hasMarks(body: string): boolean {
  if (!/[*_~`>]|^(?:-|\d{1,3}\.) /m.test(body)) return false
  return parseBody(body).some(
    block => block.kind !== 'line' || block.children.some(part => part.kind !== 'text' && part.kind !== 'link'),
  )
}
