// What a run carried goes with it: its schedule may have taken another file meanwhile (docs/decisions/0184).
import { and, inArray, isNotNull } from 'drizzle-orm'
import { releaseFiles } from '../../desk/media/claim.ts'
import { listTemplateFiles } from '../../desk/messages/templates.ts'
import type { Tx } from '../../platform/database/client.ts'
import { sends } from './table.ts'

/** Of those that are over, runs of schedules let go what nothing else names any more; a mass send keeps its file to be shown. */
export async function releaseRunFiles(tx: Tx, ids: readonly number[]): Promise<void> {
  const over = and(inArray(sends.id, [...ids]), isNotNull(sends.scheduleId), isNotNull(sends.endedAt))
  const runs = await tx.select({ file: sends.file, template: sends.template }).from(sends).where(over)
  const files = runs.flatMap(({ file, template }) => [
    ...(file ? [file.mediaId] : []),
    ...(template ? listTemplateFiles(template) : []),
  ])
  if (files.length > 0) await releaseFiles(tx, files)
}
