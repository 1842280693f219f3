// What is shown of a connection that is being paired, on the page and in the terminal, from the newest state of the connection and nothing remembered.
import type { Connection } from './connection.ts'

export type QrState =
  | { readonly step: 'code'; readonly text: string; readonly secondsLeft: number; readonly share: number }
  | { readonly step: 'waiting' }
  /** A code was asked for that is typed on the phone instead. */
  | { readonly step: 'typing' }
  /** The phone has read or typed it. */
  | { readonly step: 'linking' }
  | { readonly step: 'expired' }
  | { readonly step: 'connected' }

type QrFacts = Pick<Connection, 'status' | 'qrcode' | 'qrExpiresAt' | 'pairCode' | 'capabilities' | 'trouble'>

/** Grace after a code's end in which the next one usually arrives; only then it counts as expired. */
export const GRACE_MS = 4000

/** Opening the dialog asks for a code; until the answer is there, the old state is not called expired. */
export const ASKING_MS = 5000

/** `now` in milliseconds. `share` is the part of the code's life that is left, 0 to 1, for the ring. */
export function resolveQrState(connection: QrFacts, now: number, openedAt = 0): QrState {
  const state = resolveCodeState(connection, now)
  return state.step === 'expired' && now - openedAt < ASKING_MS ? { step: 'waiting' } : state
}

function resolveCodeState(connection: QrFacts, now: number): QrState {
  if (connection.status === 'CONNECTED') return { step: 'connected' }
  if (connection.status === 'qrcode' && connection.qrcode) {
    const ends = connection.qrExpiresAt ? Date.parse(connection.qrExpiresAt) : now + connection.capabilities.qrTtlMs
    const left = ends - now
    if (left <= -GRACE_MS) return { step: 'expired' }
    const life = connection.capabilities.qrTtlMs || 20_000
    return {
      step: 'code',
      text: connection.qrcode,
      secondsLeft: Math.max(0, Math.ceil(left / 1000)),
      share: Math.min(1, Math.max(0, left / life)),
    }
  }
  if (connection.trouble?.next === 'read_qr' && connection.status !== 'OPENING') return { step: 'expired' }
  if (connection.status === 'PAIRING') return { step: connection.pairCode === null ? 'linking' : 'typing' }
  if (connection.status === 'DISCONNECTED' || connection.status === 'TIMEOUT') return { step: 'expired' }
  return { step: 'waiting' }
}

/** A pair code as people read it out: two groups of four. 'ABCD1234' gives ['ABCD', '1234']. */
export function splitPairCode(code: string): readonly [string, string] {
  const clean = code.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  return [clean.slice(0, 4), clean.slice(4)]
}
