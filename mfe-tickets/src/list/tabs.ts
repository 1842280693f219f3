// Which list is shown. A ticket opened from elsewhere (a link, after accepting) brings its own list to the front.
import { keepPerSession, session } from '@balcao/ui/session'
import { useEffect, useRef, useState } from 'react'
import { getStores } from '../desk/stores.ts'
import { isInList, LISTS, type ListName } from '../tickets/is-in-list.ts'
import { isServed } from '../tickets/served.ts'
import { useTicket } from '../tickets/use-tickets.ts'

export type ListTab = 'open' | 'closed' | 'paused' | 'internal' | 'search'
export type SubTab = 'assigned' | 'groups' | 'pending' | 'followed' | 'contacts'

interface TabChoice {
  readonly tab: ListTab
  readonly sub: SubTab
}

const INTERNAL: TabChoice = { tab: 'internal', sub: 'assigned' }
const CHOICE_OF: Record<ListName, TabChoice> = {
  assigned: { tab: 'open', sub: 'assigned' },
  groups: { tab: 'open', sub: 'groups' },
  pending: { tab: 'open', sub: 'pending' },
  closed: { tab: 'closed', sub: 'contacts' },
  closedGroups: { tab: 'closed', sub: 'groups' },
  paused: { tab: 'paused', sub: 'assigned' },
  followed: { tab: 'open', sub: 'followed' },
}

/** Where the person was, and how the tickets stood that were open: kept while the lists are not on the screen. */
const last = keepPerSession<{ choice: TabChoice; readonly status: Map<number, string> }>(() => ({
  choice: CHOICE_OF.assigned,
  status: new Map(),
}))

/** Where the person was before the conversation filled the window. */
export function readListChoice(): TabChoice {
  return last().choice
}

/** Null where internal chats or what was searched for are shown instead of a list of tickets. */
export function toListName(tab: ListTab, sub: SubTab): ListName | null {
  if (tab === 'internal' || tab === 'search') return null
  if (tab === 'paused') return 'paused'
  if (tab === 'closed') return sub === 'groups' ? 'closedGroups' : 'closed'
  return sub === 'contacts' ? 'assigned' : sub
}

/** @param internal the address is the one of internal chats (`/tickets/0`), which `leave` leads away from */
export function useListChoice(ticketId: number | null, chatId: number | null, internal = false, leave = () => {}) {
  const [choice, setChoice] = useState<TabChoice>(() => (internal ? INTERNAL : last().choice))
  const wasInternal = useRef(internal)
  const ticket = useTicket(ticketId ?? 0)
  const status = ticket && (isServed(ticket) ? ticket.status : 'followed')
  const known = ticket !== undefined

  // Follows the open ticket when it is opened and when the person accepts it, not while the person looks around.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!ticket || !status) return
    const lastStatus = last().status
    // Who looks through what was found goes on doing so.
    const stays = choice.tab === 'search'
    const viewer = { id: session.user?.id ?? 0, mayShowAll: true, serves: isServed }
    const home = LISTS.find(name => isInList(name, ticket, viewer, { showAll: true, queueIds: null }))
    const accepted = status === 'open' && /pending|followed/.test(lastStatus.get(ticket.id) ?? '')
    if (stays) lastStatus.set(ticket.id, status)
    else if (home && accepted && ticket.userId === session.user?.id) choose(CHOICE_OF[home])
    else if (home && !lastStatus.has(ticket.id) && !isListed(ticket.id)) choose(CHOICE_OF[home])
    lastStatus.set(ticket.id, status)
  }, [ticketId, status, known])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another chat brings its list to the front
  useEffect(() => {
    if (chatId !== null) choose(INTERNAL)
  }, [chatId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address changes the list
  useEffect(() => {
    if (internal) choose(INTERNAL)
    else if (wasInternal.current && ticketId === null && choice.tab === 'internal') choose(CHOICE_OF.assigned)
    wasInternal.current = internal
  }, [internal])

  function choose(next: TabChoice) {
    last().choice = next
    setChoice(next)
  }
  return {
    ...choice,
    choose,
    setTab: (tab: ListTab) => {
      choose({ tab, sub: tab === 'closed' ? 'contacts' : 'assigned' })
      if (internal && chatId === null && tab !== 'internal') leave()
    },
    setSub: (sub: SubTab) => choose({ ...choice, sub }),
  }
}

function isListed(id: number): boolean {
  return LISTS.some(name => getStores().tickets.list(name).ids.includes(id))
}
