import { Trash2 } from 'lucide-react'
import type { ConnectionAction } from './action.ts'

/** Asks, then deletes; with conversations in service it asks again. */
export const remove: ConnectionAction = {
  id: 'delete',
  labelKey: 'offer.delete',
  icon: Trash2,
  danger: true,
  perform: ({ id }, desk) => desk.open({ kind: 'remove', id }),
}
