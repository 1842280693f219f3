// Which modules exist once in the page. The shell provides them; a remote brings no copy of its own, so a second
// session store, socket or toast stack can never exist (React keeps a fallback: its `/`-keys need one, facts of MF).
const shareOnce = (requiredVersion: string | false, version?: string) => ({
  singleton: true,
  strictVersion: false,
  requiredVersion,
  ...(version ? { version } : {}),
})

const UI_VERSION = '7.1.1'
const UI_MODULES = ['router', 'session', 'api', 'live', 'i18n', 'actions', 'parts'] as const

export const shellShared = {
  react: shareOnce('^19.0.0'),
  'react/': shareOnce('^19.0.0'),
  'react-dom': shareOnce('^19.0.0'),
  'react-dom/': shareOnce('^19.0.0'),
  valtio: shareOnce('^2.0.0'),
  ...Object.fromEntries(UI_MODULES.map(name => [`@balcao/ui/${name}`, shareOnce(false, UI_VERSION)])),
}

export const remoteShared = Object.fromEntries(
  Object.entries(shellShared).map(([key, value]) => [
    key,
    key.startsWith('react') ? value : { ...value, import: false as const },
  ]),
)
