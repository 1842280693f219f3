import { describe, expect, test } from 'bun:test'
import { ASKING_MS, GRACE_MS, resolveQrState, splitPairCode } from '@balcao/contract/connections/qr-state'
import { computeQrSide, drawQr, drawQrPath, QR_ROOM } from '../src/connections/qr-path.ts'
import { makeConnection, makeTrouble } from './connection.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const PAIRING = `2@${'x'.repeat(150)},${'y'.repeat(44)},${'z'.repeat(40)}`
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toISOString()

describe('the QR dialog', () => {
  test('always shows the newest code with the time it has left', () => {
    const connection = makeConnection({ status: 'qrcode', qrcode: 'newest', qrExpiresAt: inSeconds(12) })
    expect(resolveQrState(connection, now)).toEqual({ step: 'code', text: 'newest', secondsLeft: 12, share: 0.8 })
  })

  test('waits a moment for the next code before it calls the old one expired', () => {
    const connection = makeConnection({ status: 'qrcode', qrcode: 'old', qrExpiresAt: inSeconds(0) })
    expect(resolveQrState(connection, now + GRACE_MS - 1)).toMatchObject({ step: 'code', secondsLeft: 0 })
    expect(resolveQrState(connection, now + GRACE_MS)).toEqual({ step: 'expired' })
  })

  test('a code nobody read in time is expired', () => {
    const trouble = makeTrouble({ reason: 'qr_not_read', next: 'read_qr', nextTryAt: null })
    expect(resolveQrState(makeConnection({ status: 'TIMEOUT', trouble }), now).step).toBe('expired')
  })

  test('just opened, an old expired state is not shown: a new code has been asked for', () => {
    const connection = makeConnection({ status: 'TIMEOUT' })
    expect(resolveQrState(connection, now + ASKING_MS - 1, now).step).toBe('waiting')
    expect(resolveQrState(connection, now + ASKING_MS, now).step).toBe('expired')
  })

  test('is connected when the connection is, and waits while it opens', () => {
    expect(resolveQrState(makeConnection({ status: 'CONNECTED', qrcode: 'left over' }), now).step).toBe('connected')
    expect(resolveQrState(makeConnection({ status: 'OPENING' }), now).step).toBe('waiting')
    expect(resolveQrState(makeConnection({ status: 'PAIRING', pairCode: 'ABCD1234' }), now).step).toBe('typing')
    expect(resolveQrState(makeConnection({ status: 'PAIRING', pairCode: null }), now).step).toBe('linking')
    expect(
      resolveQrState(makeConnection({ status: 'OPENING', trouble: makeTrouble({ next: 'read_qr' }) }), now).step,
    ).toBe('waiting')
  })

  test('draws each run of dark modules once', () => {
    const rows = ['110', '001', '111']
    expect(drawQrPath(3, (row, column) => rows[row]?.[column] === '1')).toBe('M0 0h2v1h-2zM2 1h1v1h-1zM0 2h3v1h-3z')
  })

  test('a real pairing text becomes a code with its three corners', async () => {
    const { size, path } = await drawQr(PAIRING)
    expect(QR_ROOM / size).toBeGreaterThan(4)
    expect(path.startsWith(`M0 0h7v1h-7z`)).toBe(true)
  })
})

describe('a QR code on the screen', () => {
  test('has modules of whole device pixels, at least four, on every density', async () => {
    for (const density of [1, 1.25, 1.5, 2, 3]) {
      const { size } = await drawQr(PAIRING, density)
      const module = (computeQrSide(size, density) * density) / size
      expect(module).toBe(Math.round(module))
      expect(module).toBeGreaterThanOrEqual(4)
      expect(computeQrSide(size, density)).toBeLessThanOrEqual(QR_ROOM)
    }
  })

  test('mends more where there is room for it', async () => {
    expect((await drawQr(PAIRING, 2)).size).toBeGreaterThan((await drawQr(PAIRING, 1)).size)
  })
})

describe('the pair code', () => {
  test('is shown in two groups of four', () => {
    expect(splitPairCode('abcd-1234')).toEqual(['ABCD', '1234'])
  })
})
