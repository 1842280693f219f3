// The few schema helpers every file of the contract uses.
import Type, { type Static, type TProperties, type TSchema } from 'typebox'

export type { Static, TProperties, TSchema }
export { Type }

/** A value or JSON null. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** One of several strings. */
export function StringEnum<const T extends readonly string[]>(values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })
}

/** An e-mail or password, plain or in the wire format (decisions §2). */
export const Secret = Type.String({ maxLength: 1000 })

/** A database id: a positive whole number. */
export const Id = Type.Integer({ minimum: 1 })

/** An instant on the wire: ISO 8601 in UTC. */
export const Instant = Type.String({ format: 'date-time' })

/** Ids of queues as the specification sends them in a query: a JSON array in a string, for example `[1,2]`. */
export const JsonIds = Type.String({ pattern: '^\\[[0-9, ]*\\]$', maxLength: 4000 })

/** Files in the form of a call, for the description of the API. */
export const Files = Type.Array(Type.Unsafe<unknown>({ type: 'string', format: 'binary' }))

/** Where a page goes on: the `nextCursor` of the one before. */
export const Cursor = Type.Optional(Type.String({ maxLength: 2000 }))

/** What a list of rows by name is asked with. */
export const Search = Type.Object({
  searchParam: Type.Optional(Type.String({ maxLength: 200 })),
  pageNumber: Type.Optional(Type.Integer({ minimum: 1 })),
  cursor: Cursor,
  all: Type.Optional(Type.String({ maxLength: 5 })),
  ignoreGroup: Type.Optional(Type.String({ maxLength: 5 })),
})

/** What a page of changes says besides its rows. */
export const changes = {
  gone: Type.Array(Id),
  reset: Type.Boolean(),
  hasMore: Type.Boolean(),
  nextCursor: Type.String(),
}
export const changesNote =
  '`gone`: ids of those that were deleted or are out of sight. `reset`: the cursor is too old, or rights became others since: read all anew and go on with `nextCursor`.'

/** What a page says besides its rows. */
export const page = { hasMore: Type.Boolean(), count: Type.Integer(), nextCursor: Nullable(Type.String()) }

/** What a form is called that makes something: sent again under the same name, because its answer was lost, it makes nothing twice. */
export const ClientId = Type.Optional(
  Type.String({ maxLength: 100, description: 'the same again gives what was made before' }),
)

export const IgnoredLog = Type.Optional(
  Type.Unknown({ description: 'accepted for compatibility; the server writes its own log' }),
)
