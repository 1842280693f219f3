import type { Job } from '@balcao/contract'
import { composeJobTitle } from '@balcao/contract/jobs/job-title'
import { findCatalogueText } from '@balcao/ui/catalogue'
import { formatMoment, getTexts, hasText } from '@balcao/ui/i18n'
import { Button, Icon, IconButton, Ring } from '@balcao/ui/parts'
import { Check, CircleSlash, CircleX, Clock, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useKitTexts } from './texts.ts'
import { isActive, useJobs } from './use-jobs.ts'

type JobDisplayState = Job['state'] | 'partly'

const ICONS: Readonly<Record<Exclude<JobDisplayState, 'running'>, LucideIcon>> = {
  waiting: Clock,
  done: Check,
  partly: TriangleAlert,
  failed: CircleX,
  cancelled: CircleSlash,
}

interface JobProgressProps {
  readonly job: Job
  readonly onCancel?: (job: Job) => void
  readonly onDownload?: (job: Job) => void
  /** Gives the rows that were left out, where they are kept and not in its file. */
  readonly onErrors?: (job: Job) => void
}

/** One piece of long work: waiting its turn, running, done with its file, done with errors, stopped with its reason. */
export function JobProgress({ job, onCancel, onDownload, onErrors }: JobProgressProps) {
  const kit = useKitTexts()
  const { done, total, result, error, state } = job
  const wrong = result?.counts.failed ?? 0
  const shownState: JobDisplayState = state === 'done' && wrong > 0 ? 'partly' : state
  const share = total ? Math.min(1, done / total) : 0
  return (
    <div className={`b-job is-${shownState}`}>
      <span className="b-job-icon">
        {shownState === 'running' ? <Ring share={1 - share} /> : <Icon of={ICONS[shownState]} size={16} />}
      </span>
      <div className="b-job-words">
        <strong>{describeJob(job)}</strong>
        <span>
          {describeJobState(job.kind, shownState)}
          {state === 'running' && total !== null && ` · ${kit('job.of', { done, total })}`}
          {describeCounts(result?.counts ?? {}).map(words => ` · ${words}`)}
          {wrong > 0 && ` · ${kit('job.wrong', { count: wrong })}`}
          {error && ` · ${describeJobFault(error)}`}
          {result?.expiresAt && ` · ${kit('job.until', { when: formatMoment(result.expiresAt) })}`}
        </span>
      </div>
      {state === 'running' && total !== null && (
        <>
          <progress className="b-job-bar" value={share} max={1} aria-label={describeJob(job)} />
          <span className="b-job-share">{Math.round(share * 100)}%</span>
        </>
      )}
      {isActive(job) && onCancel && (
        <Button size="small" kind="plain" onClick={() => onCancel(job)}>
          {kit('job.stop')}
        </Button>
      )}
      {wrong > 0 && !result?.name && onErrors && isErrorSheetAvailable(job) && (
        <Button size="small" onClick={() => onErrors(job)}>
          {kit('job.errors')}
        </Button>
      )}
      {result?.name && onDownload && (
        <Button size="small" aria-label={kit('job.downloadOf', { name: result.name })} onClick={() => onDownload(job)}>
          {kit(shownState === 'partly' ? 'job.errors' : 'job.download')}
        </Button>
      )}
    </div>
  )
}

/** What the work is called: the text `job.kind.<kind>`, with its period and format. */
function describeJob({ kind, about }: Job) {
  const [kit, key] = [getTexts('screens'), `job.kind.${kind}`]
  return composeJobTitle(kit(hasText('screens', key) ? key : 'job.some'), about, kit)
}

/** Some kinds have words of their own, since they agree with the noun: 'Planilha … pronta', 'Relatório … pronto'. */
function describeJobState(kind: string, state: JobDisplayState) {
  const own = `job.${kind.split('.', 1).join()}.${state}`
  return getTexts('screens')(hasText('screens', own) ? own : `job.${state}`)
}

/** Why nothing came of it, by its code. */
export function describeJobFault(code: string): string {
  return findCatalogueText(code) ?? code
}

/** Numbers that are told in words, where there are any: '6.842 novos'. */
function describeCounts(counts: Readonly<Record<string, number>>): string[] {
  const kit = getTexts('screens')
  return COUNTED.flatMap(counted => {
    const count = counts[counted] ?? 0
    return count > 0 ? [kit(`job.count.${counted}`, { count })] : []
  })
}

const COUNTED = [
  ...(['created', 'updated', 'skipped', 'changed', 'kept', 'deleted'] as const),
  ...(['exported', 'ratings', 'messages', 'files', 'entries'] as const),
]
const KEPT_MS = 24 * 3_600_000

/** Rows that were wrong are kept for a day. */
function isErrorSheetAvailable({ endedAt }: Job) {
  return endedAt === null || Date.now() - Date.parse(endedAt) < KEPT_MS
}

/** At the foot of the page that began it: the newest work of some kinds while it goes on, and what came of what ended meanwhile. */
export function JobStrip({ kinds }: { readonly kinds: readonly string[] }) {
  const kit = useKitTexts()
  const { jobs, active, cancel, download, errors } = useJobs()
  const [seen, setSeen] = useState<number | null>(null)
  const runs = active.find(({ kind }) => kinds.includes(kind))
  if (runs && runs.id !== seen) setSeen(runs.id)
  const job = runs ?? jobs.find(({ id, kind }) => id === seen && kinds.includes(kind))
  if (!job) return null
  return (
    <div
      className="sticky -bottom-8 z-10 mt-4 flex items-center gap-2 border-t border-line bg-surface px-4 max-sm:bottom-0"
      role="status"
    >
      <div className="b-job-strip min-w-0 flex-1">
        <JobProgress job={job} onCancel={cancel} onDownload={download} onErrors={errors} />
      </div>
      {!isActive(job) && <IconButton icon={X} size="small" label={kit('job.hide')} onClick={() => setSeen(null)} />}
    </div>
  )
}
