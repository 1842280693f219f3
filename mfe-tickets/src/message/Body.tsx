// Which drawing belongs to which kind of message (spec 1 §3, media types).
import type { Message } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { formatTime, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { PhoneMissed } from 'lucide-react'
import { File } from './File.tsx'
import { FormattedText } from './FormattedText.tsx'
import { Card, isCard } from './late-card.ts'
import { Notice } from './Notice.tsx'

/** `text` is the body without our signature. */
export function Body({ message, text }: { readonly message: Message; readonly text: string }) {
  if (isCard(message)) return <Card message={message} />
  if (message.mediaType === 'unknown') return <Notice message={message} />
  if (message.mediaType === 'call_log') return <MissedCall message={message} />
  return (
    <>
      <File message={message} />
      {hasWords(message, text) && <FormattedText text={text} calls={message.mentions} />}
      {message.details?.link && <Card message={message} />}
    </>
  )
}

/** Pictures fill their bubble, so the time lies on them unless there is a caption. */
export function isOverlaid({ mediaType }: Message): boolean {
  return (
    mediaType === 'location' || (getMessageKind(mediaType).isFile && mediaType !== 'audio' && mediaType !== 'sticker')
  )
}

function hasWords({ mediaType, media }: Message, text: string): boolean {
  if (text.trim() === '') return false
  if (mediaType === 'application') return text.trim() !== media?.name
  return mediaType === 'system' || getMessageKind(mediaType).body === 'words'
}

function MissedCall({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  return (
    <span className="m-call">
      <Icon of={PhoneMissed} size={16} />
      {t('missedCall', { time: formatTime(message.createdAt) })}
    </span>
  )
}
