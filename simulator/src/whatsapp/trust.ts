/**
 * Preloaded into product processes (`bun --preload simulator/src/whatsapp/trust.ts`): lets the unmodified client trust the
 * simulator's root key instead of WhatsApp's. Without `SIMULATOR_WA_ROOT` it changes nothing.
 */
import { WA_CERT_DETAILS } from '@whiskeysockets/baileys'

const root = process.env.SIMULATOR_WA_ROOT
if (root) setTrustRoot(root)

/** The same for a client in this very process. */
export function setTrustRoot(hex: string): void {
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(hex, 'hex')
}
