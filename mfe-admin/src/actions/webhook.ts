import { Link2 } from 'lucide-react'
import type { ConnectionAction } from './action.ts'

/** Shows what has to be pasted at Meta's. */
export const webhook: ConnectionAction = {
  id: 'webhook',
  labelKey: 'offer.webhook',
  icon: Link2,
  perform: ({ id }, desk) => desk.open({ kind: 'webhook', id }),
}
