// How commands speak: people get lines and tables, in colours where there is a terminal; programs get JSON (`--json`).
import { type LayoutColumn, type Paint, renderTable, type Tone } from './layout.ts'
import { wrapText } from './text.ts'

/** As much of a stream as is written to. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  /** `written`: once it is on its way, or could not be. */
  write(text: string | Uint8Array, written?: () => void): unknown
}

export interface CommandOutput {
  /** Programs read this: nothing but JSON goes to stdout. */
  readonly json: boolean
  /** A person sits there, and what was written can be written over. */
  readonly isTerminal: boolean
  /** Columns of the terminal; without one there is room for everything. */
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
  /** A line for people; nothing with `--json`. */
  line(text?: string): void
  /** Words for people, broken where the terminal ends. */
  say(text: string, tone?: Tone): void
  /** More about the line before it: a little to the right, broken where the terminal ends. */
  detail(text: string): void
  /** That something is done. */
  done(text: string): void
  /** That something is not as it should be, on stderr. */
  warn(text: string): void
  /** A line beside the answer, on stderr: hints, warnings, progress. */
  note(text: string): void
  table<R>(rows: readonly R[], columns: readonly LayoutColumn<R>[]): void
  /** The answer of a command: one JSON document, or what `draw` says to people. */
  answer(data: unknown, draw: () => void): void
  /** One of many answers that come by and by: a line of JSON each. */
  event(data: unknown, draw: () => void): void
  /** Exactly this, such as a token, a script or a file. */
  raw(text: string | Uint8Array): void
  /** One part of something long; done when whoever reads it has taken it. */
  pour(bytes: Uint8Array): Promise<void>
}

interface OutOptions {
  readonly json: boolean
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
}

export function createOut({ json, stdout, stderr, env }: OutOptions): CommandOutput {
  const isTerminal = stdout.isTTY === true && !json
  const paint: Paint = isTerminal && isColourWanted(env) ? colourText : keepText
  const columns = () => (stdout.isTTY === true ? Math.max(20, stdout.columns ?? 80) : Number.POSITIVE_INFINITY)
  const line = (text = '') => {
    if (!json) stdout.write(`${text}\n`)
  }
  const fitted = (text: string) => (isTerminal ? wrapText(text, columns() - 2) : [text])
  return {
    json,
    isTerminal: isTerminal && canBeSteered(env),
    get columns() {
      return columns()
    },
    get rows() {
      return stdout.rows ?? 24
    },
    paint,
    line,
    say(text, tone) {
      for (const each of fitted(text)) line(paint(each, tone))
    },
    done(text) {
      const [first = '', ...others] = fitted(`✓ ${text}`)
      line(first.replace('✓', paint('✓', 'good')))
      for (const each of others) line(`  ${each}`)
    },
    detail(text) {
      for (const each of fitted(text)) line(`  ${each}`)
    },
    warn: text => void stderr.write(`${wrapBehindMark(text, stderr, '!').replace('!', paint('!', 'warn'))}\n`),
    note: text =>
      void stderr.write(`${stderr.isTTY ? wrapText(text, (stderr.columns ?? USUAL_COLUMNS) - 1).join('\n') : text}\n`),
    table(rows, of) {
      for (const text of renderTable(rows, of, columns(), paint)) line(text)
    },
    answer(data, draw) {
      if (json) stdout.write(`${toSafeJson(data, stdout.isTTY === true ? 2 : 0)}\n`)
      else draw()
    },
    event(data, draw) {
      if (json) stdout.write(`${toSafeJson(data)}\n`)
      else draw()
    },
    raw: text => void stdout.write(text),
    pour: bytes => new Promise(resolve => stdout.write(bytes, () => resolve())),
  }
}

/** Words behind a mark, what goes on below standing under them, as wide as the terminal they are written to. */
export function wrapBehindMark(text: string, { isTTY, columns = USUAL_COLUMNS }: Stream, mark: string): string {
  const room = isTTY ? Math.max(20, columns) - 2 : Number.POSITIVE_INFINITY
  return `${mark} ${wrapText(text, room).join('\n  ')}`
}

const USUAL_COLUMNS = 80

/** JSON that steers no terminal: what JSON leaves of control characters is escaped as well. */
export function toSafeJson(data: unknown, indent = 0): string {
  return (JSON.stringify(data, null, indent) ?? 'null').replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

type Env = Readonly<Record<string, string | undefined>>

function isColourWanted(env: Env): boolean {
  return !env.NO_COLOR && canBeSteered(env)
}

/** Whether the terminal understands more than lines of text: what was written may be written over. */
export function canBeSteered({ TERM }: Env): boolean {
  return TERM !== 'dumb'
}

const CODES: Readonly<Record<Tone, string>> = {
  strong: '1',
  muted: '2',
  good: '32',
  warn: '33',
  bad: '31',
  link: '94',
}

function colourText(text: string, tone?: Tone): string {
  return tone && text !== '' ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text
}

function keepText(text: string): string {
  return text
}
