// Which buttons a connection gets: by status and kind (spec 2 §4), and never one its kind cannot fulfil.
import type { Capabilities, ConnectionStatus, ConnectionTrouble } from './connection.ts'
import { isLinkedDevice } from './kinds.ts'

/** `retry` where the specification says 'try again', `reconnect` where a lost pairing is taken up again (meow). */
export type ConnectionOffer =
  | 'qr'
  | 'pair'
  | 'retry'
  | 'reconnect'
  | 'newQr'
  | 'takeUp'
  | 'disconnect'
  | 'token'
  | 'connecting'
  | 'doctor'
  | 'edit'
  | 'webhook'
  | 'restart'
  | 'recreate'
  | 'delete'

interface OfferFacts {
  readonly status: ConnectionStatus
  readonly trouble: ConnectionTrouble | null
  readonly capabilities: Capabilities
}

/** The buttons of a connection, the most useful first: those of the specification's table, and where it leaves no way on, one. */
export function listConnectionOffers({ status, trouble, capabilities }: OfferFacts): readonly ConnectionOffer[] {
  if (status === 'OPENING') return ['connecting']
  if (isRestored({ trouble })) return ['takeUp']
  const again = capabilities.reconnect ? 'reconnect' : 'retry'
  if (!isLinkedDevice(capabilities))
    return status === 'CONNECTED' ? [] : trouble?.next === 'new_token' ? ['token', again] : [again]
  const byCode: readonly ConnectionOffer[] = capabilities.pair.includes('code') ? ['pair'] : []
  const wantsCode = trouble?.next === 'read_qr'
  switch (status) {
    case 'qrcode':
    case 'LOGGEDOUT':
      return ['qr', ...byCode]
    case 'DISCONNECTED':
      if (capabilities.reconnect) return [again]
      return wantsCode ? ['newQr', again] : [again, 'newQr']
    case 'CONNECTED':
      return ['disconnect']
    case 'PAIRING':
      return [...byCode, 'disconnect']
    case 'TIMEOUT':
      return [wantsCode && !capabilities.reconnect ? 'newQr' : again, 'disconnect']
  }
}

/** What stands behind the three dots: everything else that makes sense now. */
export function listMenuOffers(facts: OfferFacts): readonly ConnectionOffer[] {
  const { status, capabilities } = facts
  const shown = listConnectionOffers(facts)
  const isLinked = isLinkedDevice(capabilities)
  const isHeld = isRestored(facts)
  const more: (ConnectionOffer | false)[] = [
    'edit',
    'doctor',
    capabilities.webhook && 'webhook',
    !isHeld && status !== 'LOGGEDOUT' && status !== 'OPENING' && 'restart',
    !isHeld && isLinked && capabilities.pair.includes('code') && status !== 'CONNECTED' && 'pair',
    !isHeld && isLinked && !shown.includes('newQr') && 'recreate',
    'delete',
  ]
  return more.filter(offer => offer !== false).filter(offer => !shown.includes(offer))
}

/** Whether it came back from a backup and waits until somebody says that the desk it comes from is off for good: nothing starts it before. */
export function isRestored({ trouble }: Pick<OfferFacts, 'trouble'>): boolean {
  return trouble?.reason === 'restored'
}
