// What people answered with one emoji, under the bubble; who it was is one press away.
import type { Message, Reaction } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Portal, useOverlay, usePlacing } from '@balcao/ui/parts'
import { type RefObject, useRef, useState } from 'react'

export function Reactions({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const chip = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { reactions } = message
  const emojis = [...new Set(reactions.map(reaction => reaction.emoji))].slice(0, 3)
  const names = reactions.map(reaction => `${nameReactor(reaction, t)} ${reaction.emoji}`).join(', ')
  return (
    <>
      <button
        ref={chip}
        type="button"
        className="m-reactions"
        aria-label={t('reactions', { who: names })}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {emojis.join(' ')}
        {reactions.length > 1 && ` ${reactions.length}`}
      </button>
      {open && <Who reactions={reactions} anchor={chip} onClose={() => setOpen(false)} />}
    </>
  )
}

interface WhoProps {
  readonly reactions: readonly Reaction[]
  readonly anchor: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

function Who({ reactions, anchor, onClose }: WhoProps) {
  const t = useTexts('tickets')
  const panel = useRef<HTMLDivElement>(null)
  const style = usePlacing(anchor, panel, { side: 'below', align: 'start' })
  useOverlay(panel, { onClose, outside: anchor })
  return (
    <Portal>
      <div ref={panel} className="b-menu" role="dialog" aria-label={t('msg.whoReacted')} style={style} tabIndex={-1}>
        <ul className="m-who">
          {reactions.map(reaction => (
            <li key={`${reaction.person ?? reaction.by}${reaction.fromMe}`}>
              <span aria-hidden="true">{reaction.emoji}</span>
              <span className="b-only-read">{reaction.emoji}</span>
              {nameReactor(reaction, t)}
            </li>
          ))}
        </ul>
      </div>
    </Portal>
  )
}

/** `me`: somebody reacted on the company's phone. */
export function nameReactor({ by, fromMe }: Reaction, t: ReturnType<typeof useTexts>): string {
  return fromMe && by === 'me' ? t('msg.onPhone') : by
}
