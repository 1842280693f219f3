// The rows of an `insert`, read as they come: a value may go on over many lines, and each sign is looked at once.

export interface TupleReader {
  /** Reads on; whether the statement is over, and the rows that were. */
  readonly read: (text: string) => { readonly rows: readonly (readonly (string | null)[])[]; readonly isOver: boolean }
}

const SIGNS: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' }

/** `hasEscapes`: a backslash in a text says something, as in MySQL. Each text that is read ends with the end of its line. */
export function createTupleReader(hasEscapes: boolean): TupleReader {
  let depth = 0
  let inText = false
  let isEscaped = hasEscapes
  let bare = ''
  let value: string | null = null
  let cells: (string | null)[] = []

  function endCell(): void {
    const word = bare.trim()
    cells.push(value ?? (/^null$/i.test(word) ? null : word))
    bare = ''
    value = null
  }

  /** Reads on within a text; where what follows begins. */
  function readText(text: string, from: number): number {
    const sign = isEscaped ? /['\\]/g : /'/g
    sign.lastIndex = from
    const found = sign.exec(text)
    const at = found?.index ?? text.length
    value = (value ?? '') + text.slice(from, at)
    if (!found) return at
    const next = text[at + 1] ?? ''
    if (found[0] === '\\') {
      value += SIGNS[next] ?? next
      return at + 2
    }
    if (next === "'") {
      value += next
      return at + 2
    }
    inText = false
    return at + 1
  }

  return {
    read(text) {
      const rows: (string | null)[][] = []
      for (let at = 0; at < text.length; ) {
        if (inText) {
          at = readText(text, at)
          continue
        }
        const sign = text[at] ?? ''
        at++
        if (sign === "'") {
          inText = true
          value ??= ''
          isEscaped = hasEscapes || /^e$/i.test(bare.trim())
        } else if (sign === '(') {
          if (depth++ > 0) bare += sign
        } else if (sign === ')') {
          if (--depth > 0) bare += sign
          else {
            endCell()
            rows.push(cells)
            cells = []
          }
        } else if (sign === ',' && depth === 1) endCell()
        else if (sign === ';' && depth <= 0) return { rows, isOver: true }
        else if (depth > 0) bare += sign
      }
      return { rows, isOver: false }
    },
  }
}
