// Objects whose fields are single values, as queries and small forms are: made ready for their check field by field. TypeBox would read
// the whole schema for each of them, and compile an expression for each of its fields.
import Type, { type TSchema } from 'typebox'
import { Convert } from 'typebox/value'

/** Drops fields that the schema does not know, and makes numbers of texts where it says so; undefined where a field holds more than a value. */
export function createFieldReader(schema: TSchema, from: 'json' | 'text'): ((value: unknown) => unknown) | undefined {
  if (!Type.IsObject(schema) || OTHER_FIELDS.some(rule => Object.hasOwn(schema, rule))) return undefined
  if (!Object.values(schema.properties).every(isSingle)) return undefined
  const readers = new Map(
    Object.entries(schema.properties).map(([name, field]) => [name, from === 'text' ? createReader(field) : keep]),
  )
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const known: Record<string, unknown> = {}
    for (const [name, content] of Object.entries(value)) {
      const read = readers.get(name)
      if (read) known[name] = read(content)
    }
    return known
  }
}

/** What lets an object have fields that are not named. */
const OTHER_FIELDS = ['additionalProperties', 'patternProperties']

function isSingle(schema: TSchema): boolean {
  if (Type.IsUnion(schema)) return schema.anyOf.every(isSingle)
  return Type.IsLiteral(schema) || ['string', 'integer', 'number', 'boolean', 'null'].includes(getType(schema))
}

function createReader(schema: TSchema): (content: unknown) => unknown {
  const [isText, mayLack] = [getType(schema) === 'string', Type.IsOptional(schema)]
  return content => {
    const isReady = (isText && typeof content === 'string') || (mayLack && content === undefined)
    return isReady ? content : Convert(schema, content)
  }
}

function keep(content: unknown): unknown {
  return content
}

function getType({ type }: TSchema & { readonly type?: unknown }): string {
  return typeof type === 'string' ? type : ''
}
