// Text of a flow as WhatsApp writes it: paragraphs, marks, links and lists of Typebot's editor.
import { isRecord, records, text } from '../channels/shared/json.ts'

/** A line of a text. `plain` is without marks: what a line is for is read from it. */
export interface Line {
  readonly plain: string
  readonly shown: string
}

/** The lines of a text of Typebot; what is no text has none. */
export function linesOf(richText: unknown): Line[] {
  return records(richText).flatMap(node => blockLines(node, 0))
}

/** Lines as one text, without blanks around it. */
export function textOf(lines: readonly Line[]): string {
  return lines
    .map(line => line.shown.trimEnd())
    .join('\n')
    .trim()
}

/** Nobody writes deeper lists; what somebody else's JSON holds may be. */
const DEEPEST = 20
const LISTS = new Set(['ul', 'ol'])
const HEADING = /^h[1-6]$/
const NOTHING: Line = { plain: '', shown: '' }

function blockLines(node: Record<string, unknown>, depth: number): Line[] {
  if (depth > DEEPEST) return []
  const type = text(node.type) ?? ''
  const children = records(node.children)
  if (LISTS.has(type)) return listLines(children, type === 'ol', depth)
  // A block that holds blocks, such as a quotation of several paragraphs.
  if (children.some(isBlock))
    return prefixed(
      type,
      children.flatMap(child => blockLines(child, depth + 1)),
    )
  const lines = inlineLines([node], {}, depth)
  return prefixed(type, HEADING.test(type) ? lines.map(({ plain }) => ({ plain, shown: marked(plain, '*') })) : lines)
}

function prefixed(type: string, lines: Line[]): Line[] {
  return type === 'blockquote' ? lines.map(({ plain, shown }) => ({ plain, shown: `> ${shown}` })) : lines
}

function isBlock({ type }: Record<string, unknown>): boolean {
  return typeof type === 'string' && (LISTS.has(type) || type === 'p' || type === 'li' || type === 'blockquote')
}

function listLines(items: readonly Record<string, unknown>[], isNumbered: boolean, depth: number): Line[] {
  return items.flatMap((item, at) => {
    const sign = isNumbered ? `${at + 1}. ` : '• '
    const children = records(item.children)
    const inner = children.filter(child => LISTS.has(text(child.type) ?? ''))
    const own = children.filter(child => !inner.includes(child)).flatMap(child => blockLines(child, depth + 1))
    const [first = NOTHING, ...rest] = own
    const indented = inner.flatMap(list => blockLines(list, depth + 1)).map(indent)
    return [{ plain: first.plain, shown: sign + first.shown }, ...rest, ...indented]
  })
}

function indent({ plain, shown }: Line): Line {
  return { plain, shown: `  ${shown}` }
}

type Marks = Readonly<Partial<Record<'bold' | 'italic' | 'strikethrough' | 'code', true>>>
const SIGNS = { code: '`', strikethrough: '~', italic: '_', bold: '*' } as const

/** What stands in a line, at the breaks in it in several. */
function inlineLines(nodes: readonly unknown[], marks: Marks, depth: number): Line[] {
  const lines: Line[] = [NOTHING]
  const add = ({ plain, shown }: Line) => {
    const last = lines.at(-1) ?? NOTHING
    lines[lines.length - 1] = { plain: last.plain + plain, shown: last.shown + shown }
  }
  for (const node of nodes) {
    const [first = NOTHING, ...more] = isRecord(node) && depth <= DEEPEST ? partsOf(node, marks, depth) : []
    add(first)
    lines.push(...more)
  }
  return lines
}

function partsOf(node: Record<string, unknown>, outer: Marks, depth: number): Line[] {
  if (typeof node.text === 'string') {
    const marks = Object.keys(SIGNS).filter(name => node[name] === true || name in outer)
    return node.text.split('\n').map(plain => ({ plain, shown: withMarks(plain, marks) }))
  }
  const lines = inlineLines(records(node.children), outer, depth + 1)
  return node.type === 'a' ? linked(lines, text(node.url) ?? '') : lines
}

function withMarks(plain: string, marks: readonly string[]): string {
  return Object.entries(SIGNS).reduce(
    (shown, [name, sign]) => (marks.includes(name) ? marked(shown, sign) : shown),
    plain,
  )
}

/** A mark hugs the words, or WhatsApp does not take it for one: blanks go outside. */
function marked(shown: string, sign: string): string {
  const words = shown.trim()
  if (words === '') return shown
  const begin = shown.indexOf(words)
  return `${shown.slice(0, begin)}${sign}${words}${sign}${shown.slice(begin + words.length)}`
}

/** WhatsApp makes links of addresses alone: the address stands behind its words. */
function linked(lines: Line[], url: string): Line[] {
  const address = url.replace(/^mailto:|^tel:/i, '')
  const words = lines
    .map(line => line.plain)
    .join('\n')
    .trim()
  if (!/^(https?:|mailto:|tel:)/i.test(url) || words === url || words === address) return lines
  const last = lines.at(-1) ?? NOTHING
  const tail = words === '' ? address : ` (${address})`
  return [...lines.slice(0, -1), { plain: last.plain + tail, shown: last.shown.trimEnd() + tail }]
}
