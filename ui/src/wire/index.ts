// E-mails and passwords between page and server (decisions §2); not security, and without https a browser can neither seal nor open.
import { openWire, sealWire } from '@balcao/contract/sessions/wire-secret'
import { canSeal } from '@balcao/ui/browser'
import { session } from '@balcao/ui/session'

/** As it is sent: sealed where that can be done, else plain, which the server takes too. */
export async function sealText(text: string): Promise<string> {
  const { wireSecret } = session
  return wireSecret === null || !canSeal() ? text : sealWire(wireSecret, text)
}

/** As people read it; empty where the browser cannot open it. What is not sealed is as it stands. */
export async function openText(text: string): Promise<string> {
  if (!canSeal()) return text.includes('@') ? text : ''
  return (await openWire(session.wireSecret ?? '', text)) ?? text
}
