import type { Erasure } from '@balcao/contract'
import { formatDate, formatMoment, type Texts, useTexts } from '@balcao/ui/i18n'
import { EmptyState, StatusPill } from '@balcao/ui/parts'
import { Check, CircleSlash, Clock, Loader, type LucideIcon, ShieldCheck, TriangleAlert } from 'lucide-react'
import { UndoButton } from './Erase.tsx'

interface RequestsProps {
  readonly requests: readonly Erasure[]
  readonly onChanged: () => void
}

const LOOKS: Readonly<Record<Erasure['state'], readonly ['waiting' | 'busy' | 'ok' | 'quiet', LucideIcon]>> = {
  waiting: ['waiting', Clock],
  running: ['busy', Loader],
  done: ['ok', Check],
  undone: ['quiet', CircleSlash],
  held: ['waiting', TriangleAlert],
}

/** Who was asked to be erased: what waits first, then what was done, by its number alone. */
export function Requests({ requests, onChanged }: RequestsProps) {
  const t = useTexts('privacy')
  if (requests.length === 0)
    return <EmptyState icon={ShieldCheck} tone="info" title={t('noRequests')} text={t('noRequestsText')} />
  return (
    <ul aria-label={t('requests')} className="b-card m-0 list-none p-0 md:max-w-[744px]">
      {requests.map(request => {
        const [kind, icon] = LOOKS[request.state]
        return (
          <li
            key={request.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4.5 py-3 first:border-t-0"
          >
            <div className="min-w-0 flex-1 basis-60">
              <strong className="block truncate text-body font-semibold text-ink">
                <bdi>{request.name || t('numbered', { id: request.contactId })}</bdi>
              </strong>
              <span className="block text-small text-text-2">{formatRequestFacts(request, t)}</span>
              {request.reason && <span className="block text-small text-muted">{request.reason}</span>}
            </div>
            <StatusPill kind={kind} icon={icon}>
              {t(`state.${request.state}`)}
            </StatusPill>
            {request.state === 'waiting' && <UndoButton contactId={request.contactId} onChanged={onChanged} />}
          </li>
        )
      })}
    </ul>
  )
}

function formatRequestFacts({ user, askedAt, dueAt, endedAt, state, held, counts }: Erasure, t: Texts): string {
  const facts = [t('by', { name: user?.name ?? t('owner'), day: formatDate(askedAt) })]
  if (held) facts.push(t(`heldBy.${held}`))
  if (state === 'waiting') facts.push(t('erasedAt', { at: formatMoment(dueAt) }))
  if (state === 'done' && endedAt)
    facts.push(t('done', { at: formatMoment(endedAt), messages: counts.messages, count: counts.files }))
  return facts.join(' ')
}
