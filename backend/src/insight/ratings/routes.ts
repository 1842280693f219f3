import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { zoneOfDays } from '../figures/zone.ts'
import { exportRatings } from './export.ts'
import { listRatings } from './list.ts'
import { ratingSummary } from './summary.ts'

export function ratingRoutes(parts: Parts): Route[] {
  const { db } = parts
  return [
    serve('GET /ticketNPS', ({ session, query }) => listRatings(db, query, session.settings.timezone, new Date())),
    serve('GET /ticketNPS/summary', async ({ session, query }) =>
      ratingSummary(db, query, (await zoneOfDays(db)) ?? session.settings.timezone, new Date()),
    ),
    serve('POST /ticketNPS/export', ({ session, body }) => exportRatings(parts, session, body)),
  ]
}
