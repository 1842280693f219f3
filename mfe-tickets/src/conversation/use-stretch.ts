// The stretch of the conversation that is drawn, carried along as messages come in at either end.
import type { Message } from '@balcao/contract'
import { useState } from 'react'
import { getMessageKey } from './rows.ts'
import { adjustStretch, type DrawnRange, moveEarlier, moveLater, showAround, showNewest } from './window.ts'

interface StretchState {
  readonly stretch: DrawnRange
  readonly count: number
  readonly firstKey: string | null
  readonly open: boolean
}

export interface StretchControl {
  readonly stretch: DrawnRange
  readonly showEarlier: () => void
  readonly showLater: () => void
  readonly showTail: () => void
  readonly showAround: (index: number) => void
}

/**
 * @param open newer messages than these are not loaded
 * @param unreadId the first message that was not read when the conversation was opened: it is drawn from the start
 * @param reading the person is not at the newest: what is drawn there stays
 */
export function useStretch(
  messages: readonly Message[],
  open: boolean,
  unreadId: number | undefined,
  reading: boolean,
): StretchControl {
  const count = messages.length
  const firstKey = messages[0] ? getMessageKey(messages[0]) : null
  const [known, setKnown] = useState<StretchState>(() => {
    const unread = unreadId === undefined ? count : messages.findIndex(message => message.id === unreadId)
    return { stretch: showNewest(count, unread), count, firstKey, open }
  })
  let now = known
  if (known.count !== count || known.firstKey !== firstKey || known.open !== open) {
    now = { stretch: moveStretch(known, messages, count, reading), count, firstKey, open }
    setKnown(now)
  }
  const show = (change: (stretch: DrawnRange) => DrawnRange) =>
    setKnown(old => ({ ...old, stretch: change(old.stretch) }))
  return {
    stretch: now.stretch,
    showEarlier: () => show(moveEarlier),
    showLater: () => show(stretch => moveLater(stretch, count)),
    showTail: () => show(() => showNewest(count)),
    showAround: index => show(() => showAround(index, count)),
  }
}

function moveStretch(known: StretchState, messages: readonly Message[], count: number, reading: boolean): DrawnRange {
  if (known.count === 0 || known.firstKey === null) return showNewest(count)
  const added = messages.findIndex(message => getMessageKey(message) === known.firstKey)
  if (added === -1) return showNewest(count)
  return adjustStretch(known.stretch, known.count, count, added, known.open, reading)
}
