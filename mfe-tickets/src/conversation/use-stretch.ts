// The stretch of the conversation that is drawn, carried along as messages come in at either end.
import type { Message } from '@balcao/contract'
import { useState } from 'react'
import { keyOf } from './rows.ts'
import { around, carried, earlier, later, type Stretch, tail } from './window.ts'

interface Known {
  readonly stretch: Stretch
  readonly count: number
  readonly firstKey: string | null
  readonly open: boolean
}

export interface StretchControl {
  readonly stretch: Stretch
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
  const firstKey = messages[0] ? keyOf(messages[0]) : null
  const [known, setKnown] = useState<Known>(() => {
    const unread = unreadId === undefined ? count : messages.findIndex(message => message.id === unreadId)
    return { stretch: tail(count, unread), count, firstKey, open }
  })
  let now = known
  if (known.count !== count || known.firstKey !== firstKey || known.open !== open) {
    now = { stretch: moved(known, messages, count, reading), count, firstKey, open }
    setKnown(now)
  }
  const show = (change: (stretch: Stretch) => Stretch) => setKnown(old => ({ ...old, stretch: change(old.stretch) }))
  return {
    stretch: now.stretch,
    showEarlier: () => show(earlier),
    showLater: () => show(stretch => later(stretch, count)),
    showTail: () => show(() => tail(count)),
    showAround: index => show(() => around(index, count)),
  }
}

function moved(known: Known, messages: readonly Message[], count: number, reading: boolean): Stretch {
  if (known.count === 0 || known.firstKey === null) return tail(count)
  const added = messages.findIndex(message => keyOf(message) === known.firstKey)
  if (added === -1) return tail(count)
  return carried(known.stretch, known.count, count, added, known.open, reading)
}
