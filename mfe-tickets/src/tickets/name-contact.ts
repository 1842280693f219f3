import type { Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { getTexts } from '@balcao/ui/i18n'

/** What a contact is called where nothing stands beside it: two without a name are told apart by their numbers. */
export function nameContact({ name, number }: Pick<Ticket['contact'], 'name' | 'number'>): string {
  return name || (number ? formatPhone(number) : getTexts('tickets')('noName'))
}
