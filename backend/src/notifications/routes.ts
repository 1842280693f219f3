import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { waitingFor } from './waiting.ts'

export function notificationRoutes({ db }: Parts): Route[] {
  return [serve('GET /notifications', ({ session, query }) => waitingFor(db, session, query.limit))]
}
