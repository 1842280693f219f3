import type { Message, Ticket } from '@balcao/contract'
import { isComment } from '@balcao/contract/comments'
import { ANY_KIND } from '@balcao/contract/kinds'
import { useSession } from '@balcao/ui/session'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { chatOfLane } from '../chats/lane.ts'
import type { Outgoing } from '../composer/outgoing.ts'
import { desk } from '../desk/desk.ts'
import { makeReady } from '../desk/make-ready.ts'
import { type ConversationView, conversationOf } from './conversation-store.ts'

/** The conversation of a ticket, loaded and kept live. */
export function useConversation(ticketId: number): ConversationView {
  const conversation = conversationOf(ticketId)
  useEffect(() => {
    void makeReady(ticketId)
  }, [ticketId])
  return useSyncExternalStore(conversation.subscribe, conversation.view)
}

/** What was written here and is not on the server yet. */
export function useOutgoing(ticketId: number): readonly Outgoing[] {
  const { outgoing } = desk()
  const all = useSyncExternalStore(outgoing.subscribe, outgoing.all)
  return useMemo(() => all.filter(entry => entry.ticketId === ticketId), [all, ticketId])
}

/** Messages with what is still on its way behind them, as messages in the state `queued`. */
export function useWhole(messages: readonly Message[], entries: readonly Outgoing[], ticket: Ticket | undefined) {
  const { user } = useSession()
  return useMemo(() => {
    const known = new Set(messages.map(message => message.clientId))
    const waiting = entries.filter(entry => !known.has(entry.clientId))
    const own = user ? { id: user.id, name: user.name } : null
    return [...messages, ...waiting.map((entry, index) => asMessage(entry, -1 - index, own, ticket))]
  }, [messages, entries, user, ticket])
}

function asMessage(
  entry: Outgoing,
  id: number,
  user: { id: number; name: string } | null,
  ticket: Ticket | undefined,
): Message {
  const comment = chatOfLane(entry.ticketId) === null && isComment(entry.body)
  return {
    id,
    ticketId: entry.ticketId,
    contactId: ticket?.contactId ?? 0,
    seq: Number.MAX_SAFE_INTEGER + id,
    body: entry.body,
    fromMe: true,
    read: false,
    mediaType: entry.file ? typeOf(entry.file.mime) : comment ? 'comment' : 'chat',
    mediaUrl: null,
    media: entry.file
      ? {
          state: 'pending',
          name: entry.file.name,
          mime: entry.file.mime,
          size: entry.file.size,
          seconds: entry.file.seconds,
          width: null,
          height: null,
          voice: entry.file.voice,
          waveform: entry.file.waveform && [...entry.file.waveform],
          thumbUrl: null,
          error: null,
        }
      : null,
    createdAt: entry.createdAt,
    ack: 0,
    state: entry.state === 'refused' ? 'failed' : 'queued',
    isDeleted: false,
    isEdited: false,
    editedMsg: null,
    quotedMsg: entry.quoted,
    automatic: false,
    forward: null,
    userId: user?.id ?? null,
    user,
    contact: { id: null, name: '' },
    reactions: [],
    errorLog: null,
    templateData: null,
    system: null,
    transcription: null,
    transcriptionState: null,
    clientId: entry.clientId,
    ticket: { whatsapp: { api: ticket?.whatsapp.api ?? ANY_KIND } },
    version: 0,
  }
}

function typeOf(mime: string): Message['mediaType'] {
  const kind = mime.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'application'
}
