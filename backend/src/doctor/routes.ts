import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { checkUp } from './check-up.ts'

export function doctorRoutes(parts: Parts): Route[] {
  return [serve('GET /doctor', () => checkUp(parts))]
}
