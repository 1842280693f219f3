// What a provider's refusal means for people: one of our codes. Its own words are for developers, change without notice, and are English.
import type { SendError } from '@balcao/contract'

/** By the code of a refusal: Meta's numbers, those of WhatsApp's server, or a driver's own words. */
const REASONS: Record<string, SendError> = {
  '131047': 'ERR_WINDOW_CLOSED',
  '470': 'ERR_WINDOW_CLOSED',

  ERR_WAPP_INVALID_CONTACT: 'ERR_WAPP_INVALID_CONTACT',
  '131021': 'ERR_WAPP_INVALID_CONTACT',
  '131026': 'ERR_WAPP_INVALID_CONTACT',
  '133010': 'ERR_SEND_NUMBER',
  '131037': 'ERR_SEND_NUMBER',
  '131045': 'ERR_SEND_NUMBER',

  '368': 'ERR_SEND_BLOCKED',
  '463': 'ERR_SEND_BLOCKED',
  '130497': 'ERR_SEND_BLOCKED',
  '131031': 'ERR_SEND_BLOCKED',
  '131048': 'ERR_SEND_BLOCKED',

  '4': 'ERR_SEND_TOO_MANY',
  '429': 'ERR_SEND_TOO_MANY',
  '80007': 'ERR_SEND_TOO_MANY',
  '130429': 'ERR_SEND_TOO_MANY',
  '131056': 'ERR_SEND_TOO_MANY',

  no_token: 'ERR_SEND_CREDENTIALS',
  '3': 'ERR_SEND_CREDENTIALS',
  '10': 'ERR_SEND_CREDENTIALS',
  '190': 'ERR_SEND_CREDENTIALS',
  '131005': 'ERR_SEND_CREDENTIALS',

  '131042': 'ERR_SEND_PAYMENT',

  '130472': 'ERR_SEND_OPTED_OUT',
  '131049': 'ERR_SEND_OPTED_OUT',
  '131050': 'ERR_SEND_OPTED_OUT',

  no_file: 'ERR_SEND_FILE',
  upload: 'ERR_SEND_FILE',
  '131052': 'ERR_SEND_FILE',
  '131053': 'ERR_SEND_FILE',

  '100': 'ERR_SEND_CONTENT',
  '400': 'ERR_SEND_CONTENT',
  '131008': 'ERR_SEND_CONTENT',
  '131009': 'ERR_SEND_CONTENT',

  not_supported: 'ERR_SEND_UNSUPPORTED',
  '131051': 'ERR_SEND_UNSUPPORTED',

  connection_deleted: 'ERR_SEND_NO_CONNECTION',
  not_sent: 'ERR_SEND_ORIGINAL',

  '1': 'ERR_SEND_UNAVAILABLE',
  '2': 'ERR_SEND_UNAVAILABLE',
  '131000': 'ERR_SEND_UNAVAILABLE',
  '131016': 'ERR_SEND_UNAVAILABLE',
  '131057': 'ERR_SEND_UNAVAILABLE',
  '133004': 'ERR_SEND_UNAVAILABLE',
  '479': 'ERR_SEND_UNAVAILABLE',
  network: 'ERR_SEND_UNAVAILABLE',
  no_confirmation: 'ERR_SEND_UNAVAILABLE',
  not_connected: 'ERR_SEND_UNAVAILABLE',
  not_handed_over: 'ERR_SEND_UNAVAILABLE',
  timeout: 'ERR_SEND_UNAVAILABLE',
  unreachable: 'ERR_SEND_UNAVAILABLE',
}

/** Our code for a provider's. */
export function sendErrorOf(code: string | number): SendError {
  const text = String(code)
  const known = Object.hasOwn(REASONS, text) ? REASONS[text] : undefined
  if (known) return known
  if (/^132\d{3}$/.test(text)) return 'ERR_SEND_TEMPLATE'
  if (/^133\d{3}$/.test(text)) return 'ERR_SEND_NUMBER'
  if (/^2\d\d$/.test(text)) return 'ERR_SEND_CREDENTIALS'
  if (/^(5\d\d|408|428)$/.test(text)) return 'ERR_SEND_UNAVAILABLE'
  return 'ERR_SEND_REFUSED'
}
