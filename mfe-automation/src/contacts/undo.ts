import type { Contact } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { describeError } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import type { PanelTexts } from './texts.ts'

/** As much of the list as a panel needs. */
export interface ContactListActions {
  readonly put: (contact: Contact) => void
}

/** Takes a merge back, and says what went wrong. */
export function undoMerge(id: number, contacts: ContactListActions, t: PanelTexts): void {
  api('DELETE /contacts/merges/:id', { params: { id } })
    .then(({ contact, other }) => {
      contacts.put(contact)
      contacts.put(other)
      toast.success(t('merge.undone'))
    })
    .catch((error: unknown) => void toast.error(describeError(error)))
}
