import { randomBytes } from 'node:crypto'
import { getCapabilities, type Kind } from '@balcao/contract'

/**
 * A fresh provider id, given to a message before it is stored and sent, so that echo, receipt and answer all find it. Null where the
 * provider gives the ids: sending again would be a second message there. Ours look like those of WhatsApp's own clients.
 */
export function createProviderId(kind: Kind): string | null {
  return getCapabilities(kind).resendSafe ? `3EB0${randomBytes(9).toString('hex').toUpperCase()}` : null
}

/** The id of what a conversation shows though its provider has no such message: a missed call, what became of a payment, the files of a form. */
export function createOwnId(...parts: readonly (string | number)[]): string {
  return parts.join(':')
}

/** Whether the provider knows no message by this id. Its own have no colon. */
export function isOwnId(id: string): boolean {
  return id.includes(':')
}
