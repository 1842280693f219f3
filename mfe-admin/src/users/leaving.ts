// What becomes of the live tickets of somebody who leaves a queue, or the desk (decisions §3, §8).
import type { UserDetails } from '@balcao/contract'
import type { SubstituteRow } from './form.ts'

/** Tickets of one queue, and who has them then; null: they wait again. */
export interface TicketFate {
  readonly queueId: number | null
  readonly tickets: number
  readonly to: string | null
}

interface UserRemoval {
  /** `off`: deactivated, so that only rows with `transfer` count; `deleted`: all rows do. `queues`: these queues are lost. */
  readonly how: 'off' | 'deleted' | { readonly queues: readonly number[] }
  readonly rows: readonly SubstituteRow[]
  readonly people: readonly {
    readonly id: number
    readonly name: string
    readonly active: boolean
    readonly profile: string
    readonly queueIds: readonly number[]
  }[]
}

/** As the server does it. */
export function decideTicketFates(live: UserDetails['liveTickets'], { how, rows, people }: UserRemoval): TicketFate[] {
  return live.flatMap(({ queueId, tickets }) => {
    if (typeof how === 'object') {
      const isLost = queueId !== null && how.queues.includes(queueId)
      return isLost ? [{ queueId, tickets, to: null }] : []
    }
    const row = rows.find(each => each.queueId === queueId && (how === 'deleted' || each.transfer))
    const person = people.find(({ id }) => id === row?.userId)
    const may = person?.active && (person.profile === 'admin' || person.queueIds.includes(queueId ?? 0))
    return [{ queueId, tickets, to: may ? person.name : null }]
  })
}
