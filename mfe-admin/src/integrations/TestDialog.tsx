import type { Webhook, WebhookDelivery, WebhookEventType } from '@balcao/contract'
import { WEBHOOK_SAMPLES } from '@balcao/contract/webhooks/samples'
import { pickWebhookData } from '@balcao/contract/webhooks/webhook'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, Field, Select, TextArea } from '@balcao/ui/parts'
import { useState } from 'react'
import { DeliveryOutcome } from './Outcome.tsx'

interface TestDialogProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

/** The sample of an event as this webhook gets it, and a button that sends it. */
export function TestDialog({ webhook, onClose }: TestDialogProps) {
  const t = useTexts('integrations')
  const [type, setType] = useState<WebhookEventType>(webhook.events[0] ?? 'message.received')
  const [result, setResult] = useState<WebhookDelivery | null>(null)
  const [busy, during] = useBusy()
  const send = () =>
    during(async () => {
      setResult(null)
      setResult(await api('POST /integrations/:id/test', { params: { id: webhook.id }, body: { type } }))
    })
  const data = { ...pickWebhookData(WEBHOOK_SAMPLES[type], webhook.fields), test: true }
  return (
    <Dialog
      title={t('test.title', { name: webhook.name })}
      intro={t('test.intro')}
      width={640}
      onClose={onClose}
      footer={
        <Button kind="primary" busy={busy} onClick={send}>
          {t('test.send')}
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Field label={t('test.event')}>
          <Select
            options={webhook.events.map(value => ({ value, label: t(`event.${value}`) }))}
            value={type}
            onChange={chosen => chosen && setType(chosen)}
          />
        </Field>
        <Code label={t('test.sample')} text={JSON.stringify({ type, timestamp: SAMPLE_TIME, data }, null, 2)} />
        <div role="status" className="empty:hidden">
          {result && <DeliveryOutcome delivery={result} />}
        </div>
      </div>
    </Dialog>
  )
}

const SAMPLE_TIME = '2026-03-02T12:00:05.000Z'

/** What goes over the line, to be read and copied. */
export function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Field label={label}>
      <TextArea
        readOnly
        value={text}
        onChange={() => undefined}
        rows={3}
        maxRows={16}
        className="font-mono text-small"
      />
    </Field>
  )
}
