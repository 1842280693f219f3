// What only shows something: panels, dialogs, the search.

import { areLettersPaused } from '@balcao/ui/actions'
import {
  CalendarClock,
  CalendarSearch,
  History,
  IdCard,
  Images,
  ListChecks,
  PanelRight,
  Search,
  ShieldQuestionMark,
  Sparkles,
  UsersRound,
} from 'lucide-react'
import { isWindowOpen } from '../composer/window.ts'
import { rememberIntegration } from '../desk/use-panel.ts'
import { togglePanel, view } from '../desk/view.ts'
import { getAiState } from '../message/ai.ts'
import { makeDialogOpener, type TicketAction } from './ticket-action.ts'

/** Finds messages in the conversation. */
export const findMessages: TicketAction = {
  id: 'ticket.find',
  labelKey: 'action.find',
  icon: Search,
  shortcut: 'F',
  place: 'bar',
  when: () => true,
  perform({ ticket }) {
    view.find = view.find?.lane === ticket.id && view.find.day === undefined ? null : { lane: ticket.id }
  },
}

/** Goes to a day of the conversation. */
export const goToDay: TicketAction = {
  id: 'ticket.goToDay',
  labelKey: 'action.goToDay',
  icon: CalendarSearch,
  shortcut: 'Shift+F',
  place: 'menu',
  when: () => true,
  perform({ ticket }) {
    view.find = { lane: ticket.id, day: '' }
  },
}

/** A message for later, begun with what lies in the composer; a user sends to contacts of own tickets alone (decisions §4). */
export const schedule: TicketAction = {
  id: 'ticket.schedule',
  labelKey: 'action.schedule',
  icon: CalendarClock,
  shortcut: 'Alt+Enter',
  place: 'menu',
  when: ({ ticket, viewer, offers }) => offers.scheduler && (viewer.profile !== 'user' || ticket.userId === viewer.id),
  perform({ ticket }) {
    view.scheduling = { ticketId: ticket.id, scheduleId: null }
  },
  byKey(context) {
    // A dialog is open: it asks something else.
    if (!areLettersPaused()) void schedule.perform(context)
  },
}

/** Buttons, a list, or lines with numbers: what the connection has. */
export const offerChoices: TicketAction = {
  id: 'ticket.choices',
  labelKey: 'action.choices',
  icon: ListChecks,
  place: 'menu',
  when: ({ ticket }) => ticket.status === 'open' && !ticket.isOutOfGroup && isWindowOpen(ticket, new Date()),
  perform: makeDialogOpener('choices'),
}

/** Shows or hides who the customer is. */
export const showContact: TicketAction = {
  id: 'ticket.contact',
  labelKey: 'action.contact',
  icon: IdCard,
  place: 'menu',
  when: () => true,
  perform() {
    togglePanel('contact')
  },
}

/** Shows or hides all files and links of the customer. */
export const showFiles: TicketAction = {
  id: 'ticket.files',
  labelKey: 'action.files',
  icon: Images,
  shortcut: 'D',
  place: 'bar',
  when: () => true,
  perform: () => togglePanel('files'),
}

/** The conversation in a few lines, written by the AI (spec 1 §7). */
export const summary: TicketAction = {
  id: 'ticket.summary',
  labelKey: 'action.summary',
  icon: Sparkles,
  place: 'menu',
  when: () => true,
  reasonKey: () => (getAiState() === 'off' ? 'msg.noAi' : null),
  perform: makeDialogOpener('summary'),
}

/** Shows or hides who is in the group. */
export const participants: TicketAction = {
  id: 'ticket.participants',
  labelKey: 'action.participants',
  icon: UsersRound,
  place: 'menu',
  when: ({ ticket }) => ticket.isGroup,
  perform: () => togglePanel('group'),
}

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

/** Why somebody may or may not see this ticket; administrators only. */
export const why: TicketAction = {
  id: 'ticket.why',
  labelKey: 'action.why',
  icon: ShieldQuestionMark,
  place: 'menu',
  when: ({ viewer }) => viewer.profile === 'admin',
  perform: makeDialogOpener('why'),
}

/** Everything that was done to the ticket, by whom and when. */
export const showLog: TicketAction = {
  id: 'ticket.log',
  labelKey: 'action.log',
  icon: History,
  place: 'menu',
  when: ({ viewer }) => viewer.profile === 'admin',
  perform({ ticket, goTo }) {
    goTo(`/log?entity=ticket&entityId=${ticket.id}`)
  },
}
