// The error catalogue (spec 1 §8, 2 §8, decisions §1): every code the server may answer with, and its HTTP status.
export const ERRORS = {
  ERR_VALIDATION: 422,
  ERR_SESSION_EXPIRED: 401,
  ERR_TOKEN_EXPIRED: 403,
  ERR_NO_PERMISSION: 403,
  ERR_INVALID_CREDENTIALS: 401,
  ERR_INVALID_WORKING_TIME: 401,
  ERR_USER_NO_ACTIVE: 401,
  ERR_SYSTEM_BLOCKED: 403,
  ERR_TOO_MANY_ATTEMPTS: 429,
  ERR_TOO_MANY_TERMINALS: 409,
  ERR_PASSWORD_CHANGE_REQUIRED: 403,
  ERR_CHANGED_MEANWHILE: 409,
  ERR_DUPLICATED_EMAIL: 409,
  ERR_USER_CREATION_DISABLED: 403,
  ERR_NO_OTHER_WHATSAPP: 409,
  ERR_NO_DEF_WAPP_FOUND: 404,
  ERR_WAPP_NOT_INITIALIZED: 409,
  ERR_WAPP_CHECK_CONTACT: 502,
  ERR_WAPP_INVALID_CONTACT: 422,
  ERR_WAPP_DOWNLOAD_MEDIA: 502,
  ERR_WAPP_DOWNLOAD_MEDIA_DENIED: 422,
  ERR_SENDING_WAPP_MSG: 409,
  ERR_TEXT_TOO_LONG: 422,
  ERR_DELETE_WAPP_MSG: 409,
  ERR_EDIT_WAPP_MSG: 409,
  ERR_WINDOW_CLOSED: 409,
  ERR_OTHER_OPEN_TICKET: 409,
  ERR_INVALID_TRANSITION: 409,
  ERR_CHAT_WITH_ONESELF: 422,
  ERR_DUPLICATED_CONTACT: 409,
  ERR_CANNOT_MERGE: 409,
  ERR_MERGED_AGAIN: 409,
  ERR_ERASURE_WAITING: 409,
  ERR_DUPLICATED_SHORTCUT: 409,
  ERR_NO_SETTING_FOUND: 404,
  ERR_NO_CONTACT_FOUND: 404,
  ERR_NO_MERGE_FOUND: 404,
  ERR_NO_TICKET_FOUND: 404,
  ERR_NO_USER_FOUND: 404,
  ERR_NO_WAPP_FOUND: 404,
  ERR_NO_QUEUE_FOUND: 404,
  ERR_NO_MESSAGE_FOUND: 404,
  ERR_NO_QUESTION_FOUND: 404,
  ERR_NO_QUICK_ANSWER_FOUND: 404,
  ERR_NO_TAG_FOUND: 404,
  ERR_NO_PROTOCOL_FOUND: 404,
  ERR_NO_ERASURE_FOUND: 404,
  ERR_NO_SCHEDULE_FOUND: 404,
  ERR_NO_SEND_FOUND: 404,
  ERR_NO_CHAT_FOUND: 404,
  ERR_NO_FILE_FOUND: 404,
  ERR_NO_JOB_FOUND: 404,
  ERR_NOT_FOUND: 404,
  ERR_CREATING_MESSAGE: 500,
  ERR_CREATING_TICKET: 500,
  ERR_FETCH_WAPP_MSG: 404,
  ERR_FETCH_GROUP: 502,
  ERR_TOO_MANY_QUESTIONS: 409,
  ERR_QUEUE_COLOR_ALREADY_EXISTS: 409,
  ERR_QUEUE_IN_USE: 409,
  ERR_USER_NO_LINKED_IN_QUEUE: 422,
  ERR_WAPP_GREETING_REQUIRED: 422,
  ERR_WAPP_NAME_ALREADY_EXISTS: 409,
  ERR_WAPP_HAS_LIVE_TICKETS: 409,
  ERR_WAPP_NOT_OFFERED: 409,
  ERR_WAPP_RESTORED: 409,
  ERR_GATEWAY_NOT_SET: 409,
  ERR_PROTOCOL_LINKED: 409,
  ERR_FILE_TOO_LARGE: 413,
  ERR_FILE_TYPE: 422,
  ERR_SHEET_UNREADABLE: 422,
  ERR_SHEET_PASSWORD: 422,
  ERR_SHEET_TOO_LARGE: 413,
  ERR_SHEET_ROWS: 422,
  ERR_PDF: 500,
  ERR_IMPORT_BLOCKED: 403,
  ERR_NO_PHONE_BOOK: 409,
  ERR_NO_SPACE: 507,
  ERR_FILES_AWAY: 503,
  ERR_BODY_TOO_LARGE: 413,
  ERR_BODY_TOO_SLOW: 408,
  ERR_NO_AI_KEY: 409,
  ERR_AI_FAILED: 502,
  ERR_FORWARD_WAPP_MSG: 409,
  ERR_BAD_REQUEST: 400,
  ERR_BAD_SIGNATURE: 401,
  ERR_INTERNAL: 500,
  ERR_NOT_READY: 503,
  ERR_DATABASE_AWAY: 503,
  ERR_BUSY: 503,
} as const

export type ErrorCode = keyof typeof ERRORS

/** Why a message of ours did not go out, whatever the kind of connection: what its `errorLog.reason` says. */
export const SEND_ERRORS = [
  'ERR_WINDOW_CLOSED',
  'ERR_WAPP_INVALID_CONTACT',
  'ERR_TEXT_TOO_LONG',
  'ERR_SEND_BLOCKED',
  'ERR_SEND_TOO_MANY',
  'ERR_SEND_CREDENTIALS',
  'ERR_SEND_PAYMENT',
  'ERR_SEND_NUMBER',
  'ERR_SEND_TEMPLATE',
  'ERR_SEND_FILE',
  'ERR_SEND_CONTENT',
  'ERR_SEND_UNSUPPORTED',
  'ERR_SEND_OPTED_OUT',
  'ERR_SEND_NO_CONNECTION',
  'ERR_SEND_ORIGINAL',
  'ERR_SEND_NOT_MEMBER',
  'ERR_SEND_UNAVAILABLE',
  'ERR_SEND_REFUSED',
] as const
export type SendError = (typeof SEND_ERRORS)[number]

/**
 * The body of every refusal. `details` holds one entry per field for `ERR_VALIDATION`, `most` for `ERR_TEXT_TOO_LONG` and
 * `ERR_SHEET_TOO_LARGE` (rows), the present thing for `ERR_CHANGED_MEANWHILE`, the counts for `ERR_QUEUE_IN_USE`, and the ticket's id for
 * `ERR_OTHER_OPEN_TICKET`.
 */
export interface ErrorBody {
  readonly error: ErrorCode
  readonly message: string
  readonly details?: unknown
}

/** One field of a refused input: `path` as in `queues/0/name`; a `code` with its `params` where clients can translate it. */
export interface FieldError {
  readonly path: string
  readonly code?: string
  readonly params?: Readonly<Record<string, string>>
  readonly message: string
}

/** What the schema of a call refuses, whatever the field: mostly limits that no form comes to by itself. */
export const SCHEMA_PROBLEMS = {
  fieldRequired: 'Preencha este campo',
  fieldTooLong: 'No máximo {{most}} caracteres',
  fieldTooMany: 'No máximo {{most}} itens',
  /** `rule` is what the schema says, for programs. */
  fieldInvalid: 'Valor inválido',
} as const
export type SchemaProblem = keyof typeof SCHEMA_PROBLEMS
