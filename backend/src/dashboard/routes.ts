import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { dashboardStats } from './stats.ts'

export function dashboardRoutes({ db }: Parts): Route[] {
  return [
    serve('GET /dashboard/stats', ({ session, query }) =>
      dashboardStats(db, query, session.settings.timezone, new Date()),
    ),
  ]
}
