import type { Contact } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { toast } from '@balcao/ui/parts'
import type { PanelTexts } from './texts.ts'

/** As much of the list as a panel needs. */
export interface ContactListActions {
  readonly put: (contact: Contact) => void
}

/** Takes a merge back. */
export async function undoMerge(id: number, contacts: ContactListActions, t: PanelTexts): Promise<void> {
  const { contact, other } = await api('DELETE /contacts/merges/:id', { params: { id } })
  contacts.put(contact)
  contacts.put(other)
  toast.success(t('merge.undone'))
}
