// Checks what comes in against the contract's schemas: unknown fields are dropped, texts become numbers where a query says so.
import type { FaultCode } from '@balcao/contract'
import Type, { type Static, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { AppError, createFieldError, createValidationError } from './errors.ts'
import { createFieldReader } from './single-values.ts'

/** In one list. */
const MOST_IDS = 2000

/**
 * A check made once for a schema; it answers the clean value or throws `ERR_VALIDATION`: what is too long by itself, else the first fault
 * of each field. A refusal costs next to nothing, however much was sent: faults are looked for in what is no longer than the contract allows.
 */
export function createValidator<S extends TSchema>(
  schema: S,
  from: 'json' | 'text' = 'json',
): (value: unknown) => Static<S> {
  let compiled: Validator | undefined
  const read = createFieldReader(schema, from)
  return value => {
    compiled ??= Compile(schema)
    const converted = read ? read(value) : from === 'text' ? compiled.Convert(value) : value
    if (!compiled.Check(converted)) throw toValidationError(schema, compiled, converted)
    return accepted<S>(read ? converted : compiled.Clean(converted))
  }
}

/** Whether a value fits, and nothing more: no reason, no clean copy. */
export function createCheck<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  let compiled: Validator | undefined
  return (value): value is Static<S> => {
    compiled ??= Compile(schema)
    return compiled.Check(value)
  }
}

/** `Check` has just proven what the generic type of the compiled schema cannot carry along. */
function accepted<S extends TSchema>(value: unknown): Static<S> {
  return value as Static<S>
}

/** Each field once, with the first thing that is wrong about it. */
function toValidationError(schema: TSchema, compiled: Validator, value: unknown): AppError {
  const excess = findExcess(schema, value, '')
  if (excess) return createValidationError('schema', [excess])
  const faults = new Map<string, SchemaFault>()
  for (const error of compiled.Errors(value)) {
    const missing = error.keyword === 'required' ? error.params.requiredProperties : ['']
    for (const name of missing) {
      const path = `${error.instancePath}${name ? `/${name}` : ''}`.replace(/^\//, '')
      if (!faults.has(path)) faults.set(path, { path, ...toProblem(error) })
    }
  }
  return createValidationError('schema', [...faults.values()])
}

/** The first thing that is longer than its schema takes. */
function findExcess(schema: TSchema, value: unknown, path: string): SchemaFault | null {
  if (typeof value === 'string' && Type.IsString(schema)) {
    const most = readLimit(schema, 'maxLength')
    // A character takes two places at most.
    const isTooLong = value.length > 2 * most || (value.length > most && [...value].length > most)
    return isTooLong ? { path, code: 'fieldTooLong', params: { most } } : null
  }
  if (Array.isArray(value) && Type.IsArray(schema)) {
    const most = readLimit(schema, 'maxItems')
    if (value.length > most) return { path, code: 'fieldTooMany', params: { most } }
    return firstExcess(path, value.entries(), () => schema.items)
  }
  if (isRecord(value) && Type.IsObject(schema)) {
    const { properties } = schema
    const names = Object.keys(properties).filter(name => Object.hasOwn(value, name))
    return firstExcess(
      path,
      names.map(name => [name, value[name]] as const),
      name => properties[name],
    )
  }
  if (!Type.IsUnion(schema)) return null
  // Too long for one shape may be right for another: it is too long if it is for each that it could have.
  const excesses = schema.anyOf.filter(shape => isShapedLike(shape, value)).map(shape => findExcess(shape, value, path))
  return excesses.includes(null) ? null : (excesses[0] ?? null)
}

function firstExcess<Name extends string | number>(
  path: string,
  parts: Iterable<readonly [Name, unknown]>,
  schemaOf: (name: Name) => TSchema | undefined,
): SchemaFault | null {
  for (const [name, value] of parts) {
    const schema = schemaOf(name)
    const excess = schema && findExcess(schema, value, path === '' ? `${name}` : `${path}/${name}`)
    if (excess) return excess
  }
  return null
}

/** TypeBox's own types name no options. */
function readLimit(schema: object, limit: 'maxLength' | 'maxItems'): number {
  const most: unknown = Object.entries(schema).find(([name]) => name === limit)?.[1]
  return typeof most === 'number' ? most : Number.POSITIVE_INFINITY
}

function isShapedLike(schema: TSchema, value: unknown): boolean {
  if (Type.IsUnion(schema)) return schema.anyOf.some(shape => isShapedLike(shape, value))
  if (typeof value === 'string') return Type.IsString(schema)
  if (Array.isArray(value)) return Type.IsArray(schema)
  return isRecord(value) && Type.IsObject(schema)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type SchemaError = ReturnType<Validator['Errors']>[number]

interface SchemaFault {
  readonly path: string
  readonly code: FaultCode<'schema'>
  readonly params?: Readonly<Record<string, string | number>>
}

function toProblem(error: SchemaError): Omit<SchemaFault, 'path'> {
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
export function parseId(text: string, missing: ConstructorParameters<typeof AppError>[0], most = 2 ** 31 - 1): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!(id >= 1 && id <= most)) throw new AppError(missing)
  return id
}

/** Which version of a row a form began with; one that says none that can be read overwrites whatever stands there. */
export function parseVersion(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
}

/** Ids joined with commas, or a JSON list of them; `null` and `undefined` as browsers write them into forms are nothing. */
export function parseIdList(text: string, path: string): number[] {
  const words = text.replace(/^\[|\]$/g, '').split(',')
  const entries = words.map(word => word.trim()).filter(word => word !== '' && word !== 'null' && word !== 'undefined')
  const ids = entries.map(Number)
  if (ids.length > MOST_IDS || ids.some(id => !Number.isInteger(id) || id < 1 || id >= 2 ** 31))
    throw createFieldError(path, 'call.list')
  return [...new Set(ids)]
}
