// Several pictures as a grid: two beside each other, three with a wide one, from four on two by two; the rest in the viewer.
import type { Message } from '@balcao/contract'
import { formatDuration } from '@balcao/contract/messages/message-bodies'
import { formatTime, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { Play } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { view } from '../desk/view.ts'
import { TILES } from './album.ts'
import { MoreButton } from './MoreButton.tsx'
import { FirstFrame } from './Picture.tsx'
import { Reactions } from './Reactions.tsx'

interface AlbumProps {
  readonly messages: readonly Message[]
  readonly onMenu: (message: Message, anchor: HTMLElement) => void
}

export function Album({ messages, onMenu }: AlbumProps) {
  const shown = messages.slice(0, TILES)
  const more = messages.length - TILES
  return (
    <div className="m-album" data-count={shown.length}>
      {shown.map((message, index) => (
        <Tile
          key={message.id}
          message={message}
          place={{ at: index + 1, of: messages.length }}
          more={index === TILES - 1 ? more : 0}
          onMenu={onMenu}
        />
      ))}
    </div>
  )
}

interface TileProps {
  readonly message: Message
  readonly place: { readonly at: number; readonly of: number }
  readonly more: number
  readonly onMenu: AlbumProps['onMenu']
}

function Tile({ message, place, more, onMenu }: TileProps) {
  const t = useTexts('tickets')
  const { media } = message
  const isVideo = message.mediaType === 'video'
  const source = media?.thumbUrl ?? (isVideo ? null : message.mediaUrl)
  const name = t('msg.tile', { kind: t(`media.${message.mediaType}`), ...place, time: formatTime(message.createdAt) })

  function key(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
    event.preventDefault()
    event.stopPropagation()
    onMenu(message, event.currentTarget)
  }
  return (
    <span className={isVideo ? 'm-tile is-video' : 'm-tile'} data-message={message.id}>
      <button
        type="button"
        className="m-tile-open"
        aria-label={more > 0 ? `${name} ${t('msg.tileMore', { count: more })}` : name}
        onKeyDown={key}
        onClick={() => {
          view.viewer = { messageId: message.id, ticketId: message.ticketId }
        }}
      >
        {source && <img src={source} alt="" loading="lazy" decoding="async" draggable={false} />}
        {!source && isVideo && message.mediaUrl && <FirstFrame url={message.mediaUrl} />}
        {isVideo && more <= 0 && (
          <span className="m-play">
            <Icon of={Play} />
          </span>
        )}
        {isVideo && media?.seconds && <span className="m-length">{formatDuration(media.seconds)}</span>}
        {more > 0 && <span className="m-tile-rest">+{more}</span>}
      </button>
      <MoreButton message={message} onMenu={onMenu} />
      {message.reactions.length > 0 && <Reactions message={message} />}
    </span>
  )
}
