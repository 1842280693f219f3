import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { findFigureTimezone } from '../figures/zone.ts'
import { exportRatings } from './export.ts'
import { listRatings } from './list.ts'
import { loadRatingSummary } from './summary.ts'

export function ratingRoutes(parts: Parts): Route[] {
  const { db } = parts
  return [
    serve('GET /ticketNPS', ({ session, query }) => listRatings(db, query, session.settings.timezone, new Date())),
    serve('GET /ticketNPS/summary', async ({ session, query }) =>
      loadRatingSummary(db, query, (await findFigureTimezone(db)) ?? session.settings.timezone, new Date()),
    ),
    serve('POST /ticketNPS/export', ({ session, body }) => exportRatings(parts, session, body)),
  ]
}
