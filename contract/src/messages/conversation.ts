// Which tickets of a contact stand together in the conversation somebody is shown (decisions §5: history*, onlyTicketMsg). Pure;
// `backend/messages/conversation` has its twin in SQL and a property test compares the two.
import { type AccessSettings, canSeeTicket, type TicketFacts, type Viewer } from '../access.ts'
import type { Settings } from '../settings/settings.ts'

/** The settings that narrow a conversation. */
export const HISTORY_SETTINGS = ['onlyTicketMsg', 'historyByConnection', 'historyByQueue', 'historyByUser'] as const

/** Everything that decides what of the desk's conversations somebody is shown. */
export type VisibilitySettings = AccessSettings & Pick<Settings, (typeof HISTORY_SETTINGS)[number]>

/** A ticket with where it belongs. */
export interface TicketReference extends TicketFacts {
  readonly id: number
  readonly contactId: number
  readonly whatsappId: number
}

/** Whether what was said in `there` is part of the conversation this viewer is shown at `here`, a ticket the viewer may see. */
export function isInSameHistory(
  viewer: Viewer,
  here: TicketReference,
  there: TicketReference,
  settings: VisibilitySettings,
): boolean {
  if (there.id === here.id) return true
  if (settings.onlyTicketMsg || there.contactId !== here.contactId) return false
  if (!canSeeTicket(viewer, there, settings)) return false
  if (viewer.profile === 'admin') return true
  return (
    (!settings.historyByConnection || there.whatsappId === here.whatsappId) &&
    (!settings.historyByQueue || there.queueId === here.queueId) &&
    (!settings.historyByUser || there.userId === here.userId)
  )
}
