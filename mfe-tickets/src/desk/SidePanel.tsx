// The panel beside the conversation, loaded when the first one opens.
import type { Ticket } from '@balcao/contract'
import '../contact/late.ts'
import { ContactDrawer } from '../contact/ContactDrawer.tsx'
import { ParticipantsDrawer } from '../group/ParticipantsDrawer.tsx'
import { IntegrationPanel } from '../integration/IntegrationPanel.tsx'
import { rememberIntegration, useIntegrationKept } from './use-panel.ts'
import { useOpenTicket } from './use-ticket-context.ts'
import { type Panel, view } from './view.ts'

export default function SidePanel({ panel, ticket }: { readonly panel: Panel; readonly ticket: Ticket }) {
  const open = useOpenTicket()
  const integration = useIntegrationKept()
  const close = () => {
    view.drawer = integration ? 'integration' : null
  }
  switch (panel) {
    case 'contact':
      return <ContactDrawer key={ticket.contactId} ticket={ticket} open={open} onClose={close} />
    case 'group':
      return <ParticipantsDrawer key={ticket.contactId} ticket={ticket} onClose={close} />
    case 'integration':
      return (
        <IntegrationPanel
          onClose={() => {
            rememberIntegration(false)
            view.drawer = null
          }}
        />
      )
  }
}
