import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { registerDevice, unregisterDevice } from './subscribe.ts'

export function pushRoutes(parts: Parts): Route[] {
  return [
    serve('GET /push/public_key', () => ({ publicKey: parts.config.push.publicKey })),
    serve('POST /push/register', ({ session, body }) => registerDevice(parts, session, body)),
    serve('POST /push/unregister', ({ session, body }) => unregisterDevice(parts, session, body)),
  ]
}
