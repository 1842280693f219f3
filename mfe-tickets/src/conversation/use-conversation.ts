import type { Message, Ticket } from '@balcao/contract'
import { ANY_KIND } from '@balcao/contract/connections/kinds'
import { isComment } from '@balcao/contract/messages/comments'
import { useSession } from '@balcao/ui/session'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { parseChatLane } from '../chats/lane.ts'
import type { UnsentMessage } from '../composer/outgoing.ts'
import { getStores, makeReady } from '../desk/stores.ts'
import { BLANK } from '../message/blank.ts'
import { getMimeType } from '../message/file-type.ts'
import { type ConversationView, getConversation } from './conversation-store.ts'

/** The conversation of a ticket, loaded and kept live. */
export function useConversation(ticketId: number): ConversationView {
  const conversation = getConversation(ticketId)
  useEffect(() => {
    void makeReady(ticketId)
  }, [ticketId])
  return useSyncExternalStore(conversation.subscribe, conversation.view)
}

/** What was written here and is not on the server yet. */
export function useOutgoing(ticketId: number): readonly UnsentMessage[] {
  const { outgoing } = getStores()
  const all = useSyncExternalStore(outgoing.subscribe, outgoing.all)
  return useMemo(() => all.filter(entry => entry.ticketId === ticketId), [all, ticketId])
}

/** Messages with what is still on its way behind them, as messages in the state `queued`. */
export function useWhole(messages: readonly Message[], entries: readonly UnsentMessage[], ticket: Ticket | undefined) {
  const { user } = useSession()
  return useMemo(() => {
    const known = new Set(messages.map(message => message.clientId))
    const waiting = entries.filter(entry => !known.has(entry.clientId))
    const own = user ? { id: user.id, name: user.name } : null
    return [...messages, ...waiting.map((entry, index) => toMessage(entry, -1 - index, own, ticket))]
  }, [messages, entries, user, ticket])
}

function toMessage(
  entry: UnsentMessage,
  id: number,
  user: { id: number; name: string } | null,
  ticket: Ticket | undefined,
): Message {
  const comment = parseChatLane(entry.ticketId) === null && isComment(entry.body)
  const { ticketId, body, createdAt, clientId, file, quoted, state } = entry
  return {
    ...BLANK,
    ...{ id, ticketId, body, createdAt, clientId, user, userId: user?.id ?? null, quotedMsg: quoted },
    contactId: ticket?.contactId ?? 0,
    seq: Number.MAX_SAFE_INTEGER + id,
    mediaType: file ? getMimeType(file.mime) : comment ? 'comment' : 'chat',
    media: file && {
      ...{ name: file.name, mime: file.mime, size: file.size, seconds: file.seconds, voice: file.voice },
      ...{ state: 'pending', width: null, height: null, thumbUrl: null, error: null },
      waveform: file.waveform && [...file.waveform],
    },
    state: state === 'refused' ? 'failed' : 'queued',
    ticket: { whatsapp: { api: ticket?.whatsapp.api ?? ANY_KIND } },
  }
}
