// What is half written stays with its ticket, on this device and for whoever wrote it.
import { ownKey } from '@balcao/ui/session'

export function readDraft(ticketId: number): string {
  return localStorage.getItem(keyOf(ticketId)) ?? ''
}

export function keepDraft(ticketId: number, text: string) {
  if (text.trim() === '') localStorage.removeItem(keyOf(ticketId))
  else localStorage.setItem(keyOf(ticketId), text)
}

function keyOf(ticketId: number) {
  return `${ownKey('balcao.draft')}.${ticketId}`
}

const SIGN = 'balcao.sign'

/** Signing messages with the attendant's name is on by default and stored locally (spec 1 §5). */
export function isSigning(): boolean {
  return localStorage.getItem(ownKey(SIGN)) !== 'off'
}

export function keepSigning(on: boolean) {
  localStorage.setItem(ownKey(SIGN), on ? 'on' : 'off')
}
