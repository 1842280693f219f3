import { KeyRound } from 'lucide-react'
import type { ConnectionAction } from './action.ts'

/** After Meta refused the key: the form, where a new one goes in. */
export const token: ConnectionAction = {
  id: 'token',
  labelKey: 'offer.token',
  icon: KeyRound,
  perform: ({ id }, desk) => desk.open({ kind: 'edit', id }),
}
