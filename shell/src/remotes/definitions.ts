// The remotes as `/remotes.json` describes them at run time. A remote can be moved, rebuilt or taken away there
// without touching the shell, so nothing in it is trusted to be well formed.

export interface MenuEntry {
  readonly path: string
  /** Key in the shell's texts, such as `menu.tickets`. */
  readonly labelKey: string
  readonly icon: string
  readonly section: 'main' | 'admin'
  /** Who sees it: `session` everybody, `manager` managers and administrators, `admin` administrators. */
  readonly permission: 'session' | 'manager' | 'admin'
  /** Name of the number beside it in `session.badges`. */
  readonly badge?: string
  /** A setting that must be enabled, or the entry stands there and leads nowhere: the scheduler without `allowAgendador`. */
  readonly needs?: string
}

export interface RemoteDefinition {
  readonly name: string
  readonly entry: string
  readonly routes: readonly string[]
  readonly menu: readonly MenuEntry[]
}

/** Reads the list afresh; entries that make no sense are left out. Throws when the server does not answer. */
export async function fetchRemotes(): Promise<RemoteDefinition[]> {
  const response = await fetch('/remotes.json', { cache: 'no-store' })
  if (!response.ok) throw new Error(`remotes.json: HTTP ${response.status}`)
  return parseRemotes(await response.json())
}

/** The well-formed remotes of a parsed `remotes.json`. */
export function parseRemotes(json: unknown): RemoteDefinition[] {
  if (!Array.isArray(json)) return []
  return json.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.name !== 'string' || !/^\w+$/.test(entry.name)) return []
    if (typeof entry.entry !== 'string' || !Array.isArray(entry.routes)) return []
    const menu = Array.isArray(entry.menu) ? entry.menu.flatMap(parseMenu) : []
    const routes = entry.routes.filter((route: unknown) => typeof route === 'string')
    return [{ name: entry.name, entry: entry.entry, routes, menu }]
  })
}

function parseMenu(entry: unknown): MenuEntry[] {
  if (!isRecord(entry) || typeof entry.path !== 'string' || typeof entry.labelKey !== 'string') return []
  return [
    {
      path: entry.path,
      labelKey: entry.labelKey,
      icon: String(entry.icon ?? ''),
      section: entry.section === 'admin' ? 'admin' : 'main',
      permission: entry.permission === 'session' || entry.permission === 'manager' ? entry.permission : 'admin',
      badge: typeof entry.badge === 'string' ? entry.badge : undefined,
      needs: typeof entry.needs === 'string' ? entry.needs : undefined,
    },
  ]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
