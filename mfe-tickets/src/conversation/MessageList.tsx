// The messages of a ticket or of an internal chat: older ones come while scrolling up, at most a stretch of them is drawn.
import type { Message } from '@balcao/contract'
import { toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { TilePattern } from '@balcao/ui/parts'
import { ArrowDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { UnsentMessage } from '../composer/outgoing.ts'
import { view } from '../desk/view.ts'
import { MessageItem } from '../message/MessageItem.tsx'
import { summarizeMessage } from '../message/summarize-message.ts'
import type { ConversationView } from './conversation-store.ts'
import { findFirstUnread, getMessageKey, toMessageRows } from './rows.ts'
import type { Thread } from './thread.ts'
import { useHold } from './use-hold.ts'
import { useJump } from './use-jump.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useScroll } from './use-scroll.ts'
import { useStretch } from './use-stretch.ts'

interface MessageListProps {
  readonly thread: Thread
  readonly conversation: ConversationView
  readonly messages: readonly Message[]
  readonly entries: readonly UnsentMessage[]
}

export function MessageList({ thread, conversation, messages, entries }: MessageListProps) {
  const t = useTexts('tickets')
  const box = useRef<HTMLDivElement>(null)
  const [unread] = useState(() =>
    conversation.unreadFrom === null
      ? findFirstUnread(messages, thread.unread)
      : { firstId: conversation.unreadFrom, count: thread.unread },
  )
  const [atBottom, setAtBottom] = useState(true)
  const { stretch, showEarlier, showLater, showTail, showAround } = useStretch(
    messages,
    conversation.hasNewer,
    unread?.firstId,
    !atBottom,
  )
  const [openedAt] = useState(() => Date.now())
  const [menu, setMenu] = useState<{ message: Message; anchor: HTMLElement } | null>(null)
  const { marks } = useSnapshot(view)
  const marked = marks?.ticketId === thread.lane ? marks.ids : null
  const [reachable, setReachable] = useState<string | null>(null)
  const rows = useMemo(
    () => toMessageRows(messages.slice(stretch.from, stretch.to), messages[stretch.from - 1], toCompanyDay, unread),
    [messages, stretch.from, stretch.to, unread],
  )
  const atTail = stretch.to >= messages.length && !conversation.hasNewer

  function nearTop(byScrolling = false) {
    if (stretch.from > 0) showEarlier()
    else if (conversation.hasMore && (byScrolling || !conversation.error)) void thread.history.loadOlder()
  }
  function nearBottom() {
    if (stretch.to < messages.length) showLater()
    else if (conversation.hasNewer) void thread.history.loadNewer()
  }
  function toEnd() {
    thread.history.toNewest()
    showTail()
    requestAnimationFrame(toBottom)
  }
  const { lowest, scrolled, toBottom, toRow } = useScroll({
    box,
    drawn: rows,
    atTail,
    heldAbove: stretch.from > 0,
    startAt: rows.find(row => row.unread > 0)?.key ?? null,
    onAtBottom: setAtBottom,
    onNearTop: nearTop,
    onNearBottom: nearBottom,
  })
  const blinking = useJump(thread, messages, showAround, toRow)
  const atEnd = atBottom && atTail
  const fresh = useArrivedBelow(messages, atEnd)
  const seenTo = atEnd ? messages.length - 1 : messages.findIndex(message => getMessageKey(message) === lowest)
  useMarkRead(thread, findLastSeen(messages, seenTo, thread, unread?.firstId), atEnd)

  const own = entries.at(-1)?.clientId
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending always shows what was sent
  useEffect(() => {
    if (own) toEnd()
  }, [own])

  const hold = useHold(rows, setMenu)
  const openMenu = useCallback((message: Message, anchor: HTMLElement) => setMenu({ message, anchor }), [])

  function key(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || !event.target.dataset.key) return
    const now = event.target
    const next =
      event.key === 'ArrowUp' ? findSiblingRow(now, -1) : event.key === 'ArrowDown' ? findSiblingRow(now, 1) : null
    if (next) {
      event.preventDefault()
      setReachable(next.dataset.key ?? null)
      next.focus({ preventScroll: true })
      next.scrollIntoView({ block: 'nearest' })
    }
    const message = rows.find(row => row.key === now.dataset.key)?.message
    if (event.key === ' ' && message && thread.marking) {
      event.preventDefault()
      view.marks = { ticketId: thread.lane, ids: [], at: getMessageKey(message) }
    }
    if ((event.key === 'Enter' || event.key === 'ContextMenu') && message && message.id > 0) {
      event.preventDefault()
      setMenu({ message, anchor: now.querySelector<HTMLElement>('.m-more') ?? now })
    }
  }

  const last = rows.at(-1)?.key
  const reach = reachable && rows.some(row => row.key === reachable) ? reachable : last
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
                isGroup={thread.isGroup}
                blinking={blinking !== null && (row.album ?? [row.message]).some(one => one.id === blinking)}
                reachable={row.key === reach}
                marked={marked !== null && (row.album ?? [row.message]).every(one => marked.includes(one.id))}
                onDay={thread.goToDay}
                onForward={thread.forward}
                arriving={atBottom && row.key === last && Date.parse(row.message.createdAt) > openedAt}
                onMenu={openMenu}
                entry={row.message.id < 0 ? entries.find(entry => entry.clientId === row.message.clientId) : undefined}
              />
            ))}
          </ol>
          {conversation.loadingNewer && <p className="c-older">{t('loadingNewer')}</p>}
          {messages.length === 0 && <p className="c-hello">{thread.hello}</p>}
          {thread.writing && (
            <p className="c-typing">
              <span className="m-bubble">
                <i />
                <i />
                <i />
                <span className="b-only-read">{thread.writing}</span>
              </span>
            </p>
          )}
        </div>
      </div>
      {!atEnd && messages.length > 0 && (
        <button
          type="button"
          className="c-down"
          aria-label={fresh > 0 ? `${t('toBottom')}: ${t('newMessages', { count: fresh })}` : t('toBottom')}
          onClick={({ currentTarget }) => {
            // It goes with the press; what had the focus leaves it to the conversation.
            currentTarget.closest<HTMLElement>('.c-conversation')?.focus({ preventScroll: true })
            toEnd()
          }}
        >
          <ArrowDown size={16} strokeWidth={2} aria-hidden="true" />
          {fresh > 0 ? t('newMessages', { count: fresh }) : t('toBottom')}
        </button>
      )}
      <Announcer thread={thread} />
      {marked && thread.marking?.(rows)}
      {menu && thread.menu({ ...menu, onClose: () => setMenu(null) })}
    </section>
  )
}

