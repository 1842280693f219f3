// The rules of the connection form (spec 2 §2, §5), the same when adding and when editing.
import { type ConnectionForm, type FieldError, LIMITS, nameProblem } from '@balcao/contract'
import type { Static } from 'typebox'
import { AppError } from '../http/errors.ts'

export type Form = Partial<Static<typeof ConnectionForm>>

/** Throws `ERR_VALIDATION` with every field that is wrong, `ERR_WAPP_GREETING_REQUIRED` for several queues without a greeting. */
export function checkForm(form: Form, known: { hasToken: boolean; api: string | undefined; greeting: string }): void {
  const problems: FieldError[] = []
  if (form.name !== undefined) {
    const problem = nameProblem(form.name, LIMITS.connectionName)
    if (problem) problems.push({ path: 'name', message: problem })
  }
  if (known.api === 'cloud_api') {
    if (form.phoneNumberId !== undefined && !/^\d{3,64}$/.test(form.phoneNumberId))
      problems.push({ path: 'phoneNumberId', message: 'Informe o ID do número de telefone' })
    if (form.wabaId !== undefined && !/^\d{0,64}$/.test(form.wabaId))
      problems.push({ path: 'wabaId', message: 'Informe o ID da conta do WhatsApp Business' })
    if (!known.hasToken && (form.tokenMeta ?? '').trim() === '')
      problems.push({ path: 'tokenMeta', message: 'Informe o token de acesso' })
  }
  if (problems.length > 0) throw new AppError('ERR_VALIDATION', problems)
  const greeting = form.greetingMessage ?? known.greeting
  if ((form.queueIds?.length ?? 0) > 1 && greeting.trim() === '') throw new AppError('ERR_WAPP_GREETING_REQUIRED')
}
