// Whose connections a client in this very process takes for WhatsApp's.
import { WA_CERT_DETAILS } from '@whiskeysockets/baileys'

/** The key of the simulator's `world.root`. */
export function setTrustRoot(hex: string): void {
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(hex, 'hex')
}
