import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { listLog } from './list.ts'
import { entryOf } from './present.ts'
import { logEntries } from './table.ts'

const LONGEST = 500

export function logRoutes({ db }: Parts): Route[] {
  return [
    serve('GET /log', ({ session, query }) => listLog(db, query, session.settings.timezone)),
    serve('POST /log', async ({ session, body: { log } }) => {
      const { descricao, origem, userId: _, ...refs } = log
      const words = { descricao: descricao?.slice(0, LONGEST) ?? '', origem: origem?.slice(0, LONGEST) ?? '' }
      const entry = { ...words, ...refs, userId: session.viewer.id, reported: true }
      const [row] = await db.insert(logEntries).values(entry).returning()
      if (!row) throw new Error('The entry was not stored')
      return entryOf(row)
    }),
  ]
}
