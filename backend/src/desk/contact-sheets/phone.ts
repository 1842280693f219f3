// Contacts from the address book of a phone (decisions-2 §14): what its connection told of it, taken in like a sheet.
import { type JobReference, toCanonicalNumber } from '@balcao/contract'
import Type from 'typebox'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { resolveConnection } from '../contacts/connection-for.ts'
import { type LongJob, startJob } from '../jobs/long.ts'
import { hasPhoneBook, listPhoneBook } from '../phone-book/book.ts'
import type { ContactEntry } from './contact-rows.ts'
import { importRows, Mark } from './import-rows.ts'

const Params = Type.Object({ whatsappId: Type.Integer() })

/**
 * Throws `ERR_IMPORT_BLOCKED` by the setting `blockImportContacts`, `ERR_NO_WAPP_FOUND`, `ERR_NO_DEF_WAPP_FOUND`, and `ERR_NO_PHONE_BOOK`
 * where the connection told of no address book: its kind has none, or the phone has not told yet.
 */
export async function importPhone(
  parts: Parts,
  session: Session,
  whatsappId: number | undefined,
): Promise<JobReference> {
  if (session.settings.blockImportContacts) throw new AppError('ERR_IMPORT_BLOCKED')
  const connection = await resolveConnection(parts.db, whatsappId)
  if (!(await hasPhoneBook(parts.db, connection.id))) throw new AppError('ERR_NO_PHONE_BOOK')
  return change(parts, tx => startJob(tx, session, PHONE_JOB, { whatsappId: connection.id }))
}

export const PHONE_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'contacts.phone', params: Params, mark: Mark },
  async work(parts, job) {
    const seen = new Set<string>()
    const book = await listPhoneBook(parts.db, job.params.whatsappId)
    const once = book.filter(
      ({ number }) => !seen.has(toCanonicalNumber(number)) && seen.add(toCanonicalNumber(number)),
    )
    const wanted = once.map(({ number, name }): ContactEntry => {
      const row = { row: 0, cells: [name, number] }
      const rest = { otherNumbers: [], email: '', tags: [], answers: null, delegated: null, faults: [] }
      return { rows: [row], number, name, ...rest }
    })
    const placeOf = ({ number }: ContactEntry) => Number(number)
    return importRows(parts, job, { source: 'phone', wanted: () => wanted, placeOf, total: wanted.length, heads: [] })
  },
}
