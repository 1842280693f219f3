// Several tabs of one browser are one desk: what one of them shows or plays the others do not. Tabs know of each other by locks that
// end with the tab, and by what lies in local storage.
import { remember } from '@balcao/ui/browser'

const CLAIMED = 'balcao.claimed'
/** More than one round of notices has. */
const KEPT = 200

/** What the tabs hold: `seen`, `focus`, and the conversations that are looked at. Where there are no locks only this tab counts. */
export async function listTabLocks(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.map(lock => (lock.name ?? '').slice('balcao.'.length)))
}

/** The keys this tab is the first of all to claim; with `gap` none within so many milliseconds of the last ones of their kind. */
export async function claim(kind: string, keys: readonly string[], gap = 0): Promise<readonly string[]> {
  const claim = () => claimNow(kind, keys, gap)
  return navigator.locks ? navigator.locks.request(`balcao.claim`, async () => claim()) : claim()
}

function claimNow(kind: string, keys: readonly string[], gap: number): readonly string[] {
  const before = read(kind)
  const now = Date.now()
  const fresh = keys.filter(key => !before.keys.includes(key))
  if (fresh.length === 0) return []
  const soon = now - before.at < gap
  const next: TabClaim = { keys: [...before.keys, ...fresh].slice(-KEPT), at: soon ? before.at : now }
  remember(`${CLAIMED}.${kind}`, JSON.stringify(next))
  return soon ? [] : fresh
}

interface TabClaim {
  readonly keys: readonly string[]
  /** When the last one was granted, ms. */
  readonly at: number
}

function read(kind: string): TabClaim {
  const stored: Partial<TabClaim> | null = JSON.parse(localStorage.getItem(`${CLAIMED}.${kind}`) ?? 'null')
  return { keys: stored?.keys ?? [], at: stored?.at ?? 0 }
}
