import { reformatIsoDay } from '@balcao/contract/calendar/zoned-time'
import type { SearchRequest } from './search-store.ts'

/** What was written, and the days it means: 'mês passado (01/10/2026–31/10/2026)'. */
export function formatPeriod({ words, from, to }: NonNullable<SearchRequest['period']>): string {
  const days = [...new Set([from, to])].map(reformatIsoDay).join('–')
  return `${words} (${days})`
}
