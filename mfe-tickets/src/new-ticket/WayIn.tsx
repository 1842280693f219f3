// The form of a new conversation and the one that is in its way.
import { defineLatePart } from '@balcao/ui/parts'
import { useParams, useSearchParams } from '@balcao/ui/router'
import { useEffect, useEffectEvent } from 'react'
import { useSnapshot } from 'valtio'
import { view } from '../desk/view.ts'
import { startConversation, wayIn } from './state.ts'

export const NewTicketDialog = defineLatePart(() => import('./NewTicketDialog.tsx'))
export const OtherTicketDialog = defineLatePart(() => import('./OtherTicketDialog.tsx'))

/** In an address: with whom a conversation is to begin. */
const WRITE_TO = 'contato'
/** Which message of the conversation is meant. */
const MESSAGE = 'message'

export function WayIn() {
  useAddress(WRITE_TO, contactId => startConversation({ contactId }))
  const ticketId = Number(useParams().ticketId)
  useAddress(MESSAGE, messageId => {
    if (ticketId > 0) view.jumpTo = { messageId, ticketId, lane: ticketId, at: Date.now() }
  })
  const { wish, other } = useSnapshot(wayIn)
  return (
    <>
      {wish && <NewTicketDialog wish={wish} />}
      {other && <OtherTicketDialog other={other} />}
    </>
  )
}

/** What an id in the address asks for is done once; the address is then the desk's own again. */
function useAddress(name: string, perform: (id: number) => void) {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get(name) ?? 0)
  const begin = useEffectEvent(perform)
  useEffect(() => {
    if (!Number.isSafeInteger(id) || id <= 0) return
    begin(id)
    setParams(
      before => {
        before.delete(name)
        return before
      },
      { replace: true },
    )
  }, [id, name, setParams])
}
