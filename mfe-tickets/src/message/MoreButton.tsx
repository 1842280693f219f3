// Opens the menu of a message; for the mouse: by keys the row itself does.
import type { Message } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { ChevronDown } from 'lucide-react'

interface MoreButtonProps {
  readonly message: Message
  readonly onMenu: (message: Message, anchor: HTMLElement) => void
}

export function MoreButton({ message, onMenu }: MoreButtonProps) {
  const t = useTexts('tickets')
  return (
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
  )
}
