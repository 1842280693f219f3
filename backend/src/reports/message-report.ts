// The report of one contact's conversations.
import { AppError } from '../http/errors.ts'
import type { MakeContent } from './content.ts'

/** There is none yet. */
export const messageReport: MakeContent = async () => {
  throw new AppError('ERR_NOT_FOUND')
}
