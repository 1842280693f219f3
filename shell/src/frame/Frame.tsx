import { useTexts } from '@balcao/ui/i18n'
import {
  Boundary,
  CardSkeletons,
  defineLatePart,
  ErrorState,
  PartFailed,
  useFetchedAhead,
  useNarrowerThan,
  useSkeleton,
} from '@balcao/ui/parts'
import { useLocation } from '@balcao/ui/router'
import { useSession, useUser } from '@balcao/ui/session'
import { useState } from 'react'
import { AccountDialogs } from '../account/AccountDialogs.tsx'
import { useIntroduction, useNotes } from '../account/account.ts'
import { DeviceSettings } from '../notifications/Bells.tsx'
import { useBells } from '../notifications/bells.ts'
import { parseConversationKey } from '../notifications/places.ts'
import { useShellActions } from '../palette/actions.ts'
import { usePalette } from '../palette/use-palette.ts'
import { NotLoaded } from '../remotes/RemoteView.tsx'
import { useSystem } from '../session/system.ts'
import { AppBar } from './AppBar.tsx'
import { BottomBar } from './BottomBar.tsx'
import { useBadges } from './badges.ts'
import { ConnectionLine } from './ConnectionLine.tsx'
import { findEntry, isSwitchedOff, listMenuEntries } from './menu.ts'
import { Pages } from './Pages.tsx'
import { Rail } from './Rail.tsx'
import { useMenuOpen } from './use-menu-open.ts'
import { useRemotes } from './use-remotes.ts'

const Help = defineLatePart(() => import(/* webpackChunkName: "lazy-palette" */ '../palette/Help.tsx'))
const SOON = [Help, NotLoaded]

/** Everything around the remotes: app bar, menu, banner, palette, help. */
export function Frame() {
  const t = useTexts('shell')
  const toLabel = useTexts('menu')
  const user = useUser()
  const { settings } = useSession()
  const { pathname } = useLocation()
  const { remotes, failed, load, preload } = useRemotes()
  const [overlay, setOverlay] = useState<'palette' | 'help' | null>(null)
  const close = () => setOverlay(null)
  const { Palette, failure: paletteFailure } = usePalette(overlay === 'palette', close)
  const phone = useNarrowerThan('phone')
  const entries = listMenuEntries(remotes ?? [], user.profile)
  const here = findEntry(entries, pathname)
  const menu = useMenuOpen()
  const skeleton = useSkeleton(remotes === null && !failed)

  const invoices = useSystem()?.invoices === true && user.profile === 'admin'

  useBadges()
  useIntroduction()
  useNotes()
  useBells()
  useFetchedAhead(SOON)
  useShellActions({
    entries: entries.filter(entry => !isSwitchedOff(entry, settings)),
    invoices,
    preload,
    openPalette: () => setOverlay('palette'),
    openHelp: () => setOverlay('help'),
    toggleMenu: menu.toggle,
  })

  // On a phone an open conversation has the whole screen.
  const alone = phone && parseConversationKey(pathname) !== null
  return (
    <div className={`s-frame${phone ? ' is-phone' : ''}${menu.open && !phone ? ' is-open' : ''}`}>
      <a className="s-skip" href="#main">
        {t('menu.skip')}
      </a>
      {!alone && (
        <Boundary>
          <AppBar
            phone={phone}
            menu={menu}
            title={here ? toLabel(here.path) : ''}
            onPalette={() => setOverlay('palette')}
            onHelp={() => setOverlay('help')}
          />
        </Boundary>
      )}
      {!phone && (
        <Boundary>
          <Rail entries={entries} here={here} open={menu.open} invoices={invoices} preload={preload} />
        </Boundary>
      )}
      <main className="s-sheet" id="main" tabIndex={-1}>
        <ConnectionLine />
        {failed && (
          <ErrorState
            title={t('remote.noMenu')}
            text={t('remote.noMenuText')}
            onRetry={() => void load()}
            retryIn={8}
          />
        )}
        {skeleton && <CardSkeletons />}
        {remotes && <Pages remotes={remotes} profile={user.profile} />}
      </main>
      {phone && !alone && <BottomBar entries={entries} here={here} invoices={invoices} preload={preload} />}
      <AccountDialogs />
      <DeviceSettings />
      {Palette && (
        <Boundary place="floating">
          <Palette onClose={close} />
        </Boundary>
      )}
      {paletteFailure && <PartFailed {...paletteFailure} place="floating" onClose={close} />}
      {overlay === 'help' && <Help onClose={close} />}
    </div>
  )
}
