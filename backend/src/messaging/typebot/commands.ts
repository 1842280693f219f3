// Lines of a flow that are for us (decisions-2 §10): they begin with `#` and are never said.
import { stripAccents, truncateText } from '@balcao/contract'
import type { RichTextLine } from './rich-text.ts'

export type FlowCommand =
  | { readonly do: 'queue' | 'person' | 'tag'; readonly name: string }
  | { readonly do: 'close' | 'people' }
  /** A word that we do not know. */
  | { readonly do: 'unknown'; readonly word: string }

const NAMED: Readonly<Record<string, 'queue' | 'person' | 'tag'>> = { fila: 'queue', atendente: 'person', tag: 'tag' }
const ALONE: Readonly<Record<string, 'close' | 'people'>> = { encerrar: 'close', humano: 'people' }

/**
 * The lines that are said, and the commands between them. `theirs`: lines of the customer that begin with `#`. A flow that repeats one says
 * it, whatever it puts behind it: nobody gives us orders by being quoted.
 */
export function separateCommands(
  lines: readonly RichTextLine[],
  theirs: readonly string[],
): { readonly shown: readonly RichTextLine[]; readonly commands: readonly FlowCommand[] } {
  const isOurs = ({ plain }: RichTextLine) => ORDER.test(plain) && !theirs.some(line => plain.trim().startsWith(line))
  return {
    shown: lines.filter(line => !isOurs(line)),
    commands: lines.filter(isOurs).map(({ plain }) => parseCommand(plain)),
  }
}

/** What a customer wrote that could be taken for a command, line by line. Of whom there is too much of it nothing is taken for one. */
export function listCommandLines(texts: readonly string[]): string[] {
  const lines = new Set(
    texts.flatMap(text => text.split('\n').map(line => line.trim())).filter(line => ORDER.test(line)),
  )
  return lines.size > MOST_LINES || texts.length > MOST_LINES ? ['#'] : [...lines]
}

/** A name as a flow is told it: one that is repeated after it was changed gives no orders either. */
export function stripCommandMark(name: string): string {
  return name.replace(/^[\s#]+/, '')
}

const MOST_LINES = 200
const ORDER = /^\s*#\s*\p{L}/u

function parseCommand(plain: string): FlowCommand {
  const [, word = '', rest = ''] = /^\s*#\s*(\S+)\s*(.*)$/.exec(plain) ?? []
  const known = stripAccents(word).toLowerCase().replace(/:$/, '')
  const name = rest.replace(/^[:\s]+/, '').trim()
  if (Object.hasOwn(NAMED, known) && name !== '') return { do: NAMED[known] ?? 'tag', name }
  if (Object.hasOwn(ALONE, known)) return { do: ALONE[known] ?? 'people' }
  return { do: 'unknown', word: truncateText(`#${word}`, 60) }
}
