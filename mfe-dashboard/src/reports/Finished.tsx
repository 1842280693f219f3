import type { Job } from '@balcao/contract'
import { formatMoment, useTexts } from '@balcao/ui/i18n'
import { Button } from '@balcao/ui/parts'
import { JobProgress } from '@balcao/ui/screens'
import { hasFile } from './JobLine.tsx'
import type { ReportJobs } from './kinds.ts'

interface FinishedProps extends ReportJobs {
  readonly jobs: readonly Job[]
  readonly goesOn: boolean
  readonly goOn: () => void
}

/** Reports that can still be had; each link is made for who asks, as long as they may. */
export function Finished({ jobs, goesOn, goOn, download, cancel }: FinishedProps) {
  const t = useTexts('reports')
  const ready = jobs.filter(hasFile)
  return (
    <section aria-labelledby="reports-ready" className="mt-4">
      <h2 id="reports-ready" className="m-0 mb-2 text-cell font-semibold text-text-2">
        {t('ready')}
      </h2>
      {ready.length === 0 ? (
        <p className="m-0 text-cell text-muted">{t('noneReady')}</p>
      ) : (
        <ul className="b-jobs rounded-card border border-line bg-surface px-4">
          {ready.map(job => (
            <li key={job.id}>
              <JobProgress job={job} onCancel={cancel} onDownload={download} />
              {/* Which of several of its kind. */}
              <p className="m-0 -mt-2 truncate pb-2.5 pl-7 text-small text-text-2">
                {[job.result?.name, job.endedAt && formatMoment(job.endedAt)].filter(Boolean).join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      )}
      {goesOn && (
        <Button size="small" kind="plain" className="mt-2" onClick={goOn}>
          {t('older')}
        </Button>
      )}
    </section>
  )
}
