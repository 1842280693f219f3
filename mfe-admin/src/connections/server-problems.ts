// What the server refused, at the field it belongs to.
import { isApiError } from '@balcao/ui/api'
import type { Field } from './form.ts'

const BY_CODE: Readonly<Record<string, Field>> = {
  ERR_WAPP_GREETING_REQUIRED: 'greetingMessage',
  ERR_WAPP_NAME_ALREADY_EXISTS: 'name',
  ERR_NO_OTHER_WHATSAPP: 'isDefault',
}
const BY_PATH = ['name', 'greetingMessage', 'phoneNumberId', 'wabaId', 'tokenMeta', 'publicDNSTypebot'] as const

/** The code or the server's words beside the field they are about; nothing for errors that belong to no field. */
export function serverProblems(error: unknown): Readonly<Partial<Record<Field, string>>> {
  if (!isApiError(error)) return {}
  const field = BY_CODE[error.code]
  if (field) return { [field]: error.code }
  return Object.fromEntries(BY_PATH.flatMap(path => (error.field(path) ? [[path, error.field(path)]] : [])))
}
