import { isSettingKey, type Settings } from '@balcao/contract/settings/settings'
import { matchPath } from '@balcao/ui/router'
import type { LucideIcon } from 'lucide-react'
import {
  Bot,
  Calendar,
  CircleDot,
  CircleQuestionMark,
  FileText,
  History,
  LayoutDashboard,
  List,
  MessageSquare,
  Plug,
  ReceiptText,
  Send,
  ShieldCheck,
  SlidersHorizontal,
  Star,
  Stethoscope,
  Tag,
  User,
  Users,
  Zap,
} from 'lucide-react'
import type { MenuEntry, RemoteDefinition } from '../remotes/definitions.ts'

const ICONS: Record<string, LucideIcon> = {
  message: MessageSquare,
  contact: User,
  zap: Zap,
  receipt: ReceiptText,
  send: Send,
  bot: Bot,
  help: CircleQuestionMark,
  tag: Tag,
  calendar: Calendar,
  dashboard: LayoutDashboard,
  plug: Plug,
  users: Users,
  list: List,
  star: Star,
  file: FileText,
  history: History,
  shield: ShieldCheck,
  stethoscope: Stethoscope,
  sliders: SlidersHorizontal,
}

// The order of the specification's menu (spec 1 §2); what a remote brings beyond it comes last.
const ORDER = [
  '/tickets',
  '/contacts',
  '/quickAnswers',
  '/protocolos',
  '/ticketsBot',
  '/perguntas',
  '/tags',
  '/agendamentos',
  '/envios',
  '/',
  '/connections',
  '/users',
  '/Queues',
  '/Nps',
  '/report',
  '/log',
  '/privacy',
  '/Settings',
  '/doctor',
]

export function getIcon(name: string) {
  return ICONS[name] ?? CircleDot
}

/** The menu entries of all remotes that this person may open, in the specification's order. */
export function listMenuEntries(remotes: readonly RemoteDefinition[], profile: string): MenuEntry[] {
  return remotes
    .flatMap(remote => remote.menu)
    .filter(entry => isOpenTo(entry, profile))
    .sort((a, b) => getRank(a) - getRank(b))
}

/** Whether somebody of a profile may open an entry's page. */
export function isOpenTo({ permission }: MenuEntry, profile: string) {
  return profile === 'admin' || permission === 'session' || (permission === 'manager' && profile === 'gerente')
}

/** The entry whose page a path belongs to. */
export function findEntry(entries: readonly MenuEntry[], pathname: string) {
  return entries.find(entry => matchPath({ path: entry.path, end: entry.path === '/' }, pathname) !== null)
}

/** Whether a page is switched off by a setting (spec 1 §2: the scheduler unless `allowAgendador`). */
export function isSwitchedOff({ needs }: MenuEntry, settings: Partial<Settings>) {
  return needs !== undefined && !(isSettingKey(needs) && settings[needs])
}

function getRank(entry: MenuEntry) {
  const at = ORDER.indexOf(entry.path)
  return at < 0 ? ORDER.length : at
}
