// What came in another language, in the reader's own, written by the AI when the dialog opens.
import type { Ticket } from '@balcao/contract'
import { reportErrors } from '@balcao/ui/ask'
import { describeError, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Bone, Button, copyText, DockedDialog, ErrorState } from '@balcao/ui/parts'
import { Copy } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { useAiDraft } from '../composer/use-ai-draft.ts'
import { closeDialog } from '../desk/view.ts'

export function TranslationDialog({ ticket, messageId }: { readonly ticket: Ticket; readonly messageId: number }) {
  const t = useTexts('tickets')
  const { draft, ask } = useAiDraft(ticket.id)
  const begin = useCallback(
    () => void reportErrors(() => ask({ task: 'translate', messageId, language: getLanguage() })),
    [ask, messageId],
  )
  useEffect(begin, [begin])
  const text = draft?.text ?? ''
  return (
    <DockedDialog
      title={t('translation.title')}
      intro={t('translation.intro')}
      onClose={closeDialog}
      width={480}
      footer={
        draft?.state === 'done' && (
          <Button kind="primary" icon={Copy} onClick={() => void reportErrors(() => copyText(text))}>
            {t('translation.copy')}
          </Button>
        )
      }
    >
      {draft?.state === 'failed' ? (
        <ErrorState title={t('translation.failed')} text={describeError(draft.error)} onRetry={begin} />
      ) : (
        <div className="g-summary" aria-busy={draft?.state !== 'done'} aria-live="polite">
          {text || (
            <>
              <Bone height={14} />
              <Bone height={14} width={180} />
            </>
          )}
        </div>
      )}
    </DockedDialog>
  )
}
