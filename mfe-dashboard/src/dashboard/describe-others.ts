import type { Texts } from '@balcao/ui/i18n'
import type { Stats } from './queues.ts'

const STATUSES = ['paused', 'bot', 'nps'] as const

/** '2 pausadas · 1 com o robô': the live tickets that are neither in service nor waiting; empty where there are none. */
export function describeOthers(stats: Pick<Stats, (typeof STATUSES)[number]>, t: Texts): string {
  return STATUSES.filter(status => stats[status] > 0)
    .map(status => t(`also.${status}`, { count: stats[status] }))
    .join(' · ')
}
