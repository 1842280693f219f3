// A job that leaves a file: followed, then fetched.
import type { CommandContext } from './command.ts'
import type { Desk } from './desk.ts'
import { Failure } from './faults.ts'
import { type FileTarget, saveResult } from './files.ts'
import { followJob } from './jobs.ts'

export async function followAndSave(
  call: Pick<CommandContext, 'out' | 't' | 'language' | 'ending'>,
  desk: Desk,
  jobId: number,
  label: string,
  wanted: FileTarget,
): Promise<void> {
  const { out, t } = call
  // With `-` the file is the answer.
  const quiet = wanted.path === '-'
  const job = await followJob(call, desk, jobId, label, 'goesOnFile')
  const { url, name, counts = {} } = job.result ?? {}
  if (!url || !name) throw new Failure('jobWithoutFile', { id: jobId })
  const path = await saveResult(call, desk, url, name, wanted)
  if (quiet) return
  out.answer({ file: path, counts }, () => out.done(t('saved', { path })))
}
