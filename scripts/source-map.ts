// Source maps that say the file and the line, and no more: what a stack is read for, at a third of the memory they take while they are
// loaded, which is from the first error on (docs/decisions/0330). The form: ECMA-426, "Mappings Structure".

interface SourceMapFile {
  readonly sources: readonly string[]
  readonly sourcesContent?: readonly (string | null)[]
  readonly names: readonly string[]
  readonly mappings: string
}

/** Where a piece of the made file comes from; counted from 0. */
interface Mapping {
  readonly column: number
  readonly source: number
  readonly line: number
  readonly sourceColumn: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]))
const DIGIT_BITS = 5
const MORE = 1 << DIGIT_BITS

/** The same map with one mapping for each line of a source that follows another, and without the sources' texts: they lie in their files. */
export function reduceSourceMap(map: SourceMapFile): SourceMapFile {
  const decode = createDecoder()
  const encode = createEncoder()
  const lines = map.mappings.split(';').map(line => encode(dropRepeated(decode(line))))
  // Bun refuses a map in which a source has no text.
  return { ...map, sourcesContent: map.sources.map(() => ''), names: [], mappings: lines.join(';') }
}

function dropRepeated(mappings: readonly Mapping[]): Mapping[] {
  return mappings.filter(({ source, line }, at) => {
    const before = mappings[at - 1]
    return before?.source !== source || before.line !== line
  })
}

/** Numbers are differences to the mapping before; those of the columns begin anew with each line. */
function createDecoder(): (line: string) => Mapping[] {
  const last = { source: 0, line: 0, sourceColumn: 0 }
  return text => {
    let column = 0
    const mappings: Mapping[] = []
    for (const segment of text.split(',').filter(Boolean)) {
      const [toColumn = 0, toSource, toLine = 0, toSourceColumn = 0] = readNumbers(segment)
      column += toColumn
      // What comes from no source.
      if (toSource === undefined) continue
      last.source += toSource
      last.line += toLine
      last.sourceColumn += toSourceColumn
      mappings.push({ column, ...last })
    }
    return mappings
  }
}

function createEncoder(): (line: readonly Mapping[]) => string {
  let last = { source: 0, line: 0, sourceColumn: 0 }
  return mappings => {
    let before = 0
    return mappings
      .map(({ column, ...to }) => {
        const numbers = [
          column - before,
          to.source - last.source,
          to.line - last.line,
          to.sourceColumn - last.sourceColumn,
        ]
        before = column
        last = to
        return numbers.map(writeNumber).join('')
      })
      .join(',')
  }
}

/** Five bits a digit, the lowest first; the lowest of all is the sign. */
function readNumbers(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = VALUES.get(digit)
    if (bits === undefined) throw new Error(`${digit} is no digit of a source map`)
    value |= (bits & (MORE - 1)) << shift
    shift += DIGIT_BITS
    if (bits & MORE) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return numbers
}

function writeNumber(number: number): string {
  let text = ''
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  do {
    const bits = rest & (MORE - 1)
    rest >>>= DIGIT_BITS
    text += DIGITS.charAt(rest > 0 ? bits | MORE : bits)
  } while (rest > 0)
  return text
}
