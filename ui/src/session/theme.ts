import { remember } from '../browser/index.ts'
import { session, type ThemeChoice } from './store.ts'

const STORED = 'balcao.theme'

/** Applies the remembered theme and follows the system while none is chosen; the shell calls it once, first of all. */
export function startTheme() {
  const stored = localStorage.getItem(STORED)
  session.theme = stored === 'light' || stored === 'dark' ? stored : 'system'
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', apply)
  apply()
}

/** Chooses light, dark or the system's, on this device. */
export function chooseTheme(theme: ThemeChoice) {
  if (theme === 'system') localStorage.removeItem(STORED)
  else remember(STORED, theme)
  session.theme = theme
  apply()
}

function apply() {
  const system = window.matchMedia('(prefers-color-scheme: dark)').matches
  session.dark = session.theme === 'dark' || (session.theme === 'system' && system)
  document.documentElement.dataset.theme = session.dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', session.dark ? '#0B0F17' : '#EFECE6')
}
