import { remember } from '../browser/index.ts'
import { listPossibleActions } from './register.ts'
import { areLettersPaused, isTextField } from './rest.ts'

const STORED = 'balcao.letters'

/** Listens to the keyboard for the registered actions; the shell calls it once. Returns how to stop. */
export function startShortcuts(target: Document = document) {
  target.addEventListener('keydown', handleKey)
  return () => target.removeEventListener('keydown', handleKey)
}

/** Whether single-letter shortcuts are on; they can be turned off on this device (WCAG 2.1.4). */
export function areLettersOn() {
  return localStorage.getItem(STORED) !== 'off'
}

export function setLetters(on: boolean) {
  remember(STORED, on ? 'on' : 'off')
}

/** The keys of a shortcut as written on `kbd` chips: `Ctrl+K` gives `['Ctrl', 'K']`. */
export function splitShortcut(shortcut: string) {
  return shortcut === '+' ? ['+'] : shortcut.split('+')
}

function handleKey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  const name = getKeyName(event)
  const withModifier = event.ctrlKey || event.metaKey || event.altKey
  if (!withModifier && (areLettersPaused() || (name !== 'Esc' && isTextField(event.target)))) return
  if (!withModifier && name.length === 1 && /\p{L}/u.test(name) && !areLettersOn()) return
  const action = listPossibleActions().findLast(candidate => candidate.shortcut?.toUpperCase() === name.toUpperCase())
  if (!action) return
  event.preventDefault()
  void action.perform()
}

function getKeyName(event: KeyboardEvent) {
  const key = event.key === 'Escape' ? 'Esc' : event.key.length === 1 ? event.key.toUpperCase() : event.key
  const modifiers = [
    (event.ctrlKey || event.metaKey) && 'Ctrl',
    event.altKey && 'Alt',
    // On `?` and the like, Shift is how the character is typed.
    event.shiftKey && /^(\p{L}|\w{2,})$/u.test(key) && 'Shift',
  ]
  return [...modifiers.filter(Boolean), key].join('+')
}
