import type { SharedChat } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { toChatLane } from '../chats/lane.ts'
import { FindDialog } from './FindDialog.tsx'

/** Finding messages in an internal chat. */
export default function FindInChat({ chat }: { readonly chat: SharedChat }) {
  async function find(text: string, signal: AbortSignal) {
    const request = { params: { id: chat.id }, query: { messageToSearch: text }, signal }
    const { messages } = await api('GET /chats/search/:id', request)
    return messages.map(({ id, sender, body, media, createdAt }) => ({
      id,
      name: sender.name,
      text: [body, media?.name].filter(Boolean).join('\n'),
      at: createdAt,
    }))
  }
  return <FindDialog key={chat.id} lane={toChatLane(chat.id)} find={find} />
}
