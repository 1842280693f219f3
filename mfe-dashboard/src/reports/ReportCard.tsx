import type { Job } from '@balcao/contract'
import type { ReportName } from '@balcao/contract/reports/rules'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Icon, joinClasses } from '@balcao/ui/parts'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { type ReportBody, startReport } from './calls.ts'
import { JobActions, JobLine } from './JobLine.tsx'
import { REPORT_ICONS, type ReportJobs } from './kinds.ts'
import { ReportForm } from './ReportForm.tsx'

interface ReportCardProps extends ReportJobs {
  readonly report: ReportName
  /** The last one of its kind. */
  readonly job: Job | null
  readonly startsOpen: boolean
  readonly onOpen: () => void
}

/** A report: its name, how the last one stands, and its form, which folds away and keeps what was chosen. */
export function ReportCard({ report, job, startsOpen, onOpen, cancel, download, show }: ReportCardProps) {
  const t = useTexts('reports')
  const id = useId()
  const [isOpen, setOpen] = useState(startsOpen)
  const [isBegun, setBegun] = useState(startsOpen)
  const last = useRef<ReportBody>(null)
  const [busy, during] = useBusy()
  function unfold(open: boolean) {
    setOpen(open)
    if (!open) return
    setBegun(true)
    onOpen()
  }
  /** As it was asked for; who has come back since is shown the form. */
  function again() {
    const body = last.current
    if (body) during(() => startReport(report, body))
    else unfold(true)
  }
  return (
    <section
      aria-labelledby={`${id}-title`}
      data-report={report}
      className={joinClasses('rounded-card border bg-surface', isOpen ? 'border-line-strong' : 'border-line')}
    >
      <div className="relative flex items-center gap-3 rounded-card px-4.5 py-3.5 hover:bg-hover max-sm:flex-wrap">
        <Icon of={REPORT_ICONS[report]} size={20} className="flex-none text-text-2" />
        <div className="min-w-0 flex-1">
          <h2 className="m-0 text-card font-semibold text-ink">
            <button
              type="button"
              id={`${id}-title`}
              aria-expanded={isOpen}
              aria-controls={`${id}-form`}
              // All of the head unfolds it.
              className="cursor-pointer text-left after:absolute after:inset-0 after:rounded-card"
              onClick={() => unfold(!isOpen)}
            >
              {t(`report.${report}.title`)}
            </button>
          </h2>
          <JobLine job={job}>{t(`report.${report}.text`)}</JobLine>
        </div>
        {job && (
          <JobActions job={job} isStarting={busy} cancel={cancel} download={download} show={show} onAgain={again} />
        )}
        <Icon of={isOpen ? ChevronUp : ChevronDown} size={20} className="flex-none text-text-2" />
      </div>
      <div id={`${id}-form`} hidden={!isOpen} className="border-t border-line px-4.5 pt-3.5 pb-4">
        {isBegun && (
          <ReportForm
            report={report}
            onBegun={body => {
              last.current = body
            }}
          />
        )}
      </div>
    </section>
  )
}
