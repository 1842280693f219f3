// NOTIFY and LISTEN between the processes of one installation: small words that say "look", never the truth itself.
import { type Db, openListener } from './client.ts'

/** `live`: events were appended · `outbox`: something is to be sent · `connection`: a command for an owner · `volatile`: typing ·
 * `together`: viewers, and who is connected; servers of two versions know it by this name · `presence`: somebody's status is another. */
export type Channel = 'live' | 'outbox' | 'connection' | 'volatile' | 'together' | 'presence'

export interface Notices {
  /** Calls back for every notice, ours included. `payload` is empty for a mere ring. */
  on(channel: Channel, heard: (payload: string) => void): Promise<void>
  /** Rings after a commit: at once in this process, coalesced over a few milliseconds for the others. */
  ring(channel: Channel): void
  /** Sends a payload of at most 7,900 bytes. */
  send(channel: Channel, payload: string): Promise<void>
  close(): Promise<void>
}

const COALESCE_MS = 4
const AGAIN_MS = 250

/** Notices over a database's pool; LISTEN has a connection of its own, opened anew when it breaks. */
export function openNotices(db: Db): Notices {
  const sql = db.$client
  const heard = new Map<Channel, Set<(payload: string) => void>>()
  // Not the driver's own `listen`: while the database is away that one asks for every channel again at every try.
  const ear = openListener(db, {
    notified: (name, payload) => {
      for (const channel of heard.keys()) if (toChannelName(channel) === name) tell(channel, payload)
    },
    closed: listenAgain,
  })
  const waiting = new Map<Channel, ReturnType<typeof setTimeout>>()
  let closed = false
  let lost = false

  function tell(channel: Channel, payload: string): void {
    for (const callback of heard.get(channel) ?? []) callback(payload)
  }

  async function send(channel: Channel, payload: string): Promise<void> {
    if (!closed) await sql`select pg_notify(${toChannelName(channel)}, ${payload})`
  }

  function listenAgain(): void {
    if (lost || closed) return
    lost = true
    setTimeout(() => {
      lost = false
      if (closed) return
      const channels = [...heard.keys()]
      // When it fails its connection was closed, and that brings us here again.
      listenTo(channels).then(
        // While it was broken notices may have been missed: an empty one makes everybody look.
        () => channels.forEach(channel => void tell(channel, '')),
        listenAgain,
      )
    }, AGAIN_MS)
  }

  async function listenTo(channels: readonly Channel[]): Promise<void> {
    await ear.unsafe(channels.map(channel => `listen ${toChannelName(channel)}`).join(';'))
  }

  return {
    async on(channel, callback) {
      const known = heard.get(channel)
      if (known) {
        known.add(callback)
        return
      }
      heard.set(channel, new Set([callback]))
      await listenTo([channel])
      tell(channel, '')
    },
    ring(channel) {
      tell(channel, '')
      if (waiting.has(channel) || closed) return
      waiting.set(
        channel,
        setTimeout(() => {
          waiting.delete(channel)
          // A lost ring costs the others a second: they also look by themselves.
          send(channel, '').catch(() => {})
        }, COALESCE_MS),
      )
    },
    send,
    async close() {
      closed = true
      for (const timer of waiting.values()) clearTimeout(timer)
      await ear.end({ timeout: 1 })
    },
  }
}

function toChannelName(channel: Channel): string {
  return `balcao_${channel}`
}
