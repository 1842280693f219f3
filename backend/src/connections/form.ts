// The rules of the connection form (spec 2 §2, §5), the same when adding and when editing.
import { type ConnectionForm, type FieldError, type Kind, LIMITS, nameProblem, wrongFields } from '@balcao/contract'
import type { Static } from 'typebox'
import { AppError } from '../http/errors.ts'

export type Added = Static<typeof ConnectionForm>
export type Form = Partial<Added>

/** Throws `ERR_VALIDATION` with every field that is wrong, `ERR_WAPP_GREETING_REQUIRED` for several queues without a greeting. */
export function checkForm(form: Form, known: { hasToken: boolean; api: Kind; greeting: string }): void {
  const name = form.name === undefined ? null : nameProblem(form.name, LIMITS.connectionName)
  const problems: FieldError[] = name ? [{ path: 'name', message: name }] : []
  for (const field of wrongFields(known.api, form, known.hasToken))
    problems.push({ path: field.name, message: field.fault ?? '' })
  if (problems.length > 0) throw new AppError('ERR_VALIDATION', problems)
  const greeting = form.greetingMessage ?? known.greeting
  if ((form.queueIds?.length ?? 0) > 1 && greeting.trim() === '') throw new AppError('ERR_WAPP_GREETING_REQUIRED')
}
