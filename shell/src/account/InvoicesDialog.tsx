import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, Dialog } from '@balcao/ui/parts'
import './late.ts'

/** Before leaving for the finance site: for which company, and with which password (spec 1 §2). */
export default function InvoicesDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const common = useTexts('ui')
  const { now: invoices, error } = useQuery('invoices', () => api('GET /invoices'))
  return (
    <Dialog
      title={t('invoices.title')}
      intro={t('invoices.intro')}
      onClose={onClose}
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button
            kind="primary"
            disabled={!invoices}
            onClick={() => {
              if (invoices) window.open(invoices.url, '_blank', 'noopener,noreferrer')
              onClose()
            }}
          >
            {t('invoices.open')}
          </Button>
        </>
      }
    >
      {error !== null && (
        <p className="s-account-error" role="alert">
          {describeError(error)}
        </p>
      )}
      {invoices && (
        <dl className="s-profile-facts">
          <div>
            <dt>{t('invoices.taxId')}</dt>
            <dd>{invoices.taxId}</dd>
          </div>
          {invoices.password !== null && (
            <div>
              <dt>{t('invoices.password')}</dt>
              <dd>
                <code>{invoices.password}</code>
              </dd>
            </div>
          )}
        </dl>
      )}
    </Dialog>
  )
}
