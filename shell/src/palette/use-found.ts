// Conversations, contacts and internal chats by name, for the palette.
import type { Chat, Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { sortByMatch } from '@balcao/contract/kit/name-match'
import { type Action, holdLetters } from '@balcao/ui/actions'
import { api } from '@balcao/ui/api'
import { reportErrors, useQuery } from '@balcao/ui/ask'
import { getTexts } from '@balcao/ui/i18n'
import { useNavigate } from '@balcao/ui/router'
import { session } from '@balcao/ui/session'
import { Contact, MessageSquare, MessagesSquare, UsersRound } from 'lucide-react'

/** Something found: performed as an action, called as it is. */
export interface PaletteMatch {
  readonly action: Action
  readonly label: string
  /** Beside the name: where it belongs. */
  readonly note: string
}

const FEWEST_LETTERS = 3
const WAIT_MS = 250
const MOST = 6
/** A search goes on by itself no more often than this. */
const MOST_WALKS = 3
/** The desk opens the form of a new conversation for it. */
const WRITE_TO = 'contato'

/** What bears this name, after a short pause in typing; `searching` while the server is asked. */
export function useFound(text: string): { readonly found: readonly PaletteMatch[]; readonly searching: boolean } {
  const navigate = useNavigate()
  const wanted = text.trim()
  const ask = async (signal: AbortSignal) => {
    const go: Navigate = path => void navigate(path)
    const parts = await Promise.allSettled([
      findTickets(wanted, go, signal),
      findContacts(wanted, go, signal),
      findChats(wanted, go, signal),
    ])
    return parts.flatMap(part => (part.status === 'fulfilled' ? part.value : []))
  }
  const isAsked = wanted.length >= FEWEST_LETTERS
  const { now, last } = useQuery(isAsked ? wanted : null, ask, { waitMs: WAIT_MS })
  // What was found for fewer letters stays while more are looked up, so the list does not jump.
  return isAsked ? { found: last ?? [], searching: now === null } : { found: [], searching: false }
}

type Navigate = (path: string) => void

async function findTickets(name: string, go: Navigate, signal: AbortSignal): Promise<PaletteMatch[]> {
  const found = new Map<number, Ticket>()
  let cursor: string | undefined
  for (let walk = 0; walk < MOST_WALKS && found.size < MOST; walk++) {
    const query = { searchParam: name, searchContact: name, ...(cursor ? { cursor } : {}) }
    const page = await api('GET /tickets/filter', { query, signal })
    for (const ticket of page.tickets) found.set(ticket.id, ticket)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  const t = getTexts('shell')
  return listMeant([...found.values()], name, ticket => ticket.contact.name).map(ticket => ({
    label: ticket.contact.name,
    note: [t(`palette.status.${ticket.status}`), ticket.queue?.name].filter(Boolean).join(' · '),
    action: {
      id: `found.ticket.${ticket.id}`,
      labelKey: '',
      icon: ticket.isGroup ? UsersRound : MessageSquare,
      groupKey: 'shell:palette.tickets',
      perform: () => go(`/tickets/${ticket.id}`),
    },
  }))
}

async function findContacts(name: string, go: Navigate, signal: AbortSignal): Promise<PaletteMatch[]> {
  const { contacts: found } = await api('GET /contacts', { query: { searchParam: name, order: 'match' }, signal })
  return listMeant(found, name, contact => contact.name).map(contact => ({
    label: contact.name,
    note: contact.number ? formatPhone(contact.number) : '',
    action: {
      id: `found.contact.${contact.id}`,
      labelKey: '',
      icon: Contact,
      groupKey: 'shell:palette.contacts',
      perform: () => reportErrors(() => openContact(contact.id, go)),
    },
  }))
}

/** The live conversation with a contact, else the form of a new one with them. */
async function openContact(contactId: number, go: Navigate) {
  const release = holdLetters({ lasts: true, takesFocus: true })
  try {
    const ticket = await api('GET /tickets/contact/:contactId', { params: { contactId }, query: {} })
    go(ticket ? `/tickets/${ticket.id}` : `/tickets?${WRITE_TO}=${contactId}`)
    release()
  } catch (error) {
    release(0)
    throw error
  }
}

async function findChats(name: string, go: Navigate, signal: AbortSignal): Promise<PaletteMatch[]> {
  const { chats: found } = await api('GET /chats', { query: { searchParam: name }, signal })
  return listMeant(found, name, labelChat).map(chat => ({
    label: labelChat(chat),
    note: '',
    action: {
      id: `found.chat.${chat.id}`,
      labelKey: '',
      icon: MessagesSquare,
      groupKey: 'shell:palette.chats',
      perform: () => go(`/tickets/0/${chat.id}`),
    },
  }))
}

function labelChat({ isGroup, groupName, users }: Chat): string {
  if (isGroup) return groupName
  const others = users.filter(user => user.id !== session.user?.id)
  return others.map(user => user.name).join(' · ')
}

function listMeant<T>(found: readonly T[], name: string, readName: (one: T) => string): readonly T[] {
  return sortByMatch(found, name, readName).slice(0, MOST)
}
