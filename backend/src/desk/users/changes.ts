// What a form would change of a person: for the log, and for who may change what.
import type { FieldChange, User } from '@balcao/contract'
import { PLAIN_FIELDS, selectCompleteRows, type UserForm } from './form.ts'

/** The fields that would change, each as it was and as it will be. E-mail and password are not among them: nobody else needs to read them. */
export function listUserChanges(person: User, form: UserForm): FieldChange[] {
  const queueIds = form.queueIds && [...form.queueIds].sort((one, other) => one - other)
  const next = { ...form, queueIds, substitution: form.substitution && selectCompleteRows(form.substitution) }
  const now = { ...person, queueIds: person.queueIds.toSorted((one, other) => one - other) }
  return COMPARED.flatMap(field => {
    const [from, to] = [now[field], next[field]]
    return to === undefined || Bun.deepEquals(from, to) ? [] : [{ field, from, to }]
  })
}

const COMPARED = [...PLAIN_FIELDS, 'queueIds', 'substitution'] as const
