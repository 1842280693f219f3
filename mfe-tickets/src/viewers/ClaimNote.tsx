// Over the composer: somebody else is answering, or has just done so.
import { useTexts } from '@balcao/ui/i18n'
import { Banner } from '@balcao/ui/parts'
import { MessageSquareReply, Pencil } from 'lucide-react'
import { view } from '../desk/view.ts'
import type { AnswerClaim } from './use-claim.ts'
import { formatFirstNames } from './use-viewers.ts'

interface ClaimNoteProps {
  readonly claim: AnswerClaim
  readonly onSend: () => void
}

export function ClaimNote({ claim: { writers, answered, isWarned, held }, onSend }: ClaimNoteProps) {
  const t = useTexts('tickets')
  const names = answered ? (answered.user?.name.split(' ')[0] ?? null) : formatFirstNames(writers, t)
  const inTheWay = answered !== null || writers.length > 0
  if (!inTheWay && !held) return null
  const fact = !inTheWay
    ? t('viewers.held')
    : answered
      ? names
        ? t('viewers.answered', { who: names })
        : t('viewers.answeredByPhone')
      : t('viewers.writing', { count: writers.length, who: names })
  return (
    <div className="w-claim">
      <Banner
        kind={isWarned || answered || held ? 'waiting' : 'info'}
        icon={answered ? MessageSquareReply : Pencil}
        action={
          <>
            {answered && (
              <button
                type="button"
                className="w-claim-act"
                onClick={() => {
                  view.jumpTo = { messageId: answered.id, ticketId: answered.ticketId, at: Date.now() }
                }}
              >
                {t('viewers.see')}
              </button>
            )}
            {(isWarned || !inTheWay) && (
              <button type="button" className="w-claim-act" onClick={onSend}>
                {t('viewers.sendAnyway')}
              </button>
            )}
          </>
        }
      >
        {fact} {isWarned && t('viewers.again')}
      </Banner>
    </div>
  )
}
