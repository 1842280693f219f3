// Enter before there is anybody to choose from.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import pt from '../locales/dialogs/pt.json'
import { TransferTargetField } from '../src/dialogs/TransferTargetField.tsx'
import type { TransferTarget } from '../src/dialogs/transferable.ts'
import { makeUser } from './make.ts'

addTexts('tickets', { pt, en: {}, es: {} })

const queue = { id: 3, name: 'Financeiro', color: '#123456', open: 0 }
const FINANCE: TransferTarget = { key: 'queue-3', name: 'Financeiro', queue: queue as never }

let root: Root
const taken: (TransferTarget | null)[] = []
let early = 0
beforeEach(() => {
  early = 0
  taken.length = 0
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.innerHTML = ''
})

const show = (targets: readonly TransferTarget[] | null, isFailed = false, served = new Map<number, number>()) =>
  act(async () =>
    root.render(
      <TransferTargetField
        targets={targets}
        isFailed={isFailed}
        chosen={null}
        served={served}
        error={null}
        onChange={target => taken.push(target)}
        onEarly={() => early++}
      />,
    ),
  )

function typeInto(text: string) {
  const field = document.querySelector('input')
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field?.dispatchEvent(new Event('input', { bubbles: true }))
}

function pressEnter() {
  const field = document.querySelector('input')
  return act(async () => {
    field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
}

test('waits for those who are on their way, and then takes the first', async () => {
  await show(null)
  act(() => typeInto('finan'))
  await pressEnter()
  expect([taken, early]).toEqual([[], 1])
  await show([FINANCE])
  expect(taken).toEqual([FINANCE])
})

test('takes at once who is there', async () => {
  await show([FINANCE])
  await pressEnter()
  expect([taken, early]).toEqual([[FINANCE], 0])
})

test('a person stands there with the own queues, how many they serve, and whether they are there', async () => {
  const [sales, finance] = ['Comercial', 'Financeiro'].map((name, at) => ({ id: at + 1, name, color: '#123456' }))
  const rafael = { ...makeUser('user'), id: 8, name: 'Rafael', status: 'away', queues: [sales, finance] }
  await show([{ key: 'user-8', name: 'Rafael', person: rafael as never }], false, new Map([[8, 3]]))
  const row = document.querySelector('[role=option]')
  expect(row?.querySelector('small')?.textContent).toMatch(/^Comercial · Financeiro · .*3/)
  expect(row?.querySelector('.g-presence')?.textContent).toBe('ausente')
})

test('is let go of when nobody comes: a later try chooses nobody', async () => {
  await show(null)
  await pressEnter()
  await show(null, true)
  await show([FINANCE])
  expect(taken).toEqual([])
})
