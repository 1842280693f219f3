import type { GalleryKind, Message } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { useCallback, useEffect } from 'react'
import { type Pages, usePages } from './use-pages.ts'
import { useSoon } from './use-soon.ts'

/** Files or links of a conversation, kept right while messages come and go. */
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
  useEffect(
    () =>
      live.on('appMessage', event => {
        if (event.action === 'delete') return
        const { message } = event
        if (message.contactId !== contactId) return
        if (message.mediaUrl || message.isDeleted || /https?:\/\//.test(message.body)) soon()
      }),
    [contactId, soon],
  )
  return pages
}
