// The two things here that cannot be taken back; they stand in the centre and ask.
import { api, isApiError } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, toast } from '@balcao/ui/parts'
import { useState } from 'react'
import { isWaiting } from '../actions/message-rules.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { getConversation } from '../conversation/conversation-store.ts'
import { keepNeighbours } from '../desk/next.ts'
import { getStores } from '../desk/stores.ts'
import { closeDialog } from '../desk/view.ts'
import { server } from '../server.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { holdDialog } from './hold-dialog.ts'
import type { DialogTarget } from './target.ts'

export function DeleteTicketDialog({ target: { context, contexts, many } }: { readonly target: DialogTarget }) {
  const t = useTexts('tickets')
  const [busy, setBusy] = useState(false)
  const { ticket } = context
  async function remove() {
    if (many) return many({})
    setBusy(true)
    keepNeighbours(ticket.id)
    const leave = holdDialog()
    try {
      await server.remove(ticket.id)
      leave()
      toast.success(t('ticketDeleted'))
      if (getStores().shown.ticketId === ticket.id) context.open(null)
    } catch (error) {
      setBusy(false)
      if (!isApiError(error, 'ERR_PROTOCOL_LINKED')) return void toast.error(describeError(error))
      // It will not be another time either (spec 1 §4 "Delete"): nothing is left to ask.
      leave()
      toast.warning(describeError(error))
    }
  }
  return (
    <ConfirmDialog
      title={many ? t('delete.titleMany', { count: contexts.length }) : t('delete.title')}
      text={many ? t('delete.textMany') : t('delete.text', { name: nameContact(ticket.contact) })}
      action={many ? t('delete.doMany') : t('delete.do')}
      ready
      busy={busy}
      onConfirm={() => void remove()}
      onClose={closeDialog}
    />
  )
}

interface DeleteMessageProps {
  readonly context: TicketContext
  readonly messageId: number
}

export function DeleteMessageDialog({ context, messageId }: DeleteMessageProps) {
  const t = useTexts('tickets')
  const [busy, during] = useBusy()
  const message = getConversation(context.ticket.id)
    .view()
    .messages.find(other => other.id === messageId)
  const kind = message?.mediaType === 'comment' ? 'comment' : message && isWaiting(message) ? 'waiting' : 'message'
  function revoke() {
    const leave = holdDialog()
    during(async () => {
      await api('DELETE /messages/:id', { params: { id: messageId } })
      leave()
    })
  }
  return (
    <ConfirmDialog
      title={t('delete.messageTitle')}
      text={t(`delete.${kind}Text`)}
      action={t(`delete.${kind}Do`)}
      ready
      busy={busy}
      onConfirm={revoke}
      onClose={closeDialog}
    />
  )
}
