import { Button, DockedDialog, Icon, Ring } from '@balcao/ui/parts'
import { ListChecks } from 'lucide-react'
import { useRef, useState } from 'react'
import { JobProgress } from './JobProgress.tsx'
import { useKitTexts } from './texts.ts'
import { useJobs } from './use-jobs.ts'

/** In the app bar, while there is long work of the person's own: how much goes on; opens all of it. */
export function JobTray() {
  const kit = useKitTexts()
  const { jobs, active, goesOn, goOn, cancel, download, errors } = useJobs()
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  if (jobs.length === 0) return null
  const done = active.reduce((sum, job) => sum + (job.total ? job.done / job.total : 0), 0)
  const word = active.length > 0 ? kit('job.active', { count: active.length }) : kit('job.title')
  return (
    <>
      <Button
        ref={anchor}
        size="small"
        className="b-job-pill"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={word}
        onClick={() => setOpen(!isOpen)}
      >
        {active.length > 0 && <Ring share={1 - done / active.length} />} <span className="b-job-pill-word">{word}</span>
        {active.length === 0 && (
          <span className="b-job-pill-icon">
            <Icon of={ListChecks} size={16} />
          </span>
        )}
      </Button>
      {isOpen && (
        <DockedDialog anchor={anchor} scrim={false} width={404} title={kit('job.title')} onClose={() => setOpen(false)}>
          <ul className="b-jobs">
            {jobs.map(job => (
              <li key={job.id}>
                <JobProgress job={job} onCancel={cancel} onDownload={download} onErrors={errors} />
              </li>
            ))}
          </ul>
          {goesOn && (
            <Button size="small" kind="plain" onClick={goOn}>
              {kit('job.older')}
            </Button>
          )}
        </DockedDialog>
      )}
    </>
  )
}
