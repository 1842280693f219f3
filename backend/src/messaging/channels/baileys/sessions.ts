// libsignal tries a message on every session it has with the sender. A try that fails has turned that session's ratchet by then, and is
// stored with the rest: a session the other side does not have, whose next message the customer's phone cannot open ("Bad MAC").
import type { SignalKeyStore } from '@whiskeysockets/baileys'

/** Opens a message and puts the sessions it was not for back as they were. Belongs inside the transaction that opens it. */
export async function preserveOtherSessions<T>(
  keys: SignalKeyStore,
  address: string,
  open: () => Promise<T>,
): Promise<T> {
  const load = async () => (await keys.get('session', [address]))[address]
  const before = await load()
  // The one that opens it is told from the others by its time, so none may have this very millisecond already.
  while (holdsSessions(before) && listUseTimes(before).includes(Date.now())) await Bun.sleep(1)
  const opened = await open()
  const after = await load()
  if (!holdsSessions(before) || !holdsSessions(after)) return opened
  const others = Object.entries(before._sessions).filter(
    ([key, { indexInfo }]) => after._sessions[key]?.indexInfo.used === indexInfo.used,
  )
  if (others.length === 0) return opened
  await keys.set({ session: { [address]: withSessions(after, Object.fromEntries(others)) } })
  return opened
}

/** What libsignal keeps of one person: all sessions, by their base key. */
interface Sessions {
  readonly _sessions: Record<string, { readonly indexInfo: { readonly used: number } }>
}

function listUseTimes({ _sessions }: Sessions): number[] {
  return Object.values(_sessions).map(({ indexInfo }) => indexInfo.used)
}

function withSessions<R extends Sessions>(record: R, sessions: Sessions['_sessions']): R {
  return { ...record, _sessions: { ...record._sessions, ...sessions } }
}

function holdsSessions<T>(record: T): record is T & Sessions {
  return typeof record === 'object' && record !== null && '_sessions' in record && typeof record._sessions === 'object'
}
