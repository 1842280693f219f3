import type { Job } from '@balcao/contract'
import { formatFileSize } from '@balcao/contract/messages/message-bodies'
import { formatListTime, formatMoment, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Button, Icon } from '@balcao/ui/parts'
import { describeJobFault, isActive } from '@balcao/ui/screens'
import { Check, FileDown, FileText, RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportJobs } from './kinds.ts'

/** A file is kept for a day. */
const KEPT_MS = 24 * 3_600_000

interface JobLineProps {
  readonly job: Job | null
  /** What stands there as long as nothing was asked for. */
  readonly children: ReactNode
}

/** How the last report of a kind stands: waiting, being made, ready, failed. */
export function JobLine({ job, children }: JobLineProps) {
  const t = useTexts('reports')
  if (job && isActive(job)) return <Running job={job} />
  if (job?.state === 'failed')
    return (
      <p className="m-0 text-cell text-text-2" role="status">
        <span className="inline-flex items-center gap-1.5 font-semibold text-danger">
          <Icon of={TriangleAlert} size={14} /> {t('failed')}
        </span>{' '}
        {job.error && describeJobFault(job.error)} {t('nothingLost')}
      </p>
    )
  if (job && hasFile(job)) {
    const { bytes, pages } = job.result?.counts ?? {}
    const facts = [
      pages && t('pages', { count: pages }),
      bytes && formatFileSize(bytes, getLanguage()),
      job.endedAt && t('keptUntil', { when: formatMoment(new Date(Date.parse(job.endedAt) + KEPT_MS)) }),
    ]
    return (
      <p className="m-0 text-cell text-text-2" role="status">
        <span className="inline-flex items-center gap-1.5 font-semibold text-ok">
          <Icon of={Check} size={14} /> {t('readyAt', { time: formatListTime(job.endedAt ?? job.createdAt) })}
        </span>
        {facts.filter(Boolean).map(fact => ` · ${fact}`)}
      </p>
    )
  }
  return <p className="m-0 text-cell text-text-2">{children}</p>
}

function Running({ job: { state, done, total } }: { readonly job: Job }) {
  const t = useTexts('reports')
  const words = state === 'waiting' ? t('waiting') : total ? t('makingOf', { done, total }) : t('making')
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-3 text-cell text-text-2" role="status">
      {total !== null && total > 0 && (
        <progress className="b-job-bar w-56" value={Math.min(1, done / total)} max={1} aria-label={words} />
      )}
      {words}
    </p>
  )
}

interface JobActionsProps extends ReportJobs {
  readonly job: Job
  /** It was asked for once more already. */
  readonly isStarting: boolean
  readonly onAgain: () => void
}

/** What can be done about it; stands above the head, which unfolds wherever else it is pressed. */
export function JobActions({ job, isStarting, cancel, download, show, onAgain }: JobActionsProps) {
  const t = useTexts('reports')
  const isPdf = job.result?.name?.endsWith('.pdf') ?? false
  return (
    <span className="relative flex flex-none gap-2">
      {isActive(job) && (
        <Button size="small" kind="plain" onClick={() => cancel(job)}>
          {t('cancel')}
        </Button>
      )}
      {job.state === 'failed' && (
        <Button size="small" icon={RefreshCw} busy={isStarting} onClick={onAgain}>
          {t('again')}
        </Button>
      )}
      {hasFile(job) && (
        <Button size="small" icon={isPdf ? FileText : FileDown} onClick={() => (isPdf ? show : download)(job)}>
          {t(isPdf ? 'openPdf' : 'takeSheet')}
        </Button>
      )}
    </span>
  )
}

/** Its time may be over. */
export function hasFile({ state, result }: Job): boolean {
  return state === 'done' && Boolean(result?.name)
}
