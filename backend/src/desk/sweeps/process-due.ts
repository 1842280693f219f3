// How a sweep goes through what is due: each ticket in a transaction of its own, so that nobody waits for more than one of them.
import type { Tx } from '../../platform/database/client.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'

/** `signal`: the process is asked to end; it stops after the ticket at hand. */
export interface SweepContext extends Pick<Parts, 'db' | 'ring'> {
  readonly log: { error(fields: object, text: string): void }
  readonly signal?: AbortSignal | undefined
}

/** The time a sweep acts on: asked anew for every page, because a long one goes on past the end of the hours it may act in. */
export type Clock = () => Date

/** What became of a ticket: left alone (somebody else has it, or it is not due any more), or nothing is to be done with those like it. */
export type SweepOutcome = 'done' | 'left' | 'stop'

export const PAGE = 100

/** Of more that fail in one run the log says no more than how many. */
const MOST_TOLD = 100

/**
 * Acts on what is due until nothing is left; gives how many. `due` reads the next `PAGE` of them without those to be left alone. What
 * fails is told to the log and tried again by the next run: no ticket stops those behind it, and neither do hundreds.
 */
export async function processDue(
  sweeping: SweepContext,
  due: (leftAlone: readonly number[]) => Promise<readonly { readonly id: number }[]>,
  act: (tx: Tx, id: number) => Promise<SweepOutcome>,
): Promise<number> {
  const { log, signal } = sweeping
  const left: number[] = []
  let failed = 0
  try {
    return await goOn()
  } finally {
    if (failed > MOST_TOLD) log.error({ failed }, 'a sweep failed on many tickets')
  }

  async function goOn(): Promise<number> {
    for (let done = 0; ; ) {
      const page = await due(left)
      for (const { id } of page) {
        if (signal?.aborted) return done
        const outcome = await one(id).catch((error): SweepOutcome => {
          if (++failed <= MOST_TOLD) log.error({ err: error, ticketId: id }, 'a sweep failed on a ticket')
          return 'left'
        })
        if (outcome === 'stop') return done
        if (outcome === 'done') done++
        else left.push(id)
      }
      if (page.length < PAGE) return done
    }
  }

  async function one(id: number): Promise<SweepOutcome> {
    const outcome = await change(sweeping, async tx => {
      const acted = await act(tx, id)
      crashAtFailPoint('sweep:before-commit')
      return acted
    })
    crashAtFailPoint('sweep:after-commit')
    return outcome
  }
}
