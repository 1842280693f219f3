// The kinds of formatting with their keys.
import type { KeyboardEvent } from 'react'
import type { LineMark, Mark } from './formatting.ts'

export type Format = { readonly mark: Mark } | { readonly line: LineMark }

export const FORMATS = [
  { id: 'bold', how: { mark: '*' }, shortcut: 'Ctrl+B' },
  { id: 'italic', how: { mark: '_' }, shortcut: 'Ctrl+I' },
  { id: 'strike', how: { mark: '~' }, shortcut: 'Ctrl+Shift+X' },
  { id: 'code', how: { mark: '`' }, shortcut: 'Ctrl+Shift+M' },
  { id: 'bullets', how: { line: '- ' }, shortcut: 'Ctrl+Shift+8' },
  { id: 'numbers', how: { line: '1. ' }, shortcut: 'Ctrl+Shift+7' },
  { id: 'quote', how: { line: '> ' }, shortcut: 'Ctrl+Shift+9' },
] as const satisfies readonly { readonly id: string; readonly how: Format; readonly shortcut: string }[]

/** The formatting a key asks for, if any. Digits by their place on the keyboard: with Shift they are other characters. */
export function resolveFormat(event: KeyboardEvent): Format | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null
  const key = /^Digit(\d)$/.exec(event.code)?.[1] ?? event.key.toUpperCase()
  const name = `Ctrl+${event.shiftKey ? 'Shift+' : ''}${key}`
  return FORMATS.find(format => format.shortcut === name)?.how ?? null
}
