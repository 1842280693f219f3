// One picture or video, whole, over everything; arrows go through the others of the conversation.
import type { Message } from '@balcao/contract'
import { formatMoment, useTexts } from '@balcao/ui/i18n'
import { Portal, useOverlay } from '@balcao/ui/parts'
import {
  ChevronLeft,
  ChevronRight,
  Download,
  Forward,
  type LucideIcon,
  RotateCw,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { parseChatLane } from '../chats/lane.ts'
import { getUnsignedText, splitSignature } from '../composer/wording.ts'
import { openForward, view } from '../desk/view.ts'
import { getFileType } from './file-type.ts'
import { showPicture, usePictureSteps } from './use-picture-steps.ts'
import { type Pictures, useChatPictures, useTicketPictures } from './use-pictures.ts'
import { useSwipe } from './use-swipe.ts'
import { useZoom } from './use-zoom.ts'
import './late.ts'

interface ViewerProps {
  readonly messageId: number
  /** The ticket, or the negative of an internal chat. */
  readonly lane: number
}

export default function Viewer(props: ViewerProps) {
  const Kind = parseChatLane(props.lane) === null ? TicketViewer : ChatViewer
  return <Kind {...props} />
}

function TicketViewer(props: ViewerProps) {
  const [began] = useState(props.messageId)
  return <Frame {...props} pictures={useTicketPictures(began, props.lane)} />
}

function ChatViewer(props: ViewerProps) {
  const [began] = useState(props.messageId)
  return <Frame {...props} pictures={useChatPictures(began)} />
}

function Frame({ messageId, lane, pictures }: ViewerProps & { readonly pictures: Pictures }) {
  const t = useTexts('tickets')
  const panel = useRef<HTMLDivElement>(null)
  const close = () => {
    view.viewer = null
  }
  const stage = useRef<HTMLDivElement>(null)
  const zoom = useZoom(messageId, stage)
  useOverlay(panel, { onClose: close, trap: true })
  const { pictures: all, isToOldest, isToNewest } = pictures
  const at = all.findIndex(message => message.id === messageId)
  const message = all[at]
  const { go, hasNext, awaited } = usePictureSteps(pictures, at)
  const swipe = useSwipe({ isOff: zoom.scale > 1, hasNext, onSwipe: go })
  // Deleted meanwhile, or out of this person's sight: what nobody sees takes no keys.
  const isGone = !message?.mediaUrl
  useEffect(() => {
    if (isGone) view.viewer = null
  }, [isGone])
  if (!message?.mediaUrl) return null
  // How many there are is known once both ends are.
  const place = isToOldest && isToNewest ? t('msg.viewer.place', { at: at + 1, of: all.length }) : null

  function key(event: KeyboardEvent) {
    // A video has its own use for the arrows.
    if (event.target instanceof HTMLVideoElement) return
    const hold = { '+': zoom.zoomIn, '=': zoom.zoomIn, '-': zoom.zoomOut, r: zoom.rotate }[event.key]
    if (hold && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      return hold()
    }
    const end = { Home: all[0], End: all.at(-1) }[event.key]
    if (event.key === 'ArrowLeft') go(-1)
    else if (event.key === 'ArrowRight') go(1)
    else if (end) showPicture(end)
    else return
    event.preventDefault()
  }
  const isTicket = parseChatLane(lane) === null
  const words = message.fromMe ? splitSignature(message.body).body : message.body
  const sender = message.fromMe ? (message.user?.name ?? t('you')) : message.contact.name || t('noName')
  return (
    <Portal>
      <div
        ref={panel}
        className="g-viewer"
        role="dialog"
        aria-modal="true"
        aria-label={t('viewer.title')}
        tabIndex={-1}
        onKeyDown={key}
        onClick={event => event.target === event.currentTarget && close()}
      >
        <div className="g-viewer-head">
          <p>
            <strong>{sender}</strong>
            <span>
              {formatMoment(message.createdAt)}
              {place && all.length > 1 && ` · ${place}`}
            </span>
          </p>
          {getFileType(message) !== 'video' && (
            <>
              <Hold
                label={t('viewer.zoomOut')}
                icon={ZoomOut}
                wideOnly
                disabled={zoom.scale <= 1}
                onPress={zoom.zoomOut}
              />
              <Hold label={t('viewer.zoomIn')} icon={ZoomIn} wideOnly onPress={zoom.zoomIn} />
              <Hold label={t('viewer.rotate')} icon={RotateCw} onPress={zoom.rotate} />
            </>
          )}
          {isTicket && (
            <button
              type="button"
              aria-label={t('action.forward')}
              onClick={() => {
                close()
                openForward(lane, message.id)
              }}
            >
              <Forward size={20} strokeWidth={1.6} aria-hidden="true" />
            </button>
          )}
          <a href={message.mediaUrl} download={message.media?.name} aria-label={t('viewer.download')}>
            <Download size={20} strokeWidth={1.6} aria-hidden="true" />
          </a>
          <button type="button" aria-label={t('viewer.close')} onClick={close}>
            <X size={20} strokeWidth={1.6} aria-hidden="true" />
          </button>
        </div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside the picture closes, as Escape does */}
        <div
          ref={stage}
          className="g-viewer-stage"
          aria-busy={awaited !== null}
          onClick={event => event.target === event.currentTarget && close()}
          {...swipe}
        >
          <Step
            label={t('msg.viewer.previous')}
            shown={hasNext(-1)}
            isAwaited={awaited === -1}
            onStep={() => go(-1)}
            side="left"
          />
          <Shown key={message.id} message={message} zoom={zoom} />
          <Step
            label={t('msg.viewer.next')}
            shown={hasNext(1)}
            isAwaited={awaited === 1}
            onStep={() => go(1)}
            side="right"
          />
        </div>
        {words.trim() !== '' && <p className="g-viewer-words">{words}</p>}
        <p className="b-only-read" aria-live="polite">
          {place ?? formatMoment(message.createdAt)}
        </p>
      </div>
    </Portal>
  )
}

