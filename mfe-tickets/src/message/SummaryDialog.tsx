// The conversation in a few lines, written by the AI when the dialog opens; to be read, copied, or asked for once more.
import type { Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { describeError, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Bone, Button, copyText, DockedDialog, ErrorState } from '@balcao/ui/parts'
import { Copy, RotateCw } from 'lucide-react'
import { closeDialog } from '../desk/view.ts'

export function SummaryDialog({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const ask = () =>
    api('POST /tickets/ai/resume/:id', { params: { id: ticket.id }, query: { language: getLanguage() } })
  const { now: answer, error, again } = useQuery(ticket.id, ask)
  const text = answer?.resume ?? null
  async function copy() {
    if (text !== null) await copyText(text)
  }
  return (
    <DockedDialog
      title={t('summary.title')}
      intro={t('summary.intro')}
      onClose={closeDialog}
      width={480}
      footer={
        text !== null && (
          <>
            <Button icon={RotateCw} onClick={again}>
              {t('summary.again')}
            </Button>
            <Button kind="primary" icon={Copy} onClick={() => void copy()}>
              {t('summary.copy')}
            </Button>
          </>
        )
      }
    >
      {error !== null ? (
        <ErrorState title={t('summary.failed')} text={describeError(error)} onRetry={again} />
      ) : (
        <div className="g-summary" aria-busy={text === null} aria-live="polite">
          {text ?? (
            <>
              <span className="b-only-read">{t('summary.writing')}</span>
              <Bone height={14} />
              <Bone height={14} />
              <Bone height={14} width={180} />
            </>
          )}
        </div>
      )}
    </DockedDialog>
  )
}
