// Reasons of pauses offered for choosing: those the person used last on this device, then the usual ones.
import { remember } from '@balcao/ui/browser'
import type { Texts } from '@balcao/ui/i18n'
import { toPersonalKey } from '@balcao/ui/session'

const STORED = 'balcao.pause-reasons'
const OFFERED = 5

export function listPauseReasons(t: Texts): readonly string[] {
  const usual = ['customer', 'stock', 'payment'].map(key => t(`pause.usual.${key}`))
  return [...new Set([...read(), ...usual])].slice(0, OFFERED)
}

/** The one this person used last on this device; empty before the first. */
export function readLastReason(): string {
  return read()[0] ?? ''
}

export function keepReason(reason: string) {
  remember(toPersonalKey(STORED), JSON.stringify([...new Set([reason, ...read()])].slice(0, OFFERED)))
}

function read(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(toPersonalKey(STORED)) ?? '[]')
    return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
  } catch {
    // Somebody else wrote there; the usual ones are enough.
    return []
  }
}
