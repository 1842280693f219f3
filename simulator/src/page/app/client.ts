// The page's one connection to the simulator: live frames in, small calls out.
import { useSyncExternalStore } from 'react'
import type { Frame, Network, PageState, PhoneFile, PhoneView, SendRequestBody, WorldNotice } from '../model.ts'

const KEPT = 200

interface View extends PageState {
  connected: boolean
  /** What the last call was refused with. */
  error?: string
}

let view: View = { phones: [], happenings: [], scans: [], connected: false }
const listeners = new Set<() => void>()

export function useView(): View {
  return useSyncExternalStore(subscribe, () => view)
}

/** Opens the live stream; the browser reconnects by itself and gets the whole state again. */
export function listen(): void {
  const source = new EventSource('api/events')
  source.onmessage = event => take(JSON.parse(String(event.data)))
  source.onerror = () => change({ connected: false })
}

export function clearError(): void {
  change({ error: undefined })
}

function take(frame: Frame): void {
  switch (frame.type) {
    case 'state':
      change({ ...frame.state, connected: true })
      break
    case 'phones':
      change({ phones: mergePhones(view.phones, frame.phones) })
      break
    case 'happening':
      change({ happenings: updateNotices(view.happenings, frame.happening) })
      break
    case 'scans':
      change({ scans: frame.scans })
      break
  }
}

function mergePhones(old: PhoneView[], changed: PhoneView[]): PhoneView[] {
  const byId = new Map(changed.map(phone => [phone.id, phone]))
  const stayed = old.map(phone => byId.get(phone.id) ?? phone)
  return [...stayed, ...changed.filter(phone => !old.some(one => one.id === phone.id))]
}

/** A happening told again replaces what was said first: "leu 2 mensagens". */
function updateNotices(happenings: WorldNotice[], happening: WorldNotice): WorldNotice[] {
  return [happening, ...happenings.filter(one => one.id !== happening.id)].slice(0, KEPT)
}

function change(part: Partial<View>): void {
  view = { ...view, ...part }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const act = {
  send: (phone: string, sending: SendRequestBody) => call('POST', `phones/${phone}/messages`, sending),
  sendFile(phone: string, file: Blob, name: string, facts: PhoneFile) {
    const form = new FormData()
    form.set('facts', JSON.stringify({ ...facts, mime: file.type, name }))
    form.set('file', file, name)
    return call('POST', `phones/${phone}/files`, form)
  },
  edit: (phone: string, id: string, text: string) => call('PUT', `phones/${phone}/messages/${id}`, { text }),
  remove: (phone: string, id: string) => call('DELETE', `phones/${phone}/messages/${id}`),
  react: (phone: string, id: string, emoji: string) =>
    call('POST', `phones/${phone}/messages/${id}/reaction`, { emoji }),
  open: (phone: string, chat: string | null) => call('POST', `phones/${phone}/open`, { chat }),
  read: (phone: string) => call('POST', `phones/${phone}/read`),
  played: (phone: string, id: string) => call('POST', `phones/${phone}/messages/${id}/played`),
  typing: (phone: string, state: 'composing' | 'recording' | 'paused') =>
    call('POST', `phones/${phone}/typing`, { state }),
  phoneCall: (phone: string, video: boolean) => call('POST', `phones/${phone}/call`, { video }),
  network: (network: Network, phone?: string) =>
    call('PUT', phone ? `phones/${phone}/network` : 'network', { network }),
  block: (phone: string, on: boolean) => call('PUT', `phones/${phone}/block`, { on }),
  whatsapp: (phone: string, on: boolean) => call('PUT', `phones/${phone}/whatsapp`, { on }),
  crowd: () => call('POST', 'crowd'),
  burst: (count: number) => call('POST', 'burst', { count }),
  newPhone: (name: string) => call('POST', 'phones', { name }),
  scan: (phone: string, qr: string) => call('POST', `phones/${phone}/scan`, { qr }),
  pair: (phone: string, code: string) => call('POST', `phones/${phone}/pair`, { code }),
  logOut: (phone: string, device: string) => call('DELETE', `phones/${phone}/devices/${device}`),
}

/** True when it worked; otherwise the reason is on the page. */
async function call(method: string, path: string, body?: unknown): Promise<boolean> {
  try {
    const form = body instanceof FormData
    const answer = await fetch(`api/${path}`, {
      method,
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      ...(body === undefined || form ? {} : { headers: { 'content-type': 'application/json' } }),
    })
    if (answer.ok) return true
    const refusal: { message?: string } = await answer.json().catch(() => ({}))
    change({ error: refusal.message ?? 'O simulador não aceitou. Tente de novo.' })
  } catch {
    change({ error: 'O simulador não respondeu. Confira se a demonstração está rodando.' })
  }
  return false
}

export type { PhoneView, WorldNotice }
