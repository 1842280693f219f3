import type { Job } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { errorText } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { type LiveRowMeans, type RowQuery, useRows } from './use-rows.ts'

const JOBS: LiveRowMeans<Job, RowQuery> = {
  start: { search: '' },
  order: (one, other) => other.id - one.id,
  matches: () => true,
  async page(_query, cursor, signal) {
    const page = await api('GET /jobs', { query: cursor === null ? {} : { cursor: Number(cursor) }, signal })
    return { rows: page.jobs, nextCursor: page.nextCursor === null ? null : String(page.nextCursor) }
  },
  events: take => live.on('job', ({ job, action }) => take({ put: job, isNew: action === 'create' })),
}

/** The own long work of the last seven days, newest first, live; also after a reload and on another device. */
export function useJobs() {
  const { rows, put, nextCursor, goOn } = useRows(JOBS)
  async function cancel({ id }: Job) {
    try {
      put(await api('DELETE /jobs/:id', { params: { id } }))
    } catch (error) {
      toast.error(errorText(error))
    }
  }
  /** The link is made for who asks, and holds for 15 minutes. */
  async function download({ id }: Job) {
    try {
      const { result } = await api('GET /jobs/:id', { params: { id } })
      if (result?.url) location.assign(result.url)
    } catch (error) {
      toast.error(errorText(error))
    }
  }
  const goesOn = nextCursor !== null
  return { jobs: rows, active: rows.filter(isActive), goesOn, goOn, cancel: told(cancel), download: told(download) }
}

export function isActive({ state }: Pick<Job, 'state'>) {
  return state === 'waiting' || state === 'running'
}

function told(work: (job: Job) => Promise<void>) {
  return (job: Job) => void work(job)
}
