// JSON that Postgres takes: jsonb refuses NUL and halves of surrogate pairs, which anybody can send.

/** A value as JSON text for a `jsonb`; what cannot be stored inside its strings is left out or replaced. */
export function jsonbText(value: unknown): string {
  const text = JSON.stringify(value)
  return /\\u0000|\\ud[89a-f]/i.test(text) ? JSON.stringify(value, storable) : text
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value
}
