import { RotateCw } from 'lucide-react'
import { startSession } from '../connections/calls.ts'
import type { ConnectionAction } from './action.ts'

/** Tries now instead of waiting for the next try. */
export const retry: ConnectionAction = {
  id: 'retry',
  labelKey: 'offer.retry',
  icon: RotateCw,
  perform: async ({ id }, desk) => desk.put(await startSession(id)),
}

/** The same under the word the specification has for kind meow (spec 2 §4). */
export const reconnect: ConnectionAction = { ...retry, id: 'reconnect', labelKey: 'offer.reconnect' }
