// What is drawn between and around messages: days, the unread divider, sequences of one author. Pure.
import type { Message } from '@balcao/contract'
import { splitSignature } from '../composer/wording.ts'
import { isAlbumPart } from '../message/album.ts'

export interface ConversationRow {
  readonly key: string
  readonly message: Message
  /** First of a sequence of one author: 7 apart with its outer top corner cut, and the place of the author line. */
  readonly startsGroup: boolean
  /** Day as `2026-11-21` where a day begins, else null. */
  readonly day: string | null
  /** How many are new, where the unread divider stands. */
  readonly unread: number
  /** Pictures and videos that stand together, `message` the first of them; null for everything else. */
  readonly album: readonly Message[] | null
}

/**
 * Rows of a stretch of messages. `before` is the message above it, so its first row knows whether a day or a sequence begins.
 * @param firstUnread id of the message above which the divider stands
 */
export function toMessageRows(
  messages: readonly Message[],
  before: Message | undefined,
  dayOf: (instant: string) => string,
  unread: { readonly firstId: number; readonly count: number } | null,
): ConversationRow[] {
  let previous = before
  const rows: ConversationRow[] = []
  for (const message of messages) {
    const day = dayOf(message.createdAt)
    const newDay = !previous || dayOf(previous.createdAt) !== day
    const divider = unread?.firstId === message.id ? unread.count : 0
    const last = rows.at(-1)
    const album = last ? (last.album ?? [last.message]) : []
    if (
      last &&
      !newDay &&
      divider === 0 &&
      isAlbumPart(album, message) &&
      getAuthorKey(last.message) === getAuthorKey(message)
    ) {
      rows[rows.length - 1] = { ...last, album: [...album, message] }
      previous = message
      continue
    }
    rows.push({
      key: getMessageKey(message),
      message,
      startsGroup: newDay || divider > 0 || !previous || getAuthorKey(previous) !== getAuthorKey(message),
      day: newDay ? day : null,
      unread: divider,
      album: null,
    })
    previous = message
  }
  return rows
}

/** Own messages keep the key they had as an optimistic bubble, so nothing is mounted twice when the server answers. */
export function getMessageKey(message: Message): string {
  return message.clientId ?? `m${message.id}`
}

function getAuthorKey(message: Message): string {
  if (message.mediaType === 'system' || message.mediaType === 'call_log') return `system${message.id}`
  if (message.mediaType === 'comment') return `note${message.userId}`
  if (message.automatic) return 'automatic'
  return message.fromMe
    ? `me${message.userId}:${splitSignature(message.body).author}`
    : `contact${message.contact.id ?? message.contact.name}`
}

/**
 * Where the unread divider stands when a conversation is opened: above the first of the last `count` received messages.
 */
export function findFirstUnread(
  messages: readonly Message[],
  count: number,
): { firstId: number; count: number } | null {
  if (count <= 0) return null
  let left = count
  let first: Message | undefined
  for (let index = messages.length - 1; index >= 0 && left > 0; index--) {
    const message = messages[index]
    if (!message || message.fromMe || message.mediaType === 'system') continue
    first = message
    left -= 1
  }
  return first ? { firstId: first.id, count: count - left } : null
}
