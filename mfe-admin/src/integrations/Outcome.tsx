import type { WebhookDelivery } from '@balcao/contract'
import { formatMoment, useTexts } from '@balcao/ui/i18n'
import { StatusPill } from '@balcao/ui/parts'

const KINDS = { done: 'ok', pending: 'waiting', failed: 'danger' } as const

/** What came of the last try, in one line. */
export function DeliveryOutcome({ delivery }: { readonly delivery: WebhookDelivery }) {
  const t = useTexts('integrations')
  const { state, status, fault, milliseconds, nextAt, attempts } = delivery
  const facts = [
    status !== null && t('outcome.status', { status }),
    fault !== null && t(`fault.${fault}`),
    milliseconds !== null && t('outcome.time', { milliseconds }),
    attempts > 1 && t('outcome.attempts', { count: attempts }),
    nextAt !== null && attempts > 0 && t('outcome.next', { at: formatMoment(nextAt) }),
  ].filter(fact => fact !== false)
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-text-2">
      <StatusPill kind={KINDS[state]}>{t(`state.${state}`)}</StatusPill>
      {facts.join(' · ')}
    </span>
  )
}
