// The access token: in memory and in local storage, so that a reload and other tabs have it (decisions §2).
const STORED = 'balcao.token'
const PERSON = 'balcao.person'

/** The access token, or null. Other tabs may have renewed it, so it is always read anew. */
export function getAccessToken() {
  return localStorage.getItem(STORED)
}

/** Keeps a new access token, or forgets it. */
export function keepToken(token: string | null) {
  if (token === null) localStorage.removeItem(STORED)
  else localStorage.setItem(STORED, token)
}

/** Remembers whose token it is, for the other tabs. */
export function keepPerson(userId: number) {
  localStorage.setItem(PERSON, String(userId))
}

/** Calls back when another tab signs out or in. */
export function onTokenChange(changed: (token: string | null) => void) {
  return onStorageChange(STORED, changed)
}

/** Calls back when somebody signs in in another tab, with their id. */
export function onPersonChange(changed: (userId: number) => void) {
  return onStorageChange(PERSON, id => changed(Number(id)))
}

function onStorageChange(key: string, changed: (value: string | null) => void) {
  const heard = (event: StorageEvent) => event.key === key && changed(event.newValue)
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}
