import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { listInvoices } from './invoices.ts'

export function invoiceRoutes({ config }: Parts): Route[] {
  return [serve('GET /invoices', () => listInvoices(config))]
}
