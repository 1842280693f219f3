// What Meta tells of an account, a number or its templates → news for who runs the connection. One row a field of the webhook.

import { type NewsCode, truncateText } from '@balcao/contract'
import type { ChannelEvent } from '../../../platform/channel/driver.ts'
import { isRecord, lookUp, toNumber, toText } from '../shared/json.ts'

type Fields = Record<string, unknown>
type Codes = Readonly<Record<string, NewsCode>>
type NewsFacts = { readonly code: NewsCode | undefined; readonly name: string; readonly about?: string | undefined }

/** The news of one change; null where its field brings none. `entry` says whose account, and when. */
export function toNewsEvent(field: string, value: Fields, entry: Fields): ChannelEvent | null {
  const notice = lookUp(FIELDS, field)?.(value)
  if (!notice?.code) return null
  const { code, name } = notice
  const seconds = toNumber(entry.time ?? value.timestamp)
  const about = truncateText(notice.about ?? '', 200)
  return {
    type: 'news',
    id: `${field}:${seconds}:${Bun.hash(JSON.stringify(value)).toString(36)}`,
    code,
    at: seconds > 0 && seconds < 1e11 ? seconds * 1000 : Date.now(),
    name: truncateText(`${field} ${name}`.trim(), 200),
    ...(about && { about }),
  }
}

const ACCOUNT: Codes = {
  ACCOUNT_RESTRICTION: 'account_restricted',
  ACCOUNT_VIOLATION: 'account_violation',
  ACCOUNT_DELETED: 'account_deleted',
  VERIFIED_ACCOUNT: 'account_verified',
  PARTNER_REMOVED: 'phone_unlinked',
  ACCOUNT_OFFBOARDED: 'phone_unlinked',
  ACCOUNT_RECONNECTED: 'phone_linked',
}
const REVIEWS: Codes = { APPROVED: 'review_approved', REJECTED: 'review_rejected' }
const ALERTS: Codes = {
  OBA_APPROVED: 'official_approved',
  OBA_REJECTED: 'official_rejected',
  PROFILE_PICTURE_LOST: 'picture_lost',
}
const QUALITY: Codes = {
  UPGRADE: 'limit_raised',
  THROUGHPUT_UPGRADE: 'limit_raised',
  DOWNGRADE: 'limit_lowered',
  FLAGGED: 'quality_low',
  UNFLAGGED: 'quality_restored',
}
const TEMPLATES: Codes = {
  APPROVED: 'template_approved',
  REJECTED: 'template_rejected',
  PAUSED: 'template_paused',
  FLAGGED: 'template_paused',
  DISABLED: 'template_disabled',
  REINSTATED: 'template_restored',
  UNPAUSED: 'template_restored',
}
const TEMPLATE_QUALITY: Codes = {
  GREEN: 'template_quality_high',
  YELLOW: 'template_quality_medium',
  RED: 'template_quality_low',
}
const CATEGORIES: Codes = {
  MARKETING: 'template_marketing',
  UTILITY: 'template_utility',
  AUTHENTICATION: 'template_authentication',
}
const PINS: Codes = {
  PIN_CHANGED: 'pin_changed',
  PIN_RESET_REQUEST: 'pin_reset_asked',
  PIN_RESET_SUCCESS: 'pin_changed',
}

const FIELDS: Readonly<Record<string, (value: Fields) => NewsFacts | null>> = {
  account_update: value => {
    const event = word(value.event)
    if (event === 'DISABLED_UPDATE') {
      const ban = isRecord(value.ban_info) ? value.ban_info : {}
      const state = word(ban.waba_ban_state)
      const code = state === 'REINSTATE' ? 'account_reinstated' : 'account_disabled'
      return { code, name: `${event} ${state}`, about: toText(ban.waba_ban_date) }
    }
    const violation = isRecord(value.violation_info) ? toText(value.violation_info.violation_type) : undefined
    return { code: ACCOUNT[event] ?? 'account_changed', name: event, about: violation }
  },
  account_review_update: value => pickNews(REVIEWS, value.decision, undefined, 'review_pending'),
  account_alerts: value => {
    const alert = isRecord(value.alert_info) ? value.alert_info : value
    const type = word(alert.alert_type)
    const code = ALERTS[type] ?? (type.startsWith('INCREASED_CAPABILITIES') ? 'limit_refused' : 'alert')
    return { code, name: type, about: code === 'alert' ? toText(alert.alert_description) : undefined }
  },
  phone_number_quality_update: value =>
    pickNews(QUALITY, value.event, formatLimit(value.current_limit ?? value.max_daily_conversations_per_business)),
  phone_number_name_update: value =>
    pickNews(
      { APPROVED: 'name_approved', REJECTED: 'name_rejected' },
      value.decision,
      toText(value.requested_verified_name),
    ),
  // Which way it went Meta does not say.
  business_capability_update: value => ({
    code: 'limit_now',
    name: '',
    about: formatLimit(value.max_daily_conversations_per_business ?? value.max_daily_conversation_per_phone),
  }),
  business_status_update: value => ({ code: 'account_changed', name: word(value.event) }),
  account_settings_update: value => ({ code: 'account_changed', name: word(value.type) }),
  security: value => pickNews(PINS, value.event),
  message_template_status_update: value =>
    pickNews(TEMPLATES, value.event, readTemplateName(value), 'template_changed'),
  message_template_components_update: value => ({ code: 'template_changed', name: '', about: readTemplateName(value) }),
  message_template_quality_update: value =>
    pickNews(TEMPLATE_QUALITY, value.new_quality_score, readTemplateName(value)),
  template_category_update: value => pickNews(CATEGORIES, value.new_category, readTemplateName(value)),
  history: value => {
    const [error] = Array.isArray(value.history) ? value.history.flatMap(one => (isRecord(one) ? one.errors : [])) : []
    return isRecord(error) ? { code: 'history_declined', name: readErrorCode(error) } : null
  },
  // Of the whole number; what is wrong with one message stands in that message.
  messages: value => {
    const [error] = Array.isArray(value.errors) ? value.errors : []
    if (!isRecord(error) || value.messages || value.statuses) return null
    return { code: 'error', name: readErrorCode(error), about: toText(error.title) }
  },
}

/** By Meta's word; what is in no row has none or is `other`. */
function pickNews(codes: Codes, value: unknown, about?: string, other?: NewsCode): NewsFacts {
  const name = word(value)
  return { code: codes[name] ?? other, name, about }
}

function word(value: unknown): string {
  return (toText(value) ?? '').toUpperCase()
}

function readErrorCode(error: Fields): string {
  const code = toNumber(error.code)
  return Number.isNaN(code) ? '' : String(code)
}

function readTemplateName(value: Fields): string | undefined {
  return toText(value.message_template_name)
}

/** How many people a day: `TIER_1K` is 1000, the highest none. */
function formatLimit(value: unknown): string | undefined {
  const tier = typeof value === 'number' ? String(value) : (toText(value) ?? '')
  const [, number, thousands] = /(\d+)(K)?$/i.exec(tier) ?? []
  if (number) return thousands ? `${number}000` : number
  return /UNLIMITED/i.test(tier) ? '∞' : undefined
}
