// The kind `baileys` while none of it runs. Its library takes a quarter of a server's memory, so it is loaded with the first of its connections.
import { getSql } from '../../../platform/database/raw.ts'
import type { KindModule } from '../shared/kind-module.ts'
import { LINKED_DEVICE } from '../shared/linked-device.ts'

export const BAILEYS: KindModule = {
  ...LINKED_DEVICE,
  createDriver: async (_connection, host) => (await import('./driver.ts')).createBaileysDriver(host),
  forget: async (db, connectionId) => (await import('./auth-store.ts')).forgetPairing(getSql(db), connectionId),
  reread: async raw => (await import('./message.ts')).rereadMessage(raw),
  unseal: async (sealed, secret) => (await import('./message.ts')).unseal(sealed, secret),
  assumed: {
    code: 'assumption.pairing',
    isReal: ({ whatsappWebUrl }) => whatsappWebUrl === null,
    seenBy: 'number',
    socket: 'wss://web.whatsapp.com/ws/chat',
  },
}
