// What Postgres takes: no zero character and no half of a surrogate pair, which anybody can send.

/** A text as it can be kept: the one is dropped, the other replaced. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** The same for every text in a value, and for the names of its fields. */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(toStorable)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), toStorable(inner)]))
  return value
}

/** A value as JSON text for a `jsonb`. */
export function toJsonbText(value: unknown): string {
  const text = JSON.stringify(value)
  return /\\u0000|\\ud[89a-f]/i.test(text) ? JSON.stringify(toStorable(JSON.parse(text))) : text
}
