import type { GalleryKind, Message } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { type Pages, usePages } from './use-pages.ts'
import { useSoon } from './use-soon.ts'

/** Files or links of a conversation, kept right while messages come and go. Who looks at older ones, or hears one, is not disturbed. */
export function useGallery(ticketId: number, contactId: number, kind: GalleryKind, limit?: number): Pages<Message> {
  const fetch = useCallback(
    async (cursor: string | null) => {
      const query = { kind, ...(limit ? { limit } : {}), ...(cursor ? { cursor } : {}) }
      const page = await api('GET /messages/gallery/:ticketId', { params: { ticketId }, query })
      return { items: page.messages, nextCursor: page.nextCursor }
    },
    [ticketId, kind, limit],
  )
  const pages = usePages(fetch)
  const soon = useSoon(pages.again, 800)
  const hear = useEffectEvent((message: Message) => {
    const held = pages.items?.find(({ id }) => id === message.id)
    const isGone = message.isDeleted || !belongsInGallery(message)
    if (!held) return isGone ? undefined : soon()
    // Sent, delivered, read: here it looks the same.
    if (!isGone && looksSame(message, held)) return
    pages.change(items => items.flatMap(one => (one !== held ? one : isGone ? [] : message)))
    soon()
  })
  useEffect(
    () =>
      combineStops(
        live.on('appMessage', event => {
          if (event.action !== 'delete' && event.message.contactId === contactId) hear(event.message)
        }),
        live.onReset(soon),
      ),
    [contactId, soon],
  )
  return pages
}

function belongsInGallery({ mediaUrl, body }: Message): boolean {
  return mediaUrl !== null || /https?:\/\//.test(body)
}

function looksSame(one: Message, other: Message): boolean {
  return one.body === other.body && one.mediaUrl === other.mediaUrl && one.media?.thumbUrl === other.media?.thumbUrl
}
