// Checks what comes in against the contract's schemas: unknown fields are dropped, texts become numbers where a query says so.
import { SCHEMA_PROBLEMS, type SchemaProblem } from '@balcao/contract'
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { AppError, invalid, wrongField } from './errors.ts'

/** In one list. */
const MOST_IDS = 2000

/** A check made once for a schema; it answers the clean value or throws `ERR_VALIDATION` with one entry per field. */
export function checkerOf<S extends TSchema>(schema: S, from: 'json' | 'text' = 'json'): (value: unknown) => Static<S> {
  let compiled: Validator | undefined
  return value => {
    compiled ??= Compile(schema)
    const clean = compiled.Clean(from === 'text' ? compiled.Convert(value) : value)
    if (compiled.Check(clean)) return accepted<S>(clean)
    throw refusalOf(compiled, clean)
  }
}

/** `Check` has just proven what the generic type of the compiled schema cannot carry along. */
function accepted<S extends TSchema>(value: unknown): Static<S> {
  return value as Static<S>
}

/** Each field once, with the first thing that is wrong about it. */
function refusalOf(compiled: Validator, value: unknown): AppError {
  const faults = new Map<string, SchemaFault>()
  for (const error of compiled.Errors(value)) {
    const missing =
      error.keyword === 'required' && 'requiredProperties' in error.params ? error.params.requiredProperties : ['']
    for (const name of missing) {
      const path = `${error.instancePath}${name ? `/${name}` : ''}`.replace(/^\//, '')
      if (!faults.has(path)) faults.set(path, { path, ...problemOf(error) })
    }
  }
  return invalid([...faults.values()], SCHEMA_PROBLEMS)
}

type SchemaError = ReturnType<Validator['Errors']>[number]

interface SchemaFault {
  readonly path: string
  readonly code: SchemaProblem
  readonly params?: Readonly<Record<string, string | number>>
}

function problemOf(error: SchemaError): Omit<SchemaFault, 'path'> {
  switch (error.keyword) {
    case 'required':
      return { code: 'fieldRequired' }
    case 'maxLength':
      return { code: 'fieldTooLong', params: { most: error.params.limit } }
    case 'maxItems':
      return { code: 'fieldTooMany', params: { most: error.params.limit } }
    default:
      return { code: 'fieldInvalid', params: { rule: error.message } }
  }
}

/** A database id from a path or a form; what is none cannot exist, hence the error of a missing thing. */
export function idOf(text: string, missing: ConstructorParameters<typeof AppError>[0], most = 2 ** 31 - 1): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!(id >= 1 && id <= most)) throw new AppError(missing)
  return id
}

/** Which version of a row a form began with; one that says none that can be read overwrites whatever stands there. */
export function versionOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
}

/** Ids joined with commas, or a JSON list of them; `null` and `undefined` as browsers write them into forms are nothing. */
export function idListOf(text: string, path: string): number[] {
  const words = text.replace(/^\[|\]$/g, '').split(',')
  const given = words.map(word => word.trim()).filter(word => word !== '' && word !== 'null' && word !== 'undefined')
  const ids = given.map(Number)
  if (ids.length > MOST_IDS || ids.some(id => !Number.isInteger(id) || id < 1 || id >= 2 ** 31))
    throw wrongField(path, 'Lista inválida')
  return [...new Set(ids)]
}
