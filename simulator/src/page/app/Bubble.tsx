// One message on a phone, with what can be done to it behind a tap.
import { Ban, ChevronDown, CornerUpLeft, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Bubble } from '../model.ts'
import { BubbleContent } from './BubbleContent.tsx'
import type { MessageTarget } from './Chat.tsx'
import { act } from './client.ts'
import { formatClock } from './format.ts'
import { Ticks } from './Ticks.tsx'

const EMOJI = ['👍', '❤️', '😂', '😮', '🙏']

interface Props {
  bubble: Bubble
  phone: string
  /** Who the other side is. */
  peer: string
  canEdit: boolean
  follows: boolean
  onAim: (aim: MessageTarget) => void
}

export function BubbleRow({ bubble, phone, peer, canEdit, follows, onAim }: Props) {
  const [menu, setMenu] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!menu) return
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !row.current?.contains(event.target)) setMenu(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [menu])
  useEffect(() => {
    if (menu) row.current?.scrollIntoView({ block: 'nearest' })
  }, [menu])

  function toggle(): void {
    if (!bubble.deleted) setMenu(!menu)
  }

  const classes = ['bubble', bubble.mine ? 'mine' : 'theirs', `of-${bubble.kind}`, follows ? '' : 'turn']
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu from anywhere inside
    <div
      className={`row ${bubble.mine ? 'mine' : 'theirs'} ${bubble.reactions.length > 0 ? 'reacted' : ''}`}
      ref={row}
      onKeyDown={event => event.key === 'Escape' && setMenu(false)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: a tap anywhere does what the button inside does */}
      <div className={classes.join(' ')} onClick={toggle}>
        {!bubble.deleted && (
          <button
            type="button"
            className="bubble-more"
            aria-label={`Opções da mensagem das ${formatClock(bubble.at)}`}
            aria-expanded={menu}
          >
            <ChevronDown size={16} strokeWidth={1.8} />
          </button>
        )}
        {bubble.quote && (
          <p className="quote">
            <b>{bubble.quote.mine ? 'Você' : peer}</b>
            {bubble.quote.text}
          </p>
        )}
        {bubble.deleted ? (
          <span className="deleted">
            <Ban size={14} strokeWidth={2} /> Mensagem apagada
          </span>
        ) : (
          <BubbleContent bubble={bubble} phone={phone} />
        )}
        <span className="meta">
          {bubble.edited && !bubble.deleted && <span>Editada</span>}
          <time dateTime={bubble.at}>{formatClock(bubble.at)}</time>
          {bubble.tick && !bubble.deleted && <Ticks tick={bubble.tick} />}
        </span>
        {bubble.note && <span className="bubble-note">{bubble.note}</span>}
        {bubble.reactions.length > 0 && <span className="reactions">{bubble.reactions.join('')}</span>}
      </div>
      {menu && (
        <BubbleMenu bubble={bubble} phone={phone} canEdit={canEdit} onAim={onAim} onDone={() => setMenu(false)} />
      )}
    </div>
  )
}

interface MenuProps extends Omit<Props, 'follows' | 'peer'> {
  onDone: () => void
}

function BubbleMenu({ bubble, phone, canEdit, onAim, onDone }: MenuProps) {
  function pick(run: () => unknown) {
    return () => {
      run()
      onDone()
    }
  }
  return (
    <div className="bubble-menu">
      <span className="bubble-emoji">
        {EMOJI.map(emoji => {
          const chosen = bubble.reactions.includes(emoji)
          return (
            <button
              key={emoji}
              type="button"
              aria-label={`Reagir com ${emoji}`}
              aria-pressed={chosen}
              onClick={pick(() => act.react(phone, bubble.id, chosen ? '' : emoji))}
            >
              {emoji}
            </button>
          )
        })}
      </span>
      <button type="button" onClick={pick(() => onAim({ to: 'quote', bubble }))}>
        <CornerUpLeft size={16} strokeWidth={1.8} /> Responder
      </button>
      {bubble.mine && canEdit && bubble.kind === 'text' && (
        <button type="button" onClick={pick(() => onAim({ to: 'edit', bubble }))}>
          <Pencil size={16} strokeWidth={1.8} /> Editar
        </button>
      )}
      {bubble.mine && (
        <button type="button" className="danger" onClick={pick(() => act.remove(phone, bubble.id))}>
          <Trash2 size={16} strokeWidth={1.8} /> Apagar
        </button>
      )}
    </div>
  )
}
