// The version we log in as. WhatsApp refuses stale ones (405), and asking for the newest must never hold a connection up.

import type { WAVersion } from '@whiskeysockets/baileys'
import { DEFAULT_CONNECTION_CONFIG, fetchLatestBaileysVersion, fetchLatestWaWebVersion } from '@whiskeysockets/baileys'
import type { AuthStore } from './auth-store.ts'

const ASK_MS = 5000

/** The last good version stored, or the library's own. */
export async function readKnownVersion(store: AuthStore): Promise<WAVersion> {
  const stored = await store.readVersion().catch(() => undefined)
  return isVersion(stored) ? stored : DEFAULT_CONNECTION_CONFIG.version
}

/** Asks WhatsApp, then the library's repository, 5 s each, and stores the answer. @returns the newest known; never throws */
export async function refreshVersion(store: AuthStore): Promise<WAVersion> {
  for (const ask of [fetchLatestWaWebVersion, fetchLatestBaileysVersion]) {
    const answer = await withinTime(ask())
    if (!answer?.isLatest || !isVersion(answer.version)) continue
    await store.writeVersion(answer.version).catch(() => {})
    return answer.version
  }
  return readKnownVersion(store)
}

export function isSameVersion(one: WAVersion, other: WAVersion): boolean {
  return one.join('.') === other.join('.')
}

/** The library's fetches take no signal of ours and may hang for ever (Baileys #1990). */
function withinTime<T>(promise: Promise<T>): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), ASK_MS)
    promise.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}

function isVersion(value: unknown): value is WAVersion {
  return Array.isArray(value) && value.length === 3 && value.every(part => Number.isInteger(part))
}
