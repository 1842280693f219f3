// A finding in the reader's words: what it is, and what to do where something is to be done.
import type { Finding } from '@balcao/contract'
import { fileSize } from '@balcao/contract/message-bodies'
import { currentLanguage, hasText, type Texts } from '@balcao/ui/i18n'

export interface SaidFinding {
  readonly what: string
  /** Null: nothing. */
  readonly todo: string | null
}

const SIZES: readonly string[] = ['bytes', 'of']

export function saidOf({ code, level, params }: Finding, t: Texts): SaidFinding {
  const words = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, wordOf(code, name, value, t)]))
  const key = (what: string) => `finding.${code}.${what}`
  const exact = key(level)
  return {
    what: t(hasText('doctor', exact) ? exact : key('what'), words),
    todo: level === 'ok' ? null : t(key('do'), words),
  }
}

function wordOf(code: Finding['code'], name: string, value: string | number, t: Texts): string | number {
  if (typeof value === 'number')
    return SIZES.includes(name) && code !== 'files.missing' ? fileSize(value, currentLanguage()) : value
  const known = `word.${name}.${value}`
  return hasText('doctor', known) ? t(known) : value
}
