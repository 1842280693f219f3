// Who did something, and where it came from.
import { LOG_SOURCES, type LogSource } from '@balcao/contract/log/log'
import { getTexts, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chip, Icon } from '@balcao/ui/parts'
import { Cog, KeyRound, type LucideIcon, Monitor, Smartphone, Terminal, UserRound } from 'lucide-react'
import type { LogListRow } from './list.ts'

/** Who did it; the system has no face. */
export function Who({ entry, bare }: { readonly entry: LogListRow; readonly bare?: boolean }) {
  const { user, userId } = entry
  return (
    <span className="flex min-w-0 items-center gap-2">
      {user ? (
        <Avatar id={user.id} name={user.name} photo={user.profilePicUrl} size={28} />
      ) : (
        <span className="grid size-7 flex-none place-items-center rounded-full bg-sunken text-text-2">
          <Icon of={userId === null ? Cog : UserRound} size={16} />
        </span>
      )}
      {!bare && <bdi className="truncate font-semibold text-ink">{nameActor(entry)}</bdi>}
    </span>
  )
}

/** By name; the owner's name only the owner knows. */
export function nameActor({ user, userId, action }: LogListRow): string {
  const t = getTexts('log-page')
  return user?.name ?? t(userId !== null ? 'owner' : action?.startsWith('api.') ? 'program' : 'system')
}

const SOURCES: Readonly<Record<LogSource, LucideIcon>> = {
  web: Monitor,
  phone: Smartphone,
  terminal: Terminal,
  api: KeyRound,
  auto: Cog,
}

/** Where it came from; what was reported says it in its own words. */
export function From({ entry: { origem, reported } }: { readonly entry: LogListRow }) {
  const t = useTexts('log-page')
  const source = parseSource(origem)
  return (
    <span className="flex min-w-0 items-center gap-2 text-text-2">
      {source && <Icon of={SOURCES[source]} size={16} />}
      <bdi className="truncate">{describeSource(origem)}</bdi>
      {reported && <Chip>{t('reported')}</Chip>}
    </span>
  )
}

/** In words; empty where it is not known. */
export function describeSource(origem: string): string {
  const source = parseSource(origem)
  return source ? getTexts('log-page')(`origem.${source}`) : origem
}

function parseSource(origem: string): LogSource | undefined {
  return LOG_SOURCES.find(one => one === origem)
}
