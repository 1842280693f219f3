// One call to an address: signed, to public hosts alone, never along a redirect, and without waiting for long.
import type { DeliveryFault } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'
import { toStorableText } from '../../platform/database/storable.ts'
import { callOutside, OutwardError } from '../../platform/http/outward.ts'
import { signWebhook } from './signature.ts'

export interface WebhookRequest {
  readonly address: string
  readonly secrets: readonly string[]
  /** The `webhook-id`. */
  readonly uid: string
  readonly body: string
}

/** What came of it. `retryAfter`: seconds that the other side asks for; `answer`: the beginning of its words. */
export interface CallOutcome {
  readonly status: number | null
  readonly fault: DeliveryFault | null
  readonly milliseconds: number
  readonly answer: string
  readonly retryAfter: number | null
}

export const CALL_MS = 10_000
/** More than is shown: what is of people is found in it before it is cut. */
const ANSWER_BYTES = 65_536

export async function callWebhook(
  { privateHosts: allowed, version }: Pick<Config, 'privateHosts' | 'version'>,
  { address, secrets, uid, body }: WebhookRequest,
): Promise<CallOutcome> {
  const begun = performance.now()
  const end = (outcome: Partial<CallOutcome>): CallOutcome => ({
    ...{ status: null, fault: null, answer: '', retryAfter: null },
    ...outcome,
    milliseconds: Math.round(performance.now() - begun),
  })
  const headers = { 'content-type': 'application/json', 'user-agent': `balcao/${version}` }
  const signed = { ...headers, ...signWebhook(secrets, uid, new Date(), body) }
  try {
    const response = await callOutside(address, { method: 'POST', headers: signed, body }, { allowed, ms: CALL_MS })
    const { status } = response
    const answer = await readBeginning(response)
    const isElsewhere = status >= 300 && status < 400
    return end({ status, answer, fault: isElsewhere ? 'redirect' : null, retryAfter: readRetryAfter(response) })
  } catch (error) {
    if (!(error instanceof OutwardError)) throw error
    return end({ fault: error.fault === 'tooLarge' ? 'lost' : error.fault })
  }
}

/** Whether the other side has it. */
export function isDelivered({ status }: Pick<CallOutcome, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** As much as is looked at; the rest is not waited for, whether it is much or never comes. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size < ANSWER_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      size += value.byteLength
    }
  } catch {
    // The status is what counts, and it was there.
  }
  await reader.cancel().catch(() => {})
  return toStorableText(Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8'))
}

/** In seconds; what asks for longer than a day is not taken at its word. */
function readRetryAfter({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 86_400) : null
}
