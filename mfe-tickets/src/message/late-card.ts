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

/** Whether what these are drawn with is there, or cannot be had: nothing moves because a card comes later than its neighbours. */
export function useDrawings(messages: readonly Message[]): boolean {
  const [here, setHere] = useState(Card.isHere)
  const needed = !here && messages.some(message => message.details?.link ?? isCard(message))
  useEffect(() => {
    if (!needed) return
    // What fails is told where the card stands.
    const done = () => setHere(true)
    Card.fetch().then(done, done)
  }, [needed])
  return !needed
}
