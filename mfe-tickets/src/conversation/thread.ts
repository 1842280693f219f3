import type { Message } from '@balcao/contract'
import type { ReactNode } from 'react'
import type { ConversationHistory } from './conversation-store.ts'
import type { ConversationRow } from './rows.ts'

export interface OpenMenu {
  readonly message: Message
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

/** What the list has to know of the place whose messages it shows. */
export interface Thread {
  /** A ticket's id, or the negative of a chat's. */
  readonly lane: number
  readonly isGroup: boolean
  readonly unread: number
  /** What is seen here now is read by this person. */
  readonly reads: boolean
  /** Marks what was seen, up to this message; where that cannot be said, only once all was. */
  readonly markRead: (upTo: number) => Promise<unknown>
  readonly readsInParts: boolean
  readonly history: Pick<ConversationHistory, 'loadOlder' | 'loadNewer' | 'reach' | 'toNewest'>
  readonly hello: string
  /** Who writes there now, in words; null for nobody. */
  readonly writing: string | null
  /** Told of each new message of somebody else. */
  readonly arrivals: Set<(message: Message) => void>
  readonly menu: (of: OpenMenu) => ReactNode
  /** Asks for a day to go to, this one at first; not in chats. */
  readonly goToDay?: (day: string) => void
  /** Passes a message on; not in chats. */
  readonly forward?: (message: Message) => void
  /** What stands below while messages are marked; not in chats. */
  readonly marking?: (rows: readonly ConversationRow[]) => ReactNode
}
