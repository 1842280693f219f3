import { formatListTime, useTexts } from '@balcao/ui/i18n'
import { Badge, Icon, Tooltip, toast } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { useSession } from '@balcao/ui/session'
import { Banknote, Unplug } from 'lucide-react'
import type { ReactElement } from 'react'
import { openAccount } from '../account/account.ts'
import type { MenuEntry } from '../remotes/definitions.ts'
import { useDownConnections } from './badges.ts'
import { MenuBadge } from './MenuBadge.tsx'
import { getIcon, isSwitchedOff } from './menu.ts'
import { UserMenu } from './UserMenu.tsx'

interface RailProps {
  readonly entries: readonly MenuEntry[]
  readonly here: MenuEntry | undefined
  readonly open: boolean
  /** Whether there is 'Faturas'. */
  readonly invoices: boolean
  /** Fetches a page that is pointed at: it opens sooner when it is pressed. */
  readonly preload: (path: string) => void
}

/** The menu at the left: a rail of icons, or a drawer with words. */
export function Rail({ entries, here, open, invoices, preload }: RailProps) {
  const t = useTexts('shell')
  const draw = (section: MenuEntry['section']) =>
    entries
      .filter(entry => entry.section === section)
      .map(entry => <Item key={entry.path} entry={entry} current={entry === here} open={open} preload={preload} />)
  const admin = draw('admin')
  return (
    <nav className="s-rail" aria-label={t('menu.label')}>
      <div className="s-rail-items">
        {draw('main')}
        {admin.length > 0 && (open ? <h2 className="s-rail-heading">{t('menu.admin')}</h2> : <hr />)}
        {admin}
        {invoices && <Invoices open={open} />}
        {!entries.some(entry => entry.badge === 'connections') && <Down open={open} />}
      </div>
      <div className="s-rail-foot">{draw('foot')}</div>
      <UserMenu open={open} />
    </nav>
  )
}

interface ItemProps extends Pick<RailProps, 'open' | 'preload'> {
  readonly entry: MenuEntry
  readonly current: boolean
}

function Item({ entry, current, open, preload }: ItemProps) {
  const label = useTexts('menu')(entry.path)
  const off = isSwitchedOff(entry, useSession().settings)
  const link = off ? (
    <button type="button" disabled className="s-rail-item is-off">
      <Icon of={getIcon(entry.icon)} />
      <span className={open ? 's-rail-word' : 'b-only-read'}>{label}</span>
    </button>
  ) : (
    <Link
      to={entry.path}
      className={`s-rail-item${current ? ' is-current' : ''}`}
      aria-current={current ? 'page' : undefined}
      onPointerEnter={() => preload(entry.path)}
      onFocus={() => preload(entry.path)}
    >
      <Icon of={getIcon(entry.icon)} />
      <span className={open ? 's-rail-word' : 'b-only-read'}>{label}</span>
      <MenuBadge name={entry.badge} corner={!open} />
    </Link>
  )
  return (
    <Named name={label} open={open}>
      {link}
    </Named>
  )
}

/** No page but a dialog, and then a site outside (spec 1 §2). */
function Invoices({ open }: { open: boolean }) {
  const t = useTexts('shell')
  const label = t('invoices.menu')
  return (
    <Named name={label} open={open}>
      <button type="button" className="s-rail-item" aria-haspopup="dialog" onClick={() => openAccount('invoices')}>
        <Icon of={Banknote} />
        <span className={open ? 's-rail-word' : 'b-only-read'}>{label}</span>
      </button>
    </Named>
  )
}

/** Who has no page of connections is told here which of them keeps their messages back. */
function Down({ open }: { open: boolean }) {
  const t = useTexts('shell')
  const connections = useDownConnections()
  if (connections.length === 0) return null
  const lines = connections.map(({ name, since }) =>
    since === null ? t('menu.down', { name }) : t('menu.downSince', { name, since: formatListTime(since) }),
  )
  const button = (
    <button type="button" className="s-rail-item" onClick={() => lines.map(text => toast.warning(text))}>
      <Icon of={Unplug} />
      <span className={open ? 's-rail-word' : 'b-only-read'}>{lines.join(' · ')}</span>
      <Badge count="!" kind="alert" label={t('menu.attention')} corner={!open} />
    </button>
  )
  return (
    <Tooltip text={lines.join(' · ')} side="right">
      {button}
    </Tooltip>
  )
}

/** Where there is room for icons alone, the name stands beside what is pointed at. */
function Named({
  name,
  open,
  children,
}: {
  name: string
  open: boolean
  children: ReactElement<Record<string, unknown>>
}) {
  return open ? (
    children
  ) : (
    <Tooltip text={name} side="right">
      {children}
    </Tooltip>
  )
}
