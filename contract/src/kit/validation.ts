// What a value must look like, for forms and server alike.
import { truncateText } from '../follow-up/answers.ts'
import type { FaultCode, FaultText } from './app-error.ts'

/** Text without the accents, for file names and search: `'boleto março.pdf'` becomes `'boleto marco.pdf'`. */
export function stripAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

/** Without the marks that turn the direction of what follows: a name may end in one, and turn around what stands behind it. */
export function stripDirectionMarks(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
}

/**
 * A file name that is safe to store and show: no accents, control, direction-changing or path characters, at most 120 long.
 * @example toSafeFileName('../relatório.pdf') // 'relatorio.pdf'
 */
export function toSafeFileName(name: string): string {
  return cleanFileName(stripAccents(name))
}

/**
 * The same with its accents, for what others named.
 * @example cleanFileName('Orçamento março.pdf') // 'Orçamento março.pdf'
 */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).pop() ?? ''
  const clean = last
    .replace(/[\p{C}"<>|:*?]/gu, '')
    .trim()
    .replace(/^\.+/, '')
  if (clean.length <= 120) return clean || 'arquivo'
  const dot = clean.lastIndexOf('.')
  const ending = dot > 0 && clean.length - dot <= 10 ? clean.slice(dot) : ''
  return truncateText(clean, 120 - ending.length) + ending
}

/** What is wrong with the name of a connection or similar, or null (spec 2 §5). */
export function validateName(name: string, [least, most]: readonly [number, number]): FaultText | null {
  const length = name.trim().length
  if (length === 0) return 'schema.fieldRequired'
  if (length < least) return 'field.tooShort'
  return length > most ? 'field.tooLong' : null
}

/** Whether these are the digits of a phone that can be paired: 12 or 13 of them (spec 2 §5). */
export function isPairPhone(phone: string): boolean {
  return /^\d{12,13}$/.test(phone)
}

/** The rules of the password policy, in the order in which they are told (spec 2 §5). */
export type PasswordRule = FaultCode<'password'>

const KEPT: Readonly<Record<PasswordRule, (password: string) => boolean>> = {
  length: password => password.length >= 8,
  upper: password => /\p{Lu}/u.test(password),
  lower: password => /\p{Ll}/u.test(password),
  digit: password => /\d/.test(password),
  special: password => /[^\p{L}\d]/u.test(password),
  long: password => password.length <= 50,
}

/** Each rule of the password policy, and whether a password keeps it: what is told while somebody types (spec 2 §5). */
export function checkPasswordRules(password: string): { readonly rule: PasswordRule; readonly isKept: boolean }[] {
  const rules: PasswordRule[] = ['length', 'upper', 'lower', 'digit', 'special', 'long']
  return rules.map(rule => ({ rule, isKept: KEPT[rule](password) }))
}

/** The first rule of the password policy a password breaks, or null (spec 2 §5). */
export function findBrokenPasswordRule(password: string): PasswordRule | null {
  return checkPasswordRules(password).find(({ isKept }) => !isKept)?.rule ?? null
}

/** The same as a fault of its field. */
export function validatePassword(password: string): FaultText | null {
  const rule = findBrokenPasswordRule(password)
  return rule && `password.${rule}`
}

/** A tax id with 14 digits as people read it, or null if it is none: `'12345678000195'` becomes `'12.345.678/0001-95'`. */
export function formatTaxId(text: string): string | null {
  const digits = /^(\d{2})(\d{3})(\d{3})(\d{4})(\d{2})$/.exec(text.replace(/\D/g, ''))
  return digits && `${digits[1]}.${digits[2]}.${digits[3]}/${digits[4]}-${digits[5]}`
}
