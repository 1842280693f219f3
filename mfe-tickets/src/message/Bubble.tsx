// One message as it stands in the conversation.
import '../conversation/texts.ts'
import type { Message, MessageDetails } from '@balcao/contract'
import { stripCommentPrefix } from '@balcao/contract/messages/comments'
import { formatTime, useTexts } from '@balcao/ui/i18n'
import { Icon, joinClasses, type TickState, Ticks } from '@balcao/ui/parts'
import { Ban, Bot, Forward, Lock, type LucideIcon, Megaphone, Pencil, Tag } from 'lucide-react'
import { parseChatLane } from '../chats/lane.ts'
import { splitSignature } from '../composer/wording.ts'
import { view } from '../desk/view.ts'
import { Album } from './Album.tsx'
import { getAlbumCaption, getAlbumState } from './album.ts'
import { Body, isOverlaid } from './Body.tsx'
import { FormattedText } from './FormattedText.tsx'
import { OriginText } from './OriginText.tsx'
import { Quoted } from './Quoted.tsx'
import { Reactions } from './Reactions.tsx'
import { Trouble } from './Trouble.tsx'

interface BubbleProps {
  readonly message: Message
  /** Pictures that stand together, `message` the first of them. */
  readonly album?: readonly Message[] | null
  readonly onMenu?: (message: Message, anchor: HTMLElement) => void
  readonly startsGroup: boolean
  readonly isGroup: boolean
  /** Something under the bubble: progress or refusal of what is not on the server yet. */
  readonly below?: React.ReactNode
}

export function Bubble({ message, album = null, onMenu = ignoreMenu, startsGroup, isGroup, below }: BubbleProps) {
  const t = useTexts('tickets')
  if (message.mediaType === 'comment') return <Comment message={message} />
  const bare = message.mediaType === 'sticker' && !message.isDeleted
  const signed = splitSignature(message.body)
  const author = message.fromMe ? signed.author : isGroup ? message.contact.name : null
  const framed = !message.isDeleted && isOverlaid(message)
  const reacted = (album ?? [message]).some(one => one.reactions.length > 0)
  return (
    <>
      <div className={joinClasses('m-bubble', bare && 'is-bare', framed && 'is-framed', reacted && 'has-reactions')}>
        {author && startsGroup && <p className="m-author">{author}</p>}
        {message.automatic && <Above icons={[Bot]}>{t('automatic')}</Above>}
        {message.forward === 'true' && <Above icons={[Forward]}>{t('forwarded')}</Above>}
        {message.forward === 'frequently' && <Above icons={[Forward, Forward]}>{t('msg.forwardedOften')}</Above>}
        {message.details && !message.isDeleted && <Besides details={message.details} />}
        {message.quotedMsg && !message.isDeleted && <Quoted quoted={message.quotedMsg} ticketId={message.ticketId} />}
        {message.isDeleted ? (
          <Deleted />
        ) : album ? (
          <>
            <Album messages={album} onMenu={onMenu} />
            {getAlbumCaption(album) !== '' && <FormattedText text={getAlbumCaption(album)} />}
          </>
        ) : (
          <Body message={message} text={message.fromMe ? signed.body : message.body} />
        )}
        <Meta message={album?.at(-1) ?? message} state={album ? getAlbumState(album) : message.state} />
        {!album && reacted && <Reactions message={message} />}
      </div>
      <Trouble message={message} />
      {below}
    </>
  )
}

/** An internal comment: only the team sees it, and it must be impossible to take for a message. */
function Comment({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const byline = [message.user?.name, formatTime(message.createdAt)].filter(Boolean).join(' · ')
  return (
    <div className="m-bubble is-note">
      <p className="m-note-head">
        <Icon of={Lock} size={14} />
        {t('comment.head')}
      </p>
      {message.isDeleted ? <Deleted /> : <FormattedText text={stripCommentPrefix(message.body)} />}
      <span className="m-room is-copy" aria-hidden="true">
        {byline}
      </span>
      <span className="m-meta">{byline}</span>
    </div>
  )
}

/** Over what was said: where it comes from. */
function Above({ icons, children }: { readonly icons: readonly LucideIcon[]; readonly children: React.ReactNode }) {
  return (
    <p className="m-forwarded">
      {icons.map((icon, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same icon may stand twice
        <Icon key={at} of={icon} size={14} />
      ))}
      {children}
    </p>
  )
}

/** What brought somebody here; and that a change of it is to be read on the phone. */
function Besides({ details: { origin, hiddenEdit } }: { readonly details: MessageDetails }) {
  const t = useTexts('tickets')
  return (
    <>
      {origin && (
        <Above icons={[origin.kind === 'product' ? Tag : Megaphone]}>
          <OriginText origin={origin} />
        </Above>
      )}
      {hiddenEdit && <Above icons={[Pencil]}>{t('hiddenEdit')}</Above>}
    </>
  )
}

function Deleted() {
  const t = useTexts('tickets')
  return (
    <span className="m-deleted">
      <Icon of={Ban} size={14} />
      {t('deleted')}
    </span>
  )
}

function Meta({ message, state }: { readonly message: Message; readonly state: Message['state'] }) {
  const tick = message.fromMe && state !== 'received' ? (state satisfies TickState) : null
  const edited = message.isEdited && !message.isDeleted
  return (
    <>
      {/* Keeps room at the end of the last line, into which the time floats. */}
      <span
        className={joinClasses('m-room', tick !== null && 'is-wide', message.isEdited && 'is-edited')}
        aria-hidden="true"
      />
      <span className="m-meta">
        {edited && <Edited message={message} />}
        <time dateTime={message.createdAt}>{formatTime(message.createdAt)}</time>
        {tick && !message.isDeleted && <Ticks state={tick} />}
      </span>
    </>
  )
}

/** What it said before is one press away. */
function Edited({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  if (message.id < 0 || parseChatLane(message.ticketId) !== null) return <>{t('edited')} · </>
  return (
    <>
      <button
        type="button"
        className="m-edited"
        title={t('msg.seeEdits')}
        onClick={() => {
          view.dialog = { kind: 'information', ticketId: message.ticketId, messageId: message.id }
        }}
      >
        {t('edited')}
      </button>
      {' · '}
    </>
  )
}

function ignoreMenu() {}
