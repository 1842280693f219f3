// What a provider's refusal means for people: one of our codes. Its own words are for developers, change without notice, and are English.
import type { SendError } from '@balcao/contract'

/** Codes of refusals by what they mean: Meta's numbers, those of WhatsApp's server, or a driver's own words. */
const CODES: readonly (readonly [SendError, string])[] = [
  ['ERR_WINDOW_CLOSED', '131047 470'],
  ['ERR_WAPP_INVALID_CONTACT', 'ERR_WAPP_INVALID_CONTACT 131021 131026'],
  ['ERR_SEND_NUMBER', '133010 131037 131045'],
  ['ERR_SEND_BLOCKED', '368 463 130497 131031 131048'],
  ['ERR_SEND_TOO_MANY', '4 429 80007 130429 131056'],
  ['ERR_SEND_CREDENTIALS', 'no_token 3 10 190 131005'],
  ['ERR_SEND_PAYMENT', '131042'],
  ['ERR_SEND_OPTED_OUT', '130472 131049 131050'],
  ['ERR_SEND_FILE', 'no_file file_type upload 131052 131053'],
  ['ERR_SEND_CONTENT', '100 400 131008 131009'],
  ['ERR_SEND_UNSUPPORTED', 'not_supported 131051 131060'],
  ['ERR_SEND_NO_CONNECTION', 'connection_deleted'],
  ['ERR_SEND_ORIGINAL', 'not_sent not_there'],
  ['ERR_SEND_NOT_MEMBER', 'not_member'],
  [
    'ERR_SEND_UNAVAILABLE',
    '1 2 131000 131016 131057 133004 479 network browser_died no_confirmation not_connected not_handed_over timeout unreachable',
  ],
]
const REASONS = new Map(CODES.flatMap(([reason, codes]) => codes.split(' ').map(code => [code, reason] as const)))

/** Our code for a provider's. */
export function toSendError(code: string | number): SendError {
  const text = String(code)
  const known = REASONS.get(text)
  if (known) return known
  if (/^132\d{3}$/.test(text)) return 'ERR_SEND_TEMPLATE'
  if (/^133\d{3}$/.test(text)) return 'ERR_SEND_NUMBER'
  if (/^2\d\d$/.test(text)) return 'ERR_SEND_CREDENTIALS'
  if (/^(5\d\d|408|428)$/.test(text)) return 'ERR_SEND_UNAVAILABLE'
  return 'ERR_SEND_REFUSED'
}

/** The codes that mean one of ours. */
export function listProviderCodes(reason: SendError): readonly string[] {
  return CODES.find(([known]) => known === reason)?.[1].split(' ') ?? []
}
