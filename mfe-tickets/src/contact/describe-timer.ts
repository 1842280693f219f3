import type { Texts } from '@balcao/ui/i18n'

const DAY_SECONDS = 86_400

/** After how long messages of a chat disappear, in words. */
export function describeTimer(seconds: number, t: Texts): string {
  return t('drawer.disappearsAfter', { count: Math.ceil(seconds / DAY_SECONDS) })
}
