// What a sheet of delegations says: one row a queue and its person, the rows of a contact together (decisions §3, decisions-2 §14).
import { DELEGATION_COLUMNS, type DelegationColumn, type SheetProblem } from '@balcao/contract'
import { findColumns, type Heads, nameFinder } from '@balcao/formats/sheets/columns'
import { withTurns } from '@balcao/formats/sheets/packs'
import type { SheetRow } from '@balcao/formats/sheets/read'
import { clean } from '../contacts/identity.ts'
import {
  cellsOf,
  type Delegated,
  type Fault,
  oneSpelling,
  readRowNumber,
  type SheetOptions,
  type Wanted,
} from './people.ts'

const DELEGATION_HEADS: Heads<DelegationColumn> = {
  numero: ['whatsapp', 'phone', 'number'],
  nome: ['name', 'givenName', 'contact'],
  ...{ fila: ['queue'], usuario: ['person', 'email'] },
}

/** The contacts of a sheet with the rows of each, in the order in which they come up first: all of it is read before the first of them. */
export async function* delegationsIn(
  rows: AsyncIterable<SheetRow>,
  columns: readonly (DelegationColumn | null)[],
  options: SheetOptions,
): AsyncGenerator<Wanted> {
  const byNumber = new Map<string, { number: string; rows: SheetRow[]; faults: Fault[] }>()
  for await (const row of withTurns(rows)) {
    const faults: Fault[] = []
    const places = columns.map(column => (column === 'numero' ? column : null))
    const number = readRowNumber(row, places, options, faults)
    // Those without a number are nobody's but their own.
    const key = number === '' ? `row ${row.row}` : oneSpelling(number)
    const group = byNumber.get(key) ?? { number, rows: [], faults: [] }
    group.rows.push(row)
    group.faults.push(...faults)
    byNumber.set(key, group)
  }
  for await (const group of withTurns(byNumber.values())) yield together(group, columns)
}

function together(
  { number, rows, faults }: { number: string; rows: SheetRow[]; faults: Fault[] },
  columns: readonly (DelegationColumn | null)[],
): Wanted {
  const said = rows.map(row => ({ row, textOf: cellsOf(row, columns) }))
  const delegated = said.flatMap(({ row, textOf }): Delegated[] => {
    const [queue, user] = [textOf('fila'), textOf('usuario')]
    if (queue === '' && user === '') return []
    if (queue === '') faults.push({ row: row.row, field: 'fila', code: 'redirectIncomplete' })
    if (user === '') faults.push({ row: row.row, field: 'usuario', code: 'redirectIncomplete' })
    return queue === '' || user === '' ? [] : [{ row: row.row, queue, user }]
  })
  const name = said.map(({ textOf }) => clean(textOf('nome'))).find(text => text !== '') ?? ''
  return { rows, number, name, email: '', tags: [], answers: null, delegated, faults: withOthers(faults, rows) }
}

/** Who has one wrong row is left as he is: the others are told so, for half of them would take away what stood there. */
export function withOthers(faults: readonly Fault[], rows: readonly SheetRow[]): Fault[] {
  if (faults.length === 0) return []
  const wrong = new Set(faults.map(({ row }) => row))
  const others = rows.filter(({ row }) => !wrong.has(row))
  return [...faults, ...others.map(({ row }): Fault => ({ row, field: 'numero', code: 'otherRow' }))]
}

/** What a delegation is looked up in. */
export interface Team {
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
export function teamFinder({ queues, users }: Team, hashOf: (email: string) => string) {
  const queueOf = nameFinder(queues)
  const userNamed = nameFinder(users)
  const byHash = new Map(users.map(user => [user.emailHash, user]))
  const answered = new Map<string, ReturnType<typeof lookUp>>()
  /** Many rows name the same few. */
  function userOf(said: string): ReturnType<typeof lookUp> {
    const user = answered.get(said) ?? lookUp(said)
    answered.set(said, user)
    return user
  }
  function lookUp(said: string): Team['users'][number] | SheetProblem {
    if (/^\S+@\S+$/.test(said)) return byHash.get(hashOf(said)) ?? 'userUnknown'
    const found = userNamed(said)
    if (found) return found
    return users.some(({ name }) => name.trim().toLowerCase() === said.toLowerCase()) ? 'userSeveral' : 'userUnknown'
  }
  return (delegated: readonly Delegated[], before: readonly Redirect[]): { redirect: Redirect[]; faults: Fault[] } => {
    const redirect: Redirect[] = []
    const faults: Fault[] = []
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
    parse: delegationsIn,
    file: 'delegacao',
    source: 'delegation' as const,
  },
  needed: ['numero', 'fila', 'usuario'],
} as const
