// A double click on what opens or closes a layer is one press: its second half does nothing where it falls.
import { afterEach, beforeEach, expect, mock, spyOn, test } from 'bun:test'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Menu } from '../src/kit/parts/Menu.tsx'

let root: Root
/** How far the clock is ahead, ms. */
let ahead = 0
beforeEach(() => {
  ahead = 0
  const now = performance.now.bind(performance)
  spyOn(performance, 'now').mockImplementation(() => now() + ahead)
})
afterEach(() => {
  act(() => root.unmount())
  mock.restore()
  document.body.replaceChildren()
})

test('an item pressed twice right after the menu opened is one press too, as long after that opening as it ends', () => {
  const presses = showPage()
  press('#opener', 1)
  ahead += 300
  press('[role=menuitem]', 1)
  ahead += 300
  press('#under', 2)
  expect([isOpen(), presses]).toEqual([false, ['item']])
  ahead += 300
  press('#under', 2)
  expect(presses).toEqual(['item', 'under'])
})

test('it opens a menu and leaves it open; on an item of it, it presses nothing that lies under the menu', () => {
  const presses = showPage()
  press('#opener', 1)
  press('#opener', 2)
  expect(isOpen()).toBe(true)
  const inMenu = countPresses('[role=menu]')
  ahead += 600
  press('[role=menu]', 2)
  expect(inMenu.count).toBe(1)
  press('[role=menuitem]', 1)
  press('#under', 2)
  expect([isOpen(), presses]).toEqual([false, ['item']])
  press('#under', 1)
  expect(presses).toEqual(['item', 'under'])
})

test('two presses elsewhere, right after a layer opened, are two', () => {
  showPage()
  press('#opener', 1)
  const inMenu = countPresses('[role=menu]')
  press('[role=menu]', 1, 80)
  press('[role=menu]', 2, 80)
  expect(inMenu.count).toBe(2)
})

/** A menu with one item, and a button that lies under it; the answer notes what was pressed. */
function showPage(): string[] {
  const presses: string[] = []
  root = createRoot(document.body.appendChild(document.createElement('div')))
  act(() =>
    root.render(
      <>
        <Menu
          label="Ações"
          items={[{ id: 'unread', label: 'Marcar', onChoose: () => presses.push('item') }]}
          button={props => (
            <button type="button" id="opener" {...props}>
              Abrir
            </button>
          )}
        />
        <button type="button" id="under" onClick={() => presses.push('under')}>
          Linha
        </button>
      </>,
    ),
  )
  return presses
}

function countPresses(selector: string): { count: number } {
  const presses = { count: 0 }
  document.querySelector(selector)?.addEventListener('click', () => presses.count++)
  return presses
}

function isOpen(): boolean {
  return document.querySelector('[role=menu]') !== null
}

/** `detail` is how many presses on one place there were by now, as browsers count. */
function press(selector: string, detail: number, clientX = 0) {
  act(() => {
    const target = document.querySelector(selector)
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
      target?.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, detail, clientX }))
  })
}
