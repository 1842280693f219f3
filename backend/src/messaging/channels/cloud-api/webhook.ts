// The webhook of Meta: the challenge when the address is set up; then signature, events, and 200 only when they are committed.
import { timingSafeEqual } from 'node:crypto'
import type { DriverHost, WebhookAnswer, WebhookRequest } from '../../../platform/channel/driver.ts'
import { isSigned, parseJson } from '../shared/signed.ts'
import { type Addressee, toNotificationEvents } from './inbound.ts'

/**
 * Takes one notification. It needs no running driver, so any process of the server may take it.
 * 401: not signed by Meta, or no app secret is configured. 400: no JSON. 503: it could not be stored, Meta tries again.
 */
export async function receiveNotification(
  host: Pick<DriverHost, 'emit' | 'log' | 'connectionId'> & { readonly config: Pick<DriverHost['config'], 'graph'> },
  addressee: Addressee,
  { headers, raw }: WebhookRequest,
): Promise<WebhookAnswer> {
  const { appSecret } = host.config.graph
  if (appSecret === null || !isSigned(raw, headers.get('x-hub-signature-256'), appSecret))
    return { status: 401, events: 0 }
  const body = parseJson(raw)
  if (body === undefined) return { status: 400, events: 0 }
  const events = toNotificationEvents(body, addressee)
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

/**
 * The text to answer `GET /webhooks/cloud/{whatsappId}` with when Meta asks for the challenge, or null: then 403.
 * @example answerChallenge(new URLSearchParams('hub.mode=subscribe&hub.verify_token=t&hub.challenge=42'), 't') // '42'
 */
export function answerChallenge(query: URLSearchParams, verifyToken: string): string | null {
  if (query.get('hub.mode') !== 'subscribe') return null
  const received = Buffer.from(query.get('hub.verify_token') ?? '')
  const expected = Buffer.from(verifyToken)
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return null
  return query.get('hub.challenge')
}
