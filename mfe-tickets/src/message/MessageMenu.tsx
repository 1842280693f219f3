// The menu of one message: quick reactions on top, then what the register allows.
import type { Message, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { MenuPanel } from '@balcao/ui/parts'
import { useRef } from 'react'
import { toMenuItems } from '../actions/menu-items.ts'
import { canReact, MESSAGE_ACTIONS } from '../actions/message-actions.ts'
import { takeMessage } from '../conversation/conversation-store.ts'
import { useAi } from './ai.ts'

const EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏']

interface MessageMenuProps {
  readonly ticket: Ticket
  readonly message: Message
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

export default function MessageMenu({ ticket, message, anchor, onClose }: MessageMenuProps) {
  const t = useTexts('tickets')
  const place = useRef<HTMLElement | null>(anchor)
  useAi()
  const actions = MESSAGE_ACTIONS.filter(action => action.when({ ticket, message }))
  return (
    <MenuPanel
      anchor={place}
      label={t('messageMenu')}
      items={toMenuItems(actions, { ticket, message }, t)}
      align={message.fromMe ? 'end' : 'start'}
      header={canReact(ticket, message) ? <ReactionBar message={message} onDone={onClose} /> : undefined}
      onClose={onClose}
    />
  )
}

function ReactionBar({ message, onDone }: { readonly message: Message; readonly onDone: () => void }) {
  const t = useTexts('tickets')
  const mine = message.reactions.find(reaction => reaction.fromMe)?.emoji
  async function react(emoji: string) {
    onDone()
    const body = { emoji: emoji === mine ? '' : emoji }
    takeMessage(await api('POST /messages/react/:id', { params: { id: message.id }, body }))
  }
  return (
    <fieldset className="m-react" aria-label={t('react')}>
      {EMOJIS.map(emoji => (
        <button
          key={emoji}
          type="button"
          aria-pressed={emoji === mine}
          onClick={() => void reportErrors(() => react(emoji))}
        >
          {emoji}
        </button>
      ))}
    </fieldset>
  )
}
