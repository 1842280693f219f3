import type { Queue } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { CornerUpLeft, UserRoundCheck } from 'lucide-react'
import type { TicketFate } from './leaving.ts'

/** What becomes of live tickets, a line each, as `ConfirmDanger` shows figures. */
export function useFateLines(queues: readonly Queue[]) {
  const t = useTexts('users')
  const nameOf = (id: number | null) => queues.find(queue => queue.id === id)?.name ?? t('fate.noQueue')
  return (fates: readonly TicketFate[]) => {
    if (fates.length === 0) return [{ icon: UserRoundCheck, text: t('fate.none') }]
    return fates.map(({ queueId, tickets, to }) => ({
      icon: to === null ? CornerUpLeft : UserRoundCheck,
      text: t(to === null ? 'fate.waits' : 'fate.goes', { count: tickets, queue: nameOf(queueId), name: to }),
    }))
  }
}