/** The last message of this place that was seen, from the first unread one on; null where nothing unread was. */
function findLastSeen(messages: readonly Message[], seenTo: number, { lane }: Thread, firstId = 0): number | null {
  const from = messages.findIndex(message => message.id === firstId)
  for (let index = seenTo; index >= Math.max(0, from); index--) {
    const message = messages[index]
    if (message && message.id > 0 && message.ticketId === lane) return message.id
  }
  return null
}

function findSiblingRow(row: HTMLElement, step: 1 | -1): HTMLElement | null {
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling
  return next instanceof HTMLElement && next.dataset.key ? next : null
}

/** How many messages of others came while the person was reading further up, in a stretch of older messages too. */
function useArrivedBelow(messages: readonly Message[], atEnd: boolean): number {
  const last = messages.at(-1)?.id ?? 0
  const [seen, setSeen] = useState(last)
  if (atEnd && seen !== last) setSeen(last)
  const from = messages.findLastIndex(message => message.id === seen)
  return from === -1 ? 0 : messages.slice(from + 1).filter(message => !message.fromMe).length
}

/** Tells screen readers politely of each message of somebody else in the open conversation. */
function Announcer({ thread: { lane, arrivals } }: { readonly thread: Thread }) {
  const t = useTexts('tickets')
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const tell = (message: Message) => {
      if (message.ticketId !== lane) return
      setAnnouncement(
        t('announce', { name: message.contact.name || t('noName'), text: summarizeMessage(message, t, 300) }),
      )
    }
    arrivals.add(tell)
    return () => {
      arrivals.delete(tell)
    }
  }, [lane, arrivals, t])
  return (
    <div className="b-only-read" aria-live="polite">
      {announcement}
    </div>
  )
}
