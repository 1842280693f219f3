import { api } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { defineLatePart } from '@balcao/ui/parts'
import { useEffect, useState } from 'react'

const JobTray = defineLatePart(() => import(/* webpackChunkName: "lazy-jobs" */ './JobTray.tsx'), 'nowhere')

/** The tray of the person's long work. Most people never have any: its code comes with the first. */
export function Jobs() {
  const [hasJobs, setHasJobs] = useState(false)
  useEffect(() => {
    if (hasJobs) return
    // Without an answer the next job tells, or the next reset asks again.
    const load = () =>
      void api('GET /jobs').then(
        ({ jobs }) => setHasJobs(jobs.length > 0),
        () => undefined,
      )
    load()
    return combineStops(
      live.on('job', () => setHasJobs(true)),
      live.onReset(load),
    )
  }, [hasJobs])
  return hasJobs && <JobTray />
}
