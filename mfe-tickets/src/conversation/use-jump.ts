// Going to one message of a conversation, wherever in its history it stands.
import type { Message } from '@balcao/contract'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { parseChatLane } from '../chats/lane.ts'
import { view } from '../desk/view.ts'
import { getMessageKey } from './rows.ts'
import type { Thread } from './thread.ts'

const BLINK_MS = 5000

/** Shows the message asked for in the middle and makes it blink for 5 s (spec 1 §2); gives the id of the one that blinks. */
export function useJump(
  { lane, history }: Pick<Thread, 'lane' | 'history'>,
  messages: readonly Message[],
  showAround: (index: number) => void,
  toRow: (key: string) => HTMLElement | null,
): number | null {
  const t = useTexts('tickets')
  const { jumpTo } = useSnapshot(view)
  const [blinking, setBlinking] = useState<{ readonly id: number } | null>(null)
  const here = jumpTo !== null && isHere(jumpTo, lane)
  const wanted = here ? jumpTo.messageId : null
  const target = here ? jumpTo.at : null
  const pending = useRef<{ readonly id: number; readonly takesFocus: boolean } | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked
  useEffect(() => {
    if (wanted === null) return
    pending.current = { id: wanted, takesFocus: jumpTo?.focus ?? false }
    history
      .reach(wanted)
      .then(found => {
        if (!found) toast.info(t('find.gone'))
      })
      .catch((error: unknown) => toast.error(describeError(error)))
      .finally(() => {
        if (view.jumpTo?.at === target) view.jumpTo = null
      })
  }, [wanted, target, lane])

  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again whenever other messages are there
  useEffect(() => {
    const { id, takesFocus } = pending.current ?? {}
    const index = messages.findIndex(message => message.id === id)
    const message = messages[index]
    if (!message) return
    pending.current = null
    setBlinking({ id: message.id })
    showAround(index)
    const show = () => {
      const row = toRow(getMessageKey(message))
      if (takesFocus && !document.activeElement?.matches('input, textarea')) row?.focus({ preventScroll: true })
    }
    requestAnimationFrame(() => requestAnimationFrame(show))
  }, [messages, wanted])

  useEffect(() => {
    if (!blinking) return
    const timer = setTimeout(() => setBlinking(null), BLINK_MS)
    return () => clearTimeout(timer)
  }, [blinking])
  return blinking?.id ?? null
}

/** A ticket's history shows messages of the contact's earlier tickets too, so any ticket's may be meant; a chat's are its own. */
function isHere(jumpTo: { readonly ticketId: number; readonly lane?: number }, lane: number): boolean {
  if (jumpTo.lane !== undefined) return jumpTo.lane === lane
  return parseChatLane(lane) === null ? parseChatLane(jumpTo.ticketId) === null : jumpTo.ticketId === lane
}
