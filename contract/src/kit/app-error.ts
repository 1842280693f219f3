// A refusal as it is thrown, wherever it happens: in a call, a job, or a library that knows neither.
import type pt from '../../texts/errors/pt.json'
import type faults from '../../texts/faults/pt.json'
import type { ErrorCode } from '../errors.ts'

/** The codes of the catalogue, and sentences that say more than a code where the case is known. */
export type ErrorText = keyof typeof pt

/** What forms and calls are about, as `texts/faults` has them. */
export type FaultSubject = keyof typeof faults
/** What can be wrong with a field of such a form. */
export type FaultCode<S extends FaultSubject> = Extract<keyof (typeof faults)[S], string>
/** Where the sentence of a fault stands: `contact.numberRequired`. */
export type FaultText = { [S in FaultSubject]: `${S}.${FaultCode<S>}` }[FaultSubject]

/** A field that is refused; its sentence is chosen when the language of the answer is known. */
export interface FieldRefusal {
  readonly path: string
  readonly text: FaultText
  readonly params?: Readonly<Record<string, string | number>> | undefined
  /** Where it is another than the name of its text. */
  readonly code?: string
}

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
export function createFieldError(path: string, text: FaultText, params?: FieldRefusal['params']): AppError {
  return new AppError('ERR_VALIDATION', [{ path, text, params } satisfies FieldRefusal])
}
