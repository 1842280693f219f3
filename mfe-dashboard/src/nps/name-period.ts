import type { Texts } from '@balcao/ui/i18n'
import { type DatePeriod, getPreviousPeriod, isWholeMonth } from '../dashboard/filter.ts'
import type { NpsQuery } from './list.ts'

/** 'Em novembro', 'Neste período'. */
export function namePresent(period: DatePeriod, words: Texts, t: Texts): string {
  return isWholeMonth(period) ? t('inMonth', { month: nameMonth(period, words) }) : t('thisPeriod')
}

/** 'Em outubro', 'No período anterior'. */
export function nameEarlier(period: DatePeriod, words: Texts, t: Texts): string {
  return isWholeMonth(period) ? t('inMonth', { month: nameMonth(getPreviousPeriod(period), words) }) : t('before')
}

/** 'Ninguém deu nota em outubro'; not given where more is chosen than a period. */
export function describeEmpty(query: NpsQuery, words: Texts, t: Texts): string | undefined {
  if (query.low || query.queueId !== null || query.userId !== null || query.whatsappId !== null) return undefined
  return isWholeMonth(query) ? t('empty.ofMonth', { month: nameMonth(query, words) }) : t('empty.title')
}

function nameMonth({ from }: DatePeriod, words: Texts): string {
  return words(`month.${Number(from.slice(5, 7))}`)
}
