// What every part of the page knows about the person and the moment: one valtio store, provided by the shell.

import { DEFAULTS, type SettingKey, type Settings, type ToggleKey } from '@balcao/contract/settings/settings'
import type { User } from '@balcao/contract/users/user'
import { useMemo } from 'react'
import { proxy, useSnapshot } from 'valtio'
import { onSessionEnd, onSignOut } from './scope.ts'

export type ThemeChoice = 'light' | 'dark' | 'system'

export interface ConnectionState {
  /** `connecting` only until the first welcome. */
  state: 'connecting' | 'live' | 'catching-up' | 'offline'
  /** While catching up: how many events have come, of how many. */
  done: number
  total: number
  /** When this state began, ms. */
  since: number
}

export interface PageSession {
  /** `unknown` until the shell has asked the server; `blocked` counts as signed out (spec 1 §2). */
  status: 'unknown' | 'in' | 'out'
  user: User | null
  /** Empty until they are known. */
  settings: Partial<Settings>
  /** Names for the app bar and the sign-in page, from `GET /system`. */
  product: string
  company: string
  version: string
  theme: ThemeChoice
  /** Whether the dark colours show now. */
  dark: boolean
  connection: ConnectionState
  /** Numbers beside menu items, by the `badge` name of `remotes.json`; a remote sets its own. `'!'` is an alert. */
  badges: Record<string, number | '!'>
  /** Opens e-mails on the wire; only in memory. */
  wireSecret: string | null
}

/** The store itself. Read it with `useSession()` in components; write only through the functions of this folder. */
export const session = proxy<PageSession>({
  status: 'unknown',
  product: 'Balcão',
  company: '',
  version: '',
  theme: 'system',
  dark: false,
  ...makeEmptySession(),
})
onSessionEnd(() => Object.assign(session, makeEmptySession()))

/** What in it belongs to a person, before it is known. */
function makeEmptySession(): Pick<PageSession, 'user' | 'settings' | 'connection' | 'badges' | 'wireSecret'> {
  return {
    user: null,
    settings: {},
    connection: { state: 'connecting', done: 0, total: 0, since: 0 },
    badges: {},
    wireSecret: null,
  }
}

/** The store as a snapshot; the component is drawn again only when what it reads changes. */
export function useSession() {
  return useSnapshot(session)
}

/** The signed-in user; throws outside of the signed-in page, where every remote lives. */
export function useUser() {
  const { user } = useSnapshot(session)
  if (!user) throw new Error('No one is signed in')
  return user
}

/** Under which key this browser remembers something for the person who is here, and for nobody else. */
export function toPersonalKey(name: string) {
  return `${name}.${session.user?.id ?? 0}`
}

/** Under which names of `toPersonalKey` what somebody has half written is kept: it leaves this device with them. */
export const WRITING_KEYS = {
  draft: 'balcao.draft',
  held: 'balcao.held',
  members: 'balcao.named',
  files: 'balcao.files',
} as const

onSignOut(() => {
  const prefixes = Object.values(WRITING_KEYS).map(name => `${toPersonalKey(name)}.`)
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (prefixes.some(prefix => key.startsWith(prefix))) storage.removeItem(key)
})

/** Whether a setting is enabled. Inside a component read `useSetting` instead. */
export function isSettingOn(key: ToggleKey) {
  return session.settings[key] ?? DEFAULTS[key]
}

/** The value of a setting, or how it comes while it is not known yet; drawn again when it changes. */
export function useSetting<K extends SettingKey>(key: K): Settings[K] {
  // Through the session: settings are replaced as a whole, and a snapshot of the old ones would never hear of it.
  const { settings }: Pick<PageSession, 'settings'> = useSnapshot(session)
  return settings[key] ?? DEFAULTS[key]
}

/** All settings together, as `useSetting` knows each. */
export function useSettings(): Settings {
  const { settings }: Pick<PageSession, 'settings'> = useSnapshot(session)
  return useMemo(() => ({ ...DEFAULTS, ...settings }), [settings])
}

/** Sets the number beside a menu item: `setBadge('waiting', 4)`. */
export function setBadge(name: string, count: number | '!') {
  session.badges[name] = count
}
