/** What happened in the world, for pages and tests. Numbers are the accounts' numbers on WhatsApp. */
import type { Change } from './content'
import type { PhoneMessage, Tick } from './phone'

/** What befalls a message on its way from the server to a device; the last two end it. */
export type DeliveryStep =
  | 'sent'
  | 'kept for the next login'
  | 'replayed'
  | 'asked for again'
  | 'made again'
  | 'receipt'
  | `refused with ${string}`

export type WorldEvent = { at: Date } & (
  | { type: 'message'; phone: string; message: PhoneMessage }
  | { type: 'changed'; phone: string; message: PhoneMessage; change: Change; by: string }
  | { type: 'tick'; phone: string; chat: string; id: string; tick: Tick; by?: string }
  | { type: 'typing'; phone: string; by: string; chat: string; state: 'composing' | 'recording' | 'paused' }
  | { type: 'presence'; company: string; device: number; state: string }
  | { type: 'qr'; refs: number }
  | { type: 'pairing-code'; number: string }
  | { type: 'linked'; company: string; device: number }
  | { type: 'online'; company: string; device: number; replayed: number }
  | { type: 'offline'; company: string; device: number }
  | { type: 'logged-out'; company: string; device: number; by: 'phone' | 'device' }
  | { type: 'refused'; company: string; to: string; id: string; code: number }
  | {
      type: 'call'
      id?: string
      from: string
      to: string
      video: boolean
      state: 'ringing' | 'missed' | 'rejected' | 'ended'
    }
  | { type: 'stanza'; company: string; device: number; id: string; step: DeliveryStep }
  | { type: 'trouble'; error: Error }
)

export type NewEvent = WorldEvent extends infer E ? (E extends WorldEvent ? Omit<E, 'at'> : never) : never

export class Timeline {
  private readonly listeners = new Set<(event: WorldEvent) => void>()

  on(listener: (event: WorldEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  add(event: NewEvent): void {
    const dated: WorldEvent = { at: new Date(), ...event }
    for (const listener of this.listeners) listener(dated)
  }

  /** Resolves with the first event that satisfies; rejects when none came in time. */
  next(wanted: (event: WorldEvent) => boolean, timeoutMs = 15_000): Promise<WorldEvent> {
    return new Promise((resolve, reject) => {
      const stop = this.on(event => {
        if (!wanted(event)) return
        clearTimeout(timer)
        stop()
        resolve(event)
      })
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`The awaited event did not happen within ${timeoutMs} ms`))
      }, timeoutMs)
    })
  }
}
