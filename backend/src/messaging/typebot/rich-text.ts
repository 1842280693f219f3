// Text of a flow as WhatsApp writes it: paragraphs, marks, links and lists of Typebot's editor.
import { isRecord, toRecords, toText } from '../channels/shared/json.ts'

/** A line of a text. `plain` is without marks: what a line is for is read from it. */
export interface RichTextLine {
  readonly plain: string
  readonly shown: string
}

/** The lines of a text of Typebot; what is no text has none. */
export function parseRichText(richText: unknown): RichTextLine[] {
  return toRecords(richText).flatMap(node => blockLines(node, 0))
}

/** Lines as one text, without blanks around it. */
export function joinLines(lines: readonly RichTextLine[]): string {
  return lines
    .map(line => line.shown.trimEnd())
    .join('\n')
    .trim()
}

/** Nobody writes deeper lists; what somebody else's JSON holds may be. */
const DEEPEST = 20
const LISTS = new Set(['ul', 'ol'])
const HEADING = /^h[1-6]$/
const NOTHING: RichTextLine = { plain: '', shown: '' }

function blockLines(node: Record<string, unknown>, depth: number): RichTextLine[] {
  if (depth > DEEPEST) return []
  const type = toText(node.type) ?? ''
  const children = toRecords(node.children)
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

function prefixed(type: string, lines: RichTextLine[]): RichTextLine[] {
  return type === 'blockquote' ? lines.map(({ plain, shown }) => ({ plain, shown: `> ${shown}` })) : lines
}

function isBlock({ type }: Record<string, unknown>): boolean {
  return typeof type === 'string' && (LISTS.has(type) || type === 'p' || type === 'li' || type === 'blockquote')
}

function listLines(items: readonly Record<string, unknown>[], isNumbered: boolean, depth: number): RichTextLine[] {
  return items.flatMap((item, at) => {
    const sign = isNumbered ? `${at + 1}. ` : '• '
    const children = toRecords(item.children)
    const inner = children.filter(child => LISTS.has(toText(child.type) ?? ''))
    const own = children.filter(child => !inner.includes(child)).flatMap(child => blockLines(child, depth + 1))
    const [first = NOTHING, ...rest] = own
    const indented = inner.flatMap(list => blockLines(list, depth + 1)).map(indent)
    return [{ plain: first.plain, shown: sign + first.shown }, ...rest, ...indented]
  })
}

function indent({ plain, shown }: RichTextLine): RichTextLine {
  return { plain, shown: `  ${shown}` }
}

type Marks = Readonly<Partial<Record<'bold' | 'italic' | 'strikethrough' | 'code', true>>>
const SIGNS = { code: '`', strikethrough: '~', italic: '_', bold: '*' } as const

/** What stands in a line, at the breaks in it in several. */
function inlineLines(nodes: readonly unknown[], marks: Marks, depth: number): RichTextLine[] {
  const lines: RichTextLine[] = [NOTHING]
  const add = ({ plain, shown }: RichTextLine) => {
    const last = lines.at(-1) ?? NOTHING
    lines[lines.length - 1] = { plain: last.plain + plain, shown: last.shown + shown }
  }
  for (const node of nodes) {
    const [first = NOTHING, ...more] = isRecord(node) && depth <= DEEPEST ? collectLines(node, marks, depth) : []
    add(first)
    lines.push(...more)
  }
  return lines
}

function collectLines(node: Record<string, unknown>, outer: Marks, depth: number): RichTextLine[] {
  if (typeof node.text === 'string') {
    const marks = Object.keys(SIGNS).filter(name => node[name] === true || name in outer)
    return node.text.split('\n').map(plain => ({ plain, shown: withMarks(plain, marks) }))
  }
  const lines = inlineLines(toRecords(node.children), outer, depth + 1)
  return node.type === 'a' ? linked(lines, toText(node.url) ?? '') : lines
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
function linked(lines: RichTextLine[], url: string): RichTextLine[] {
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
