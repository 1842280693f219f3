// A message with what stands above it (day, unread divider) and beside it (its menu).
import type { Message } from '@balcao/contract'
import { formatDate, formatTime, toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { memo } from 'react'
import type { UnsentMessage } from '../composer/outgoing.ts'
import { splitSignature } from '../composer/wording.ts'
import { type ConversationRow, getMessageKey } from '../conversation/rows.ts'
import { useMinute } from '../use-minute.ts'
import { getAlbumCaption } from './album.ts'
import { Bubble } from './Bubble.tsx'
import { MoreButton } from './MoreButton.tsx'
import { Notice } from './Notice.tsx'
import { Safe } from './Safe.tsx'
import { SystemLine } from './SystemLine.tsx'
import { getMessageText } from './summarize-message.ts'
import { UnsentNote } from './UnsentNote.tsx'

interface MessageItemProps {
  readonly row: ConversationRow
  readonly isGroup: boolean
  readonly blinking: boolean
  /** The one row that Tab reaches; arrows move from there. */
  readonly reachable: boolean
  readonly arriving: boolean
  readonly marked: boolean
  /** These are the same for all messages of a conversation. */
  readonly onDay: ((day: string) => void) | undefined
  readonly onForward: ((message: Message) => void) | undefined
  readonly onMenu: (message: Message, anchor: HTMLElement) => void
  /** What is known of it while it is not on the server. */
  readonly entry: UnsentMessage | undefined
}

export const MessageItem = memo(MessageItemBare, isSameItem)

function MessageItemBare({
  row,
  isGroup,
  blinking,
  reachable,
  arriving,
  marked,
  onDay,
  onForward,
  onMenu,
  entry,
}: MessageItemProps) {
  const t = useTexts('tickets')
  const { message } = row
  const system = message.mediaType === 'system'
  const names = [
    'm-item-row',
    system ? 'is-system' : message.fromMe || message.mediaType === 'comment' ? 'is-mine' : 'is-theirs',
    row.startsGroup && 'starts',
    blinking && 'is-blinking',
    arriving && 'is-arriving',
    marked && 'is-marked',
  ]
  return (
    <li
      data-key={row.key}
      data-message={message.id}
      data-parts={row.album?.map(getMessageKey).join(' ')}
      tabIndex={reachable ? 0 : -1}
      aria-label={
        (marked ? `${t('msg.marked')}, ` : '') + (row.album ? describeAlbum(row.album, t) : describe(message, t))
      }
      className={names.filter(Boolean).join(' ')}
    >
      {row.day && <Day day={row.day} onDay={onDay} instant={message.createdAt} />}
      {row.unread > 0 && <p className="m-unread">{t('newMessages', { count: row.unread })}</p>}
      <Safe
        version={message.version}
        fallback={
          <div className="m-bubble">
            <Notice message={message} />
          </div>
        }
      >
        {system ? (
          <SystemLine message={message} />
        ) : (
          <div className="m-line">
            <Bubble
              message={message}
              album={row.album}
              onMenu={onMenu}
              startsGroup={row.startsGroup}
              isGroup={isGroup}
              below={<UnsentNote entry={entry} />}
            />
            {message.id > 0 && !message.isDeleted && !row.album && (
              <MoreButton message={message} onMenu={onMenu} onForward={onForward} />
            )}
          </div>
        )}
      </Safe>
    </li>
  )
}

interface DayProps extends Pick<MessageItemProps, 'onDay'> {
  readonly day: string
  readonly instant: string
}

/** For the mouse; by keys the conversation's own action does it. Its name is another one after midnight. */
function Day({ day, instant, onDay }: DayProps) {
  const t = useTexts('tickets')
  const name = formatDayName(instant, t, useMinute())
  if (!onDay) return <p className="m-day">{name}</p>
  return (
    <button type="button" className="m-day" tabIndex={-1} title={t('action.goToDay')} onClick={() => onDay(day)}>
      {name}
    </button>
  )
}

/** A live event draws only the message it changed. */
function isSameItem(a: MessageItemProps, b: MessageItemProps): boolean {
  return (
    a.row.message === b.row.message &&
    isSameAlbum(a.row.album, b.row.album) &&
    a.row.startsGroup === b.row.startsGroup &&
    a.row.day === b.row.day &&
    a.row.unread === b.row.unread &&
    a.isGroup === b.isGroup &&
    a.blinking === b.blinking &&
    a.reachable === b.reachable &&
    a.arriving === b.arriving &&
    a.marked === b.marked &&
    a.onMenu === b.onMenu &&
    a.entry === b.entry
  )
}

function isSameAlbum(a: ConversationRow['album'], b: ConversationRow['album']): boolean {
  if (a === null || b === null) return a === b
  return a.length === b.length && a.every((message, at) => message === b[at])
}

type Texts = ReturnType<typeof useTexts>

/** 'Hoje', 'Ontem', else the date. */
function formatDayName(instant: string, t: Texts, now: Date): string {
  const day = toCompanyDay(instant)
  if (day === toCompanyDay(now)) return t('today')
  if (day === toCompanyDay(new Date(now.getTime() - 86_400_000))) return t('yesterday')
  return formatDate(instant)
}

/** An album as a screen reader says it: who, how many, its words, when. */
function describeAlbum(album: readonly Message[], t: Texts): string {
  const first = album[0]
  if (!first) return ''
  const sender = first.fromMe ? t('you') : first.contact.name || t('noName')
  const time = formatTime(album.at(-1)?.createdAt ?? first.createdAt)
  return [sender, t('msg.album', { count: album.length }), getAlbumCaption(album), time].filter(part => part).join(', ')
}

/** What a screen reader says of a message: who, what, when, how far it came. */
function describe(message: Message, t: Texts): string {
  if (message.mediaType === 'system') return ''
  const author = message.automatic
    ? t('automatic')
    : message.fromMe
      ? (splitSignature(message.body).author ?? t('you'))
      : message.contact.name || t('noName')
  const kind = message.mediaType === 'chat' || message.mediaType === 'comment' ? null : t(`media.${message.mediaType}`)
  return [
    author,
    message.isDeleted ? t('deleted') : kind,
    message.isDeleted ? null : getMessageText(message, 400),
    formatTime(message.createdAt),
  ]
    .filter(part => part)
    .join(', ')
}
