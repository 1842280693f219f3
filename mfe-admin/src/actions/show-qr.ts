import { QrCode } from 'lucide-react'
import { startAfresh } from '../connections/calls.ts'
import type { ConnectionAction } from './action.ts'

/** Opens the QR code; one that lost its phone gets a new code. */
export const showQr: ConnectionAction = {
  id: 'qr',
  labelKey: 'offer.qr',
  icon: QrCode,
  perform: async ({ id, status }, desk) => {
    desk.open({ kind: 'qr', id })
    if (status === 'LOGGEDOUT') desk.put(await startAfresh(id))
  },
}
