// Where the company's invoices are: an external finance site, reached with the tax id (decisions: "Faturas").
import { createHmac } from 'node:crypto'
import { formatTaxId, type ResponseBody } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'
import { AppError } from '../../platform/http/errors.ts'

type InvoiceConfig = Pick<Config, 'financeUrl' | 'taxId' | 'invoicesSecret'>

/** Whether there are any: INVOICES_URL and COMPANY_TAX_ID are both set. */
export function hasInvoices({ financeUrl, taxId }: InvoiceConfig): boolean {
  return financeUrl !== null && taxId !== null
}

/** Throws `ERR_NOT_FOUND` when they are not set up. */
export function listInvoices({ financeUrl, taxId, invoicesSecret }: InvoiceConfig): ResponseBody<'GET /invoices'> {
  const shown = taxId === null ? null : formatTaxId(taxId)
  if (financeUrl === null || taxId === null || shown === null) throw new AppError('ERR_NOT_FOUND')
  const url = new URL(financeUrl)
  url.searchParams.set('cnpj', taxId)
  return { url: url.href, taxId: shown, password: invoicesSecret && derivePassword(invoicesSecret, taxId) }
}

/** The first 8 hex characters of HMAC-SHA256(secret, tax id). */
function derivePassword(secret: string, taxId: string): string {
  return createHmac('sha256', secret).update(taxId).digest('hex').slice(0, 8)
}
