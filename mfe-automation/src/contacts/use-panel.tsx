import type { Contact } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { showErrorToast, useQuery } from '@balcao/ui/ask'
import { combineStops, live } from '@balcao/ui/live'
import { useSearchParams } from '@balcao/ui/router'
import { type RowAction, type Rows, useRow } from '@balcao/ui/screens'
import { UserRound } from 'lucide-react'
import { useEffect } from 'react'
import { ContactPanel } from './ContactPanel.tsx'
import type { ContactListActions } from './undo.ts'

/** The contact whose panel is open, in the address: `?contato=12`. */
const OPEN = 'contato'

type ContactLookup = Pick<Rows<Contact>, 'rows' | 'find' | 'on' | 'drop'> & ContactListActions

/** The panel of a contact beside the list: what opens it, and it. */
export function usePanel(rows: ContactLookup, edit: (contact: Contact) => void) {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get(OPEN)) || null
  const known = useRow(rows, id)
  const close = () => setParams({}, { replace: true })
  // What the list does not show is fetched, and then kept among its rows, where events and what is saved here find it.
  const isListed = rows.rows.some(row => row.id === id)
  const { last, again } = useQuery(isListed ? null : id, load, {
    onError(error) {
      showErrorToast.onError(error)
      const isGone = id !== null && isApiError(error, 'ERR_NO_CONTACT_FOUND')
      if (isGone) rows.drop(id)
      if (isGone || !contact) close()
    },
  })
  useEffect(
    () =>
      combineStops(
        live.onReset(again),
        live.on('contact', ({ action }) => action === 'reload' && again()),
      ),
    [again],
  )
  // One that was merged answers as the one it became.
  const merged = useRow(rows, last?.wantedId === id ? last.id : null)
  const contact = known ?? merged
  const action: RowAction<Contact> = {
    ...{ id: 'open', icon: UserRound },
    perform: row => setParams({ [OPEN]: String(row.id) }, { replace: true }),
  }
  const panel = contact && (
    <ContactPanel key={contact.id} contact={contact} rows={rows} onEdit={() => edit(contact)} onClose={close} />
  )
  return { action, panel, chosen: contact?.id ?? null }

  async function load(signal: AbortSignal) {
    const found = await api('GET /contacts/:id', { params: { id: id ?? 0 }, signal })
    rows.put(found)
    return { wantedId: id, id: found.id }
  }
}
