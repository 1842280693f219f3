import type { SharedChat } from '@balcao/contract'
import { useCallback } from 'react'
import { chatCalls } from '../chats/chat-calls.ts'
import { laneOf } from '../chats/lane.ts'
import { FindDialog } from './FindDialog.tsx'

/** Finding messages in an internal chat. */
export default function FindInChat({ chat }: { readonly chat: SharedChat }) {
  const find = useCallback(
    async (text: string, signal: AbortSignal) => {
      const messages = await chatCalls.search(chat.id, text, signal)
      return messages.map(({ id, sender, body, media, createdAt }) => ({
        id,
        name: sender.name,
        text: [body, media?.name].filter(Boolean).join('\n'),
        at: createdAt,
      }))
    },
    [chat.id],
  )
  return <FindDialog key={chat.id} lane={laneOf(chat.id)} find={find} />
}
