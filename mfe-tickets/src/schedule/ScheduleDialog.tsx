import { ScheduleForm } from '@balcao/ui/forms'
import { useState } from 'react'
import type { TicketContext } from '../actions/ticket-action.ts'
import { dropParcel, readParcel } from '../composer/at-hand.ts'
import { closeDialog } from '../desk/view.ts'

interface ScheduleDialogProps {
  readonly context: TicketContext
  readonly scheduleId: number | null
}

/** A message for later, beside the conversation with its contact: a new one begins with what lies in the composer. */
export default function ScheduleDialog({ context: { ticket, viewer }, scheduleId }: ScheduleDialogProps) {
  const [parcel] = useState(() => (scheduleId === null ? readParcel(ticket.id) : null))
  return (
    <ScheduleForm
      about={ticket}
      mayAll={viewer.profile !== 'user'}
      scheduleId={scheduleId}
      start={parcel && { message: parcel.message, file: parcel.file }}
      onSaved={() => parcel && dropParcel(ticket.id, parcel)}
      onClose={closeDialog}
    />
  )
}
