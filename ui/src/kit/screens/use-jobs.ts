import type { Job } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { downloadFrom, openFileFrom, saveFile } from '@balcao/ui/browser'
import { live } from '@balcao/ui/live'
import { useRef } from 'react'
import { type LiveRowOptions, type RowQuery, useRows } from './use-rows.ts'

const JOBS: LiveRowOptions<Job, RowQuery> = {
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
  const during = useOnceEach()
  const cancel = ({ id }: Job) =>
    during(`cancel ${id}`, async () => put(await api('DELETE /jobs/:id', { params: { id } })))
  /** The link is made for who asks, and holds for 15 minutes. */
  const fileOf = async ({ id, result: known }: Job) => {
    const { result } = await api('GET /jobs/:id', { params: { id } })
    return result?.url ? { name: known?.name ?? '', url: result.url } : null
  }
  const download = (job: Job) =>
    during(`download ${job.id}`, async () => {
      const file = await fileOf(job)
      if (file) downloadFrom(file)
    })
  /** The same to be read at once, in a tab of its own. */
  const show = (job: Job) => during(`show ${job.id}`, () => openFileFrom(fileOf(job)))
  /** The rows of a sheet that it left out. */
  const errors = ({ id }: Job) =>
    during(`errors ${id}`, async () => saveFile(await api('GET /jobs/:id/errors', { params: { id } })))
  const goesOn = nextCursor !== null
  return { jobs: rows, active: rows.filter(isActive), goesOn, goOn, cancel, download, show, errors }
}

/** Each thing once at a time, and none waits for another: who stops two jobs in a row stops both. What fails is told. */
function useOnceEach() {
  const going = useRef(new Set<string>())
  async function during(jobName: string, work: () => Promise<unknown>) {
    if (going.current.has(jobName)) return
    going.current.add(jobName)
    await reportErrors(work)
    going.current.delete(jobName)
  }
  return (jobName: string, work: () => Promise<unknown>) => void during(jobName, work)
}

export function isActive({ state }: Pick<Job, 'state'>) {
  return state === 'waiting' || state === 'running'
}
