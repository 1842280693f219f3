// Messages that are more than words and files: their drawings come when the first one does.
import type { Message } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { defineLatePart } from '@balcao/ui/parts'
import { useEffect, useState } from 'react'

export const Card = defineLatePart(() => import('./cards/Card.tsx'), 'inline')

/** Whether a message is drawn as a card: what it says stands on it. */
export function isCard({ mediaType, details }: Pick<Message, 'mediaType' | 'details'>): boolean {
  const card = details?.card
  if (card) return card.kind !== 'notice'
  return mediaType === 'template' || getMessageKind(mediaType).body === 'data'
}

/**
 * Whether what the messages of a conversation are drawn with is there, or cannot be had: nothing moves because a card comes later than its
 * neighbours. A conversation that is drawn stays so when its first card comes: nobody loses the place.
 * @param messages null while they are not there
 */
export function useDrawings(ticketId: number, messages: readonly Message[] | null): boolean {
  const [here, setHere] = useState(Card.isHere)
  const [drawnId, setDrawnId] = useState<number | null>(null)
  const needed = !here && drawnId !== ticketId && !!messages?.some(message => message.details?.link ?? isCard(message))
  if (messages && !needed && drawnId !== ticketId) setDrawnId(ticketId)
  useEffect(() => {
    if (!needed) return
    // What fails is told where the card stands.
    const done = () => setHere(true)
    Card.fetch().then(done, done)
  }, [needed])
  return !needed
}
