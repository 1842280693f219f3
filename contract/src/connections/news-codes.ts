// What a provider tells of an account or a number by itself: its codes, and how grave each is. The words are the reader's language's.

const LEVELS = {
  account_restricted: 'bad',
  account_violation: 'bad',
  account_disabled: 'bad',
  account_reinstated: 'good',
  account_deleted: 'bad',
  account_verified: 'good',
  account_changed: 'note',
  phone_unlinked: 'bad',
  phone_linked: 'good',
  review_approved: 'good',
  review_rejected: 'bad',
  review_pending: 'note',
  alert: 'bad',
  limit_raised: 'good',
  limit_lowered: 'bad',
  limit_now: 'note',
  limit_refused: 'bad',
  quality_low: 'bad',
  quality_restored: 'good',
  name_approved: 'good',
  name_rejected: 'bad',
  official_approved: 'good',
  official_rejected: 'bad',
  picture_lost: 'note',
  pin_changed: 'note',
  pin_reset_asked: 'bad',
  template_approved: 'good',
  template_rejected: 'bad',
  template_paused: 'bad',
  template_disabled: 'bad',
  template_restored: 'good',
  template_changed: 'note',
  template_quality_high: 'good',
  template_quality_medium: 'note',
  template_quality_low: 'bad',
  template_marketing: 'note',
  template_utility: 'note',
  template_authentication: 'note',
  history_declined: 'note',
  send_stopped: 'bad',
  error: 'bad',
} as const
export type NewsCode = keyof typeof LEVELS
export const NEWS: Readonly<Record<NewsCode, 'good' | 'note' | 'bad'>> = LEVELS

/** News that may say how many people a day a number may write to. */
export const LIMIT_NEWS: readonly NewsCode[] = [
  'limit_raised',
  'limit_lowered',
  'limit_now',
  'quality_low',
  'quality_restored',
]

/**
 * A limit that is told as it is now is more than the one known before, or less; with nothing to compare it is said as it is. Limits are
 * written as `250`, `1K` or `∞`.
 */
export function limitNews(now: string | undefined, before: string | undefined): NewsCode {
  const [left, right] = [parseRecipientLimit(now), parseRecipientLimit(before)]
  return left > right ? 'limit_raised' : left < right ? 'limit_lowered' : 'limit_now'
}

function parseRecipientLimit(limit: string | undefined): number {
  if (limit === '∞') return Number.POSITIVE_INFINITY
  const [, number, thousands] = /^(\d{1,12})(K)?$/i.exec(limit ?? '') ?? []
  return number === undefined ? Number.NaN : Number(number) * (thousands ? 1000 : 1)
}

/** Those that no administrator has seen: told after somebody looked, whenever they happened. */
export function filterUnseenNews<N extends { readonly at: string; readonly storedAt?: string }>(
  news: readonly N[],
  seenAt: string | null,
): N[] {
  return news.filter(({ at, storedAt }) => seenAt === null || Date.parse(storedAt ?? at) > Date.parse(seenAt))
}
