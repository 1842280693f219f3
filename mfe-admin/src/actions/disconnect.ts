import { Unplug } from 'lucide-react'
import type { ConnectionAction } from './action.ts'

/** Asks, then logs the phone out. */
export const disconnect: ConnectionAction = {
  id: 'disconnect',
  labelKey: 'offer.disconnect',
  icon: Unplug,
  danger: true,
  perform: ({ id }, desk) => desk.open({ kind: 'logout', id }),
}
