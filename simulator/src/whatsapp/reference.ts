import { randomBytes } from 'node:crypto'

/** What a code begins with. With the three keys that a client adds it is as long as WhatsApp's: some 230 characters. */
export function makeReference(): string {
  return `2@${randomBytes(72).toString('base64')}`
}
