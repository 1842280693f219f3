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
  ListChecks,
  MessageSquare,
  Plug,
  ReceiptText,
  Send,
  ShieldCheck,
  SlidersHorizontal,
  Star,
  Stethoscope,
  Tag,
  Timer,
  User,
  Users,
  Webhook,
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
  steps: ListChecks,
  timer: Timer,
  webhook: Webhook,
}

export function getIcon(name: string) {
  return ICONS[name] ?? CircleDot
}

/** The menu entries of all remotes that this person may open, in their order. */
export function listMenuEntries(remotes: readonly RemoteDefinition[], profile: string): MenuEntry[] {
  return remotes
    .flatMap(remote => remote.pages)
    .filter(entry => isOpenTo(entry, profile))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
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
