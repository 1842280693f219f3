import { describe, expect, test } from 'bun:test'
import { menuFor, offersFor } from '../src/connections/offers.ts'
import { aConnection, aTrouble } from './connection.ts'

describe('actions per status and kind (spec 2 §4)', () => {
  test('qrcode and LOGGEDOUT offer the QR code, and the pair code where the kind can', () => {
    expect(offersFor(aConnection({ status: 'qrcode' }))).toEqual(['qr', 'pair'])
    expect(offersFor(aConnection({ status: 'LOGGEDOUT' }))).toEqual(['qr', 'pair'])
    const onlyQr = { ...aConnection().capabilities, pair: ['qr' as const] }
    expect(offersFor(aConnection({ status: 'qrcode', capabilities: onlyQr }))).toEqual(['qr'])
  })

  test('DISCONNECTED offers reconnecting; not meow a new QR too', () => {
    expect(offersFor(aConnection({ status: 'DISCONNECTED', trouble: aTrouble() }))).toEqual(['retry', 'newQr'])
    expect(offersFor(aConnection({ status: 'DISCONNECTED', api: 'meow' }))).toEqual(['retry'])
  })

  test('OPENING offers nothing but the disabled word', () => {
    expect(offersFor(aConnection({ status: 'OPENING' }))).toEqual(['connecting'])
  })

  test('CONNECTED can be disconnected where a phone is paired; the Meta API has nothing to disconnect', () => {
    expect(offersFor(aConnection({ status: 'CONNECTED' }))).toEqual(['disconnect'])
    expect(offersFor(aConnection({ status: 'CONNECTED', api: 'cloud_api' }))).toEqual([])
  })

  test('a code nobody read asks for a new one, not for another try', () => {
    const trouble = aTrouble({ reason: 'qr_not_read', next: 'read_qr', nextTryAt: null })
    expect(offersFor(aConnection({ status: 'TIMEOUT', trouble }))).toEqual(['newQr', 'pair'])
  })

  test('a refused key asks for a new key', () => {
    const trouble = aTrouble({ reason: 'token_refused', next: 'new_token', nextTryAt: null })
    expect(offersFor(aConnection({ api: 'cloud_api', status: 'DISCONNECTED', trouble }))).toEqual(['token', 'retry'])
  })

  test('no kind is ever offered a way to pair that it does not have', () => {
    for (const status of [
      'DISCONNECTED',
      'OPENING',
      'qrcode',
      'LOGGEDOUT',
      'CONNECTED',
      'TIMEOUT',
      'PAIRING',
    ] as const) {
      const meta = aConnection({ api: 'cloud_api', status })
      const offered = [...offersFor(meta), ...menuFor(meta)]
      expect(offered.filter(offer => offer === 'qr' || offer === 'newQr' || offer === 'pair')).toEqual([])
    }
  })

  test('the menu repeats no button of the card and ends with delete', () => {
    for (const status of ['DISCONNECTED', 'qrcode', 'LOGGEDOUT', 'CONNECTED', 'TIMEOUT', 'PAIRING'] as const) {
      const connection = aConnection({ status })
      const shown: readonly string[] = offersFor(connection)
      expect(menuFor(connection).filter(offer => shown.includes(offer))).toEqual([])
      expect(menuFor(connection).at(-1)).toBe('delete')
    }
  })
})
