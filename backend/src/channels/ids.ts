import { randomBytes } from 'node:crypto'
import type { Kind } from '@balcao/contract'

/**
 * A fresh provider id, given to a message before it is stored and sent, so that echo, receipt and answer all find it.
 * Null where the provider gives the ids. Baileys' own ids look the same: `3EB0` and 18 hex digits.
 */
export function newProviderId(kind: Kind): string | null {
  return kind === 'cloud_api' ? null : `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
}
