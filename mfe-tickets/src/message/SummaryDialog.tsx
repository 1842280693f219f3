// The conversation in a few lines, written by the AI when the dialog opens; to be read, copied, or asked for once more.
import type { Ticket } from '@balcao/contract'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Bone, Button, copyText, DockedDialog, ErrorState } from '@balcao/ui/parts'
import { Copy, RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageCalls } from './message-calls.ts'
import { closeMessageDialog } from './message-dialogs.ts'

export function SummaryDialog({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const { text, error, again } = useSummary(ticket.id)
  async function copy() {
    if (text !== null) await copyText(text)
  }
  return (
    <DockedDialog
      title={t('summary.title')}
      intro={t('summary.intro')}
      onClose={closeMessageDialog}
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
        <ErrorState title={t('summary.failed')} text={errorText(error)} onRetry={again} />
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

function useSummary(ticketId: number) {
  const [text, setText] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    let left = false
    setText(null)
    setError(null)
    messageCalls
      .summary(ticketId)
      .then(answer => {
        if (!left) setText(answer)
      })
      .catch((cause: unknown) => {
        if (!left) setError(cause)
      })
    return () => {
      left = true
    }
  }, [ticketId, tries])
  return { text, error, again: () => setTries(tries + 1) }
}
