// The rules of the connection form (spec 2 §2, §5), the same when adding and when editing.
import {
  type ConnectionForm,
  type FieldError,
  flowAddressProblem,
  type Kind,
  LIMITS,
  lacksGreeting,
  nameProblem,
  RATING_TEXTS,
  wrongFields,
} from '@balcao/contract'
import type { Static } from 'typebox'
import { AppError } from '../http/errors.ts'
import { isPublicAddress } from '../http/public-host.ts'

export type Added = Static<typeof ConnectionForm>
export type Form = Partial<Added>

/** What is kept already of the connection that is edited; of a new one, nothing. */
export interface Known {
  readonly api: Kind
  readonly hasToken: boolean
  readonly greetingMessage: string
  readonly queueIds: readonly number[]
}

const SENTENCES = {
  addressWrong: 'Comece com https://',
  addressPrivate: 'Este endereço não é público. O servidor precisa permiti-lo em ALLOW_PRIVATE_HOSTS.',
}

/**
 * Throws `ERR_VALIDATION` with every field that is wrong, `ERR_WAPP_GREETING_REQUIRED` for several queues without a greeting, where
 * the form says something of either.
 */
export function checkForm(form: Form, known: Known, privateHosts: readonly string[]): void {
  const name = form.name === undefined ? null : nameProblem(form.name, LIMITS.connectionName)
  const problems: FieldError[] = name ? [{ path: 'name', message: name }] : []
  for (const field of wrongFields(known.api, form, known.hasToken))
    problems.push({ path: field.name, message: field.fault ?? '' })
  const code = addressFault(form.publicDNSTypebot?.trim() ?? '', privateHosts)
  if (code) problems.push({ path: 'publicDNSTypebot', code, message: SENTENCES[code] })
  if (problems.length > 0) throw new AppError('ERR_VALIDATION', problems)
  if (form.queueIds === undefined && form.greetingMessage === undefined) return
  if (lacksGreeting(form.queueIds ?? known.queueIds, form.greetingMessage ?? known.greetingMessage))
    throw new AppError('ERR_WAPP_GREETING_REQUIRED')
}

function addressFault(address: string, privateHosts: readonly string[]): keyof typeof SENTENCES | null {
  if (address === '') return null
  return flowAddressProblem(address) ?? (isPublicAddress(address, privateHosts) ? null : 'addressPrivate')
}

/** The texts of the rating as they are kept: none is the default one, for a survey that asks nothing gets no answer. */
export function ratingTexts(form: Form, isNew: boolean): Partial<typeof RATING_TEXTS> {
  const names = ['npsMessage', 'npsTksMessage'] as const
  const given = names.filter(name => (isNew || form[name] !== undefined) && (form[name] ?? '').trim() === '')
  return Object.fromEntries(given.map(name => [name, RATING_TEXTS[name]]))
}
