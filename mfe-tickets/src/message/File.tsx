// The file of a message, whether it is all of it or stands on a card: on its way, failed, or there.
import type { Message } from '@balcao/contract'
import { formatFileSize } from '@balcao/contract/messages/message-bodies'
import { getLanguage, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { Download } from 'lucide-react'
import { getFileType } from './file-type.ts'
import { MediaFailed, MediaPending } from './MediaState.tsx'
import { Clip, Picture, Sticker } from './Picture.tsx'
import { Sound } from './Sound.tsx'

export function File({ message }: { readonly message: Message }) {
  const file = getFileType(message)
  if (file === null) return null
  if (message.media?.state === 'failed') return <MediaFailed message={message} />
  if (message.media?.state === 'pending' || !message.mediaUrl) return <MediaPending message={message} />
  switch (file) {
    case 'image':
      return <Picture message={message} />
    case 'video':
      return <Clip message={message} />
    case 'audio':
      return <Sound key={message.mediaUrl} message={message} />
    case 'sticker':
      return <Sticker message={message} />
    default:
      return <Document message={message} />
  }
}

function Document({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const name = message.media?.name || t('media.application')
  const ending = /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? '···'
  return (
    <a className="m-document" href={message.mediaUrl ?? undefined} download={name}>
      <span className="b-only-read">{t('file.fetch')} </span>
      <span className={/^pdf$/i.test(ending) ? 'm-ending is-pdf' : 'm-ending'} aria-hidden="true">
        {ending}
      </span>
      <span className="m-document-text">
        <span className="m-document-name" dir="auto">
          {name}
        </span>
        <span className="m-quiet">{formatFileFacts(message, ending)}</span>
      </span>
      <Icon of={Download} />
    </a>
  )
}

/** 'PDF · 1,2 MB'. */
function formatFileFacts({ media }: Message, ending: string): string {
  const size = media?.size
  const known = size === null || size === undefined ? null : formatFileSize(size, getLanguage())
  return [ending === '···' ? null : ending, known].filter(part => part).join(' · ')
}
