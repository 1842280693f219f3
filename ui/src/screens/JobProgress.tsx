import type { Job } from '@balcao/contract'
import { formatDateTime, hasText, textsOf } from '@balcao/ui/i18n'
import { Button, Icon, Ring } from '@balcao/ui/parts'
import { Check, CircleSlash, CircleX, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useKitTexts } from './texts.ts'
import { isActive, useJobs } from './use-jobs.ts'

type Look = Job['state'] | 'partly'

const ICONS: Readonly<Record<Exclude<Look, 'running'>, LucideIcon>> = {
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
}

/** One piece of long work: waiting its turn, running, done with its file, done with errors, stopped with its reason. */
export function JobProgress({ job, onCancel, onDownload }: JobProgressProps) {
  const kit = useKitTexts()
  const { done, total, result, error, state } = job
  const wrong = result?.counts.failed ?? 0
  const look: Look = state === 'done' && wrong > 0 ? 'partly' : state
  const share = total ? Math.min(1, done / total) : 0
  return (
    <div className={`b-job is-${look}`}>
      <span className="b-job-icon">
        {look === 'running' ? <Ring share={1 - share} /> : <Icon of={ICONS[look]} size={16} />}
      </span>
      <div className="b-job-words">
        <strong>{nameOf(job)}</strong>
        <span>
          {kit(`job.${look}`)}
          {state === 'running' && total !== null && ` · ${kit('job.of', { done, total })}`}
          {wrong > 0 && ` · ${kit('job.wrong', { count: wrong })}`}
          {error && ` · ${errorOf(error)}`}
          {result?.expiresAt && ` · ${kit('job.until', { when: formatDateTime(result.expiresAt) })}`}
        </span>
      </div>
      {state === 'running' && total !== null && (
        <>
          <progress className="b-job-bar" value={share} max={1} aria-label={nameOf(job)} />
          <span className="b-job-share">{Math.round(share * 100)}%</span>
        </>
      )}
      {isActive(job) && onCancel && (
        <Button size="small" kind="plain" onClick={() => onCancel(job)}>
          {kit('job.stop')}
        </Button>
      )}
      {result?.name && onDownload && (
        <Button size="small" aria-label={kit('job.downloadOf', { name: result.name })} onClick={() => onDownload(job)}>
          {kit(look === 'partly' ? 'job.errors' : 'job.download')}
        </Button>
      )}
    </div>
  )
}

/** What the work is called: the text `job.kind.<kind>`. */
function nameOf({ kind }: Job) {
  const key = `job.kind.${kind}`
  return textsOf('screens')(hasText('screens', key) ? key : 'job.some')
}

function errorOf(code: string) {
  return hasText('ui', `error.${code}`) ? textsOf('ui')(`error.${code}`) : code
}

/** At the foot of the page that began it: the newest work of a kind, as long as it goes on. */
export function JobStrip({ kind }: { readonly kind: string }) {
  const { active, cancel } = useJobs()
  const job = active.find(one => one.kind === kind)
  if (!job) return null
  return (
    <div className="sticky -bottom-8 mt-4 border-t border-line bg-surface px-4" role="status">
      <JobProgress job={job} onCancel={cancel} />
    </div>
  )
}
