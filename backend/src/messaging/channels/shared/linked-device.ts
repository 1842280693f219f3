import type { KindModule } from './kind-module.ts'

/** What the kinds that are a device linked to a phone have in common: how their addresses look, and where they connect. */
export const LINKED_DEVICE: KindModule = {
  addressOf: ({ pn, lid }) => (pn ? `${pn}@s.whatsapp.net` : lid ? `${lid.replace(/@.*$/, '')}@lid` : null),
  host: ({ whatsappWebUrl }) => whatsappWebUrl?.replace(/^ws/, 'http') ?? 'https://web.whatsapp.com',
}
