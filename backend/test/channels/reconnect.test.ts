import { describe, expect, test } from 'bun:test'
import { type BaileysEnd, getDisconnectCode, planReconnect } from '../../src/messaging/channels/baileys/reconnect.ts'

const ended = (code: number, more: Partial<BaileysEnd> = {}): BaileysEnd => ({
  code,
  paired: true,
  attempt: 1,
  repeated: 1,
  codesRanOut: false,
  ...more,
})
const next = (code: number, more: Partial<BaileysEnd> = {}) => planReconnect(ended(code, more), undefined, () => 0.5)

describe('after a connection ended', () => {
  test('515 restarts at once', () => {
    expect(next(515)).toEqual({ status: 'OPENING', reason: 'restart', next: 'retry', afterMs: 0 })
  })

  for (const [code, reason] of [
    [0, 'network'],
    [428, 'network'],
    [408, 'network'],
    [500, 'server'],
    [503, 'server'],
    [599, 'other'],
  ] as const)
    test(`${code} is tried again after 1, 2, 5, 15, 30 and then every 60 seconds`, () => {
      const pauses = [1, 2, 3, 4, 5, 6, 7, 99].map(attempt => next(code, { attempt }).afterMs)
      expect(pauses).toEqual([1000, 2000, 5000, 15_000, 30_000, 60_000, 60_000, 60_000])
      expect(next(code)).toMatchObject({ status: 'DISCONNECTED', reason, next: 'retry' })
    })

  test('pauses are spread by a fifth, so that many connections do not come back in step', () => {
    expect(planReconnect(ended(428, { attempt: 6 }), undefined, () => 0).afterMs).toBe(48_000)
    expect(planReconnect(ended(428, { attempt: 6 }), undefined, () => 1).afterMs).toBe(72_000)
  })

  test('QR codes that ran out without a phone stop at TIMEOUT', () => {
    const stopped = { status: 'TIMEOUT', reason: 'qr_not_read', next: 'read_qr', afterMs: null } as const
    expect(next(408, { paired: false, codesRanOut: true })).toEqual(stopped)
  })

  test('a server that cannot be reached before any code was read is the network, and tried again', () => {
    const again = { status: 'DISCONNECTED', reason: 'network', next: 'retry', afterMs: 1000 } as const
    expect(next(408, { paired: false })).toEqual(again)
  })

  test('401 forgets the pairing, 403 and 411 stop and need help', () => {
    expect(next(401)).toEqual({
      status: 'LOGGEDOUT',
      reason: 'logged_out',
      next: 'read_qr',
      afterMs: null,
      forget: true,
    })
    expect(next(403)).toMatchObject({ status: 'LOGGEDOUT', reason: 'banned', next: 'ask_support', afterMs: null })
    expect(next(411)).toMatchObject({ status: 'DISCONNECTED', reason: 'multi_device_off', afterMs: null })
  })

  test('405 asks for a newer version and tries once in five minutes', () => {
    expect(next(405)).toMatchObject({ reason: 'client_too_old', refreshVersion: true, afterMs: 300_000 })
  })

  test('440 is tried once after a minute, then left to the other one', () => {
    expect(next(440)).toMatchObject({ reason: 'replaced', next: 'retry', afterMs: 60_000 })
    expect(next(440, { repeated: 2 })).toMatchObject({ status: 'DISCONNECTED', next: 'none', afterMs: null })
  })

  test('500 five times in a row is a broken session, which is not wiped silently', () => {
    const broken = next(500, { repeated: 5, attempt: 5 })
    expect(broken).toMatchObject({ reason: 'bad_session', next: 'ask_support', afterMs: null })
    expect(broken.forget).toBeUndefined()
  })
})

test('the code of an error is that of the Boom around it; anything else has none', () => {
  expect(getDisconnectCode({ output: { statusCode: 428 } })).toBe(428)
  expect(getDisconnectCode(new Error('plain'))).toBe(0)
  expect(getDisconnectCode(undefined)).toBe(0)
})
