import { afterEach, expect, test } from 'bun:test'
import { holdLetters, isHeldPlace } from '../src/actions/hold.ts'
import { areLettersPaused } from '../src/actions/rest.ts'

const releases: ((withinMs?: number) => void)[] = []

afterEach(() => {
  for (const release of releases.splice(0)) release(0)
  document.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  document.body.innerHTML = ''
})

test('letters held for one conversation go on where they were begun when it is held once more', () => {
  const lines: string[] = []
  hold(7, lines)
  type('Bom ')
  hold(7, lines)
  type('dia')
  const field = document.body.appendChild(document.createElement('textarea'))
  field.dataset.lane = '7'
  field.focus()
  expect([field.value, lines, isHeldPlace(document.activeElement)]).toEqual(['Bom dia', [], false])
})

test('letters held for one conversation are kept for it when another one is opened', () => {
  const lines: string[] = []
  hold(7, lines)
  type('oi')
  hold(8, lines)
  type('tudo bem?')
  expect(lines).toEqual(['7: oi'])
  press('Escape')
  expect(lines).toEqual(['7: oi', '8: tudo bem?'])
})

test('who is writing to a conversation that did not come writes on, and it is kept whole', () => {
  const lines: string[] = []
  hold(7, lines)
  type('Bom ')
  releases.at(-1)?.(0)
  type('dia')
  expect(lines).toEqual([])
  document.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  expect(lines).toEqual(['7: Bom dia'])
})

test('a field waits for the end of a word that an input method puts together', () => {
  hold(7, [])
  place().dispatchEvent(new CompositionEvent('compositionstart'))
  expect(areLettersPaused()).toBe(true)
  place().dispatchEvent(new CompositionEvent('compositionend'))
  expect(areLettersPaused()).toBe(false)
})

test('what had the focus has it again when the letters are given up with Escape', () => {
  const button = document.body.appendChild(document.createElement('button'))
  button.focus()
  hold(7, [])
  expect(isHeldPlace(document.activeElement)).toBe(true)
  press('Escape')
  expect([document.activeElement, document.querySelector('textarea')]).toEqual([button, null])
})

test('Escape gives up nothing that comes whatever is pressed: no letter is a key, and all of them stand there', () => {
  const keys: string[] = []
  function hear({ key, defaultPrevented }: KeyboardEvent) {
    if (!defaultPrevented) keys.push(key)
  }
  document.addEventListener('keydown', hear)
  hold(7, [], true)
  type('Bom ')
  press('Escape')
  type('dia')
  const field = document.body.appendChild(document.createElement('textarea'))
  field.dataset.lane = '7'
  field.focus()
  document.removeEventListener('keydown', hear)
  expect([field.value, keys]).toEqual(['Bom dia', []])
})

test('what was opened meanwhile has its Escape, and nothing that comes is given up by it', () => {
  const menu = document.body.appendChild(document.createElement('button'))
  const keys: string[] = []
  menu.addEventListener('keydown', ({ key }) => keys.push(key))
  hold(7, [], true)
  type('Bom ')
  menu.focus()
  press('Escape')
  type('dia')
  const field = document.body.appendChild(document.createElement('textarea'))
  field.dataset.lane = '7'
  field.focus()
  expect([field.value, keys]).toEqual(['Bom dia', ['Escape']])
})

test('once it is refused, Escape gives it up', () => {
  hold(7, [], true)
  type('Bom')
  releases.at(-1)?.(0)
  press('Escape')
  expect(document.querySelector('textarea')).toBeNull()
})

function hold(lane: number, lines: string[], isCertain = false) {
  releases.push(
    holdLetters({
      isCertain,
      takesFocus: true,
      receiver: {
        lane: () => lane,
        isFor: field => field.dataset.lane === String(lane),
        keep: text => lines.push(`${lane}: ${text}`),
      },
    }),
  )
}

function place(): HTMLTextAreaElement {
  const found = document.querySelector<HTMLTextAreaElement>('textarea.b-only-read')
  if (!found) throw new Error('nothing is held')
  return found
}

/** The browser writes into what has the focus after the key was heard. */
function type(text: string) {
  for (const key of text) {
    press(key)
    if (isHeldPlace(document.activeElement)) place().value += key
  }
}

function press(key: string) {
  const target = document.activeElement ?? document.body
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
