import { type Action, startShortcuts, useActions } from '@balcao/ui/actions'
import { useNavigate } from '@balcao/ui/router'
import { chooseTheme, session } from '@balcao/ui/session'
import { Info, KeyRound, LogOut, PanelLeft, ReceiptText, Search, SunMoon, UserRound } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { openAccount } from '../account/account.ts'
import { iconOf } from '../frame/menu.ts'
import type { MenuEntry } from '../remotes/definitions.ts'
import { signOut } from '../session/enter.ts'

interface ShellActions {
  readonly entries: readonly MenuEntry[]
  readonly invoices: boolean
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
          labelKey: `shell:${entry.labelKey}`,
          icon: iconOf(entry.icon),
          groupKey: 'shell:palette.pages',
          perform: () => navigate(entry.path),
        }),
      ),
      ...(latest.current.invoices ? [INVOICES] : []),
      ...ACCOUNT,
      ...general(() => latest.current),
    ],
    [pages, navigate],
  )
  useActions(actions)
}

const ACCOUNT: readonly Action[] = [
  {
    id: 'shell.profile',
    labelKey: 'shell:account.title',
    groupKey: 'shell:help.general',
    icon: UserRound,
    perform: () => openAccount('profile'),
  },
  {
    id: 'shell.password',
    labelKey: 'shell:password.title',
    groupKey: 'shell:help.general',
    icon: KeyRound,
    perform: () => openAccount('password'),
  },
]

const INVOICES: Action = {
  id: 'shell.invoices',
  labelKey: 'shell:invoices.menu',
  groupKey: 'shell:palette.pages',
  icon: ReceiptText,
  perform: () => openAccount('invoices'),
}

function general(latest: () => ShellActions): Action[] {
  return [
    {
      id: 'shell.palette',
      labelKey: 'shell:help.palette',
      groupKey: 'shell:help.general',
      icon: Search,
      shortcut: 'Ctrl+K',
      perform: () => latest().openPalette(),
    },
    {
      id: 'shell.help',
      labelKey: 'shell:help.help',
      groupKey: 'shell:help.general',
      icon: Info,
      shortcut: '?',
      perform: () => latest().openHelp(),
    },
    {
      id: 'shell.menu',
      labelKey: 'shell:menu.toggle',
      groupKey: 'shell:help.general',
      icon: PanelLeft,
      shortcut: 'Ctrl+B',
      perform: () => latest().toggleMenu(),
    },
    {
      id: 'shell.theme',
      labelKey: 'shell:bar.theme',
      groupKey: 'shell:help.general',
      icon: SunMoon,
      keywords: 'dark light escuro claro oscuro',
      perform: () => chooseTheme(session.dark ? 'light' : 'dark'),
    },
    {
      id: 'shell.signOut',
      labelKey: 'shell:bar.signOut',
      groupKey: 'shell:help.general',
      icon: LogOut,
      keywords: 'logout sair',
      perform: () => signOut(),
    },
  ]
}
