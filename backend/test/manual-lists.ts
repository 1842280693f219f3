// The lists that people keep by hand, for tests that walk every call: a new list needs no line in them.
import type { Endpoint } from '@balcao/contract'
import { LISTS, listEndpoints, type RowListName } from '@balcao/contract/lists'
import Type from 'typebox'
import type { SignedInPerson } from './desk-server.ts'

/** The paths of the calls that read such a list, or one row of it. */
export const LIST_READS = Object.keys(listEndpoints).flatMap(key => (key.startsWith('GET ') ? [key.slice(4)] : []))

interface ManualList {
  readonly name: RowListName
  readonly path: string
  /** What a new row cannot be without. */
  readonly fields: readonly string[]
}

/** Those to which one adds with a body of JSON. */
export const MANUAL_LISTS: readonly ManualList[] = Object.entries(LISTS).flatMap(([name, list]) =>
  Object.entries<Endpoint>(list.endpoints).flatMap(([key, { body }]) => {
    const path = /^POST (\/[\w-]+)$/.exec(key)?.[1]
    return path && Type.IsObject(body) && isListName(name) ? [{ name, path, fields: body.required ?? [] }] : []
  }),
)

function isListName(name: string): name is RowListName {
  return Object.hasOwn(LISTS, name)
}

/** What a field is filled in with that takes no text without a meaning. */
const VALUES: readonly unknown[] = ['#112233', '2026-12-25', '08:00', '5531999990000', 'nome@exemplo.com.br', 1, true]

interface Row {
  readonly id: number
  readonly details?: readonly { readonly path: string }[]
}

/** Adds a row whose fields the rules take: a text, and where it is refused each of the other values in turn. */
export async function addRow(person: SignedInPerson, { path, fields }: ManualList) {
  const body: Record<string, unknown> = {}
  for (const field of fields) body[field] = `Texto ${crypto.randomUUID()}`
  for (const value of [...VALUES, null]) {
    const { status, body: answer } = await person.call<Row>('POST', path, body)
    if (status === 201) return { id: answer.id, body }
    if (value === null || !answer.details) throw new Error(`POST ${path}: ${status} ${JSON.stringify([body, answer])}`)
    for (const { path: field } of answer.details) body[field] = value
  }
  throw new Error(`POST ${path}: no values`)
}
