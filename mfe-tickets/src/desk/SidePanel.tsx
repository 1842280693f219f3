// The panel beside the conversation, loaded when the first one opens.
import type { Ticket } from '@balcao/contract'
import { useActions } from '@balcao/ui/actions'
import { useNarrowerThan } from '@balcao/ui/parts'
import { useSnapshot } from 'valtio'
import { listAction } from '../actions/list-action.ts'
import '../contact/late.ts'
import { ContactDrawer } from '../contact/ContactDrawer.tsx'
import { ParticipantsDrawer } from '../group/ParticipantsDrawer.tsx'
import { IntegrationPanel } from '../integration/IntegrationPanel.tsx'
import { rememberIntegration, useIntegrationKept } from './use-panel.ts'
import { useOpenTicket } from './use-ticket-context.ts'
import { type Panel, view } from './view.ts'

/** As a layer over the page it listens to Escape itself; docked it goes by the same key, from wherever on the desk. */
const LEAVE = [
  listAction('closePanel', 'Esc', () => {
    view.drawer = null
    document.querySelector<HTMLElement>('.c-conversation')?.focus({ preventScroll: true })
  }),
]

export default function SidePanel({ panel, ticket }: { readonly panel: Panel; readonly ticket: Ticket }) {
  const open = useOpenTicket()
  useActions(LEAVE)
  const integration = useIntegrationKept()
  const { isScheduling } = useSnapshot(view)
  const [isOver, isOneColumn] = [useNarrowerThan('wide'), useNarrowerThan('narrow')]
  const close = () => {
    view.drawer = integration ? 'integration' : null
  }
  // What lies over the page would lie over the form for a later message, which stands in it.
  if (isScheduling && isOver && !isOneColumn) return null
  switch (panel) {
    case 'contact':
    case 'files':
      return (
        <ContactDrawer
          key={`${panel}-${ticket.contactId}`}
          ticket={ticket}
          isGalleryFirst={panel === 'files'}
          open={open}
          onClose={close}
        />
      )
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
