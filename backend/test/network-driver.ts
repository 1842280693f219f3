// The driver of the test network: connected as soon as it starts, sends over HTTP.

import { getCapabilities } from '@balcao/contract'
import type { Driver, DriverHost, Outgoing, SendResult } from '../src/platform/channel/driver.ts'

export interface NetworkDriverOptions {
  readonly url: string
  /** As Baileys: own ids, and the same id again is harmless. Otherwise the network gives the ids and a repeat is a second message. */
  readonly ownIds: boolean
  /** Set where the network tells back what came with a send. */
  readonly traceMs?: number
}

/** Makes a driver for one connection. */
export function createNetworkDriver(
  host: Pick<DriverHost, 'emit'>,
  { url, ownIds, traceMs }: NetworkDriverOptions,
): Driver {
  const capabilities = { ...getCapabilities(ownIds ? 'baileys' : 'cloud_api'), check: false, window24h: !ownIds }
  return {
    kind: ownIds ? 'baileys' : 'cloud_api',
    capabilities,
    ...(traceMs === undefined ? {} : { traceMs }),
    start: () => host.emit([{ type: 'status', status: 'CONNECTED', trouble: null }]),
    stop: async () => {},
    logout: () => host.emit([{ type: 'status', status: 'LOGGEDOUT' }]),
    pair: async by => ('phone' in by ? { code: `CODE${by.phone.slice(-4)}` } : {}),
    send: (to, id, message, trace) => send(url, { to, id, message, trace: trace ?? null }),
    download: async () => new Response('file').body ?? new ReadableStream<Uint8Array>(),
    check: async () => null,
    group: async () => null,
  }
}

interface Sending {
  readonly to: string
  readonly id: string | null
  readonly message: Outgoing
  readonly trace: string | null
}

async function send(url: string, sending: Sending): Promise<SendResult> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(sending) })
  const result: SendResult = await answer.json()
  return result
}
