import { QrCode } from 'lucide-react'
import { startAfresh } from '../connections/calls.ts'
import type { ConnectionAction } from './action.ts'

/** A new QR code. Where a phone is still paired it asks first, because that pairing is forgotten. */
export const newQr: ConnectionAction = {
  id: 'newQr',
  labelKey: 'offer.newQr',
  icon: QrCode,
  perform: async ({ id, number, trouble }, desk) => {
    if (number !== null && trouble?.next !== 'read_qr') return desk.open({ kind: 'fresh', id })
    desk.open({ kind: 'qr', id })
    desk.put(await startAfresh(id))
  },
}
