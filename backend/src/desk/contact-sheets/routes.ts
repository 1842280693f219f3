import { CONTACT_COLUMNS, DELEGATION_COLUMNS } from '@balcao/contract'
import { writeSheet } from '@balcao/formats/sheets/write'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { changeContactsInBulk } from './bulk.ts'
import { clearContacts } from './clear.ts'
import { exportContacts, exportDelegation } from './export.ts'
import { importContacts, importDelegation } from './import.ts'
import { checkContactRight } from './rights.ts'

export function contactSheetRoutes(parts: Parts): Route[] {
  return [
    serve('POST /contacts/import', ({ query, ...call }) => importContacts(parts, call, query)),
    serve('GET /contacts/import/template', ({ session }) => {
      checkContactRight(session, 'edit')
      return writeSheet('contatos', [CONTACT_COLUMNS])
    }),
    serve('POST /contacts/export', ({ session, body }) => exportContacts(parts, session, body)),
    serve('POST /contacts/delegation', ({ query, ...call }) => importDelegation(parts, call, query)),
    serve('GET /contacts/delegation/template', ({ session }) => {
      checkContactRight(session, 'add')
      return writeSheet('delegacao', [DELEGATION_COLUMNS])
    }),
    serve('POST /contacts/export/delegation', ({ session, body }) => exportDelegation(parts, session, body)),
    serve('POST /contacts/clear', ({ session, query, body }) => clearContacts(parts, session, query, body?.confirm)),
    serve('POST /contacts/bulk', ({ session, query, body }) => changeContactsInBulk(parts, session, query, body)),
  ]
}
