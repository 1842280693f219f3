// What is half written stays with its ticket, on this device.
const PREFIX = 'balcao.draft.'

export function readDraft(ticketId: number): string {
  return localStorage.getItem(PREFIX + ticketId) ?? ''
}

export function keepDraft(ticketId: number, text: string) {
  if (text.trim() === '') localStorage.removeItem(PREFIX + ticketId)
  else localStorage.setItem(PREFIX + ticketId, text)
}

const SIGN = 'balcao.sign'

/** Signing messages with the attendant's name is on by default and stored locally (spec 1 §5). */
export function isSigning(): boolean {
  return localStorage.getItem(SIGN) !== 'off'
}

export function keepSigning(on: boolean) {
  localStorage.setItem(SIGN, on ? 'on' : 'off')
}
