import { ScheduleForm } from '@balcao/ui/forms'
import type { TicketContext } from '../actions/ticket-action.ts'
import { closeDialog } from '../desk/view.ts'

interface ScheduleDialogProps {
  readonly context: TicketContext
  readonly scheduleId: number | null
}

/** A message for later, from the conversation with its contact. */
export default function ScheduleDialog({ context: { ticket, viewer }, scheduleId }: ScheduleDialogProps) {
  const mayAll = viewer.profile !== 'user'
  return <ScheduleForm about={ticket} mayAll={mayAll} scheduleId={scheduleId} onClose={closeDialog} />
}
