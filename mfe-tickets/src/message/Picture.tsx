import type { Message } from '@balcao/contract'
import { formatDuration } from '@balcao/contract/messages/message-bodies'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { ImageOff, Play } from 'lucide-react'
import { useState } from 'react'
import { getUnsignedText } from '../composer/wording.ts'
import { view } from '../desk/view.ts'
import { computeMediaBox } from './media-box.ts'

/** An image in its reserved place; a click shows it whole. */
export function Picture({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const [broken, setBroken] = useState<string | null>(null)
  const source = message.media?.thumbUrl ?? message.mediaUrl
  const box = computeMediaBox(message.media?.width, message.media?.height)
  const name = getUnsignedText(message) || t('media.image')
  return (
    <button
      type="button"
      className="m-picture"
      style={{ width: box.width, aspectRatio: `${box.width} / ${box.height}` }}
      aria-label={t('file.open', { name })}
      onClick={() => {
        view.viewer = { messageId: message.id, ticketId: message.ticketId }
      }}
    >
      {source && source !== broken ? (
        <img
          src={source}
          alt={name}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(source)}
        />
      ) : (
        <Icon of={ImageOff} />
      )}
    </button>
  )
}

/** A video: its first picture, play, and its length; it plays in its own place. */
export function Clip({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const [playing, setPlaying] = useState(false)
  const box = computeMediaBox(message.media?.width, message.media?.height)
  const style = { width: box.width, aspectRatio: `${box.width} / ${box.height}` }
  const seconds = message.media?.seconds
  if (playing && message.mediaUrl)
    return (
      // biome-ignore lint/a11y/useMediaCaption: what customers send has no captions
      <video className="m-video" style={style} src={message.mediaUrl} controls autoPlay playsInline />
    )
  return (
    <button type="button" className="m-picture is-video" style={style} onClick={() => setPlaying(true)}>
      {message.media?.thumbUrl ? (
        <img src={message.media.thumbUrl} alt="" loading="lazy" decoding="async" />
      ) : (
        message.mediaUrl && <FirstFrame url={message.mediaUrl} />
      )}
      <span className="m-play">
        <Icon of={Play} />
      </span>
      <span className="m-length">
        {t('media.video')}
        {seconds ? ` · ${formatDuration(seconds)}` : ''}
      </span>
    </button>
  )
}

/** The first picture of a video that came without one: the browser fetches its beginning only. */
export function FirstFrame({ url }: { readonly url: string }) {
  return <video src={`${url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} aria-hidden="true" />
}

export function Sticker({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  return (
    <img
      className="m-sticker"
      src={message.mediaUrl ?? ''}
      alt={t('media.sticker')}
      width={140}
      height={140}
      loading="lazy"
      decoding="async"
    />
  )
}
