// Several tabs of one browser are one desk: what one of them shows or plays the others do not. Tabs know of each other by locks that
// end with the tab, and by what lies in local storage.

const CLAIMED = 'balcao.claimed'
const KEPT = 30

/** Whether some tab holds this: `seen`, `focus`, or a conversation that is looked at. Where there are no locks only this tab counts. */
export async function someTab(name: string): Promise<boolean> {
  const { locks } = navigator
  if (!locks) return false
  const { held = [] } = await locks.query()
  return held.some(lock => lock.name === `balcao.${name}`)
}

/** True for one tab of all, once for each key; with `gap` also not within so many milliseconds of the last one of its kind. */
export async function claim(kind: string, key: string, gap = 0): Promise<boolean> {
  const look = () => claimNow(kind, key, gap)
  return navigator.locks ? navigator.locks.request(`balcao.claim`, async () => look()) : look()
}

function claimNow(kind: string, key: string, gap: number): boolean {
  const before = read(kind)
  const now = Date.now()
  if (before.keys.includes(key)) return false
  const soon = now - before.at < gap
  const next: Claimed = { keys: [...before.keys, key].slice(-KEPT), at: soon ? before.at : now }
  localStorage.setItem(`${CLAIMED}.${kind}`, JSON.stringify(next))
  return !soon
}

interface Claimed {
  readonly keys: readonly string[]
  /** When the last one was granted, ms. */
  readonly at: number
}

function read(kind: string): Claimed {
  const stored: Partial<Claimed> | null = JSON.parse(localStorage.getItem(`${CLAIMED}.${kind}`) ?? 'null')
  return { keys: stored?.keys ?? [], at: stored?.at ?? 0 }
}
