// The queues as the chart and the list show them.
import type { ResponseBody } from '@balcao/contract'
import type { Texts } from '@balcao/ui/i18n'

export type Stats = ResponseBody<'GET /dashboard/stats'>
export type QueueStats = Stats['queues'][number]

/** The fullest first; queues with nothing in them at the end, by name. The one without a queue has its own name. */
export function toQueueRows(queues: readonly QueueStats[], t: Texts): readonly QueueStats[] {
  return queues
    .map(queue => (queue.id === null ? { ...queue, name: t('noQueue') } : queue))
    .sort((one, other) => sumTickets(other) - sumTickets(one) || one.name.localeCompare(other.name, 'pt-BR'))
}

export function sumTickets({ open, pending }: Pick<QueueStats, 'open' | 'pending'>) {
  return open + pending
}

/** The chart in one sentence, for those who do not see it. */
export function describeChart(rows: readonly QueueStats[], t: Texts) {
  return t('chart', { rows: rows.map(row => t('chartRow', { ...row })).join('; ') })
}

/** 'mais cheia: Comercial, com 9', or nothing where nothing waits. */
export function describePeak(rows: readonly QueueStats[], t: Texts) {
  const first = rows[0]
  return first && sumTickets(first) > 0 ? t('peak', { name: first.name, count: sumTickets(first) }) : ''
}
