import { PanelRight } from 'lucide-react'
import { rememberIntegration } from '../desk/use-panel.ts'
import { view } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** Shows or hides the program of the setting uriIframe; this device remembers which. */
export const integration: TicketAction = {
  id: 'ticket.integration',
  labelKey: 'action.integration',
  icon: PanelRight,
  place: 'menu',
  when: ({ offers }) => offers.integration,
  perform() {
    const open = view.drawer !== 'integration'
    view.drawer = open ? 'integration' : null
    rememberIntegration(open)
  },
}
