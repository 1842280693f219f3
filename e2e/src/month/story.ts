// What happens in the month, as `month.json` tells of it: who writes, what about, and what is said.
import { COMPANY } from '@balcao/backend/app/seed/company'
import type { SeededRandom } from '../../../backend/test/seeded-random.ts'
import month from './month.json' with { type: 'json' }

/** In dialogs, lines begin with who speaks: `c` customer, `a` agent, `n` a note among us, `f` a document of ours, `i` a picture of theirs. */
export const MONTH = month
const WORDS: Readonly<Record<string, readonly string[]>> = month.words

export interface Customer {
  readonly name: string
  readonly number: string
  readonly connection: string
  /** How often they write, against others. */
  readonly weight: number
  readonly tags: readonly string[]
}

export interface Line {
  readonly by: 'customer' | 'agent' | 'note' | 'file' | 'picture'
  readonly text: string
}

export interface Dialog {
  readonly queue: string
  readonly about: string
  readonly lines: readonly Line[]
}

const [LINE, OFFICIAL = ''] = COMPANY.connections.map(({ name }) => name)
const SPEAKERS = { c: 'customer', a: 'agent', n: 'note', f: 'file', i: 'picture' } as const

/** Those whose conversations stand on the desk, and more; their numbers are nobody's. */
export function listCustomers({ chance, between, pick }: SeededRandom): Customer[] {
  const present = new Map(COMPANY.tickets.flatMap(one => (one.number ? [[one.number, one] as const] : [])))
  const known = [...present].map(([number, { name, connection, tags = [] }]) => ({
    ...{ name, number, connection, tags },
    weight: between(0.8, 2.5),
  }))
  const tags = COMPANY.tags.map(({ name }) => name)
  const more = MONTH.customers.map((name, n) => ({
    name,
    number: `5531990000${String(110 + n * 7)}`,
    connection: chance(0.2) ? OFFICIAL : (LINE ?? ''),
    weight: chance(0.2) ? between(2, 4) : between(0.3, 1.5),
    tags: chance(0.6) ? [pick(tags)] : [],
  }))
  return [...known, ...more]
}

/** A conversation with its blanks filled; the same word stands for the same blank throughout. */
export function pickDialog(chance: SeededRandom): Dialog {
  const { queue, about, lines } = chance.pick(MONTH.dialogs)
  const fill = fillBlanks(chance)
  return { queue, about: fill(about), lines: lines.map(line => parseLine(fill(line))) }
}

/** Fills `{word}` by chance. */
export function fillBlanks({ pick }: SeededRandom): (text: string) => string {
  const filled = new Map<string, string>()
  return text =>
    text.replace(/(?<!\{)\{(\w+)\}(?!\})/g, (blank, word: string) => {
      const value = filled.get(word) ?? pick(WORDS[word] ?? [blank])
      filled.set(word, value)
      return value
    })
}

function parseLine(line: string): Line {
  const [speaker = '', ...rest] = line.split(': ')
  const by = Object.entries(SPEAKERS).find(([key]) => key === speaker)?.[1]
  if (!by) throw new Error(`Nobody says ${line}`)
  return { by, text: rest.join(': ') }
}
