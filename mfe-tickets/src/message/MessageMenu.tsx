// The menu of one message: quick reactions on top, then what the register allows.
import type { Message, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { defineLatePart, MenuPanel } from '@balcao/ui/parts'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { toMenuItems } from '../actions/menu-items.ts'
import { canReact, MESSAGE_ACTIONS } from '../actions/message-actions.ts'
import { takeMessage } from '../conversation/conversation-store.ts'
import { useAi } from './ai.ts'
import './late.ts'

const ReactionPicker = defineLatePart(() => import('./ReactionPicker.tsx'))

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
  const [picks, setPicks] = useState(false)
  useAi()
  const align = message.fromMe ? 'end' : 'start'
  if (picks)
    return (
      <ReactionPicker
        anchor={place}
        align={align}
        onChoose={emoji => {
          onClose()
          void reportErrors(() => react(message, emoji))
        }}
        onClose={onClose}
      />
    )
  const actions = MESSAGE_ACTIONS.filter(action => action.when({ ticket, message }))
  return (
    <MenuPanel
      anchor={place}
      label={t('messageMenu')}
      items={toMenuItems(actions, { ticket, message }, t)}
      align={align}
      header={
        canReact(ticket, message) ? (
          <ReactionBar message={message} onDone={onClose} onMore={() => setPicks(true)} />
        ) : undefined
      }
      onClose={onClose}
    />
  )
}

interface ReactionBarProps {
  readonly message: Message
  readonly onDone: () => void
  /** Another one is wanted. */
  readonly onMore: () => void
}

function ReactionBar({ message, onDone, onMore }: ReactionBarProps) {
  const t = useTexts('tickets')
  const mine = findOwnReaction(message)
  // One that was picked from all stands here too, to be taken back.
  const offered = mine && !EMOJIS.includes(mine) ? [...EMOJIS, mine] : EMOJIS
  return (
    <fieldset className="m-react" aria-label={t('react')}>
      {offered.map(emoji => (
        <button
          key={emoji}
          type="button"
          aria-pressed={emoji === mine}
          onClick={() => {
            onDone()
            void reportErrors(() => react(message, emoji))
          }}
        >
          {emoji}
        </button>
      ))}
      <button type="button" aria-label={t('msg.otherEmoji')} title={t('msg.otherEmoji')} onClick={onMore}>
        <Plus size={18} strokeWidth={1.6} aria-hidden="true" />
      </button>
    </fieldset>
  )
}

function findOwnReaction({ reactions }: Message): string | undefined {
  return reactions.find(reaction => reaction.fromMe)?.emoji
}

/** The same once more takes it back. */
async function react(message: Message, emoji: string): Promise<void> {
  const body = { emoji: emoji === findOwnReaction(message) ? '' : emoji }
  takeMessage(await api('POST /messages/react/:id', { params: { id: message.id }, body }))
}
