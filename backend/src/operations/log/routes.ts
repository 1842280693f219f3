import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { getLogSource } from '../../policy/log/source.ts'
import { logEntries } from '../../policy/log/table.ts'
import { exportLog } from './export.ts'
import { listLog } from './list.ts'
import { toLogEntry } from './present.ts'

const LONGEST = 500

export function logRoutes(parts: Parts): Route[] {
  const { db } = parts
  return [
    serve('GET /log', ({ session, query }) => listLog(db, session.viewer, query, session.settings.timezone)),
    serve('POST /log/export', ({ session, body }) => exportLog(parts, session, body ?? {})),
    serve('POST /log', async ({ session, body: { log } }) => {
      const { descricao, origem, userId: _, ...refs } = log
      const words = { descricao: descricao?.slice(0, LONGEST) ?? '', entity: origem?.slice(0, LONGEST) ?? '' }
      const entry = { ...words, ...refs, userId: session.viewer.id, reported: true, source: getLogSource() }
      const [row] = await db.insert(logEntries).values(entry).returning()
      if (!row) throw new Error('The entry was not stored')
      return toLogEntry(row)
    }),
  ]
}
