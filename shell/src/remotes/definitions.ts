// The remotes as `/remotes.json` describes them at run time. A remote can be moved, rebuilt or taken away there
// without touching the shell, so nothing in it is trusted to be well formed.
import { LANGUAGES, type Language } from '@balcao/ui/i18n'

/** A page and its entry in the menu. */
export interface MenuEntry {
  /** The address with its parameters, such as `/envios/:send?`. */
  readonly route: string
  /** The address where the entry leads. */
  readonly path: string
  readonly label: Readonly<Record<Language, string>>
  /** The label under an icon on a phone, where the other is too long. */
  readonly short?: Readonly<Record<Language, string>>
  readonly icon: string
  readonly section: 'main' | 'admin' | 'foot'
  /** Who sees it: `session` everybody, `manager` managers and administrators, `admin` administrators. */
  readonly permission: 'session' | 'manager' | 'admin'
  /** Where it stands in the menu, the smallest first; without one last. */
  readonly place: number
  /** Name of the number beside it in `session.badges`. */
  readonly badge?: string
  /** A setting that must be enabled, or the entry stands there and leads nowhere: the scheduler without `allowAgendador`. */
  readonly needs?: string
}

export interface RemoteDefinition {
  readonly name: string
  readonly entry: string
  readonly pages: readonly MenuEntry[]
}

/** Milliseconds until a server that takes the call and says nothing counts as one that does not answer. */
const PATIENCE = 10_000

/** Reads the list afresh; entries that make no sense are left out. Throws when the server does not answer. */
export async function fetchRemotes(): Promise<RemoteDefinition[]> {
  const response = await fetch('/remotes.json', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) })
  if (!response.ok) throw new Error(`remotes.json: HTTP ${response.status}`)
  return parseRemotes(await response.json())
}

/** The well-formed remotes of a parsed `remotes.json`. */
export function parseRemotes(json: unknown): RemoteDefinition[] {
  if (!Array.isArray(json)) return []
  return json.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.name !== 'string' || !/^\w+$/.test(entry.name)) return []
    if (typeof entry.entry !== 'string' || !Array.isArray(entry.pages)) return []
    return [{ name: entry.name, entry: entry.entry, pages: entry.pages.flatMap(parsePage) }]
  })
}

function parsePage(page: unknown): MenuEntry[] {
  if (!isRecord(page) || typeof page.path !== 'string' || !isLabel(page.label)) return []
  return [
    {
      route: page.path,
      path: page.path.replace(/\/:.*/, ''),
      label: page.label,
      short: isLabel(page.short) ? page.short : undefined,
      icon: String(page.icon ?? ''),
      section: page.section === 'admin' || page.section === 'foot' ? page.section : 'main',
      permission: page.permission === 'session' || page.permission === 'manager' ? page.permission : 'admin',
      place: typeof page.place === 'number' ? page.place : Number.POSITIVE_INFINITY,
      badge: typeof page.badge === 'string' ? page.badge : undefined,
      needs: typeof page.needs === 'string' ? page.needs : undefined,
    },
  ]
}

function isLabel(value: unknown): value is Record<Language, string> {
  return isRecord(value) && LANGUAGES.every(language => typeof value[language] === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
