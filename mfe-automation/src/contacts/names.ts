// How a contact is called and shown.
import type { Contact } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/phone'
import { textsOf } from '@balcao/ui/i18n'

export function pictureOf({ id, profilePicUrl, isGroup, ...contact }: Contact) {
  return { id, name: nameOf({ ...contact, id, profilePicUrl, isGroup }), photo: profilePicUrl, group: isGroup }
}

export function nameOf(contact: Contact): string {
  return contact.name || phoneOf(contact) || textsOf('contacts')('noName')
}

export function phoneOf({ number }: Contact): string {
  return number ? formatPhone(number) : ''
}
