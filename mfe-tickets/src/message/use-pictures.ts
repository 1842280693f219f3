// Where the viewer's pictures come from: the conversation that holds the one it began with, then its gallery; of an internal chat its history.
import type { Message } from '@balcao/contract'
import { combineStops } from '@balcao/ui/live'
import type { History } from '@balcao/ui/rows'
import { useMemo, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { getChatStores } from '../chats/chat-stores.ts'
import { useGallery } from '../contact/use-gallery.ts'
import { listHeldConversations } from '../conversation/conversation-store.ts'
import { view } from '../desk/view.ts'
import { type HeldRun, isShown, joinGallery, type PictureRun } from './picture-run.ts'

export interface Pictures extends PictureRun {
  readonly busy: boolean
  readonly error: unknown
  /** Fetches further ones on one side; to be asked again until there are any or the run reaches that end. */
  readonly extend: (step: -1 | 1) => void
}

const NONE: readonly Message[] = []
/** So many come at once: pictures are small as they are listed. */
const PAGE = 100

/** `began`: the picture the viewer was opened with. */
export function useTicketPictures(began: number, lane: number): Pictures {
  useSnapshot(view)
  const { viewer } = view
  const among = viewer?.among
  const conversation = useHolder(listHeldConversations, began)
  const ticketId = viewer?.galleryTicketId ?? conversation?.ticketId ?? lane
  const seen = conversation?.view()
  const held = useMemo(
    (): HeldRun =>
      among
        ? { messages: among, isToOldest: false, isToNewest: true }
        : {
            messages: seen?.messages ?? NONE,
            isToOldest: seen?.hasMore === false,
            isToNewest: !seen?.hasNewer,
          },
    [among, seen],
  )
  const gallery = useGallery(ticketId, held.messages[0]?.contactId ?? 0, 'media', PAGE)
  const { items, hasMore, busy, error } = gallery
  const run = useMemo(() => joinGallery(held, items && { items, hasMore }), [held, items, hasMore])
  return { ...run, busy, error, extend: gallery.more }
}

export function useChatPictures(began: number): Pictures {
  const conversation = useHolder(getChatStores().held, began)
  const seen = conversation?.view()
  return {
    pictures: useMemo(() => seen?.messages.filter(isShown) ?? NONE, [seen]),
    isToOldest: !seen?.hasMore,
    isToNewest: !seen?.hasNewer,
    busy: seen !== undefined && (seen.loadingOlder || seen.loadingNewer),
    error: seen?.error ?? null,
    extend: step => void (step === -1 ? conversation?.loadOlder() : conversation?.loadNewer()),
  }
}

/** The conversation that holds this message; drawn anew as it changes. */
function useHolder<H extends History<Message>>(listHeld: () => readonly H[], messageId: number): H | undefined {
  const find = () => listHeld().find(each => each.view().messages.some(({ id }) => id === messageId))
  const key = useSyncExternalStore(
    listener => combineStops(...listHeld().map(each => each.subscribe(listener))),
    () => find()?.view(),
  )
  return key && find()
}
