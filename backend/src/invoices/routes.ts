import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { invoices } from './invoices.ts'

export function invoiceRoutes({ config }: Parts): Route[] {
  return [serve('GET /invoices', () => invoices(config))]
}
