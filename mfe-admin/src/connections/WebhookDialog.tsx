import type { Connection } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Button, copyText, Dialog, Field, TextInput } from '@balcao/ui/parts'
import { Copy } from 'lucide-react'

interface WebhookDialogProps {
  readonly connection: Connection
  /** The second step of one that was just added. */
  readonly onNext: (() => void) | undefined
  readonly onClose: () => void
}

/** What has to be pasted at Meta's so that messages arrive here. */
export function WebhookDialog({ connection, onNext, onClose }: WebhookDialogProps) {
  const t = useTexts('connections')
  return (
    <Dialog
      title={t('webhook.title', { name: connection.name })}
      intro={t('webhook.lead')}
      width={520}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onNext ?? onClose}>
          {t(onNext ? 'form.next' : 'webhook.done')}
        </Button>
      }
    >
      <WebhookFacts webhookUrl={connection.webhookUrl} />
    </Dialog>
  )
}

/** The address, the word and the fields, each to be copied. */
export function WebhookFacts({ webhookUrl }: { readonly webhookUrl: string | null }) {
  const t = useTexts('connections')
  // Without a public address of its own the server is reached as this page was.
  const address = webhookUrl ? new URL(webhookUrl, window.location.origin) : null
  return (
    <div className="grid gap-4">
      {address && (
        <Copied
          label={t('webhook.url')}
          text={address.href}
          hint={address.protocol === 'https:' ? undefined : t('webhook.noUrl')}
        />
      )}
      <p className="m-0 text-cell text-text-2">
        <strong className="block font-semibold text-ink">{t('webhook.verify')}</strong>
        {t('webhook.verifyHint')}
      </p>
      <Copied label={t('webhook.fields')} text={t('webhook.fieldsHint')} />
    </div>
  )
}

function Copied({ label, text, hint }: { readonly label: string; readonly text: string; readonly hint?: string }) {
  const t = useTexts('connections')
  return (
    <Field label={label} hint={hint}>
      <span className="flex items-center gap-2">
        <TextInput value={text} onChange={() => undefined} readOnly className="min-w-0 flex-1" />
        <Button icon={Copy} onClick={() => void copyText(text)} aria-label={`${t('webhook.copy')}: ${label}`}>
          {t('webhook.copy')}
        </Button>
      </span>
    </Field>
  )
}