interface HoldProps {
  readonly label: string
  readonly icon: LucideIcon
  readonly disabled?: boolean
  /** Fingers do it where there is little room. */
  readonly wideOnly?: boolean
  readonly onPress: () => void
}

function Hold({ label, icon: Sign, disabled = false, wideOnly = false, onPress }: HoldProps) {
  return (
    <button
      type="button"
      className={wideOnly ? 'is-wide-only' : undefined}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onPress}
    >
      <Sign size={20} strokeWidth={1.6} aria-hidden="true" />
    </button>
  )
}

function Shown({ message, zoom }: { readonly message: Message; readonly zoom: ReturnType<typeof useZoom> }) {
  const t = useTexts('tickets')
  if (getFileType(message) === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: what customers send has no captions
      <video src={message.mediaUrl ?? undefined} controls autoPlay playsInline aria-label={t('media.video')} />
    )
  return (
    <img
      src={message.mediaUrl ?? undefined}
      alt={getUnsignedText(message) || t('media.image')}
      className={zoom.isLyingDown ? 'is-lying' : undefined}
      style={zoom.style}
      draggable={false}
      {...zoom.hands}
    />
  )
}

interface StepProps {
  readonly label: string
  readonly side: 'left' | 'right'
  readonly shown: boolean
  /** The picture on this side is on its way. */
  readonly isAwaited: boolean
  readonly onStep: () => void
}

function Step({ label, side, shown, isAwaited, onStep }: StepProps) {
  const Arrow = side === 'left' ? ChevronLeft : ChevronRight
  return (
    <button type="button" className={`g-viewer-step is-${side}`} aria-label={label} disabled={!shown} onClick={onStep}>
      <Arrow size={28} strokeWidth={1.6} aria-hidden="true" />
      {isAwaited && <span className="b-spinner" aria-hidden="true" />}
    </button>
  )
}
