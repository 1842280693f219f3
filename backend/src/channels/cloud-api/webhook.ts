// `POST /webhooks/cloud/{whatsappId}`: signature, events, and 200 only when they are committed.
import type { DriverHost, WebhookAnswer, WebhookRequest } from '../driver.ts'
import { eventsOfNotification } from './inbound.ts'
import { isSigned } from './signature.ts'

/**
 * Takes one notification. It needs no running driver, so any process of the server may take it.
 * 401: not signed by Meta, or no app secret is configured. 400: no JSON. 503: it could not be stored, Meta tries again.
 */
export async function takeNotification(
  host: Pick<DriverHost, 'emit' | 'log' | 'connectionId'> & { readonly config: Pick<DriverHost['config'], 'graph'> },
  phoneNumberId: string,
  { headers, raw }: WebhookRequest,
): Promise<WebhookAnswer> {
  const { appSecret } = host.config.graph
  if (appSecret === null || !isSigned(raw, headers.get('x-hub-signature-256'), appSecret))
    return { status: 401, events: 0 }
  const body = parsed(raw)
  if (body === undefined) return { status: 400, events: 0 }
  const events = eventsOfNotification(body, phoneNumberId)
  try {
    if (events.length > 0) await host.emit(events)
    return { status: 200, events: events.length }
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown'
    host.log.warn(
      { connectionId: host.connectionId, reason },
      'a notification could not be stored: Meta will repeat it',
    )
    return { status: 503, events: 0 }
  }
}

function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return undefined
  }
}
