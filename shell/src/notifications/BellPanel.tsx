import type { Chat, ResponseBody, Ticket } from '@balcao/contract'
import { describeError, formatListTime, formatMoment, type Texts, useTexts } from '@balcao/ui/i18n'
import { describeNews, useNewsTexts } from '@balcao/ui/news'
import {
  Avatar,
  Badge,
  EmptyState,
  ErrorState,
  Icon,
  Portal,
  QueueStrip,
  RowSkeletons,
  useOverlay,
  usePlacing,
  useSkeleton,
} from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { useUser } from '@balcao/ui/session'
import { BellRing, MessagesSquare } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useRef } from 'react'
import type { Snapshot } from 'valtio'
import './bell.css'
import './late.ts'
import { type Bell, load, openBell, useBellState } from './bells.ts'
import { toPath } from './places.ts'
import { formatChatPreview, formatChatTitle, formatTicketPreview } from './preview.ts'

interface Row {
  /** What it is about: it stays the same row, and keeps the focus, when that changes. */
  readonly id: string
  readonly path: string
  readonly avatar: { readonly id: number; readonly photo: string | null; readonly group: boolean }
  readonly name: string
  readonly text: string
  /** Null: never. */
  readonly at: string | null
  readonly unread: number
  readonly queue?: { readonly name: string; readonly color: string } | null
}

interface BellPanelProps {
  readonly name: Bell
  readonly anchor: RefObject<HTMLElement | null>
}

/** What waits, newest first: a press or Enter opens it, arrows move (spec 1 §4: at most 350 high). */
export default function BellPanel({ name, anchor }: BellPanelProps) {
  const t = useTexts('shell')
  const texts = useNewsTexts()
  const id = useId()
  const me = useUser().id
  const navigate = useNavigate()
  const panel = useRef<HTMLDivElement>(null)
  const style = usePlacing(anchor, panel, { side: 'below', align: 'end', gap: 6 })
  const { counts, rows: waiting, failed } = useBellState()
  const close = () => openBell(null)
  useOverlay(panel, { onClose: close, outside: anchor })
  const skeleton = useSkeleton(waiting === null && failed === null)
  const rows =
    name === 'tickets'
      ? waiting && [
          ...waiting.alarms.map(alarm => toAlarmRow(alarm, t)),
          ...waiting.mentions.items.map(mention => toMentionRow(mention, t)),
          ...waiting.news.items.map(news => toNewsRow(news, texts)),
          ...waiting.tickets.items.map(ticket => toTicketRow(ticket, t)),
        ]
      : waiting?.chats.items.map(chat => toChatRow(chat, me, t))
  const more = name === 'tickets' ? counts.tickets - (rows?.length ?? 0) : 0

  return (
    <Portal>
      <div
        ref={panel}
        role="dialog"
        aria-labelledby={id}
        className="s-bell"
        style={style}
        tabIndex={-1}
        onKeyDown={event => move(event, panel.current)}
      >
        <h2 id={id} className="s-bell-title">
          {t(`bell.${name}`)}
        </h2>
        <div className="s-bell-list">
          {rows?.map(row => (
            <BellRow
              key={row.id}
              row={row}
              onOpen={() => {
                close()
                void navigate(row.path)
              }}
            />
          ))}
          {rows?.length === 0 &&
            (name === 'tickets' ? (
              <EmptyState icon="bell" title={t('bell.nobody')} text={t('bell.nobodyText')} />
            ) : (
              <EmptyState icon={MessagesSquare} title={t('bell.noChats')} text={t('bell.noChatsText')} />
            ))}
          {!rows && failed !== null && (
            <ErrorState title={t('bell.failed')} text={describeError(failed)} onRetry={() => void load()} retryIn={8} />
          )}
          {!rows && skeleton && <RowSkeletons rows={3} />}
          {rows && rows.length > 0 && more > 0 && <p className="s-bell-more">{t('bell.more', { count: more })}</p>}
        </div>
        <button type="button" className="s-bell-foot" data-close="" onClick={() => openBell('device')}>
          <Icon of={BellRing} size={16} />
          {t('bell.device')}
        </button>
      </div>
    </Portal>
  )
}

