// Opens the menu of a message, and passes a file on; for the mouse: by keys the row itself does.
import type { Message } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { useTexts } from '@balcao/ui/i18n'
import { ChevronDown, Forward } from 'lucide-react'
import { canForward } from './can-forward.ts'

interface MoreButtonProps {
  readonly message: Message
  readonly onMenu: (message: Message, anchor: HTMLElement) => void
  readonly onForward?: ((message: Message) => void) | undefined
}

export function MoreButton({ message, onMenu, onForward }: MoreButtonProps) {
  const t = useTexts('tickets')
  return (
    <>
      <button
        type="button"
        className="m-more"
        tabIndex={-1}
        aria-label={t('messageMenu')}
        aria-haspopup="menu"
        onClick={event => onMenu(message, event.currentTarget)}
      >
        <ChevronDown size={16} strokeWidth={1.8} aria-hidden="true" />
      </button>
      {onForward && getMessageKind(message.mediaType).isFile && canForward(message) && (
        <button
          type="button"
          className="m-more is-forward"
          tabIndex={-1}
          aria-label={t('action.forward')}
          title={t('action.forward')}
          onClick={() => onForward(message)}
        >
          <Forward size={16} strokeWidth={1.8} aria-hidden="true" />
        </button>
      )}
    </>
  )
}
