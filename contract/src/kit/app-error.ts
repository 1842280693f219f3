// A refusal as it is thrown, wherever it happens: in a call, a job, or a library that knows neither.
import type pt from '../../texts/errors/pt.json'
import type { ErrorCode } from '../errors.ts'

/** The codes of the catalogue, and sentences that say more than a code where the case is known. */
export type ErrorText = keyof typeof pt

/** A refusal the caller may know about. `details` as the catalogue says for its code. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details?: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Instead of the code's own sentence. */
    readonly text: ErrorText = code,
  ) {
    super(code)
    this.name = 'AppError'
  }
}

/** The refusal of one field. */
export function createFieldError(path: string, message: string, code?: string): AppError {
  return new AppError('ERR_VALIDATION', [{ path, message, ...(code ? { code } : {}) }])
}
