import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { listQueues } from './list.ts'

export function queueRoutes({ db }: Parts): Route[] {
  return [serve('GET /queue', () => listQueues(db))]
}
