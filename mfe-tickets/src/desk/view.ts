// What is open on the screen besides data: dialogs, the message being answered or edited, drawers.
import type { Message } from '@balcao/contract'
import { keepSessionState } from '@balcao/ui/session'

/** What stands beside the conversation: who the customer is, all files of theirs, who is in the group, or the program of the setting uriIframe. */
export type Panel = 'contact' | 'files' | 'group' | 'integration'

export type DialogKind =
  | 'accept'
  | 'transfer'
  | 'pause'
  | 'protocol'
  | 'resolve'
  | 'deleteTicket'
  | 'deleteMessage'
  | 'why'
  | 'choices'
  | 'followers'
  | 'forward'
  | 'information'
  | 'summary'
  | 'translation'

export interface OpenDialog {
  readonly kind: DialogKind
  readonly ticketId: number
  readonly messageId?: number
  /** The messages to pass on, in their order. */
  readonly messageIds?: readonly number[]
  /** What is asked is asked for all of these at once. */
  readonly ticketIds?: readonly number[]
  /** The action that asked, where it is for several. */
  readonly actionId?: string
  /** To whom a transfer is proposed. */
  readonly userId?: number
}

/** Where J and K go on from a conversation that has left its list. */
export interface Neighbours {
  readonly of: number
  readonly above: number | undefined
  readonly below: number | undefined
}

export interface Jump {
  readonly messageId: number
  readonly ticketId: number
  readonly at: number
  /** Where only one conversation, perhaps not open yet, is meant. */
  readonly lane?: number
  /** The keyboard goes on from there. */
  readonly focus?: boolean
}

export interface View {
  dialog: OpenDialog | null
  /** The message for later that is written beside its conversation, whatever is asked meanwhile; without an id a new one. */
  scheduling: { readonly ticketId: number; readonly scheduleId: number | null } | null
  /** Whether its form stands there: what is to be changed comes from the server first. */
  isScheduling: boolean
  /** Per ticket: the message the composer answers or edits. */
  target: Record<number, { readonly kind: 'reply' | 'edit'; readonly message: Message } | undefined>
  /**
   * The picture or video shown whole, and a message of whose conversation it is. `among` are those beside it where it was opened, else
   * those of the conversation; `galleryTicketId` is the ticket whose gallery that was.
   */
  viewer: {
    readonly messageId: number
    readonly ticketId: number
    readonly among?: readonly Message[]
    readonly galleryTicketId?: number
  } | null
  drawer: Panel | null
  /** The conversation whose templates are to be shown; the composer opens them. */
  templatesFor: number | null
  /** The ticket that J or K led to, as long as nothing else was done: its composer leaves the focus where it is, however late it comes. */
  steppedTo: number | null
  /** What stood beside the conversation that is leaving its list. */
  neighbours: Neighbours | null
  /** The message to scroll to and blink. */
  jumpTo: Jump | null
  /** The messages of a conversation that are marked, while some are to be: `at` is the row that was marked last. */
  marks: { readonly ticketId: number; readonly ids: readonly number[]; readonly at: string } | null
  /** The conversation that is searched in a window: a ticket's id, or the negative of a chat's. With a day, or '' for none yet, one goes to a day. */
  find: { readonly lane: number; readonly day?: string } | null
}

export const view = keepSessionState<View>(() => ({
  dialog: null,
  scheduling: null,
  isScheduling: false,
  target: {},
  viewer: null,
  drawer: null,
  templatesFor: null,
  steppedTo: null,
  neighbours: null,
  jumpTo: null,
  marks: null,
  find: null,
}))

/** Opens a panel in the place of whatever stands there, or closes it. */
export function togglePanel(panel: Panel) {
  view.drawer = view.drawer === panel ? null : panel
}

/** Asks to whom these messages of a conversation go. */
export function openForward(ticketId: number, ...messageIds: readonly number[]) {
  view.dialog = { kind: 'forward', ticketId, messageIds }
}

export function closeDialog() {
  view.dialog = null
}

export function clearTarget(ticketId: number) {
  delete view.target[ticketId]
}
