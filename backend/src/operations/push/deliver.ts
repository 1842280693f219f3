// One message to one device: encrypted for it (RFC 8291), signed with our key (RFC 8292), handed to its push service.
import type { PushPayload } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'
import { callOutside, OutwardError, type OutwardOptions } from '../../platform/http/outward.ts'

export interface PushDevice {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** `gone`: the device will never be reached again · `failed`: not now, and the push service may know why. */
export type Delivery = { readonly outcome: 'sent' | 'gone' } | { readonly outcome: 'failed'; readonly reason: string }

const TRIES = 3
const PATIENCE_MS = 10_000
/** Later than this nobody wants to hear of it. */
const TTL_SECONDS = 3600

/**
 * Sends, and tries again where the service is busy. Of several messages with one topic an absent device gets the last. Whoever is signed in
 * names the address: it is called only where the internet is, wherever its name leads to.
 */
export async function deliverPush(
  push: Config['push'],
  device: PushDevice,
  payload: PushPayload,
  resolve?: OutwardOptions['resolve'],
): Promise<Delivery> {
  const { default: webpush } = await import('web-push')
  const { endpoint, method, headers, body } = webpush.generateRequestDetails(
    { endpoint: device.endpoint, keys: { p256dh: device.p256dh, auth: device.auth } },
    JSON.stringify(payload),
    {
      vapidDetails: { subject: push.subject, publicKey: push.publicKey, privateKey: push.privateKey },
      TTL: TTL_SECONDS,
      urgency: 'high',
      topic: `${payload.about}-${payload.id}`,
      contentEncoding: 'aes128gcm',
    },
  )
  const allowed = push.origins.map(origin => new URL(origin).host)
  const outward = { allowed, ms: PATIENCE_MS, ...(resolve && { resolve }) }
  const request = { method, headers: plain(headers), body: new Uint8Array(body) }
  for (let attempt = 1; ; attempt++) {
    const status = await postPush(endpoint, request, outward)
    if (typeof status === 'number' && status < 300) return { outcome: 'sent' }
    if (status === 404 || status === 410) return { outcome: 'gone' }
    const worthIt = typeof status === 'string' ? status !== 'private' : status === 429 || status >= 500
    if (!worthIt || attempt === TRIES) return { outcome: 'failed', reason: String(status) }
    await Bun.sleep(250 * 4 ** (attempt - 1))
  }
}

/** The status, or what kept it from coming. */
async function postPush(endpoint: string, request: RequestInit, outward: OutwardOptions): Promise<number | string> {
  try {
    const answer = await callOutside(endpoint, request, outward)
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    if (error instanceof OutwardError) return error.fault
    return error instanceof Error ? error.name : 'unknown'
  }
}

function plain(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
