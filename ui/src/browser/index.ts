// What browsers give only to pages under https, in a way that works without: over plain http in a company's own network most of it
// can be had otherwise, and what cannot is said where it is wanted (decision 0162).

/** A random UUID; `crypto.randomUUID` is missing without https. */
export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Puts a text on the clipboard; false where the browser lets nobody. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return selectAndCopy(text)
  }
}

/** As people did it: marked in a field and copied. The field stands where the focus is, since dialogs keep it. */
function selectAndCopy(text: string): boolean {
  const before = document.activeElement
  const place = before?.closest('[role="dialog"]') ?? document.body
  const field = document.createElement('textarea')
  field.value = text
  field.style.cssText = 'position:fixed;opacity:0'
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}

/** Whether this browser seals and opens text (Web Crypto); it does only under https. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined
}

/** Remembers something on this device. False where its storage is full or forbidden: nothing that is only remembered may stop what it is for. */
export function remember(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** One after the other in all tabs, by a lock of the browser; without https by a lease in local storage, which ends with its time. */
export async function runExclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator === 'undefined') return work()
  if (navigator.locks) return navigator.locks.request(name, work)
  const own = makeId()
  const holder = () => readLease(name)
  while (holder() !== own) {
    // Where there is no room for it tabs may meet; that nobody gets anything done were worse.
    if (holder() === null && !remember(name, JSON.stringify({ own, until: Date.now() + LEASE_MS }))) return work()
    // Of two who took it in the same moment the later has it: both look again after a while.
    await new Promise(resolve => setTimeout(resolve, LOOK_MS + Math.random() * LOOK_MS))
  }
  try {
    return await work()
  } finally {
    if (holder() === own) localStorage.removeItem(name)
  }
}

const LEASE_MS = 10_000
const LOOK_MS = 25

function readLease(name: string): string | null {
  const lease: { own?: string; until?: number } | null = JSON.parse(localStorage.getItem(name) ?? 'null')
  const left = (lease?.until ?? 0) - Date.now()
  // One that would last longer is of a clock that was ahead.
  return lease?.own && left > 0 && left <= LEASE_MS ? lease.own : null
}

/** Gives a small file that came in an answer to the browser to save. */
export function saveFile({ name, base64 }: { readonly name: string; readonly base64: string }) {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([bytes]))
  downloadFrom({ name, url })
  // Once the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * Shows a file of our own server in a tab of its own. The tab is there before its address is known: after waiting no browser opens one.
 * Where it lets nobody at all, the file is saved.
 */
export async function openFileFrom(found: Promise<{ readonly name: string; readonly url: string } | null>) {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  const file = await found.catch((error: unknown) => {
    tab?.close()
    throw error
  })
  if (!file) tab?.close()
  else if (tab) tab.location.replace(new URL(file.url, location.href))
  else downloadFrom(file)
}

/** Gives a file of our own server to the browser to save: also one that it would show in place of the page. */
export function downloadFrom({ name, url }: { readonly name: string; readonly url: string }) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
