// A finding of the doctor in the reader's words, from the texts of the page: what it is, and what to do where something is to be done.

import { formatFileSize } from '../messages/message-bodies.ts'
import type { Finding } from './check-up.ts'

export interface FindingDescription {
  readonly sentence: string
  /** Null: nothing. */
  readonly todo: string | null
}

/** The texts `finding.<code>.…` and `word.<param>.<value>`, wherever they are shown. */
export interface FindingTexts {
  readonly language: 'pt' | 'en' | 'es'
  readonly has: (key: string) => boolean
  readonly say: (key: string, values?: Record<string, string | number>) => string
}

/** Of the sizes a finding tells; what is counted in `files.missing` are files. */
const SIZES: readonly string[] = ['bytes', 'of']

export function describeFinding({ code, level, params }: Finding, texts: FindingTexts): FindingDescription {
  const { has, say } = texts
  const words = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, describeParam(code, name, value, texts)]),
  )
  const key = (name: string) => `finding.${code}.${name}`
  return {
    sentence: say(has(key(level)) ? key(level) : key('what'), words),
    todo: level === 'ok' ? null : say(key('do'), words),
  }
}

function describeParam(
  code: Finding['code'],
  name: string,
  value: string | number,
  { language, has, say }: FindingTexts,
): string | number {
  // An amount of money, as the reader writes it.
  if (name === 'cost') return Number(value).toLocaleString(language, { minimumFractionDigits: 2 })
  if (typeof value === 'number')
    return SIZES.includes(name) && code !== 'files.missing' ? formatFileSize(value, language) : value
  const known = `word.${name}.${value}`
  return has(known) ? say(known) : value
}
