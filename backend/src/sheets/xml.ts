// The tags of an XML text as they come, for texts of which nobody holds the whole. It looks for no faults: who asks takes what it needs.

export interface Tag {
  /** Without its prefix. */
  readonly name: string
  /** `empty` is both. */
  readonly kind: 'begin' | 'end' | 'empty'
  /** Its attributes as they are written. */
  readonly said: string
  /** What stands between the tag before and this one, as it is written. */
  readonly text: string
}

const TAG = /^(\/?)(?:[^\s/:]*:)?([^\s/]+)/
const ATTRIBUTE = /(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
/** The longest beginning of what is no tag. */
const CDATA = '<![CDATA['

/** What has no end yet waits for the next chunk. */
export function* tagsIn(chunks: Iterable<string>): Generator<Tag> {
  let [rest, text] = ['', '']
  for (const chunk of chunks) {
    rest += chunk
    let at = 0
    for (let open = rest.indexOf('<'); open >= 0; open = rest.indexOf('<', at)) {
      const close = endOf(rest, open)
      if (close === null) break
      text += rest.slice(at, open)
      at = close
      if (rest[open + 1] === '!') {
        if (rest.startsWith(CDATA, open)) text += rest.slice(open + CDATA.length, close - 3).replaceAll('&', '&amp;')
        continue
      }
      const inside = rest.slice(open + 1, close - 1)
      const [all = '', slash, name = ''] = TAG.exec(inside) ?? []
      yield {
        name,
        kind: slash ? 'end' : inside.endsWith('/') ? 'empty' : 'begin',
        said: inside.slice(all.length),
        text,
      }
      text = ''
    }
    rest = rest.slice(at)
  }
}

/** Behind the end of what opens there; null while it has none. */
function endOf(text: string, open: number): number | null {
  if (text[open + 1] === '!') {
    if (text.length - open < CDATA.length) return null
    return behind(text, text.startsWith('<!--', open) ? '-->' : text.startsWith(CDATA, open) ? ']]>' : '>', open)
  }
  let close = text.indexOf('>', open)
  while (close >= 0 && isQuoted(text, open, close)) close = text.indexOf('>', close + 1)
  return close < 0 ? null : close + 1
}

function behind(text: string, mark: string, from: number): number | null {
  const at = text.indexOf(mark, from)
  return at < 0 ? null : at + mark.length
}

/** Whether a place stands in quotes that were opened behind another. */
function isQuoted(text: string, from: number, place: number): boolean {
  let quote = ''
  for (let at = from; at < place; at++) {
    const mark = text[at] ?? ''
    if (quote === '' ? mark === '"' || mark === "'" : mark === quote) quote = quote === '' ? mark : ''
  }
  return quote !== ''
}

/** By their names without prefix. */
export function attributesOf({ said }: Tag): Readonly<Partial<Record<string, string>>> {
  const found: Partial<Record<string, string>> = {}
  for (const [, name = '', double, single] of said.matchAll(ATTRIBUTE)) found[name] = unescaped(double ?? single ?? '')
  return found
}

const NAMED: Readonly<Partial<Record<string, string>>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const MOST_CODE = 0x10ffff

/** As it was meant. Entities of a text's own stay as they are written. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= MOST_CODE ? String.fromCodePoint(code) : whole
  })
}
