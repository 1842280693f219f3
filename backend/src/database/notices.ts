// NOTIFY and LISTEN between the processes of one installation: small words that say "look", never the truth itself.
import type postgres from 'postgres'
import type { Db } from './client.ts'

/** `live`: events were appended · `outbox`: something is to be sent · `connection`: a command for an owner · `volatile`: typing ·
 * `together`: who looks at what and is there. */
export type Channel = 'live' | 'outbox' | 'connection' | 'volatile' | 'together'

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

/** Notices over a database's pool; LISTEN has a connection of its own, which postgres.js opens anew when it breaks. */
export function openNotices(db: Db): Notices {
  const sql = db.$client
  const heard = new Map<Channel, Set<(payload: string) => void>>()
  const listening: postgres.ListenMeta[] = []
  const waiting = new Map<Channel, ReturnType<typeof setTimeout>>()
  let closed = false

  function tell(channel: Channel, payload: string): void {
    for (const callback of heard.get(channel) ?? []) callback(payload)
  }

  async function send(channel: Channel, payload: string): Promise<void> {
    if (!closed) await sql`select pg_notify(${`balcao_${channel}`}, ${payload})`
  }

  return {
    async on(channel, callback) {
      const known = heard.get(channel)
      if (known) {
        known.add(callback)
        return
      }
      heard.set(channel, new Set([callback]))
      // After a broken connection notices may have been missed: an empty one makes everybody look.
      listening.push(
        await sql.listen(
          `balcao_${channel}`,
          payload => tell(channel, payload),
          () => tell(channel, ''),
        ),
      )
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
      await Promise.all(listening.map(one => one.unlisten()))
    },
  }
}
