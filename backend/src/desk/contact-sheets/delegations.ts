// What a sheet of delegations says: one row a queue and its person, the rows of a contact together (decisions §3, decisions-2 §14).
import { DELEGATION_COLUMNS, type DelegationColumn, type SheetProblem, toCanonicalNumber } from '@balcao/contract'
import { createNameFinder, findColumns, type HeadingMeanings } from '@balcao/formats/sheets/columns'
import type { SheetRow } from '@balcao/formats/sheets/read'
import { yieldBetweenRows } from '@balcao/formats/sheets/yield-rows'
import { cleanName } from '../contacts/identity.ts'
import {
  type ContactEntry,
  createCellReader,
  type DelegationRow,
  type RowFault,
  readRowNumbers,
  type SheetOptions,
} from './contact-rows.ts'

const DELEGATION_HEADS: HeadingMeanings<DelegationColumn> = {
  numero: ['whatsapp', 'phone', 'number'],
  nome: ['name', 'givenName', 'contact'],
  ...{ fila: ['queue'], usuario: ['person', 'email'] },
}

/** The contacts of a sheet with the rows of each, in the order in which they come up first: all of it is read before the first of them. */
export async function* parseDelegationRows(
  rows: AsyncIterable<SheetRow>,
  columns: readonly (DelegationColumn | null)[],
  options: SheetOptions,
): AsyncGenerator<ContactEntry> {
  const byNumber = new Map<string, { number: string; rows: SheetRow[]; faults: RowFault[] }>()
  for await (const row of yieldBetweenRows(rows)) {
    const faults: RowFault[] = []
    const places = columns.map(column => (column === 'numero' ? column : null))
    const { number } = readRowNumbers(row, places, options, faults)
    // Those without a number are nobody's but their own.
    const key = number === '' ? `row ${row.row}` : toCanonicalNumber(number)
    const group = byNumber.get(key) ?? { number, rows: [], faults: [] }
    group.rows.push(row)
    group.faults.push(...faults)
    byNumber.set(key, group)
  }
  for await (const group of yieldBetweenRows(byNumber.values())) yield together(group, columns)
}

function together(
  { number, rows, faults }: { number: string; rows: SheetRow[]; faults: RowFault[] },
  columns: readonly (DelegationColumn | null)[],
): ContactEntry {
  const readers = rows.map(row => ({ row, textOf: createCellReader(row, columns) }))
  const delegated = readers.flatMap(({ row, textOf }): DelegationRow[] => {
    const [queue, user] = [textOf('fila'), textOf('usuario')]
    if (queue === '' && user === '') return []
    if (queue === '') faults.push({ row: row.row, field: 'fila', code: 'redirectIncomplete' })
    if (user === '') faults.push({ row: row.row, field: 'usuario', code: 'redirectIncomplete' })
    return queue === '' || user === '' ? [] : [{ row: row.row, queue, user }]
  })
  const name = readers.map(({ textOf }) => cleanName(textOf('nome'))).find(text => text !== '') ?? ''
  return {
    rows,
    number,
    otherNumbers: [],
    name,
    email: '',
    tags: [],
    answers: null,
    delegated,
    faults: addSkippedRows(faults, rows),
  }
}

/** Who has one wrong row is left as he is: the others are told so, for half of them would take away what stood there. */
export function addSkippedRows(faults: readonly RowFault[], rows: readonly SheetRow[]): RowFault[] {
  if (faults.length === 0) return []
  const wrong = new Set(faults.map(({ row }) => row))
  const others = rows.filter(({ row }) => !wrong.has(row))
  return [...faults, ...others.map(({ row }): RowFault => ({ row, field: 'numero', code: 'otherRow' }))]
}

/** What a delegation is looked up in. */
export interface TeamDirectory {
  readonly queues: readonly { readonly id: number; readonly name: string }[]
  readonly users: readonly {
    readonly id: number
    readonly name: string
    readonly emailHash: string
    readonly active: boolean
    readonly queueIds: readonly number[]
  }[]
}

/** A redirect as it is kept. */
export interface Redirect {
  readonly queueId: number
  readonly userId: number
}

/** Finds queues and people as sheets name them; who does not have a queue is refused for it, unless it stood there `before`. */
export function createTeamFinder({ queues, users }: TeamDirectory, hashOf: (email: string) => string) {
  const queueOf = createNameFinder(queues)
  const userNamed = createNameFinder(users)
  const byHash = new Map(users.map(user => [user.emailHash, user]))
  const answered = new Map<string, ReturnType<typeof lookUp>>()
  /** Many rows name the same few. */
  function userOf(text: string): ReturnType<typeof lookUp> {
    const user = answered.get(text) ?? lookUp(text)
    answered.set(text, user)
    return user
  }
  function lookUp(text: string): TeamDirectory['users'][number] | SheetProblem {
    if (/^\S+@\S+$/.test(text)) return byHash.get(hashOf(text)) ?? 'userUnknown'
    const found = userNamed(text)
    if (found) return found
    return users.some(({ name }) => name.trim().toLowerCase() === text.toLowerCase()) ? 'userSeveral' : 'userUnknown'
  }
  return (
    delegated: readonly DelegationRow[],
    before: readonly Redirect[],
  ): { redirect: Redirect[]; faults: RowFault[] } => {
    const redirect: Redirect[] = []
    const faults: RowFault[] = []
    for (const { row, queue: queueName, user: userName } of delegated) {
      const fault = (field: DelegationColumn, code: SheetProblem) => faults.push({ row, field, code })
      const queue = queueOf(queueName)
      const user = userOf(userName)
      if (!queue) fault('fila', 'queueUnknown')
      if (typeof user === 'string') fault('usuario', user)
      if (!queue || typeof user === 'string') continue
      const stood = before.some(({ queueId, userId }) => queueId === queue.id && userId === user.id)
      if (!stood && !user.active) fault('usuario', 'redirectInactive')
      else if (!stood && !user.queueIds.includes(queue.id)) fault('usuario', 'redirectUnlinked')
      else if (redirect.some(({ queueId }) => queueId === queue.id)) fault('fila', 'redirectTwice')
      else redirect.push({ queueId: queue.id, userId: user.id })
    }
    return { redirect, faults }
  }
}

/** How its columns are found, for who reads a sheet of delegations. */
export const DELEGATION_SHEET = {
  ...{
    columns: DELEGATION_COLUMNS,
    repeatable: [],
    find: (heads: readonly string[]) => findColumns(heads, DELEGATION_COLUMNS, DELEGATION_HEADS),
    parse: parseDelegationRows,
    file: 'delegacao',
    source: 'delegation' as const,
  },
  needed: ['numero', 'fila', 'usuario'],
} as const
