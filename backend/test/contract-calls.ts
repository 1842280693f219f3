// What a walk over the calls of the contract sends: bodies and forms that each schema takes, one field of them replaced.
import { type Endpoint, endpoints } from '@balcao/contract'

export function findEndpoint(key: string): Endpoint {
  const found = Object.entries(endpoints).find(([each]) => each === key)
  if (!found) throw new Error(`no call ${key}`)
  return found[1]
}

export function listFields(schema: Endpoint['body']): string[] {
  return schema && 'properties' in schema ? Object.keys(Object(schema.properties)) : []
}

export function makeBody(schema: Endpoint['body']): Record<string, unknown> | undefined {
  return schema && Object.fromEntries(Object.entries(Object(makeExample(schema))))
}

export function makeForm(schema: Endpoint['body'], name: string, text: string): FormData {
  const usual = Object.entries(Object(schema && makeExample(schema))).filter(([each]) => each !== 'medias')
  return makeFields([...usual.map(([each, value]): [string, string] => [each, toText(value)]), [name, text]])
}

export function makeFields(fields: readonly [string, string | File][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value)
  return form
}

/** A value a schema takes, so that one strange value gets as far as it can; its texts are this one, as much of it as may be. */
export function makeExample(schema: unknown, text = 'Padaria 5531999990001'): unknown {
  const fields: Record<string, unknown> = Object(schema)
  if (Array.isArray(fields.anyOf)) return makeExample(fields.anyOf[0], text)
  if (Array.isArray(fields.enum)) return fields.enum[0]
  if ('const' in fields) return fields.const
  if (fields.type === 'object')
    return Object.fromEntries(
      Object.entries(Object(fields.properties)).map(([name, inner]) => [name, makeExample(inner, text)]),
    )
  if (fields.type === 'array') return [makeExample(fields.items, text)]
  if (fields.type === 'integer' || fields.type === 'number') return Math.max(1, Number(fields.minimum ?? 1))
  if (fields.type === 'boolean') return true
  if (fields.type === 'null') return null
  return fields.format === 'date-time'
    ? '2026-11-22T12:00:00.000Z'
    : text.slice(0, Number(fields.maxLength ?? text.length))
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
