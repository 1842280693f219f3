import type { ErrorCode, FieldError } from '@balcao/contract/errors'

/**
 * A refused or failed call. `message` is the server's sentence, in the language of who asked; empty where something else answered in its
 * place. `code` is of the catalogue, or with `status` 0 `OFFLINE` when no server answered, `FILE_CHANGED` when a file was not there to be read.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly code: ErrorCode | 'OFFLINE' | 'FILE_CHANGED',
    readonly status: number,
    message: string,
    readonly details?: unknown,
    /** Seconds to wait before another try, where the server says so (429). */
    readonly retryAfter?: number,
  ) {
    super(message)
  }

  /** What is wrong with a field of the form: `error.field('name')`, null if nothing. Its `code` can be translated, its `message` is the server's. */
  field(path: string): FieldError | null {
    if (!Array.isArray(this.details)) return null
    const found: FieldError | undefined = this.details.find(
      (entry: unknown) => isFieldError(entry) && (entry.path === path || entry.path.startsWith(`${path}/`)),
    )
    return found ?? null
  }
}

/** Whether something caught is a refusal with one of these codes (or any refusal at all). */
export function isApiError(error: unknown, ...codes: ApiError['code'][]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code))
}

/** The error of an answer that is not a success. Its code is what `error` says, else what `message` says (spec 1 §8). */
export function toApiError(status: number, body: unknown, retryAfter: string | null) {
  const message = readText(body, 'message')
  const text = readText(body, 'error') ?? message
  const code = (text ?? 'ERR_INTERNAL') as ErrorCode
  const details = text !== null && typeof body === 'object' && body && 'details' in body ? body.details : undefined
  const seconds = retryAfter === null ? undefined : Number(retryAfter) || undefined
  return new ApiError(code, status, message ?? text ?? '', details, seconds)
}

function readText(body: unknown, name: string): string | null {
  const text: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : null
  return typeof text === 'string' && text !== '' ? text : null
}

function isFieldError(entry: unknown): entry is FieldError {
  return typeof entry === 'object' && entry !== null && 'path' in entry && typeof entry.path === 'string'
}
