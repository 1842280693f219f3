import { changeLanguage, getLanguage, LANGUAGES, useTexts } from '@balcao/ui/i18n'
import { Avatar, Menu, type MenuItem } from '@balcao/ui/parts'
import { chooseTheme, type ThemeChoice, useSession, useUser } from '@balcao/ui/session'
import { BellRing, KeyRound, LogOut, Monitor, MonitorSmartphone, Moon, Sparkles, Sun, UserRound } from 'lucide-react'
import { openAccount, useAccount } from '../account/account.ts'
import { openBell } from '../notifications/bells.ts'
import { signOut } from '../session/enter.ts'
import { LANGUAGE_NAMES } from '../signin/LanguageRow.tsx'

const THEMES = [
  { id: 'light', icon: Sun },
  { id: 'dark', icon: Moon },
  { id: 'system', icon: Monitor },
] as const satisfies readonly { id: ThemeChoice; icon: typeof Sun }[]

/** The person's own menu: profile, password, notes, theme, language, sign out. */
export function UserMenu({ open, phone }: { readonly open?: boolean; readonly phone?: boolean }) {
  const t = useTexts('shell')
  const user = useUser()
  const { theme, connection } = useSession()
  const { notes } = useAccount()
  const presence = connection.state === 'offline' ? 'offline' : 'online'

  const items: (MenuItem | 'line')[] = [
    { id: 'profile', icon: UserRound, label: t('account.title'), onChoose: () => openAccount('profile') },
    { id: 'device', icon: BellRing, label: t('bell.device'), onChoose: () => openBell('device') },
    { id: 'password', icon: KeyRound, label: t('password.title'), onChoose: () => openAccount('password') },
    { id: 'devices', icon: MonitorSmartphone, label: t('devices.title'), onChoose: () => openAccount('devices') },
    ...(notes.length > 0
      ? [{ id: 'notes', icon: Sparkles, label: t('notes.title'), onChoose: () => openAccount('notes') }]
      : []),
    'line',
    ...THEMES.map(({ id, icon }) => ({
      id,
      icon,
      label: t(`bar.${id}`),
      checked: id === theme,
      onChoose: () => chooseTheme(id),
    })),
    'line',
    ...LANGUAGES.map(language => ({
      id: language,
      label: LANGUAGE_NAMES[language],
      checked: language === getLanguage(),
      onChoose: () => void changeLanguage(language),
    })),
    'line',
    { id: 'out', icon: LogOut, label: t('bar.signOut'), onChoose: () => void signOut() },
  ]

  return (
    <Menu
      label={t('bar.user')}
      side={phone ? 'below' : 'right'}
      align="end"
      items={items}
      header={
        <div className="s-user-head">
          <strong>{user.name}</strong>
          <span>{t(`profile.${user.profile}`)}</span>
        </div>
      }
      button={props => (
        <button {...props} type="button" className="s-user">
          <span className="b-only-read">
            {t('bar.user')}
            {!open && `: ${user.name}`}
          </span>
          <Avatar id={user.id} name={user.name} photo={user.profilePicUrl} presence={presence} size={30} />
          {open && (
            <span className="s-user-words">
              <strong>{user.name}</strong>
              <span>{t(`profile.${user.profile}`)}</span>
            </span>
          )}
        </button>
      )}
    />
  )
}
