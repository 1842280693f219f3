// What a page is told of this installation before anybody has signed in.
import { hasInvoices } from '../operations/invoices/invoices.ts'
import type { Parts } from '../policy/kit/parts.ts'
import { type Route, serve } from '../policy/kit/serve.ts'
import { readSettings } from '../policy/settings/read.ts'

export function systemRoutes(parts: Parts): Route[] {
  const { config, db } = parts
  return [
    serve('GET /system', async () => ({
      product: config.product,
      company: config.company,
      version: config.version,
      blocked: parts.license.blocked(),
      userCreation: (await readSettings(db)).userCreation,
      demo: parts.demoAccounts.length > 0,
      invoices: hasInvoices(config),
      supportUrl: config.supportUrl,
      financeUrl: config.financeUrl,
      demoAccounts: parts.demoAccounts.map(account => ({ ...account })),
    })),
  ]
}
