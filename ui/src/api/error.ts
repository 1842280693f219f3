import type { ErrorCode, FieldError } from '@balcao/contract/errors'

/** A refused or failed call. `code` is of the catalogue, or `OFFLINE` when no server answered (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly code: ErrorCode | 'OFFLINE',
    readonly status: number,
    message: string,
    readonly details?: unknown,
    /** Seconds to wait before another try, where the server says so (429). */
    readonly retryAfter?: number,
  ) {
    super(message)
  }

  /** What is wrong with a field of the form: `error.field('name')`, null if nothing. */
  field(path: string) {
    if (!Array.isArray(this.details)) return null
    const found: FieldError | undefined = this.details.find(
      (entry: unknown) => isFieldError(entry) && (entry.path === path || entry.path.startsWith(`${path}/`)),
    )
    return found?.message ?? null
  }
}

/** Whether something caught is a refusal with one of these codes (or any refusal at all). */
export function isApiError(error: unknown, ...codes: ApiError['code'][]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code))
}

/** The error of an answer that is not a success. */
export function errorOf(status: number, body: unknown, retryAfter: string | null) {
  const known = typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
  const code = known ? (body.error as ErrorCode) : 'ERR_INTERNAL'
  const message = known && 'message' in body ? String(body.message) : `HTTP ${status}`
  const details = known && 'details' in body ? body.details : undefined
  return new ApiError(code, status, message, details, retryAfter === null ? undefined : Number(retryAfter) || undefined)
}

function isFieldError(entry: unknown): entry is FieldError {
  return typeof entry === 'object' && entry !== null && 'path' in entry && typeof entry.path === 'string'
}
