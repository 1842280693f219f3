// The form of a new conversation and the one that is in its way.
import { defineLatePart } from '@balcao/ui/parts'
import { useSearchParams } from '@balcao/ui/router'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { startConversation, wayIn } from './state.ts'

export const NewTicketDialog = defineLatePart(() => import('./NewTicketDialog.tsx'))
export const OtherTicketDialog = defineLatePart(() => import('./OtherTicketDialog.tsx'))

/** In an address: with whom a conversation is to begin. */
const WRITE_TO = 'contato'

export function WayIn() {
  useAddress()
  const { wish, other } = useSnapshot(wayIn)
  return (
    <>
      {wish && <NewTicketDialog wish={wish} />}
      {other && <OtherTicketDialog other={other} />}
    </>
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
