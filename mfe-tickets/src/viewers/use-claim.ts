// The soft claim: before two people answer the same customer, sending asks once.
import type { Message } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import { session } from '@balcao/ui/session'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isHeld, keepHeld } from '../composer/drafts.ts'
import { type ConversationView, getConversation } from '../conversation/conversation-store.ts'
import { useViewers } from './use-viewers.ts'

export interface AnswerClaim {
  /** Colleagues who have begun to answer too. */
  readonly writers: ReturnType<typeof useViewers>
  /** What the team answered since this answer was begun. */
  readonly answered: Message | null
  /** Sending was tried: the next time it goes out. */
  readonly isWarned: boolean
  /** What stands in the composer was held back before its writer went elsewhere. */
  readonly held: boolean
  /** Whether an answer may go out now; the first time somebody else is at it, it asks instead. */
  pass(): boolean
}

const NOTHING: readonly string[] = []

/** `answering`: there is something for the customer in the composer of this ticket. Null: an internal chat, where nobody is in the way. */
export function useClaim(ticketId: number | null, answering: boolean): AnswerClaim {
  const writers = useViewers(ticketId ?? 0).filter(person => person.writing)
  const answered = useAnsweredSince(ticketId, answering)
  const [warned, setWarned] = useState(NOTHING)
  const passed = useRef(NOTHING)
  const [held, setHeld] = useState(() => ticketId !== null && isHeld(ticketId))
  const reasons = [...writers.map(({ id }) => `w${id}`), ...(answered ? [`m${answered.id}`] : [])]
  const inTheWay = answering && reasons.length > 0
  // Who stops writing meanwhile takes no question away from under the pointer; only what is new is asked about anew.
  const isAmong = (known: readonly string[]) => reasons.every(reason => known.includes(reason))

  useEffect(() => {
    if (!answering || ticketId === null) return
    return () => {
      passed.current = NOTHING
      setWarned(NOTHING)
      setHeld(false)
      live.typing(ticketId, 'paused')
    }
  }, [answering, ticketId])

  return {
    writers,
    answered: inTheWay ? answered : null,
    isWarned: inTheWay && isAmong(warned),
    held: answering && held,
    pass() {
      if (!inTheWay || isAmong(passed.current)) return true
      if (isAmong(warned)) {
        passed.current = reasons
        return true
      }
      setWarned(reasons)
      if (ticketId !== null) keepHeld(ticketId)
      return false
    },
  }
}

const NO_MESSAGES = { status: 'ready', messages: [] } as const
const NOBODY = { subscribe: () => () => {}, view: () => NO_MESSAGES }

/** The last answer of somebody else that came while this one was being written. */
function useAnsweredSince(ticketId: number | null, answering: boolean): Message | null {
  const conversation = ticketId === null ? NOBODY : getConversation(ticketId)
  const { messages, status } = useSyncExternalStore<Pick<ConversationView, 'messages' | 'status'>>(
    conversation.subscribe,
    conversation.view,
  )
  const begunAt = useRef<number | null>(null)
  if (!answering) begunAt.current = null
  // A draft may stand there before the conversation does: what is loaded then was answered earlier.
  else if (status === 'ready') begunAt.current ??= messages.at(-1)?.id ?? 0
  const from = begunAt.current
  if (from === null) return null
  // By place, not by id: what was taken over from a phone's history got its ids later than newer messages.
  const at = messages.findIndex(message => message.id === from)
  return messages.slice(at + 1).findLast(isAnswer) ?? null
}

function isAnswer({ fromMe, userId, mediaType, system, isDeleted }: Message): boolean {
  return fromMe && userId !== session.user?.id && mediaType !== 'comment' && system === null && !isDeleted
}
