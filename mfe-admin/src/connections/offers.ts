// Which buttons a connection gets: by status and kind (spec 2 §4), and never one its kind cannot fulfil.
import type { Connection } from '@balcao/contract'
import { isLinkedDevice } from '@balcao/contract/kinds'

/** What a person can do to a connection; each has its file in `actions/`. */
export type Offer = 'qr' | 'pair' | 'retry' | 'newQr' | 'disconnect' | 'token' | 'connecting'
export type MenuOffer = 'edit' | 'restart' | 'webhook' | 'delete' | 'newQr' | 'pair' | 'disconnect'

type Facts = Pick<Connection, 'status' | 'trouble' | 'capabilities'>

/** The buttons on the card, the most useful first. */
export function offersFor(connection: Facts): readonly Offer[] {
  const byQr = connection.capabilities.pair.includes('qr')
  const byCode = connection.capabilities.pair.includes('code')
  switch (connection.status) {
    case 'OPENING':
      return ['connecting']
    case 'qrcode':
    case 'LOGGEDOUT':
      if (!byQr && !byCode) return waitingForToken(connection)
      return [...(byQr ? ['qr' as const] : []), ...(byCode ? ['pair' as const] : [])]
    case 'DISCONNECTED':
      if (connection.trouble?.next === 'new_token') return waitingForToken(connection)
      if (connection.trouble?.next === 'read_qr' && byQr) return ['newQr', ...(byCode ? ['pair' as const] : [])]
      return ['retry', ...(byQr && !connection.capabilities.reconnect ? ['newQr' as const] : [])]
    case 'PAIRING':
      return byCode ? ['pair'] : ['disconnect']
    case 'TIMEOUT':
      if (connection.trouble?.next === 'read_qr' && byQr) return ['newQr', ...(byCode ? ['pair' as const] : [])]
      return byQr || byCode ? ['retry', 'disconnect'] : ['retry']
    case 'CONNECTED':
      return byQr || byCode ? ['disconnect'] : []
  }
}

/** What stands behind the three dots: everything else that makes sense now. */
export function menuFor(connection: Facts): readonly MenuOffer[] {
  const shown = offersFor(connection)
  const paired = isLinkedDevice(connection.capabilities)
  const canPair = connection.capabilities.pair.includes('code')
  const out = connection.status !== 'CONNECTED'
  const offers: (MenuOffer | false)[] = [
    'edit',
    connection.capabilities.webhook && 'webhook',
    connection.status !== 'LOGGEDOUT' && connection.status !== 'OPENING' && 'restart',
    paired && out && !shown.includes('newQr') && !shown.includes('qr') && 'newQr',
    canPair && out && !shown.includes('pair') && 'pair',
    paired && connection.status === 'PAIRING' && !shown.includes('disconnect') && 'disconnect',
    'delete',
  ]
  return offers.filter(offer => offer !== false)
}

function waitingForToken(connection: Facts): readonly Offer[] {
  return connection.capabilities.pair.includes('token') ? ['token', 'retry'] : ['retry']
}
