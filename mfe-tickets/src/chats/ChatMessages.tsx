// The messages of an internal chat, drawn as those of a ticket: older ones come while scrolling up, a stretch of them is drawn.
import type { ChatMessage, Message, SharedChat } from '@balcao/contract'
import { dayOf, useTexts } from '@balcao/ui/i18n'
import { Badge, TilePattern } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { ArrowDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import type { ConversationView } from '../conversation/conversation-store.ts'
import { firstUnread, keyOf, rowsOf } from '../conversation/rows.ts'
import { useOutgoing, useWhole } from '../conversation/use-conversation.ts'
import { useHold } from '../conversation/use-hold.ts'
import { useScroll } from '../conversation/use-scroll.ts'
import { useStretch } from '../conversation/use-stretch.ts'
import { view } from '../desk/view.ts'
import { MessageItem } from '../message/MessageItem.tsx'
import { ChatMessageMenu, DeleteChatMessage } from './ChatMessageMenu.tsx'
import { chatCalls } from './chat-calls.ts'
import { chatDesk } from './chat-desk.ts'
import { laneOf } from './lane.ts'
import { isIn, unreadOf, useWriters } from './use-chats.ts'

const BLINK_MS = 5000
const AGAIN_MS = 5000

interface ChatMessagesProps {
  readonly chat: SharedChat
  readonly conversation: ConversationView
}

export function ChatMessages({ chat, conversation }: ChatMessagesProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const box = useRef<HTMLDivElement>(null)
  const entries = useOutgoing(laneOf(chat.id))
  const messages = useWhole(conversation.messages, entries, undefined)
  const { stretch, showEarlier, showLater, showTail, showAround } = useStretch(messages)
  const [unread] = useState(() => firstUnread(messages, unreadOf(chat, me)))
  const [openedAt] = useState(() => Date.now())
  const [menu, setMenu] = useState<{ message: Message; anchor: HTMLElement } | null>(null)
  const [deleting, setDeleting] = useState<number | null>(null)
  const [reachable, setReachable] = useState<string | null>(null)
  const writers = useWriters(chat.id)
  const rows = useMemo(
    () => rowsOf(messages.slice(stretch.from, stretch.to), messages[stretch.from - 1], dayOf, unread),
    [messages, stretch.from, stretch.to, unread],
  )
  const atTail = stretch.to >= messages.length

  function nearTop(byScrolling = false) {
    if (stretch.from > 0) showEarlier()
    else if (conversation.hasMore && (byScrolling || !conversation.error))
      void chatDesk().conversation(chat.id).loadOlder()
  }
  const { atBottom, scrolled, toBottom, toRow } = useScroll({
    box,
    drawn: rows,
    atTail,
    startAt: rows.find(row => row.unread > 0)?.key ?? null,
    onNearTop: nearTop,
    onNearBottom: showLater,
  })
  const blinking = useJump(chat.id, messages, showAround, toRow)
  useMarkRead(chat, atBottom && atTail)

  const own = entries.at(-1)?.clientId
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending always shows what was sent
  useEffect(() => {
    if (own) showNewest()
  }, [own])

  function showNewest() {
    showTail()
    requestAnimationFrame(toBottom)
  }

  const hold = useHold(rows, setMenu)
  const openMenu = useCallback((message: Message, anchor: HTMLElement) => setMenu({ message, anchor }), [])

  function key(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || !event.target.dataset.key) return
    const now = event.target
    const sibling =
      event.key === 'ArrowUp' ? now.previousElementSibling : event.key === 'ArrowDown' ? now.nextElementSibling : null
    if (sibling instanceof HTMLElement && sibling.dataset.key) {
      event.preventDefault()
      setReachable(sibling.dataset.key)
      sibling.focus({ preventScroll: true })
      sibling.scrollIntoView({ block: 'nearest' })
    }
    const message = rows.find(row => row.key === now.dataset.key)?.message
    if ((event.key === 'Enter' || event.key === 'ContextMenu') && message && message.id > 0 && !message.isDeleted) {
      event.preventDefault()
      setMenu({ message, anchor: now.querySelector<HTMLElement>('.m-more') ?? now })
    }
  }

  const last = rows.at(-1)?.key
  const reach = reachable && rows.some(row => row.key === reachable) ? reachable : last
  const below = unreadOf(chat, me)
  return (
    <section className="c-wall" aria-label={t('messages')}>
      <TilePattern />
      <div ref={box} className="c-scroll" onScroll={scrolled}>
        <div className="c-messages">
          {conversation.loadingOlder && <p className="c-older">{t('loadingOlder')}</p>}
          <ol onKeyDown={key} {...hold}>
            {rows.map(row => (
              <MessageItem
                key={row.key}
                row={row}
                isGroup={chat.isGroup || !isIn(chat, me)}
                blinking={blinking === row.message.id}
                reachable={row.key === reach}
                arriving={atBottom && row.key === last && Date.parse(row.message.createdAt) > openedAt}
                onMenu={openMenu}
                entry={row.message.id < 0 ? entries.find(entry => entry.clientId === row.message.clientId) : undefined}
              />
            ))}
          </ol>
          {messages.length === 0 && <p className="c-hello">{t('chat.hello')}</p>}
          {writers && (
            <p className="c-typing">
              <span className="m-bubble">
                <i />
                <i />
                <i />
                <span className="b-only-read">{t('chat.writing', { who: writers })}</span>
              </span>
            </p>
          )}
        </div>
      </div>
      {!(atBottom && atTail) && messages.length > 0 && (
        <button type="button" className="c-down" aria-label={t('toBottom')} onClick={showNewest}>
          <ArrowDown size={20} strokeWidth={1.6} aria-hidden="true" />
          <Badge count={below} label={t('newMessages', { count: below })} corner />
        </button>
      )}
      <Announcer chatId={chat.id} />
      {menu && (
        <ChatMessageMenu
          chat={chat}
          message={menu.message}
          anchor={menu.anchor}
          onDelete={() => setDeleting(menu.message.id)}
          onClose={() => setMenu(null)}
        />
      )}
      {deleting !== null && <DeleteChatMessage id={deleting} onClose={() => setDeleting(null)} />}
    </section>
  )
}

