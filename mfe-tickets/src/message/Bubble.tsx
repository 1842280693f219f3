// One message as it stands in the conversation.
import type { Message } from '@balcao/contract'
import { formatTime, useTexts } from '@balcao/ui/i18n'
import { Icon, type TickState, Ticks } from '@balcao/ui/parts'
import { Ban, Forward, Lock } from 'lucide-react'
import { commentText, splitSignature } from '../composer/wording.ts'
import { Body, isOverlaid } from './Body.tsx'
import { FormattedText } from './FormattedText.tsx'
import { Quoted } from './Quoted.tsx'
import { Trouble } from './Trouble.tsx'

interface BubbleProps {
  readonly message: Message
  readonly startsGroup: boolean
  readonly isGroup: boolean
  /** Something under the bubble: progress or refusal of what is not on the server yet. */
  readonly below?: React.ReactNode
}

export function Bubble({ message, startsGroup, isGroup, below }: BubbleProps) {
  if (message.mediaType === 'comment') return <Comment message={message} />
  const bare = message.mediaType === 'sticker' && !message.isDeleted
  const signed = splitSignature(message.body)
  const author = message.fromMe ? signed.author : isGroup ? message.contact.name : null
  const framed = !message.isDeleted && isOverlaid(message)
  const names = ['m-bubble', bare && 'is-bare', framed && 'is-framed', message.reactions.length > 0 && 'has-reactions']
  return (
    <>
      <div className={names.filter(Boolean).join(' ')}>
        {author && startsGroup && <p className="m-author">{author}</p>}
        {message.forward && <Forwarded />}
        {message.quotedMsg && !message.isDeleted && <Quoted quoted={message.quotedMsg} ticketId={message.ticketId} />}
        {message.isDeleted ? (
          <Deleted />
        ) : (
          <Body message={message} text={message.fromMe ? signed.body : message.body} />
        )}
        <Meta message={message} />
        <Reactions message={message} />
      </div>
      <Trouble message={message} />
      {below}
    </>
  )
}

/** An internal comment: only the team sees it, and it must be impossible to take for a message. */
function Comment({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const said = [message.user?.name, formatTime(message.createdAt)].filter(Boolean).join(' · ')
  return (
    <div className="m-bubble is-note">
      <p className="m-note-head">
        <Icon of={Lock} size={14} />
        {t('comment.head')}
      </p>
      {message.isDeleted ? <Deleted /> : <FormattedText text={commentText(message.body)} />}
      <span className="m-room is-copy" aria-hidden="true">
        {said}
      </span>
      <span className="m-meta">{said}</span>
    </div>
  )
}

function Forwarded() {
  const t = useTexts('tickets')
  return (
    <p className="m-forwarded">
      <Icon of={Forward} size={14} />
      {t('forwarded')}
    </p>
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

function Meta({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const tick = message.fromMe && message.state !== 'received' ? (message.state satisfies TickState) : null
  return (
    <>
      <Room wide={tick !== null} edited={message.isEdited} />
      <span className="m-meta">
        {message.isEdited && !message.isDeleted && `${t('edited')} · `}
        <time dateTime={message.createdAt}>{formatTime(message.createdAt)}</time>
        {tick && !message.isDeleted && <Ticks state={tick} />}
      </span>
    </>
  )
}

/** Keeps room at the end of the last line, into which the time floats. */
function Room({ wide, edited = false }: { readonly wide: boolean; readonly edited?: boolean }) {
  return <span className={`m-room${wide ? ' is-wide' : ''}${edited ? ' is-edited' : ''}`} aria-hidden="true" />
}

function Reactions({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  if (message.reactions.length === 0) return null
  const emojis = [...new Set(message.reactions.map(reaction => reaction.emoji))].slice(0, 3)
  const who = message.reactions.map(reaction => `${reaction.by} ${reaction.emoji}`).join(', ')
  return (
    <span className="m-reactions" role="img" aria-label={t('reactions', { who })} title={who}>
      {emojis.join(' ')}
      {message.reactions.length > 1 && ` ${message.reactions.length}`}
    </span>
  )
}
