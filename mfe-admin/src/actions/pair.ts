import { Smartphone } from 'lucide-react'
import type { ConnectionAction } from './action.ts'

/** Pairs by a code typed on the phone, where a camera is not at hand. */
export const pair: ConnectionAction = {
  id: 'pair',
  labelKey: 'offer.pair',
  icon: Smartphone,
  perform: ({ id }, desk) => desk.open({ kind: 'pair', id }),
}
