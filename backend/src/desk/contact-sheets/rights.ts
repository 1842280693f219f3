// Who may do something to the contact book as a whole: the three flags of a person (spec 3 §6).
import { AppError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import type { ContactRight } from '../jobs/rights.ts'

/** Throws `ERR_NO_PERMISSION`. */
export function checkContactRight({ mayContacts: flags }: Session, right: ContactRight): void {
  if (!flags[right]) throw new AppError('ERR_NO_PERMISSION')
}
