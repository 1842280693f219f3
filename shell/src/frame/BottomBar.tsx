import { useTexts } from '@balcao/ui/i18n'
import { Icon, Menu } from '@balcao/ui/parts'
import { Link, useNavigate } from '@balcao/ui/router'
import { useSession } from '@balcao/ui/session'
import { EllipsisVertical, ReceiptText } from 'lucide-react'
import { openAccount } from '../account/account.ts'
import type { MenuEntry } from '../remotes/definitions.ts'
import { MenuBadge } from './MenuBadge.tsx'
import { iconOf, isSwitchedOff } from './menu.ts'

const ROOM = 4

interface BottomBarProps {
  readonly entries: readonly MenuEntry[]
  readonly here: MenuEntry | undefined
  /** Whether there is 'Faturas'. */
  readonly invoices: boolean
}

/** The menu on a phone: the first four pages, the others under 'Mais'. */
export function BottomBar({ entries, here, invoices }: BottomBarProps) {
  const t = useTexts('shell')
  const navigate = useNavigate()
  const { settings } = useSession()
  const on = entries.filter(entry => !isSwitchedOff(entry, settings))
  const first = on.length > ROOM + 1 ? on.slice(0, ROOM) : on.filter(entry => entry.section === 'main')
  const rest = entries.filter(entry => !first.includes(entry))
  return (
    <nav className="s-bottom" aria-label={t('menu.label')}>
      {first.map(entry => (
        <Link
          key={entry.path}
          to={entry.path}
          className={`s-bottom-item${entry === here ? ' is-current' : ''}`}
          aria-current={entry === here ? 'page' : undefined}
        >
          <span className="s-bottom-icon">
            <Icon of={iconOf(entry.icon)} />
            <MenuBadge name={entry.badge} corner />
          </span>
          {t(entry.labelKey)}
        </Link>
      ))}
      {(rest.length > 0 || invoices) && (
        <Menu
          label={t('menu.more')}
          side="above"
          align="end"
          items={[
            ...rest.map(entry => ({
              id: entry.path,
              label: t(entry.labelKey),
              icon: iconOf(entry.icon),
              disabled: isSwitchedOff(entry, settings),
              onChoose: () => navigate(entry.path),
            })),
            ...(invoices
              ? [
                  {
                    id: 'invoices',
                    label: t('invoices.menu'),
                    icon: ReceiptText,
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
              </span>
              {t('menu.more')}
            </button>
          )}
        />
      )}
    </nav>
  )
}
