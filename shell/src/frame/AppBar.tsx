import { useTexts } from '@balcao/ui/i18n'
import { Icon, IconButton, Kbd, Logo, Tooltip } from '@balcao/ui/parts'
import { chooseTheme, useSession } from '@balcao/ui/session'
import { Info, Moon, Search, Sun } from 'lucide-react'
import { Jobs } from '../jobs/Jobs.tsx'
import { Bells } from '../notifications/Bells.tsx'
import { LiveDot } from './LiveDot.tsx'
import { UserMenu } from './UserMenu.tsx'
import type { MenuOpen } from './use-menu-open.ts'

interface AppBarProps {
  readonly phone: boolean
  readonly menu: MenuOpen
  /** The page's name, shown on phones. */
  readonly title: string
  readonly onPalette: () => void
  readonly onHelp: () => void
}

/** The bar over everything: company, palette, state of the line, theme. */
export function AppBar({ phone, menu, title, onPalette, onHelp }: AppBarProps) {
  const t = useTexts('shell')
  const { company, product, dark } = useSession()
  if (phone) {
    return (
      <header className="s-bar">
        <Logo size={28} />
        <p className="s-bar-title">{title || product}</p>
        <Jobs />
        <LiveDot />
        <Bells />
        <IconButton icon={Search} label={t('bar.search')} onClick={onPalette} />
        <UserMenu phone />
      </header>
    )
  }
  // The product's name stands in the opened menu already.
  const companyShown = company && company !== product ? company : menu.open ? '' : product
  return (
    <header className="s-bar">
      <Tooltip text={t(menu.open ? 'menu.close' : 'menu.open')} shortcut="Ctrl+B" side="right">
        <button
          type="button"
          className="s-bar-logo"
          disabled={!menu.possible}
          aria-expanded={menu.open}
          onClick={menu.toggle}
        >
          <Logo size={30} />
          {menu.open && <strong>{product}</strong>}
          <span className="b-only-read">{t(menu.open ? 'menu.close' : 'menu.open')}</span>
        </button>
      </Tooltip>
      <strong className="s-bar-company">{companyShown}</strong>
      <button type="button" className="s-bar-search" onClick={onPalette} aria-keyshortcuts="Control+K">
        <Icon of={Search} size={16} />
        <span>{t('bar.search')}</span>
        <Kbd>Ctrl</Kbd>
        <Kbd>K</Kbd>
      </button>
      <div className="s-bar-tools">
        <Jobs />
        <LiveDot />
        <Bells />
        <IconButton icon={Info} label={t('bar.shortcuts')} shortcut="?" onClick={onHelp} />
        <IconButton
          icon={dark ? Sun : Moon}
          label={t(dark ? 'bar.toLight' : 'bar.toDark')}
          onClick={() => chooseTheme(dark ? 'light' : 'dark')}
        />
      </div>
    </header>
  )
}
