// Which modules exist once in the page. The shell provides them; a remote brings no copy of its own, so a second
// session store, socket or toast stack can never exist (React keeps a fallback: its `/`-keys need one, facts of MF).
const once = (requiredVersion: string | false, version?: string) => ({
  singleton: true,
  strictVersion: false,
  requiredVersion,
  ...(version ? { version } : {}),
})

const UI_VERSION = '7.1.1'
const UI_MODULES = ['router', 'session', 'api', 'live', 'i18n', 'actions', 'parts'] as const

export const shellShared = {
  react: once('^19.0.0'),
  'react/': once('^19.0.0'),
  'react-dom': once('^19.0.0'),
  'react-dom/': once('^19.0.0'),
  valtio: once('^2.0.0'),
  ...Object.fromEntries(UI_MODULES.map(name => [`@balcao/ui/${name}`, once(false, UI_VERSION)])),
}

export const remoteShared = Object.fromEntries(
  Object.entries(shellShared).map(([key, value]) => [
    key,
    key.startsWith('react') ? value : { ...value, import: false as const },
  ]),
)
