// What a save changed of a contact, for the activity log: before and after, field by field.
import type { Contact, FieldChange } from '@balcao/contract'

/** The fields that are different now; of an e-mail and of what the team noted only that they are. */
export function listContactChanges(before: Contact, after: Contact): FieldChange[] {
  const [was, is] = [pickFields(before), pickFields(after)]
  const changed = SAID.filter(field => !Bun.deepEquals(was[field], is[field]))
  const unsaid = UNSAID.filter(field => !Bun.deepEquals(before[field], after[field]))
  return [...changed.map(field => ({ field, from: was[field], to: is[field] })), ...unsaid.map(field => ({ field }))]
}

const SAID = ['name', 'number', 'respostaAutomatica', 'optedOut', 'tags', 'redirect'] as const
const UNSAID = ['email', 'extraInfo'] as const

function pickFields({ name, number, respostaAutomatica, optedOutAt, tags, redirect }: Contact) {
  return {
    name,
    number,
    respostaAutomatica,
    optedOut: optedOutAt !== null,
    tags: tags.map(tag => tag.name).join(', '),
    redirect,
  }
}
