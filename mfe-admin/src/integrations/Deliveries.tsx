import type { Webhook, WebhookDelivery } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy, useQuery } from '@balcao/ui/ask'
import { describeError, formatMoment, useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, EmptyState, ErrorState, RowSkeletons, toast } from '@balcao/ui/parts'
import { RefreshCw, Send } from 'lucide-react'
import { useState } from 'react'
import { DeliveryOutcome } from './Outcome.tsx'
import { Code } from './TestDialog.tsx'

interface DeliveriesProps {
  readonly webhook: Webhook
  /** Goes on to sending a test. */
  readonly onTest: () => void
  readonly onClose: () => void
}

/** What was sent in the last seven days, the newest first: each opens, and is sent once more by hand. */
export function Deliveries({ webhook, onTest, onClose }: DeliveriesProps) {
  const t = useTexts('integrations')
  const { id } = webhook
  const { last, error, again } = useQuery(id, signal =>
    api('GET /integrations/:id/deliveries', { params: { id }, signal }),
  )
  const [older, setOlder] = useState<{ readonly rows: readonly WebhookDelivery[]; readonly cursor: string | null }>()
  const [busy, during] = useBusy()
  const cursor = older ? older.cursor : (last?.nextCursor ?? null)
  const rows = [...(last?.deliveries ?? []), ...(older?.rows ?? [])]
  const reload = () => {
    setOlder(undefined)
    again()
  }
  const goOn = () =>
    during(async () => {
      const next = await api('GET /integrations/:id/deliveries', { params: { id }, query: { cursor: cursor ?? '' } })
      setOlder({ rows: [...(older?.rows ?? []), ...next.deliveries], cursor: next.nextCursor })
    })
  return (
    <Dialog
      title={t('deliveries.title', { name: webhook.name })}
      intro={t('deliveries.intro')}
      width={760}
      onClose={onClose}
      footer={
        <Button icon={RefreshCw} onClick={reload}>
          {t('deliveries.reload')}
        </Button>
      }
    >
      {error && !last ? (
        <ErrorState title={t('deliveries.failed')} text={describeError(error)} onRetry={reload} />
      ) : !last ? (
        <RowSkeletons />
      ) : rows.length === 0 ? (
        <EmptyState icon={Send} tone="info" title={t('deliveries.empty')} text={t('deliveries.emptyText')}>
          <Button kind="primary" icon={Send} onClick={onTest}>
            {t('test.send')}
          </Button>
        </EmptyState>
      ) : (
        <ul className="m-0 grid list-none gap-2 p-0">
          {rows.map(delivery => (
            <Delivery key={delivery.id} webhook={webhook} delivery={delivery} onReplayed={reload} />
          ))}
        </ul>
      )}
      {last && cursor !== null && (
        <Button kind="plain" busy={busy} onClick={goOn}>
          {t('deliveries.more')}
        </Button>
      )}
    </Dialog>
  )
}

interface DeliveryProps {
  readonly webhook: Webhook
  readonly delivery: WebhookDelivery
  readonly onReplayed: () => void
}

function Delivery({ webhook, delivery, onReplayed }: DeliveryProps) {
  const t = useTexts('integrations')
  const [busy, during] = useBusy()
  const { id: deliveryId, type, test, createdAt, request, answer, webhookId } = delivery
  const replay = () =>
    during(async () => {
      const params = { id: webhook.id, deliveryId }
      await api('POST /integrations/:id/deliveries/:deliveryId/replay', { params })
      toast.success(t('deliveries.replayed'))
      onReplayed()
    })
  return (
    <li className="min-w-0 rounded-card border border-line">
      <details className="min-w-0">
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-card px-4 py-2.5 hover:bg-hover">
          <span className="font-semibold text-ink">{t(`event.${type}`)}</span>
          {test && <span className="text-small text-text-2">{t('deliveries.test')}</span>}
          <span className="text-small text-text-2">{formatMoment(createdAt)}</span>
          <DeliveryOutcome delivery={delivery} />
        </summary>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pt-1 pb-4">
          <p className="m-0 text-small text-text-2">
            webhook-id: <bdi className="font-mono break-all">{webhookId}</bdi>
          </p>
          <Code label={t('deliveries.request')} text={request} />
          {answer !== '' && <Code label={t('deliveries.answer')} text={answer} />}
          <div>
            <Button size="small" busy={busy} disabled={!webhook.active} onClick={replay}>
              {t('deliveries.replay')}
            </Button>
          </div>
        </div>
      </details>
    </li>
  )
}
