import type { ApiScope } from '../api/token.ts'
import type { ErrorCode } from '../errors.ts'
import type { TSchema } from './schema.ts'

/**
 * One call: what goes in and what comes out. Whoever is signed in may call it, unless `audience` says otherwise (`token`: programs
 * alone); the policy decides the rest.
 */
export interface Endpoint {
  readonly summary: string
  readonly audience?: 'public' | 'admin' | 'token'
  /** What a program's token must open to make this call (docs/api.md); without one it is closed to all of them. */
  readonly scope?: ApiScope
  /** Somebody does it: closed to tokens that act as the company. */
  readonly needsPerson?: boolean
  /** More than the summary says, for the description of the API. */
  readonly description?: string
  /** Headers a caller may send, each with what it means. */
  readonly headers?: Readonly<Record<string, string>>
  /** Refusals of its own; those every call of its audience has, and of bad input, go without saying. */
  readonly errors?: readonly ErrorCode[]
  /** Open also to who has still to change a one-time password; everything else is refused until then (spec 1 §4). */
  readonly beforePasswordChange?: boolean
  /** Open also to who is out of hours; everything else is refused then (decisions-2 §24). */
  readonly outsideHours?: boolean
  readonly query?: TSchema
  readonly body?: TSchema
  /** The fields of a `multipart` body, for the description of the API. */
  readonly form?: TSchema
  /** `multipart` and `raw` bodies are read by the handler itself, as streams. */
  readonly bodyKind?: 'json' | 'multipart' | 'raw'
  readonly answer?: TSchema
  /** The answer is a stream of plain text, given as it comes into being. */
  readonly streams?: boolean
  /** The answer is a file, in its own type. */
  readonly isFile?: boolean
  /** The answer, with 200, to who only looks (`?preview=true`). */
  readonly look?: TSchema
  /** HTTP status of success, 200 unless given; 204 has no answer. */
  readonly status?: 200 | 201 | 202 | 204
}
