import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { type Action, listPossibleActions, registerActions, runAction } from '../src/actions/register.ts'
import { pauseLetters, pauseLettersWhileTyping } from '../src/actions/rest.ts'
import { setLetters, splitShortcut, startShortcuts } from '../src/actions/shortcuts.ts'

const done: string[] = []
const stops: (() => unknown)[] = []

beforeEach(() => {
  done.length = 0
  document.body.innerHTML = ''
  setLetters(true)
  stops.push(startShortcuts())
})

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

test('a letter performs its action outside of fields', () => {
  known(action('ticket.accept', 'A'))
  press('a')
  expect(done).toEqual(['ticket.accept'])
})

test('a letter typed into a field stays a letter', () => {
  known(action('ticket.accept', 'A'))
  const field = document.body.appendChild(document.createElement('input'))
  press('a', {}, field)
  expect(done).toEqual([])
})

test('Ctrl K works inside a field too', () => {
  known(action('shell.palette', 'Ctrl+K'))
  const field = document.body.appendChild(document.createElement('textarea'))
  press('k', { ctrlKey: true }, field)
  expect(done).toEqual(['shell.palette'])
})

test('letters and Escape rest while a layer is up or on its way; Ctrl K does not', () => {
  known(action('ticket.accept', 'A'), action('marks.clear', 'Esc'), action('shell.palette', 'Ctrl+K'))
  const [below, above] = [pauseLetters(), pauseLetters()]
  above()
  above()
  press('a')
  press('Escape')
  press('k', { ctrlKey: true })
  expect(done).toEqual(['shell.palette'])
  below()
  press('a')
  expect(done).toEqual(['shell.palette', 'ticket.accept'])
})

test('when the field somebody writes in is taken away the rest of their words is no shortcut', () => {
  known(action('ticket.reopen', 'A'))
  pauseLettersWhileTyping()
  press('a')
  press('a')
  expect(done).toEqual([])
  document.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  press('a')
  expect(done).toEqual(['ticket.reopen'])
})

test('and is one again once they have pressed Escape or paused', () => {
  known(action('ticket.reopen', 'A'))
  pauseLettersWhileTyping()
  press('Escape')
  press('a')
  expect(done).toEqual(['ticket.reopen'])
  const timer = spyOn(globalThis, 'setTimeout')
  try {
    pauseLettersWhileTyping()
    press('a')
    const pause = timer.mock.calls.at(-1)?.[0]
    if (typeof pause !== 'function') throw new Error('nothing waits for a pause')
    pause()
    press('a')
    expect(done).toEqual(['ticket.reopen', 'ticket.reopen'])
  } finally {
    timer.mockRestore()
  }
})

test('single letters can be turned off; the other shortcuts stay', () => {
  known(action('ticket.accept', 'A'), action('shell.help', '?'))
  setLetters(false)
  press('a')
  press('?', { shiftKey: true })
  expect(done).toEqual(['shell.help'])
})

test('an action that is not possible now neither shows nor runs', () => {
  known({ ...action('ticket.resolve', 'E'), when: () => false })
  press('e')
  expect([runAction('ticket.resolve'), listPossibleActions(), done]).toEqual([false, [], []])
})

test('of two actions with one shortcut the later registered wins until it leaves', () => {
  known(action('list.next', 'J'))
  const leave = registerActions([action('message.next', 'J')])
  press('j')
  leave()
  press('j')
  expect(done).toEqual(['message.next', 'list.next'])
})

test('the same id registered again replaces the one before', () => {
  known(action('ticket.accept', 'A'))
  known({ ...action('ticket.accept', 'A'), labelKey: 'second' })
  expect(listPossibleActions().map(({ labelKey }) => labelKey)).toEqual(['second'])
})

test('a shortcut is written key by key', () => {
  expect([splitShortcut('Ctrl+K'), splitShortcut('?'), splitShortcut('+')]).toEqual([['Ctrl', 'K'], ['?'], ['+']])
})

function action(id: string, shortcut: string): Action {
  return { id, shortcut, labelKey: id, perform: () => void done.push(id) }
}

function known(...actions: Action[]) {
  stops.push(registerActions(actions))
}

function press(key: string, modifiers: KeyboardEventInit = {}, target: EventTarget = document.body) {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers }))
}
