import type { Contact } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { showErrorToast, useQuery } from '@balcao/ui/ask'
import { useSearchParams } from '@balcao/ui/router'
import type { RowAction } from '@balcao/ui/screens'
import { UserRound } from 'lucide-react'
import { ContactPanel } from './ContactPanel.tsx'
import type { ContactListActions } from './undo.ts'

/** The contact whose panel is open, in the address: `?contato=12`. */
const OPEN = 'contato'

interface ContactLookup extends ContactListActions {
  readonly find: (id: number) => Contact | undefined
}

/** The panel of a contact beside the list: what opens it, and it. */
export function usePanel(rows: ContactLookup, edit: (contact: Contact) => void) {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get(OPEN)) || null
  const shown = id === null ? undefined : rows.find(id)
  const close = () => setParams({}, { replace: true })
  const fetched = useQuery(shown ? null : id, signal => api('GET /contacts/:id', { params: { id: id ?? 0 }, signal }), {
    ...showErrorToast,
    onError(error) {
      showErrorToast.onError(error)
      close()
    },
  }).last
  // One that was merged answers as the one it became.
  const contact = shown ?? (fetched && id !== null ? fetched : undefined)
  const action: RowAction<Contact> = {
    ...{ id: 'open', icon: UserRound },
    perform: row => setParams({ [OPEN]: String(row.id) }, { replace: true }),
  }
  const panel = contact && (
    <ContactPanel key={contact.id} contact={contact} rows={rows} onEdit={() => edit(contact)} onClose={close} />
  )
  return { action, panel, chosen: contact?.id ?? null }
}
