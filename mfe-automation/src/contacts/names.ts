// How a contact is called and shown.
import type { Contact } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { getTexts } from '@balcao/ui/i18n'

export function toAvatar({ id, profilePicUrl, isGroup, ...contact }: Contact) {
  return {
    id,
    name: formatContactName({ ...contact, id, profilePicUrl, isGroup }),
    photo: profilePicUrl,
    group: isGroup,
  }
}

export function formatContactName(contact: Contact): string {
  return contact.name || formatContactPhone(contact) || getTexts('contacts')('noName')
}

export function formatContactPhone({ number }: Contact): string {
  return number ? formatPhone(number) : ''
}
