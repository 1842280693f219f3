// Queue and connection proposed for a new conversation: the person's own, those used last here, the company's default.

import type { QueueBrief, Ticket } from '@balcao/contract'
import { readField } from '@balcao/contract/kit/read-field'
import { remember } from '@balcao/ui/browser'
import { toPersonalKey } from '@balcao/ui/session'
import type { LookupConnection } from '../desk/lookups.ts'

const STORED = 'balcao.new-ticket'

interface Last {
  readonly queueId: number | null
  readonly whatsappId: number | null
}

export function proposeQueue(queues: readonly QueueBrief[], last: Last): number | null {
  const [only] = queues
  if (queues.length === 1 && only) return only.id
  return queues.find(queue => queue.id === last.queueId)?.id ?? null
}

/** The person's connection, then the one used last, then the default, then one that is connected. */
export function proposeConnection(
  connections: readonly Pick<LookupConnection, 'id' | 'status' | 'isDefault'>[],
  own: number | null,
  last: Last,
): number | null {
  const known = (id: number | null) => connections.find(connection => connection.id === id)
  const chosen =
    known(own) ??
    known(last.whatsappId) ??
    connections.find(connection => connection.isDefault) ??
    connections.find(connection => connection.status === 'CONNECTED') ??
    connections[0]
  return chosen?.id ?? null
}

export function readLast(): Last {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(toPersonalKey(STORED)) ?? 'null')
    const id = (name: string) => {
      const field = readField(value, name)
      return typeof field === 'number' ? field : null
    }
    return { queueId: id('queueId'), whatsappId: id('whatsappId') }
  } catch {
    // Nothing usable is remembered; the defaults stand.
    return { queueId: null, whatsappId: null }
  }
}

export function keepLast({ queueId, whatsappId }: Pick<Ticket, 'queueId' | 'whatsappId'>) {
  remember(toPersonalKey(STORED), JSON.stringify({ queueId, whatsappId }))
}
