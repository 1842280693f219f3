import { useTexts } from '@balcao/ui/i18n'
import { Portal, useOverlay } from '@balcao/ui/parts'
import { Download, X } from 'lucide-react'
import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { chatDesk } from '../chats/chat-desk.ts'
import { chatOfLane } from '../chats/lane.ts'
import { heldConversations } from '../conversation/conversation-store.ts'
import { view } from '../desk/view.ts'

/** One image, whole, over everything; Escape or a click beside it closes. */
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
  useSnapshot(view)
  useOverlay(panel, { onClose: close, trap: true })
  const held = chatOfLane(lane) === null ? heldConversations() : chatDesk().held()
  const message = held.flatMap(conversation => conversation.view().messages).find(other => other.id === messageId)
  if (!message?.mediaUrl) return null
  return (
    <Portal>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes */}
      <div
        ref={panel}
        className="g-viewer"
        role="dialog"
        aria-modal="true"
        aria-label={t('viewer.title')}
        tabIndex={-1}
        onClick={event => event.target === event.currentTarget && close()}
      >
        <div className="g-viewer-head">
          <p>{message.body}</p>
          <a href={message.mediaUrl} download={message.media?.name} aria-label={t('viewer.download')}>
            <Download size={20} strokeWidth={1.6} aria-hidden="true" />
          </a>
          <button type="button" aria-label={t('viewer.close')} onClick={close}>
            <X size={20} strokeWidth={1.6} aria-hidden="true" />
          </button>
        </div>
        <img src={message.mediaUrl} alt={message.body || t('media.image')} />
      </div>
    </Portal>
  )
}
