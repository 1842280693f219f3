// An open chat: header, wall of bubbles, composer. While it is in view, what arrives is read.
import { ChevronLeft, Phone as PhoneIcon } from 'lucide-react'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Bubble, PhoneView } from '../model.ts'
import { BubbleRow } from './Bubble.tsx'
import { Face } from './ChatList.tsx'
import { Composer } from './Composer.tsx'
import { act } from './client.ts'
import { formatDayName } from './format.ts'

const READING_MS = 1200

/** What the composer is about to do to an existing message. */
export interface MessageTarget {
  to: 'quote' | 'edit'
  bubble: Bubble
}

export function Chat({ phone, peer }: { phone: PhoneView; peer: NonNullable<PhoneView['peer']> }) {
  const [aim, setAim] = useState<MessageTarget>()
  const wall = useRef<HTMLDivElement>(null)
  const last = phone.bubbles.at(-1)
  useReading(phone, last)

  const sight = `${last?.id}/${peer.typing}/${phone.bubbles.length}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the end of the chat
  useLayoutEffect(() => toTheEnd(wall.current), [sight])
  useEffect(() => stayAtTheEnd(wall.current), [])

  return (
    <>
      <div className="phone-head">
        <button
          type="button"
          className="head-button"
          aria-label="Ver conversas"
          onClick={() => void act.open(phone.id, null)}
        >
          <ChevronLeft size={20} strokeWidth={1.8} />
        </button>
        <Face name={peer.name} company={phone.role === 'customer'} />
        <span className="head-words">
          <b>{peer.name}</b>
          <span>{peer.typing ? TYPING[peer.typing] : peer.subtitle}</span>
        </span>
        {peer.canCall && (
          <button
            type="button"
            className="head-button"
            aria-label="Ligar"
            onClick={() => void act.phoneCall(phone.id, false)}
          >
            <PhoneIcon size={19} strokeWidth={1.7} />
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area has to be reachable by keyboard */}
      <div className="wall" ref={wall} role="log" aria-label={`Conversa com ${peer.name}`} tabIndex={0}>
        {phone.bubbles.length === 0 && <p className="wall-empty">Escreva a primeira mensagem para {peer.name}.</p>}
        {phone.bubbles.map((bubble, index) => (
          <Fragment key={bubble.id}>
            {getDay(bubble) !== getDay(phone.bubbles[index - 1]) && <p className="day">{formatDayName(bubble.at)}</p>}
            <BubbleRow
              bubble={bubble}
              phone={phone.id}
              peer={peer.name}
              canEdit={peer.canEdit}
              follows={phone.bubbles[index - 1]?.mine === bubble.mine}
              onAim={setAim}
            />
          </Fragment>
        ))}
        {peer.typing && (
          <p className="typing-dots" role="status" aria-label={TYPING[peer.typing]}>
            <i />
            <i />
            <i />
          </p>
        )}
      </div>
      <Composer phone={phone} aim={aim} onAim={setAim} onAimed={() => setAim(undefined)} />
    </>
  )
}

function toTheEnd(wall: HTMLElement | null): void {
  wall?.scrollTo({ top: wall.scrollHeight })
}

/** Pictures that load and sheets that open must not push the newest message out of sight. */
function stayAtTheEnd(wall: HTMLElement | null): (() => void) | undefined {
  if (!wall) return undefined
  const follow = () => toTheEnd(wall)
  const observer = new ResizeObserver(follow)
  observer.observe(wall)
  wall.addEventListener('load', follow, true)
  wall.addEventListener('loadedmetadata', follow, true)
  return () => observer.disconnect()
}

const TYPING = { composing: 'digitando…', recording: 'gravando áudio…' }

function getDay(bubble: Bubble | undefined): string {
  return bubble ? new Date(bubble.at).toDateString() : ''
}

/** Reads what arrived a moment later, as an owner who looks at the phone would; not while the page is hidden. */
function useReading(phone: PhoneView, last: Bubble | undefined): void {
  const unread = phone.chats.find(chat => chat.id === phone.open)?.unread ?? 0
  const wanted = unread > 0 && phone.network !== 'off' ? last?.id : undefined
  useEffect(() => {
    if (!wanted) return
    const read = () => document.visibilityState === 'visible' && void act.read(phone.id)
    const timer = setTimeout(read, READING_MS)
    document.addEventListener('visibilitychange', read)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', read)
    }
  }, [wanted, phone.id])
}
