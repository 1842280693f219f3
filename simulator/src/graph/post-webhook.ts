// A text message as Meta posts it, signed, to any process of the desk.
import { createHmac } from 'node:crypto'

export const APP_SECRET = 'segredo-do-aplicativo'

export interface WebhookPost {
  readonly whatsappId: number
  readonly phoneNumberId: string
  /** Digits of the customer's number. */
  readonly from: string
  /** The provider's id: the same message posted again is the same. */
  readonly id: string
  readonly body: string
}

/** Posts it once; the HTTP status, 0 when nobody answered. */
export async function postWebhook(
  url: string,
  { whatsappId, phoneNumberId, from, id, body }: WebhookPost,
): Promise<number> {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '553133330000', phone_number_id: phoneNumberId },
    contacts: [{ profile: { name: `Cliente ${from}` }, wa_id: from }],
    messages: [{ from, id, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body } }],
  }
  const raw = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '9901', changes: [{ field: 'messages', value }] }],
  })
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(raw).digest('hex')}`
  try {
    const answer = await fetch(`${url}/webhooks/cloud/${whatsappId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body: raw,
      signal: AbortSignal.timeout(15_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
