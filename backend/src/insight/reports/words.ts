// What reports say: titles, heads, labels. Names of queues, people and contacts stand as they are.
import type { Language, TicketStatus } from '@balcao/contract'
import en from '@balcao/contract/texts/reports/en.json'
import es from '@balcao/contract/texts/reports/es.json'
import pt from '@balcao/contract/texts/reports/pt.json'

export type ReportWords = typeof pt

const WORDS: Readonly<Record<Language, ReportWords>> = { pt, en, es }

export function getReportWords(language: Language): ReportWords {
  return WORDS[language]
}

/** In the order in which they are told. */
export const STATUS_ORDER: readonly TicketStatus[] = ['pending', 'open', 'paused', 'bot', 'nps', 'closed']
