// One picture or video, whole, over everything; arrows go through the others of the conversation.
import type { Message } from '@balcao/contract'
import { formatMoment, useTexts } from '@balcao/ui/i18n'
import { combineStops } from '@balcao/ui/live'
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
import { type KeyboardEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { getChatStores } from '../chats/chat-stores.ts'
import { parseChatLane } from '../chats/lane.ts'
import { getUnsignedText, splitSignature } from '../composer/wording.ts'
import { listHeldConversations } from '../conversation/conversation-store.ts'
import { openForward, view } from '../desk/view.ts'
import { getFileType, isPicture } from './file-type.ts'
import { useZoom } from './use-zoom.ts'
import './late.ts'

interface ViewerProps {
  readonly messageId: number
  /** The ticket, or the negative of an internal chat. */
  readonly lane: number
}

export default function Viewer({ messageId, lane }: ViewerProps) {
  const t = useTexts('tickets')
  const panel = useRef<HTMLDivElement>(null)
  const close = () => {
    view.viewer = null
  }
  const stage = useRef<HTMLDivElement>(null)
  const zoom = useZoom(messageId, stage)
  useSnapshot(view)
  useOverlay(panel, { onClose: close, trap: true })
  const around = useSyncExternalStore(
    listener => subscribeHeld(lane, listener),
    () => findAround(messageId, lane),
  )
  const all = view.viewer?.among ?? around.filter(isShown)
  const at = all.findIndex(message => message.id === messageId)
  const message = all[at]
  // Deleted meanwhile, or out of this person's sight: what nobody sees takes no keys.
  const isGone = !message?.mediaUrl
  useEffect(() => {
    if (isGone) view.viewer = null
  }, [isGone])
  if (!message?.mediaUrl) return null

  function go(step: number) {
    const next = all[at + step]
    if (next && view.viewer) view.viewer = { ...view.viewer, messageId: next.id }
  }
  function key(event: KeyboardEvent) {
    // A video has its own use for the arrows.
    if (event.target instanceof HTMLVideoElement) return
    const hold = { '+': zoom.zoomIn, '=': zoom.zoomIn, '-': zoom.zoomOut, r: zoom.rotate }[event.key]
    if (hold && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      return hold()
    }
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -at, End: all.length - 1 - at }[event.key]
    if (step === undefined) return
    event.preventDefault()
    go(step)
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
              {all.length > 1 && ` · ${t('msg.viewer.place', { at: at + 1, of: all.length })}`}
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
        <div ref={stage} className="g-viewer-stage" onClick={event => event.target === event.currentTarget && close()}>
          <Step label={t('msg.viewer.previous')} shown={at > 0} onStep={() => go(-1)} side="left" />
          <Shown key={message.id} message={message} zoom={zoom} />
          <Step label={t('msg.viewer.next')} shown={at < all.length - 1} onStep={() => go(1)} side="right" />
        </div>
        {words.trim() !== '' && <p className="g-viewer-words">{words}</p>}
        <p className="b-only-read" aria-live="polite">
          {t('msg.viewer.place', { at: at + 1, of: all.length })}
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
  readonly onStep: () => void
}

function Step({ label, side, shown, onStep }: StepProps) {
  const Arrow = side === 'left' ? ChevronLeft : ChevronRight
  return (
    <button type="button" className={`g-viewer-step is-${side}`} aria-label={label} disabled={!shown} onClick={onStep}>
      <Arrow size={28} strokeWidth={1.6} aria-hidden="true" />
    </button>
  )
}

const NONE: readonly Message[] = []

/** The messages of the conversation that holds this one, oldest first. */
function findAround(messageId: number, lane: number): readonly Message[] {
  const all = listHeld(lane).map(conversation => conversation.view().messages)
  return all.find(messages => messages.some(message => message.id === messageId)) ?? NONE
}

function subscribeHeld(lane: number, listener: () => void): () => void {
  return combineStops(...listHeld(lane).map(conversation => conversation.subscribe(listener)))
}

function listHeld(lane: number) {
  return parseChatLane(lane) === null ? listHeldConversations() : getChatStores().held()
}

function isShown(message: Message): boolean {
  return isPicture(message) && message.mediaUrl !== null && !message.isDeleted
}
