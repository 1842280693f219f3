import type { Job } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { saveFile, saveFrom } from '@balcao/ui/browser'
import { live } from '@balcao/ui/live'
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
  const [, during] = useBusy()
  const cancel = ({ id }: Job) => during(async () => put(await api('DELETE /jobs/:id', { params: { id } })))
  /** The link is made for who asks, and holds for 15 minutes. */
  const download = ({ id, result: known }: Job) =>
    during(async () => {
      const { result } = await api('GET /jobs/:id', { params: { id } })
      if (result?.url) saveFrom({ name: known?.name ?? '', url: result.url })
    })
  /** The rows of a sheet that it left out. */
  const errors = ({ id }: Job) => during(async () => saveFile(await api('GET /jobs/:id/errors', { params: { id } })))
  const goesOn = nextCursor !== null
  return { jobs: rows, active: rows.filter(isActive), goesOn, goOn, cancel, download, errors }
}

export function isActive({ state }: Pick<Job, 'state'>) {
  return state === 'waiting' || state === 'running'
}
