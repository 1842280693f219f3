// Refusals: one class with a code of the catalogue, and how anything thrown becomes an answer that leaks nothing.
import {
  AppError,
  applyFieldRules,
  ERRORS,
  type ErrorBody,
  type ErrorCode,
  type ErrorText,
  type FaultCode,
  type FaultSubject,
  type FaultText,
  type FieldError,
  type FieldRefusal,
  type FieldRules,
  type FieldRuleValues,
  fillBraces,
  type Language,
} from '@balcao/contract'
import { findDatabaseFault, getSqlState } from '../database/faults.ts'
import { ERROR_TEXTS, findFaultText, readLanguage } from './texts.ts'

export { AppError, createFieldError } from '@balcao/contract'

/** The refusal of a form about `subject`, with everything that is wrong with it. */
export function createValidationError<S extends FaultSubject>(
  subject: S,
  faults: readonly (Omit<FieldRefusal, 'text'> & { readonly code: FaultCode<S> })[],
): AppError {
  const entries = faults.map(({ path, code, params }) => ({ path, text: `${subject}.${code}`, params }))
  return new AppError('ERR_VALIDATION', entries)
}

/** The fields of a form that are given, as they are kept. Throws `ERR_VALIDATION` with each that is wrong. */
export function validateFields<R extends FieldRules, G extends Partial<Record<keyof R, unknown>>>(
  rules: R,
  fields: G,
): FieldRuleValues<R, G> {
  const { values, faults } = applyFieldRules(rules, fields)
  const wrong = Object.entries(faults).flatMap(([path, text]) => (text ? [toRuleRefusal(path, text)] : []))
  if (wrong.length > 0) throw new AppError('ERR_VALIDATION', wrong)
  return values
}

/** What the rule of a field says of its value, under the code that programs know from the specification (spec 2 §5, §6). */
export function toRuleRefusal(path: string, text: FaultText): FieldRefusal {
  const code = SPECIFIED_CODES[text]
  return { path, text, ...(code !== undefined && { code }) }
}

const SPECIFIED_CODES: Partial<Record<FaultText, string>> = {
  'schema.fieldRequired': 'Required',
  'field.tooShort': 'Too Short!',
  'field.tooLong': 'Too Long!',
}

/** The refusal of who asks too often, with the seconds to wait. */
export function createRateLimitError(seconds: number): AppError {
  return new AppError('ERR_TOO_MANY_ATTEMPTS', undefined, { 'retry-after': String(Math.max(1, Math.ceil(seconds))) })
}

/** The refusal to show or change what this person may not see, in the words of spec 1 §6. */
export function createAccessError(kind: 'ticket' | 'chat'): AppError {
  return new AppError('ERR_NO_PERMISSION', undefined, {}, kind === 'ticket' ? 'ticketNotYours' : 'chatNotYours')
}

/** The answer for anything thrown; what is not an `AppError` becomes 500 without its text and goes to `report`. */
export function toErrorResponse(error: unknown, request: Request, report: (error: unknown) => void): Response {
  const known = error instanceof AppError ? error : fromDatabase(error)
  if (!known) report(error)
  return toRefusalResponse(known ?? new AppError('ERR_INTERNAL'), request)
}

/** The answer of a refusal that was thrown. */
export function toRefusalResponse({ code, details, headers, text }: AppError, request: Request): Response {
  return createRefusalResponse(code, request, { details, headers, text })
}

/** The answer of a refusal, in the language of who asked. */
export function createRefusalResponse(
  code: ErrorCode,
  request: Request,
  {
    details,
    headers = {},
    status = ERRORS[code],
    text = code,
  }: {
    readonly details?: unknown
    readonly headers?: Readonly<Record<string, string>>
    readonly status?: number
    readonly text?: ErrorText
  } = {},
): Response {
  const language = readLanguage(request)
  const message = ERROR_TEXTS[language][text]
  const body: ErrorBody = {
    error: code,
    message,
    ...(details === undefined ? {} : { details: wordDetails(details, language) }),
  }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

function wordDetails(details: unknown, language: Language): unknown {
  return Array.isArray(details)
    ? details.map(each => (isFieldRefusal(each) ? wordRefusal(each, language) : each))
    : details
}

/** What programs sent wrongly has no code; what people fill in has, for clients that word it themselves. */
function wordRefusal({ path, text, params: values = {}, ...own }: FieldRefusal, language: Language): FieldError {
  const [subject = '', name = ''] = text.split('.')
  const code = own.code ?? name
  const params = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  return {
    path,
    ...(subject !== 'call' && { code }),
    message: fillBraces(findFaultText(text, language), params),
    ...(Object.keys(params).length > 0 && { params }),
  }
}

function isFieldRefusal(entry: unknown): entry is FieldRefusal {
  return typeof entry === 'object' && entry !== null && 'path' in entry && 'text' in entry
}

/** What passes, as the database is away or busy, and what it refuses. */
function fromDatabase(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null
  const fault = findDatabaseFault(error)
  if (fault) return new AppError(fault === 'away' ? 'ERR_DATABASE_AWAY' : 'ERR_BUSY', undefined, { 'retry-after': '1' })
  return toValueError(error)
}

/**
 * What Postgres refuses because of a value: data it cannot hold (class 22: a number beyond its column, a day that is none, a character no
 * text may hold), a row that breaks a rule (class 23: it names nothing that is there, or is there already), or too much of it (54000).
 */
export function toValueError(error: unknown): AppError | null {
  const code = getSqlState(error)
  return code !== null && /^(22...|23...|54000)$/.test(code) ? new AppError('ERR_VALIDATION', []) : null
}
