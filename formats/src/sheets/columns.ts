// What the columns of a sheet are: found by their headings, or chosen by hand; and how words in cells are compared.
import { createFieldError, stripAccents } from '@balcao/contract'
import { type HeadingMeaning, readHeading } from './headings.ts'

/** What the heading of each column may mean, the likeliest first. */
export type HeadingMeanings<C extends string> = Readonly<Record<C, readonly HeadingMeaning[]>>

/** Which column each heading is; a second one of a kind is left out. */
export function findColumns<C extends string>(
  heads: readonly string[],
  columns: readonly C[],
  meanings: HeadingMeanings<C>,
): (C | null)[] {
  const read = heads.map(readHeading)
  const found: (C | null)[] = heads.map(() => null)
  for (const column of columns) {
    const places = meanings[column].map(meaning => read.findIndex((one, at) => one === meaning && found[at] === null))
    const place = places.find(at => at >= 0)
    if (place !== undefined) found[place] = column
  }
  return found
}

/**
 * The columns as chosen by hand: JSON with a column or null for each heading, each once but for those that are `repeatable`; null where
 * nothing was chosen. Throws `ERR_VALIDATION`.
 */
export function parseChosenColumns<C extends string>(
  text: string | null,
  heads: readonly string[],
  columns: readonly C[],
  repeatable: readonly C[] = [],
): (C | null)[] | null {
  if (text === null || text === '') return null
  const wrong = () => createFieldError('columns', 'call.columns')
  // Whoever sends more means no columns, and to make values of a long text takes the time of everybody.
  if (text.length > LONGEST_NAME * (heads.length + 1)) throw wrong()
  const value = parsed(text)
  if (!Array.isArray(value) || value.length > heads.length) throw wrong()
  const chosen = value.map(one => {
    const column = columns.find(name => name === one)
    if (!column && one !== null) throw wrong()
    return column ?? null
  })
  const named = chosen.filter(column => column !== null && !repeatable.includes(column))
  if (new Set(named).size < named.length) throw wrong()
  return chosen
}

/** Of a column, with the signs around it. */
const LONGEST_NAME = 64

/** Without accents, case and what is neither letter nor digit: how headings and names are compared. */
export function normalizeText(text: string): string {
  return stripAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

interface NamedThing {
  readonly id: number
  readonly name: string
}

/** Finds what has a name: `Name #id`, what is called just so, else the only one that is `plain`ly the same. */
export function createNameFinder<T extends NamedThing>(things: readonly T[]) {
  const byId = new Map(things.map(thing => [thing.id, thing]))
  const forms = [(name: string) => name.trim().toLowerCase(), normalizeText].map(form => ({
    form,
    known: Map.groupBy(things, ({ name }) => form(name)),
  }))
  return (text: string): T | undefined => {
    const numbered = /^(.*) #(\d{1,9})$/s.exec(text)
    const one = byId.get(Number(numbered?.[2]))
    if (one && one.name.trim() === numbered?.[1]?.trim()) return one
    for (const { form, known } of forms) {
      const found = form(text) === '' ? [] : (known.get(form(text)) ?? [])
      if (found.length === 1) return found[0]
    }
  }
}

/** What finds it again: its name, with its number where others are called the same. */
export function createNameFormatter<T extends NamedThing>(things: readonly T[]) {
  const find = createNameFinder(things)
  return ({ id, name }: T): string => (find(name)?.id === id && !name.includes('@') ? name : `${name.trim()} #${id}`)
}

/** A word of agreement in the three languages; null where it is neither yes nor no. */
export function parseYesNo(text: string): boolean | null {
  if (YES.has(normalizeText(text))) return true
  return NO.has(normalizeText(text)) ? false : null
}

/**
 * Names in one cell, with `,`, `;`, `|`, `:::` or line breaks between them; one that holds such a mark stands in quotes. What begins with
 * `* ` is a group that Google puts everybody in, and none.
 * @example parseNames('VIP; "Padaria, centro"') // ['VIP', 'Padaria, centro']
 */
export function parseNames(cell: string): string[] {
  const names = [...cell.replaceAll(' ::: ', ';').matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,;|\n]*))\s*(?:[,;|\n]|$)/g)]
  const found = names.map(([, quoted, bare]) => (quoted?.replaceAll('""', '"') ?? bare ?? '').trim())
  return [...new Set(found)].filter(name => name !== '' && !name.startsWith('* '))
}

/** The other way round. */
export function formatNames(names: readonly string[]): string {
  return names.map(name => (/[,;|\n"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join('; ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const YES = words('sim s yes y si true verdadeiro verdadero 1 ativo ativa active activo activa x')
const NO = words('nao n no false falso 0 inativo inativa inactive inactivo inactiva')

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