function BellRow({ row, onOpen }: { readonly row: Row; readonly onOpen: () => void }) {
  const t = useTexts('shell')
  const facts = [
    row.name,
    row.queue?.name,
    row.text,
    row.unread > 0 ? t('bell.unread', { count: row.unread }) : null,
    row.at && formatListTime(row.at),
  ]
  return (
    <button type="button" className="s-bell-row" onClick={onOpen}>
      <span className="b-only-read">{facts.filter(Boolean).join(', ')}</span>
      <QueueStrip color={row.queue?.color} />
      <Avatar {...row.avatar} name={row.name} size={36} />
      <span className="s-bell-words" aria-hidden="true">
        <span className="s-bell-line">
          <strong>{row.name}</strong>
          {row.at && <time dateTime={row.at}>{formatListTime(row.at)}</time>}
        </span>
        <span className="s-bell-line">
          <span className="s-bell-text" dir="auto">
            {row.text}
          </span>
          <Badge count={row.unread} />
        </span>
      </span>
    </button>
  )
}

/** What an administrator has to put right, on the server or among scheduled sends; it stays until then. */
function toAlarmRow(
  { code, at, schedule, webhook, token }: Snapshot<ResponseBody<'GET /notifications'>['alarms'][number]>,
  t: Texts,
): Row {
  const subject = schedule ?? webhook ?? token
  const text = at === null ? t(`alarm.${code}.never`) : t(`alarm.${code}.since`, { at: formatMoment(at) })
  return {
    id: `${code} ${subject?.id}`,
    path: schedule ? '/agendamentos' : code === 'backup_old' ? '/settings' : '/integrations',
    avatar: { id: subject?.id ?? 0, photo: null, group: false },
    name: subject?.name || t(`alarm.${code}.title`),
    text,
    at,
    unread: 0,
  }
}

/** What a provider told of an account: it leads to the connections, where it is seen. */
function toNewsRow(news: Snapshot<ResponseBody<'GET /notifications'>['news']['items'][number]>, texts: Texts): Row {
  const text = describeNews(news, texts)
  return {
    id: `${news.whatsappId} ${news.at} ${text}`,
    path: '/connections',
    avatar: { id: news.whatsappId, photo: null, group: false },
    name: news.connection,
    text,
    at: news.at,
    unread: 0,
  }
}

/** A comment that calls one leads to where it stands. */
function toMentionRow(
  mention: Snapshot<ResponseBody<'GET /notifications'>['mentions']['items'][number]>,
  t: Texts,
): Row {
  const { ticketId, messageId, contact, isGroup, author, text, at } = mention
  return {
    id: `mention ${messageId}`,
    path: toPath('ticket', ticketId, messageId),
    avatar: { id: contact.id, photo: contact.profilePicUrl, group: isGroup },
    name: contact.name || t('bell.noName'),
    text: `${author ? t('notice.mentionedBy', { name: author }) : t('notice.mentioned')}: ${text}`,
    at,
    unread: 0,
  }
}

function toTicketRow(ticket: Snapshot<Ticket>, t: Texts): Row {
  return {
    id: `ticket ${ticket.id}`,
    path: toPath('ticket', ticket.id),
    avatar: { id: ticket.contactId, photo: ticket.contact.profilePicUrl, group: ticket.isGroup },
    name: ticket.contact.name || t('bell.noName'),
    text: formatTicketPreview(ticket, t),
    at: ticket.lastMessageAt,
    unread: ticket.unreadMessages,
    queue: ticket.queue,
  }
}

function toChatRow(chat: Snapshot<Chat>, me: number, t: Texts): Row {
  const other = chat.isGroup ? undefined : chat.users.find(user => user.id !== me)
  return {
    id: `chat ${chat.id}`,
    path: toPath('chat', chat.id),
    avatar: { id: other?.id ?? chat.id, photo: other?.profilePicUrl ?? null, group: chat.isGroup },
    name: formatChatTitle(chat, me),
    text: formatChatPreview(chat, t),
    at: chat.lastMessageAt,
    unread: chat.unreadMessages,
  }
}

/** Arrows, Home and End between the rows. */
function move(event: KeyboardEvent, panel: HTMLElement | null) {
  const rows = [...(panel?.querySelectorAll<HTMLElement>('.s-bell-row') ?? [])]
  const now = rows.findIndex(row => row.matches(':focus'))
  const next = {
    ArrowDown: rows[now + 1] ?? rows[0],
    ArrowUp: rows[now - 1] ?? rows.at(-1),
    Home: rows[0],
    End: rows.at(-1),
  }[event.key]
  if (!next) return
  event.preventDefault()
  next.focus()
}