/** Goes to the message asked for, loading older ones until it is there, and makes it blink for 5 s. */
function useJump(
  chatId: number,
  messages: readonly Message[],
  showAround: (index: number) => void,
  toRow: (key: string) => boolean,
): number | null {
  const { jumpTo } = useSnapshot(view)
  const [blinking, setBlinking] = useState<{ id: number; at: number } | null>(null)
  const pending = useRef<number | null>(null)
  const wanted = jumpTo && jumpTo.ticketId === laneOf(chatId) ? jumpTo : null

  useEffect(() => {
    if (!wanted) return
    pending.current = wanted.messageId
    void chatDesk()
      .conversation(chatId)
      .reach(wanted.messageId)
      .finally(() => {
        view.jumpTo = null
      })
  }, [wanted, chatId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again whenever more messages are there
  useEffect(() => {
    if (pending.current === null) return
    const index = messages.findIndex(message => message.id === pending.current)
    const message = messages[index]
    if (!message) return
    pending.current = null
    setBlinking({ id: message.id, at: Date.now() })
    showAround(index)
    requestAnimationFrame(() => requestAnimationFrame(() => toRow(keyOf(message))))
  }, [messages, wanted])

  useEffect(() => {
    if (!blinking) return
    const timer = setTimeout(() => setBlinking(null), BLINK_MS)
    return () => clearTimeout(timer)
  }, [blinking])
  return blinking?.id ?? null
}

/** Read is what was seen: the page is visible and the newest message in view. */
function useMarkRead(chat: SharedChat, newestInView: boolean) {
  const me = useUser().id
  const unread = unreadOf(chat, me)
  const visible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const [failed, setFailed] = useState(0)
  const due = unread > 0 && visible && newestInView
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further unread message is marked too
  useEffect(() => {
    if (!due) return
    let timer: ReturnType<typeof setTimeout> | undefined
    chatCalls.read(chat.id).catch(() => {
      timer = setTimeout(() => setFailed(failed + 1), AGAIN_MS)
    })
    return () => clearTimeout(timer)
  }, [due, chat.id, unread, failed])
}

function onVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  window.addEventListener('focus', listener)
  return () => {
    document.removeEventListener('visibilitychange', listener)
    window.removeEventListener('focus', listener)
  }
}

/** Tells screen readers politely of each message of the others in the open chat. */
function Announcer({ chatId }: { readonly chatId: number }) {
  const t = useTexts('tickets')
  const [said, setSaid] = useState('')
  useEffect(() => {
    const { arrivals } = chatDesk()
    const tell = (message: ChatMessage) => {
      if (message.chatId !== chatId) return
      const words = message.mediaType === 'chat' ? message.body.slice(0, 300) : t(`media.${message.mediaType}`)
      setSaid(t('announce', { name: message.sender.name, text: words }))
    }
    arrivals.add(tell)
    return () => {
      arrivals.delete(tell)
    }
  }, [chatId, t])
  return (
    <div className="b-only-read" aria-live="polite">
      {said}
    </div>
  )
}
