// The messages of a conversation: older ones come while scrolling up, at most a stretch of them is drawn.
import type { Message, Ticket } from '@balcao/contract'
import { dayOf, useTexts } from '@balcao/ui/i18n'
import { Badge, TilePattern } from '@balcao/ui/parts'
import { ArrowDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Outgoing } from '../composer/outgoing.ts'
import { desk } from '../desk/desk.ts'
import { view } from '../desk/view.ts'
import { MessageItem } from '../message/MessageItem.tsx'
import { MessageMenu } from '../message/MessageMenu.tsx'
import { useTyping } from '../tickets/use-tickets.ts'
import { type ConversationView, conversationOf } from './conversation-store.ts'
import { firstUnread, keyOf, rowsOf } from './rows.ts'
import { useHold } from './use-hold.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useScroll } from './use-scroll.ts'
import { useStretch } from './use-stretch.ts'

const BLINK_MS = 5000

interface MessageListProps {
  readonly ticket: Ticket
  readonly conversation: ConversationView
  readonly messages: readonly Message[]
  readonly entries: readonly Outgoing[]
}

export function MessageList({ ticket, conversation, messages, entries }: MessageListProps) {
  const t = useTexts('tickets')
  const box = useRef<HTMLDivElement>(null)
  const { stretch, showEarlier, showLater, showTail, showAround } = useStretch(messages)
  const [unread] = useState(() => firstUnread(messages, ticket.unreadMessages))
  const [openedAt] = useState(() => Date.now())
  const [menu, setMenu] = useState<{ message: Message; anchor: HTMLElement } | null>(null)
  const [reachable, setReachable] = useState<string | null>(null)
  const typing = useTyping(ticket.id)
  const rows = useMemo(
    () => rowsOf(messages.slice(stretch.from, stretch.to), messages[stretch.from - 1], dayOf, unread),
    [messages, stretch.from, stretch.to, unread],
  )
  const atTail = stretch.to >= messages.length

  function nearTop(byScrolling = false) {
    if (stretch.from > 0) showEarlier()
    else if (conversation.hasMore && (byScrolling || !conversation.error)) void conversationOf(ticket.id).loadOlder()
  }
  const { atBottom, scrolled, toBottom, toRow } = useScroll({
    box,
    drawn: rows,
    atTail,
    startAt: rows.find(row => row.unread > 0)?.key ?? null,
    onNearTop: nearTop,
    onNearBottom: showLater,
  })
  const blinking = useJump(ticket.id, messages, showAround, toRow)
  const fresh = useArrivedBelow(messages, atBottom)
  useMarkRead(ticket, atBottom && atTail)

  const own = entries.at(-1)?.clientId
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending always shows what was sent
  useEffect(() => {
    if (!own) return
    showTail()
    requestAnimationFrame(toBottom)
  }, [own])

  const hold = useHold(rows, setMenu)
  const openMenu = useCallback((message: Message, anchor: HTMLElement) => setMenu({ message, anchor }), [])

  function key(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || !event.target.dataset.key) return
    const now = event.target
    const next = event.key === 'ArrowUp' ? siblingRow(now, -1) : event.key === 'ArrowDown' ? siblingRow(now, 1) : null
    if (next) {
      event.preventDefault()
      setReachable(next.dataset.key ?? null)
      next.focus({ preventScroll: true })
      next.scrollIntoView({ block: 'nearest' })
    }
    const message = rows.find(row => row.key === now.dataset.key)?.message
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
                isGroup={ticket.isGroup}
                blinking={blinking === row.message.id}
                reachable={row.key === reach}
                arriving={atBottom && row.key === last && Date.parse(row.message.createdAt) > openedAt}
                onMenu={openMenu}
                entry={row.message.id < 0 ? entries.find(entry => entry.clientId === row.message.clientId) : undefined}
              />
            ))}
          </ol>
          {messages.length === 0 && <p className="c-hello">{t('sayHello')}</p>}
          {typing && (
            <p className="c-typing">
              <span className="m-bubble">
                <i />
                <i />
                <i />
                <span className="b-only-read">{t(`typing.${typing}`)}</span>
              </span>
            </p>
          )}
        </div>
      </div>
      {!(atBottom && atTail) && messages.length > 0 && (
        <button
          type="button"
          className="c-down"
          aria-label={t('toBottom')}
          onClick={() => {
            showTail()
            requestAnimationFrame(toBottom)
          }}
        >
          <ArrowDown size={20} strokeWidth={1.6} aria-hidden="true" />
          <Badge count={fresh} label={t('newMessages', { count: fresh })} corner />
        </button>
      )}
      <Announcer ticketId={ticket.id} />
      {menu && (
        <MessageMenu ticket={ticket} message={menu.message} anchor={menu.anchor} onClose={() => setMenu(null)} />
      )}
    </section>
  )
}

function siblingRow(row: HTMLElement, step: 1 | -1): HTMLElement | null {
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling
  return next instanceof HTMLElement && next.dataset.key ? next : null
}

/** Goes to the message asked for, loading older ones until it is there, and makes it blink for 5 s. */
function useJump(
  ticketId: number,
  messages: readonly Message[],
  showAround: (index: number) => void,
  toRow: (key: string) => boolean,
): number | null {
  const { jumpTo } = useSnapshot(view)
  const [blinking, setBlinking] = useState<number | null>(null)
  const wanted = jumpTo?.messageId ?? null
  const pending = useRef<number | null>(null)

  useEffect(() => {
    if (wanted === null) return
    pending.current = wanted
    void conversationOf(ticketId)
      .reach(wanted)
      .finally(() => {
        view.jumpTo = null
      })
  }, [wanted, ticketId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again whenever more messages are there
  useEffect(() => {
    if (pending.current === null) return
    const index = messages.findIndex(message => message.id === pending.current)
    const message = messages[index]
    if (!message) return
    pending.current = null
    setBlinking(message.id)
    showAround(index)
    requestAnimationFrame(() => requestAnimationFrame(() => toRow(keyOf(message))))
  }, [messages, wanted])

  useEffect(() => {
    if (blinking === null) return
    const timer = setTimeout(() => setBlinking(null), BLINK_MS)
    return () => clearTimeout(timer)
  }, [blinking])
  return blinking
}

/** How many messages of the customer came while the person was reading further up. */
function useArrivedBelow(messages: readonly Message[], atBottom: boolean): number {
  const last = messages.at(-1)?.id ?? 0
  const [seen, setSeen] = useState(last)
  if (atBottom && seen !== last) setSeen(last)
  const from = messages.findLastIndex(message => message.id === seen)
  return from === -1 ? 0 : messages.slice(from + 1).filter(message => !message.fromMe).length
}

/** Tells screen readers politely of each message of the customer in the open conversation. */
function Announcer({ ticketId }: { readonly ticketId: number }) {
  const t = useTexts('tickets')
  const [said, setSaid] = useState('')
  useEffect(() => {
    const { arrivals } = desk()
    const tell = (message: Message) => {
      if (message.ticketId !== ticketId) return
      const words = message.mediaType === 'chat' ? message.body.slice(0, 300) : t(`media.${message.mediaType}`)
      setSaid(t('announce', { name: message.contact.name || t('noName'), text: words }))
    }
    arrivals.add(tell)
    return () => {
      arrivals.delete(tell)
    }
  }, [ticketId, t])
  return (
    <div className="b-only-read" aria-live="polite">
      {said}
    </div>
  )
}
