/**
 * Preloaded into product processes (`bun --preload simulator/src/whatsapp/trust.ts`): lets the unmodified client trust the
 * simulator's root key instead of WhatsApp's. Without `SIMULATOR_WA_ROOT` it changes nothing, and loads nothing.
 */
const root = process.env.SIMULATOR_WA_ROOT
if (root) (await import('./trust-root.ts')).setTrustRoot(root)

export {}
