// The menu of one message: quick reactions on top, then what the register allows.
import type { Message, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { type MenuItem, MenuPanel, toast } from '@balcao/ui/parts'
import { useRef } from 'react'
import type { MessageAction, MessageContext } from '../actions/message-action.ts'
import { MESSAGE_ACTIONS, mayReact } from '../actions/message-actions.ts'
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
  const items = actions.map(
    (action): MenuItem => ({
      ...item(action, t(action.labelKey), () => action.perform({ ticket, message })),
      reason: reasonOf(action, { ticket, message }, t),
    }),
  )
  const firstDanger = items.findIndex(entry => entry.danger)
  const lined: (MenuItem | 'line')[] =
    firstDanger > 0 ? [...items.slice(0, firstDanger), 'line', ...items.slice(firstDanger)] : items
  return (
    <MenuPanel
      anchor={place}
      label={t('messageMenu')}
      items={lined}
      align={message.fromMe ? 'end' : 'start'}
      header={mayReact(ticket, message) ? <ReactionBar message={message} onDone={onClose} /> : undefined}
      onClose={onClose}
    />
  )
}

function reasonOf({ reasonKey }: MessageAction, context: MessageContext, t: ReturnType<typeof useTexts>) {
  const key = reasonKey?.(context) ?? null
  return key === null ? undefined : t(key)
}

function item(action: MessageAction, label: string, perform: () => void | Promise<void>): MenuItem {
  return {
    id: action.id,
    label,
    icon: action.icon,
    shortcut: action.shortcut,
    danger: action.danger,
    onChoose: () => void perform(),
  }
}

function ReactionBar({ message, onDone }: { readonly message: Message; readonly onDone: () => void }) {
  const t = useTexts('tickets')
  const mine = message.reactions.find(reaction => reaction.fromMe)?.emoji
  async function react(emoji: string) {
    onDone()
    try {
      const body = { emoji: emoji === mine ? '' : emoji }
      takeMessage(await api('POST /messages/react/:id', { params: { id: message.id }, body }))
    } catch (error) {
      toast.error(errorText(error))
    }
  }
  return (
    <fieldset className="m-react" aria-label={t('react')}>
      {EMOJIS.map(emoji => (
        <button key={emoji} type="button" aria-pressed={emoji === mine} onClick={() => void react(emoji)}>
          {emoji}
        </button>
      ))}
    </fieldset>
  )
}
