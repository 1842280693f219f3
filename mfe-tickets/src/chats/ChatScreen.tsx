// One internal conversation: header, messages, composer; and what stands there while it loads or fails.
import './texts.ts'
import type { SharedChat } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { defineLatePart, IconButton, TilePattern, useNarrowerThan } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { usePresence } from '@balcao/ui/team'
import { ChevronLeft, Search, UsersRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useOpeningEnds } from '../composer/coming.ts'
import { NotReady } from '../conversation/NotReady.tsx'
import { view } from '../desk/view.ts'
import { ChatComposer } from './ChatComposer.tsx'
import { ChatMessages } from './ChatMessages.tsx'
import { ChatAvatar } from './ChatRow.tsx'
import { getChatStores } from './chat-stores.ts'
import { toChatLane } from './lane.ts'
import { MembersDrawer } from './MembersDrawer.tsx'
import {
  findOtherSide,
  formatChatTitle,
  isMember,
  useChatConversation,
  useOpenChat,
  useOpenedChat,
  useWriters,
} from './use-chats.ts'

const FindInChat = defineLatePart(() => import('../search/FindInChat.tsx'))

export default function ChatScreen({ chatId }: { readonly chatId: number }) {
  const t = useTexts('tickets')
  const open = useOpenChat()
  const chat = useOpenedChat(chatId, open)
  const [members, setMembers] = useState(false)
  useEffect(() => {
    const { shown } = getChatStores()
    shown.chatId = chatId
    return () => {
      shown.chatId = null
    }
  }, [chatId])
  if (!chat)
    return (
      <section className="c-conversation" aria-label={t('messages')}>
        <div className="c-wall">
          <TilePattern />
        </div>
      </section>
    )
  return (
    <>
      <Chat key={chat.id} chat={chat} membersShown={members} onMembers={() => setMembers(!members)} />
      {members && <MembersDrawer chat={chat} onClose={() => setMembers(false)} />}
    </>
  )
}

interface ChatProps {
  readonly chat: SharedChat
  readonly membersShown: boolean
  readonly onMembers: () => void
}

function Chat({ chat, membersShown, onMembers }: ChatProps) {
  const me = useUser().id
  const conversation = useChatConversation(chat)
  const writes = isMember(chat, me)
  useEffect(() => live.joinChat(chat.id), [chat.id])
  return (
    <section className="c-conversation" aria-label={formatChatTitle(chat, me)} tabIndex={-1}>
      <Header chat={chat} membersShown={membersShown} onMembers={onMembers} />
      {conversation.status === 'ready' ? (
        <ChatMessages chat={chat} conversation={conversation} />
      ) : (
        <NotReady conversation={conversation} onRetry={() => void getChatStores().conversation(chat.id).load()} />
      )}
      {writes ? <ChatComposer chat={chat} /> : <LookingOn />}
    </section>
  )
}

function LookingOn() {
  const t = useTexts('tickets')
  useOpeningEnds('fails')
  return (
    <footer className="k-closed">
      <p>{t('chat.lookingOn')}</p>
    </footer>
  )
}

function Header({ chat, membersShown, onMembers }: ChatProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const open = useOpenChat()
  const oneColumn = useNarrowerThan('narrow')
  const searching = useSnapshot(view).find?.lane === toChatLane(chat.id)
  const title = formatChatTitle(chat, me)
  return (
    <header className="c-header">
      {oneColumn && (
        <>
          <h1 className="b-only-read">{title}</h1>
          <IconButton icon={ChevronLeft} label={t('back')} onClick={() => open(null)} />
        </>
      )}
      <button type="button" className="c-who" title={t('chat.participants')} onClick={onMembers}>
        <ChatAvatar chat={chat} size={40} />
        <span className="c-who-text">
          <span className="c-name">
            <h2 dir="auto">{title}</h2>
          </span>
          <Facts chat={chat} />
        </span>
      </button>
      <IconButton
        icon={Search}
        label={t('chat.search')}
        pressed={searching}
        onClick={() => {
          view.find = searching ? null : { lane: toChatLane(chat.id) }
        }}
      />
      <IconButton icon={UsersRound} label={t('chat.participants')} pressed={membersShown} onClick={onMembers} />
      {searching && <FindInChat chat={chat} />}
    </header>
  )
}

function Facts({ chat }: { readonly chat: SharedChat }) {
  const t = useTexts('tickets')
  const me = useUser().id
  const writers = useWriters(chat.id)
  const other = findOtherSide(chat, me)
  const presence = usePresence(other?.id ?? 0)
  if (writers) return <span className="c-facts is-typing">{t('chat.writing', { who: writers })}</span>
  if (other) return <span className="c-facts">{t(`chat.presence.${presence}`)}</span>
  return <span className="c-facts i-names">{chat.users.map(user => user.name.split(' ')[0]).join(', ')}</span>
}
