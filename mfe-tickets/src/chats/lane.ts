// Internal chats share the outgoing queue, drafts, answer targets and jumps with tickets. There they go by the negative of
// their id, so that a chat and a ticket of the same number never meet.
import type { ChatMessage } from '@balcao/contract'

/** Under which number a chat goes where tickets go by theirs. */
export function toChatLane(chatId: number): number {
  return -chatId
}

/** The chat of such a number, or null when it is a ticket's. */
export function parseChatLane(lane: number): number | null {
  return lane < 0 ? -lane : null
}

/** Told of each message of ours that the server has taken. */
export const sentInChats = new Set<(message: ChatMessage) => void>()
