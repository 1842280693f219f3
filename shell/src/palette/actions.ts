import { type Action, startShortcuts, useActions } from '@balcao/ui/actions'
import { useNavigate } from '@balcao/ui/router'
import { chooseTheme, session } from '@balcao/ui/session'
import { Banknote, Info, KeyRound, LogOut, type LucideIcon, PanelLeft, Search, SunMoon, UserRound } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { openAccount } from '../account/account.ts'
import { getIcon } from '../frame/menu.ts'
import type { MenuEntry } from '../remotes/definitions.ts'
import { signOut } from '../session/enter.ts'

interface ShellActions {
  readonly entries: readonly MenuEntry[]
  readonly invoices: boolean
  readonly preload: (path: string) => void
  readonly openPalette: () => void
  readonly openHelp: () => void
  readonly toggleMenu: () => void
}

/** The shell's own actions (pages, palette, help, theme, sign out) and the one listener for all shortcuts. */
export function useShellActions(given: ShellActions) {
  const navigate = useNavigate()
  const latest = useRef(given)
  latest.current = given
  const pages = `${given.entries.map(entry => entry.path).join(' ')} ${given.invoices}`

  useEffect(() => startShortcuts(), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes with the pages, the rest is read when performed
  const actions = useMemo(
    () => [
      ...latest.current.entries.map(
        (entry): Action => ({
          id: `page.${entry.path}`,
          labelKey: `menu:${entry.path}`,
          icon: getIcon(entry.icon),
          groupKey: 'shell:palette.pages',
          prepare: () => latest.current.preload(entry.path),
          perform: () => navigate(entry.path),
        }),
      ),
      ...(latest.current.invoices ? [INVOICES] : []),
      ...makeShellActions(() => latest.current),
    ],
    [pages, navigate],
  )
  useActions(actions)
}

const INVOICES: Action = {
  id: 'shell.invoices',
  labelKey: 'shell:invoices.menu',
  groupKey: 'shell:palette.pages',
  icon: Banknote,
  perform: () => openAccount('invoices'),
}

function makeShellActions(latest: () => ShellActions): Action[] {
  return [
    makeShellAction('profile', 'account.title', UserRound, () => openAccount('profile')),
    makeShellAction('password', 'password.title', KeyRound, () => openAccount('password')),
    makeShellAction('palette', 'help.palette', Search, () => latest().openPalette(), { shortcut: 'Ctrl+K' }),
    makeShellAction('help', 'help.help', Info, () => latest().openHelp(), { shortcut: '?' }),
    makeShellAction('menu', 'menu.toggle', PanelLeft, () => latest().toggleMenu(), { shortcut: 'Ctrl+B' }),
    makeShellAction('theme', 'bar.theme', SunMoon, () => chooseTheme(session.dark ? 'light' : 'dark'), {
      keywords: 'dark light escuro claro oscuro',
    }),
    makeShellAction('signOut', 'bar.signOut', LogOut, () => signOut(), { keywords: 'logout sair' }),
  ]
}

function makeShellAction(
  name: string,
  label: string,
  icon: LucideIcon,
  perform: Action['perform'],
  more: Pick<Action, 'shortcut' | 'keywords'> = {},
): Action {
  return { id: `shell.${name}`, labelKey: `shell:${label}`, groupKey: 'shell:help.general', icon, perform, ...more }
}
