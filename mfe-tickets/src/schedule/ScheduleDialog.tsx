import { ScheduleForm } from '@balcao/ui/forms'
import { useEffect, useState } from 'react'
import type { TicketContext } from '../actions/ticket-action.ts'
import { dropParcel, readParcel } from '../composer/at-hand.ts'
import { useTicketContexts } from '../desk/use-ticket-context.ts'
import { view } from '../desk/view.ts'

interface ScheduleDialogProps {
  readonly ticketId: number
  readonly scheduleId: number | null
}

/** A message for later, beside the conversation with its contact: a new one begins with what lies in the composer. */
export default function ScheduleDialog({ ticketId, scheduleId }: ScheduleDialogProps) {
  const [context] = useTicketContexts([ticketId])
  const isGone = context === undefined
  // The conversation left this person's sight.
  useEffect(() => {
    if (isGone) closeSchedule()
  }, [isGone])
  return context && <Form key={scheduleId ?? -ticketId} context={context} scheduleId={scheduleId} />
}

interface FormProps {
  readonly context: TicketContext
  readonly scheduleId: number | null
}

function Form({ context: { ticket, viewer }, scheduleId }: FormProps) {
  const [parcel] = useState(() => (scheduleId === null ? readParcel(ticket.id) : null))
  return (
    <ScheduleForm
      about={ticket}
      mayAll={viewer.profile !== 'user'}
      scheduleId={scheduleId}
      start={parcel && { message: parcel.message, file: parcel.file }}
      onShown={markShown}
      onSaved={() => parcel && dropParcel(ticket.id, parcel)}
      onClose={closeSchedule}
    />
  )
}

function markShown(isShown: boolean) {
  view.isScheduling = isShown
}

function closeSchedule() {
  view.scheduling = null
}
