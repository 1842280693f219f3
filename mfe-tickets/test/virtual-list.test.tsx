// The list that draws what is in view: paging and live moves (spec 1 §4, §9).
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { runAction } from '@balcao/ui/actions'
import { addTexts, setTimezone } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { Check } from 'lucide-react'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { clearMarks, marked, toggleMark } from '../src/bulk/marked.ts'
import { useMarking } from '../src/bulk/use-marking.ts'
import { VirtualList } from '../src/list/VirtualList.tsx'
import { InDesk } from './in-desk.tsx'
import { makeUser } from './make.ts'

addTexts('tickets', { pt, en, es })

let root: Root | undefined

beforeEach(() => {
  endSession()
  session.user = makeUser('admin')
  setTimezone('America/Sao_Paulo')
})

afterEach(() => {
  act(() => root?.unmount())
  root = undefined
  endSession()
})

const ROW = 76
const HEIGHT = 900

/** A list of these rows, drawn again with others by `turn`. */
function listBox(first: readonly number[], onNearEnd = () => {}) {
  const drawn = new Map<number, number>()
  const content = (ids: readonly number[]) => (
    <InDesk>
      <VirtualList
        ids={ids}
        rowHeight={ROW}
        selectedId={null}
        label="lista"
        renderRow={renderRow}
        onOpen={onOpen}
        onNearEnd={onNearEnd}
        resetKey="assigned"
      />
    </InDesk>
  )
  const renderRow = (id: number) => {
    drawn.set(id, (drawn.get(id) ?? 0) + 1)
    return <span>{`linha ${id}`}</span>
  }
  const onOpen = () => {}
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root = createRoot(place)
    root.render(content(first))
  })
  const box = place.querySelector('.t-scroll')
  if (!(box instanceof HTMLElement)) throw new Error('no list')
  Object.defineProperty(box, 'clientHeight', { value: HEIGHT })
  return {
    box,
    drawn,
    turn: (ids: readonly number[]) => act(() => root?.render(content(ids))),
    scrollTo(top: number) {
      act(() => {
        box.scrollTop = top
        box.dispatchEvent(new Event('scroll'))
      })
    },
  }
}

function listNumbersDown(count: number): number[] {
  return Array.from({ length: count }, (_, n) => count - n)
}

describe('spec 1 §9: infinite scroll', () => {
  test('the next page is asked for within 100 px of the bottom, not before', () => {
    let requests = 0
    const { scrollTo } = listBox(listNumbersDown(40), () => {
      requests += 1
    })
    const bottom = 40 * ROW - HEIGHT
    scrollTo(bottom - 101)
    expect(requests).toBe(0)
    scrollTo(bottom - 100)
    expect(requests).toBe(1)
    scrollTo(bottom)
    expect(requests).toBe(1)
  })

  test('a page that ends within the view asks for the next at once', () => {
    let requests = 0
    listBox(listNumbersDown(5), () => {
      requests += 1
    })
    expect(requests).toBe(1)
  })
})

describe('spec 1 §4: live events move tickets', () => {
  test('to the top, while the person further down keeps looking at the same row', () => {
    const { box, scrollTo, turn } = listBox(listNumbersDown(60))
    scrollTo(20 * ROW + 10)
    turn([61, ...listNumbersDown(60)])
    expect(box.scrollTop).toBe(21 * ROW + 10)
    turn([7, 61, ...listNumbersDown(60).filter(id => id !== 7)])
    expect(box.scrollTop).toBe(22 * ROW + 10)
    turn([7, 61, ...listNumbersDown(60).filter(id => id !== 7 && id !== 55)])
    expect(box.scrollTop).toBe(21 * ROW + 10)
  })

  test('at the top they come into sight', () => {
    const { box, turn } = listBox(listNumbersDown(60))
    turn([61, ...listNumbersDown(60)])
    expect(box.scrollTop).toBe(0)
  })

  test('without flicker: rows that only moved are the same elements, drawn once', () => {
    const { box, drawn, turn } = listBox(listNumbersDown(10))
    const before = box.querySelector('#t-row-4')
    turn([1, ...listNumbersDown(10).filter(id => id !== 1)])
    expect(box.querySelector('#t-row-4')).toBe(before)
    expect(box.querySelectorAll('[role=option]').length).toBe(10)
    // The row that lies a place lower is put there; nothing beyond what moved is drawn again.
    expect(drawn.get(10)).toBeLessThanOrEqual(2)
  })
})

const OPEN = 9
const accepted: number[] = []
const opened: number[] = []
const quick = { label: 'Atender', icon: Check, shortcut: 'A', perform: (id: number) => accepted.push(id) }

function Pending({ order }: { readonly order: readonly number[] }) {
  return (
    <VirtualList
      ids={order}
      rowHeight={ROW}
      selectedId={OPEN}
      label="lista"
      renderRow={id => <span>{id}</span>}
      onOpen={id => opened.push(id)}
      onNearEnd={() => {}}
      resetKey="pending"
      marks={useMarking('pending', order, OPEN)}
      quick={quick}
    />
  )
}

describe('a conversation that is open and stands in another list', () => {
  function show(order: readonly number[]) {
    const place = document.body.appendChild(document.createElement('div'))
    root = createRoot(place)
    const draw = (rows: readonly number[]) =>
      act(() =>
        root?.render(
          <InDesk>
            <Pending order={rows} />
          </InDesk>,
        ),
      )
    draw(order)
    const press = (init: KeyboardEventInit) =>
      act(() => {
        const key = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })
        place.querySelector('[role=listbox]')?.dispatchEvent(key)
      })
    return { draw, press }
  }

  beforeEach(() => {
    clearMarks()
    accepted.length = 0
    opened.length = 0
  })

  test('is not marked by Shift+J, which begins at the first row', () => {
    show([1, 2, 3])
    for (const wanted of [[1], [1, 2], [1, 2, 3]]) {
      act(() => void runAction('tickets.markNext'))
      expect([...marked.ids]).toEqual(wanted)
    }
  })

  test('is not where marking goes on once the row last marked has left', () => {
    const { draw } = show([1, 2, 3, 4])
    act(() => toggleMark('pending', 1))
    act(() => toggleMark('pending', 4))
    draw([1, 2, 3])
    act(() => void runAction('tickets.markNext'))
    expect([...marked.ids].sort()).toEqual([1, 2])
  })

  test('is neither marked nor accepted by the keys of the list', () => {
    const { press } = show([1, 2, 3])
    press({ key: ' ', ctrlKey: true })
    press({ key: 'a' })
    press({ key: 'Enter' })
    expect([[...marked.ids], accepted, opened]).toEqual([[], [], []])
    press({ key: 'ArrowDown' })
    press({ key: ' ', ctrlKey: true })
    press({ key: 'a' })
    expect([[...marked.ids], accepted]).toEqual([[1], [1]])
  })
})
