// The form of a new conversation and the one that is in its way: loaded when the first of them is wanted.
import { useSearchParams } from '@balcao/ui/router'
import { lazy, Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { startConversation, wayIn } from './state.ts'

const NewTicketDialog = lazy(() => import('./NewTicketDialog.tsx'))
const OtherTicketDialog = lazy(() => import('./OtherTicketDialog.tsx'))

/** In an address: with whom a conversation is to begin. */
const WRITE_TO = 'contato'

export function WayIn() {
  useAddress()
  const { wish, other } = useSnapshot(wayIn)
  return (
    <Suspense fallback={null}>
      {wish && <NewTicketDialog wish={wish} />}
      {other && <OtherTicketDialog other={other} />}
    </Suspense>
  )
}

/** Who comes with a contact in the address gets the form for them; the address is then the desk's own again. */
function useAddress() {
  const [params, setParams] = useSearchParams()
  const contactId = Number(params.get(WRITE_TO) ?? 0)
  useEffect(() => {
    if (!Number.isSafeInteger(contactId) || contactId <= 0) return
    startConversation({ contactId })
    setParams(
      before => {
        before.delete(WRITE_TO)
        return before
      },
      { replace: true },
    )
  }, [contactId, setParams])
}
