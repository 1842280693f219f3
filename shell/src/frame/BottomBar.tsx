import { useTexts } from '@balcao/ui/i18n'
import { Badge, Icon, Menu } from '@balcao/ui/parts'
import { Link, useLocation, useNavigate } from '@balcao/ui/router'
import { useSession } from '@balcao/ui/session'
import { Banknote, EllipsisVertical, type LucideIcon, MessagesSquare } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { openAccount } from '../account/account.ts'
import { useBellState } from '../notifications/bells.ts'
import type { MenuEntry } from '../remotes/definitions.ts'
import { MenuBadge } from './MenuBadge.tsx'
import { getIcon, isSwitchedOff } from './menu.ts'

/** Beside 'Mais'. */
const ROOM = 4
const TICKETS = '/tickets'
const INTERNAL = '/tickets/0'

interface BottomBarProps {
  readonly entries: readonly MenuEntry[]
  readonly here: MenuEntry | undefined
  /** Whether there is 'Faturas'. */
  readonly invoices: boolean
  /** Fetches a page while the finger is still on its name. */
  readonly preload: (path: string) => void
}

/** The menu on a phone: conversations, internal chats and the pages that come next, the others under 'Mais' (look §5). */
export function BottomBar({ entries, here, invoices, preload }: BottomBarProps) {
  const t = useTexts('shell')
  const toLabel = useTexts('menu')
  const navigate = useNavigate()
  const { settings } = useSession()
  const on = entries.filter(entry => !isSwitchedOff(entry, settings))
  const first = pickFirstEntries(on, invoices || on.length < entries.length)
  const rest = entries.filter(entry => !first.includes(entry))
  const inInternal = useLocation().pathname.startsWith(INTERNAL)
  const { counts } = useBellState()
  return (
    <nav className="s-bottom" aria-label={t('menu.label')}>
      {first.map(entry => (
        <Fragment key={entry.path}>
          <Item
            to={entry.path}
            preload={preload}
            icon={getIcon(entry.icon)}
            current={entry === here && !(inInternal && entry.path === TICKETS)}
            badge={<MenuBadge name={entry.badge} corner />}
            word={toLabel(`short ${entry.path}`)}
          />
          {entry.path === TICKETS && (
            <Item
              to={INTERNAL}
              preload={preload}
              icon={MessagesSquare}
              current={inInternal}
              badge={<Badge count={counts.chats} corner />}
              word={t('menu.internal')}
            />
          )}
        </Fragment>
      ))}
      {(rest.length > 0 || invoices) && (
        <Menu
          label={t('menu.more')}
          side="above"
          align="end"
          items={[
            ...rest.map(entry => ({
              id: entry.path,
              label: toLabel(entry.path),
              icon: getIcon(entry.icon),
              disabled: isSwitchedOff(entry, settings),
              onPoint: () => preload(entry.path),
              onChoose: () => navigate(entry.path),
            })),
            ...(invoices
              ? [
                  {
                    id: 'invoices',
                    label: t('invoices.menu'),
                    icon: Banknote,
                    onChoose: () => openAccount('invoices'),
                  },
                ]
              : []),
          ]}
          button={props => (
            <button
              {...props}
              type="button"
              className={`s-bottom-item${here && rest.includes(here) ? ' is-current' : ''}`}
            >
              <span className="s-bottom-icon">
                <Icon of={EllipsisVertical} />
                {rest.map(entry => (
                  <MenuBadge key={entry.path} name={entry.badge} corner />
                ))}
              </span>
              <span className="s-bottom-word">{t('menu.more')}</span>
            </button>
          )}
        />
      )}
    </nav>
  )
}

interface ItemProps extends Pick<BottomBarProps, 'preload'> {
  readonly to: string
  readonly icon: LucideIcon
  readonly current: boolean
  readonly badge: ReactNode
  readonly word: string
}

function Item({ to, icon, current, badge, word, preload }: ItemProps) {
  return (
    <Link
      to={to}
      className={`s-bottom-item${current ? ' is-current' : ''}`}
      aria-current={current ? 'page' : undefined}
      onPointerDown={() => preload(to)}
      onFocus={() => preload(to)}
    >
      <span className="s-bottom-icon">
        <Icon of={icon} />
        {badge}
      </span>
      <span className="s-bottom-word">{word}</span>
    </Link>
  )
}

/** Internal chats take a place beside conversations; a single page that is left over needs no menu. */
export function pickFirstEntries(entries: readonly MenuEntry[], menu: boolean): readonly MenuEntry[] {
  const room = entries.some(entry => entry.path === TICKETS) ? ROOM - 1 : ROOM
  return menu || entries.length > room + 1 ? entries.slice(0, room) : entries
}
