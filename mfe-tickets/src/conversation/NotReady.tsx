// What stands in the place of messages that are not there: bones while they come, or why they do not.
import { describeError, useTexts } from '@balcao/ui/i18n'
import { ErrorState, TilePattern, useSkeleton } from '@balcao/ui/parts'
import type { ConversationView } from './conversation-store.ts'

interface NotReadyProps {
  readonly conversation: Pick<ConversationView, 'status' | 'error'>
  /** What is wrong is told elsewhere. */
  readonly silent?: boolean
  readonly onRetry: () => void
}

export function NotReady({ conversation: { status, error }, silent = false, onRetry }: NotReadyProps) {
  const t = useTexts('tickets')
  const skeleton = useSkeleton(status !== 'failed')
  return (
    <div className="c-wall">
      <TilePattern />
      {status === 'failed' && !silent && (
        <div className="c-failed">
          <ErrorState title={t('conversationFailed')} text={describeError(error)} onRetry={onRetry} />
        </div>
      )}
      {skeleton && (
        <div className="c-skeleton" aria-busy="true">
          <span style={{ width: 230 }} />
          <span style={{ width: 300, height: 56 }} />
          <span className="is-mine" style={{ width: 250 }} />
          <span className="is-mine" style={{ width: 180 }} />
        </div>
      )}
    </div>
  )
}
