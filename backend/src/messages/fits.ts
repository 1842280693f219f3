// How much of a text a kind of connection takes: more is refused where it is written, not days later by the provider.
import { KIND_TABLE, type Kind, LIMITS } from '@balcao/contract'
import type { Outgoing } from '../channels/driver.ts'
import { AppError } from '../http/errors.ts'

/** Throws `ERR_TEXT_TOO_LONG` for a text, a caption or a template's field that is longer than the kind takes. */
export function checkFits(kind: Kind, payload: Outgoing): void {
  if (payload.type === 'text' || payload.type === 'edit') check(payload.text, KIND_TABLE[kind].most.text)
  if (payload.type === 'media') check(payload.caption ?? '', KIND_TABLE[kind].most.caption)
  if (payload.type === 'template') for (const text of textsIn(payload.components)) check(text, LIMITS.templateField)
}

function check(text: string, most: number): void {
  if (text.length > most) throw new AppError('ERR_TEXT_TOO_LONG', { most, length: text.length })
}

/** The values somebody filled in: `{ type: 'text', text }`, wherever they stand. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  )
}
