// Which drawing belongs to which kind of message (spec 1 §3, media types).
import type { Message } from '@balcao/contract'
import { MESSAGE_KINDS } from '@balcao/contract/message-kinds'
import { ContactCards, Document, Location, MissedCall, TemplateMessage, UnknownCard } from './Cards.tsx'
import { FormattedText } from './FormattedText.tsx'
import { MediaFailed, MediaPending } from './MediaState.tsx'
import { Clip, Picture, Sticker } from './Picture.tsx'
import { Sound } from './Sound.tsx'

const FILES = new Set(['image', 'video', 'audio', 'application', 'sticker'])

/** `text` is the body without our signature. */
export function Body({ message, text }: { readonly message: Message; readonly text: string }) {
  return (
    <>
      <Content message={message} />
      {hasWords(message, text) && <FormattedText text={text} />}
    </>
  )
}

/** Pictures fill their bubble, so the time lies on them unless there is a caption. */
export function isOverlaid(message: Message): boolean {
  return ['image', 'video', 'location', 'application'].includes(message.mediaType)
}

function hasWords({ mediaType, media }: Message, text: string): boolean {
  if (text.trim() === '' || mediaType === 'template') return false
  if (mediaType === 'application') return text.trim() !== media?.name
  return mediaType === 'system' || MESSAGE_KINDS[mediaType].body === 'words'
}

function Content({ message }: { readonly message: Message }) {
  if (FILES.has(message.mediaType) && message.media?.state === 'failed') return <MediaFailed message={message} />
  if (FILES.has(message.mediaType) && (message.media?.state === 'pending' || !message.mediaUrl))
    return <MediaPending message={message} />
  switch (message.mediaType) {
    case 'image':
      return <Picture message={message} />
    case 'video':
      return <Clip message={message} />
    case 'audio':
      return <Sound message={message} />
    case 'application':
      return <Document message={message} />
    case 'sticker':
      return <Sticker message={message} />
    case 'location':
      return <Location message={message} />
    case 'vcard':
    case 'contact_array':
      return <ContactCards message={message} />
    case 'call_log':
      return <MissedCall message={message} />
    case 'template':
      return <TemplateMessage message={message} />
    case 'unknown':
      return <UnknownCard message={message} />
    case 'chat':
    case 'comment':
    case 'system':
      return null
  }
}
