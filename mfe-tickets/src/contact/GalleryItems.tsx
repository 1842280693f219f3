// One file or link of the gallery; each also leads to its place in the conversation.
import '../conversation/texts.ts'
import type { Message } from '@balcao/contract'
import { formatDuration, formatFileSize } from '@balcao/contract/messages/message-bodies'
import { formatDate, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Icon, IconButton } from '@balcao/ui/parts'
import { ExternalLink, ImageOff, MessageSquareText, Play, Video } from 'lucide-react'
import { useState } from 'react'
import { getUnsignedText } from '../composer/wording.ts'
import { view } from '../desk/view.ts'
import { Sound } from '../message/Sound.tsx'

interface ThumbProps {
  readonly message: Message
  /** Whose gallery it stands in. */
  readonly ticketId: number
  /** Those beside it, newest first: the viewer goes through them. */
  readonly among: readonly Message[]
}

/** A picture or video, small; a click shows it whole. */
export function Thumb({ message, ticketId, among }: ThumbProps) {
  const t = useTexts('tickets')
  const [broken, setBroken] = useState(false)
  const source = message.media?.thumbUrl ?? (message.mediaType === 'image' ? message.mediaUrl : null)
  const kindLabel = t(`media.${message.mediaType}`)
  const name = [kindLabel, getUnsignedText(message), formatDate(message.createdAt)]
    .filter(word => word !== '')
    .join(', ')
  return (
    <button
      type="button"
      className="x-thumb"
      aria-label={t('file.open', { name })}
      onClick={() => {
        const { id: messageId, ticketId: own } = message
        view.viewer = { messageId, ticketId: own, among: among.toReversed(), galleryTicketId: ticketId }
      }}
    >
      {source && !broken ? (
        <img src={source} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      ) : (
        <Icon of={message.mediaType === 'video' ? Video : ImageOff} />
      )}
      {message.mediaType === 'video' && (
        <span className="x-play">
          <Icon of={Play} size={16} />
          {message.media?.seconds ? formatDuration(message.media.seconds) : ''}
        </span>
      )}
    </button>
  )
}

export function DocumentRow({ message, ticketId }: { readonly message: Message; readonly ticketId: number }) {
  const t = useTexts('tickets')
  const name = message.media?.name || t(`media.${message.mediaType}`)
  const ending = /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? '···'
  const size = message.media?.size
  const facts = [formatDate(message.createdAt), ...(size ? [formatFileSize(size, getLanguage())] : [])]
  return (
    <li className="x-file">
      <a href={message.mediaUrl ?? undefined} download={name} aria-label={t('file.download', { name })}>
        <span className={/^pdf$/i.test(ending) ? 'm-ending is-pdf' : 'm-ending'} aria-hidden="true">
          {ending}
        </span>
        <span className="x-file-text">
          <span className="b-file-name" dir="auto">
            {name}
          </span>
          <span className="m-quiet">{facts.join(' · ')}</span>
        </span>
      </a>
      <Jump message={message} ticketId={ticketId} />
    </li>
  )
}

/** A recording, played where it stands. */
export function AudioRow({ message, ticketId }: { readonly message: Message; readonly ticketId: number }) {
  const t = useTexts('tickets')
  const sender = message.fromMe ? (message.user?.name ?? t('you')) : message.contact.name || t('noName')
  return (
    <li className="x-file">
      <div className="x-file-text is-sound">
        <Sound message={message} />
        <span className="m-quiet">{`${sender} · ${formatDate(message.createdAt)}`}</span>
      </div>
      <Jump message={message} ticketId={ticketId} />
    </li>
  )
}

export function LinkRow({ message, ticketId }: { readonly message: Message; readonly ticketId: number }) {
  const text = message.isEdited && message.editedMsg ? message.editedMsg : message.body
  return (
    <>
      {extractLinks(text).map(link => (
        <li key={link.href} className="x-file">
          <a href={link.href} target="_blank" rel="noopener noreferrer nofollow">
            <span className="m-ending" aria-hidden="true">
              <Icon of={ExternalLink} size={16} />
            </span>
            <span className="x-file-text">
              <span className="b-file-name" dir="auto">
                {link.host + (link.pathname === '/' ? '' : link.pathname)}
              </span>
              <span className="m-quiet">{formatDate(message.createdAt)}</span>
            </span>
          </a>
          <Jump message={message} ticketId={ticketId} />
        </li>
      ))}
    </>
  )
}

function Jump({ message, ticketId }: { readonly message: Message; readonly ticketId: number }) {
  const t = useTexts('tickets')
  return (
    <IconButton
      icon={MessageSquareText}
      label={t('drawer.jump')}
      onClick={() => {
        view.jumpTo = { messageId: message.id, ticketId, at: Date.now() }
      }}
    />
  )
}

/** The addresses in a text, each once. */
export function extractLinks(text: string): URL[] {
  const found = text.match(/https?:\/\/[^\s<>"']+/g) ?? []
  const links = found.map(link => link.replace(/[.,;:!?)\]]+$/, '')).filter(link => URL.canParse(link))
  return [...new Set(links)].map(link => new URL(link))
}
