// What the kinds that are a device linked to a phone have in common: how their ids and addresses look.
import { randomBytes } from 'node:crypto'
import type { KindModule, PersonNames } from './driver.ts'

export const LINKED_DEVICE = {
  // As the library's own ids look: `3EB0` and 18 hex digits.
  newId: () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`,
  addressOf: ({ pn, lid }: PersonNames) =>
    pn ? `${pn}@s.whatsapp.net` : lid ? `${lid.replace(/@.*$/, '')}@lid` : null,
} satisfies KindModule & { newId: () => string }
