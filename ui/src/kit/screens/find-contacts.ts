import { formatPhone } from '@balcao/contract/contacts/phone'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { type Pick, TOO_SHORT } from './Picker.tsx'

/** Contacts to pick from, by name or number. */
export async function findContacts(searchParam: string, signal: AbortSignal): Promise<readonly Pick[]> {
  if ([...searchParam].length < LIMITS.searchMinimum) return TOO_SHORT
  const { contacts } = await api('GET /contacts', { query: { searchParam, order: 'match' }, signal })
  return contacts.map(({ id, name, number }) => ({ id, name, ...(number && { note: formatPhone(number) }) }))
}
