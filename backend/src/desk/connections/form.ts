// The rules of the connection form (spec 2 §2, §5), the same when adding and when editing.
import {
  type ConnectionForm,
  type FieldRefusal,
  findInvalidFields,
  isGreetingMissing,
  type Kind,
  LIMITS,
  RATING_TEXTS,
  validateFlow,
  validateName,
} from '@balcao/contract'
import type { Static } from 'typebox'
import { AppError, toRuleRefusal } from '../../platform/http/errors.ts'
import { isPublicAddress } from '../../platform/http/public-host.ts'

export type NewConnection = Static<typeof ConnectionForm>
export type ConnectionPatch = Partial<NewConnection>

/** What is kept already of the connection that is edited; of a new one, nothing. */
export interface StoredConnection {
  readonly api: Kind
  readonly hasToken: boolean
  readonly greetingMessage: string
  readonly queueIds: readonly number[]
  readonly publicDNSTypebot: string
  readonly publicIDTypebot: string
}

/** Of a connection that is not there yet nothing is kept. */
export function createEmptyConnection(api: Kind): StoredConnection {
  return { api, hasToken: false, greetingMessage: '', queueIds: [], publicDNSTypebot: '', publicIDTypebot: '' }
}

/**
 * Throws `ERR_VALIDATION` with every field that is wrong, `ERR_WAPP_GREETING_REQUIRED` for several queues without a greeting, where
 * the form says something of either.
 */
export function checkForm(form: ConnectionPatch, known: StoredConnection, privateHosts: readonly string[]): void {
  const name = form.name === undefined ? null : validateName(form.name, LIMITS.connectionName)
  const problems: FieldRefusal[] = name ? [toRuleRefusal('name', name)] : []
  for (const { name: path, fault } of findInvalidFields(known.api, form, known.hasToken))
    problems.push({ path, text: fault ? (`connection.${fault}` as const) : 'schema.fieldRequired' })
  problems.push(...flowProblems(form, known, privateHosts))
  if (problems.length > 0) throw new AppError('ERR_VALIDATION', problems)
  if (form.queueIds === undefined && form.greetingMessage === undefined) return
  if (isGreetingMissing(form.queueIds ?? known.queueIds, form.greetingMessage ?? known.greetingMessage))
    throw new AppError('ERR_WAPP_GREETING_REQUIRED')
}

function flowProblems(form: ConnectionPatch, known: StoredConnection, privateHosts: readonly string[]): FieldRefusal[] {
  if (form.publicDNSTypebot === undefined && form.publicIDTypebot === undefined) return []
  const publicDNSTypebot = (form.publicDNSTypebot ?? known.publicDNSTypebot).trim()
  const publicIDTypebot = (form.publicIDTypebot ?? known.publicIDTypebot).trim()
  const faults = validateFlow({ publicDNSTypebot, publicIDTypebot })
  const isInside = publicDNSTypebot !== '' && !isPublicAddress(publicDNSTypebot, privateHosts)
  const address = faults.publicDNSTypebot ?? (isInside ? 'addressPrivate' : undefined)
  const found = [
    ['publicDNSTypebot', address],
    ['publicIDTypebot', faults.publicIDTypebot],
  ] as const
  return found.flatMap(([path, code]) => (code ? [{ path, text: `connection.${code}` as const }] : []))
}

/** The texts of the rating as they are kept: none is the default one, for a survey that asks nothing gets no answer. */
export function fillRatingTexts(form: ConnectionPatch, isNew: boolean): Partial<typeof RATING_TEXTS> {
  const names = ['npsMessage', 'npsTksMessage'] as const
  const empty = names.filter(name => (isNew || form[name] !== undefined) && (form[name] ?? '').trim() === '')
  return Object.fromEntries(empty.map(name => [name, RATING_TEXTS[name]]))
}
