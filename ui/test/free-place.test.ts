import { expect, test } from 'bun:test'
import { findFreeSpot } from '../src/kit/parts/free-place.ts'

const toast = { width: 328, height: 44 }
const desk = { width: 1440, height: 900 }
const button = (left: number, top: number, width = 90, height = 36) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
  weight: 100,
})

test('on an empty page a notice stands at the top right', () => {
  expect(findFreeSpot(toast, desk, [])).toEqual({ left: 1100, top: 12 })
})

test('it goes below the buttons of app bar and header', () => {
  const { left, top } = findFreeSpot(toast, desk, [
    button(1280, 6),
    button(1380, 6),
    button(1240, 62),
    button(1400, 62),
  ])
  expect([left, top >= 98]).toEqual([1100, true])
})

test('it stays where it is as long as that is free, and makes room for a button that comes', () => {
  const now = { left: 1100, top: 132 }
  expect(findFreeSpot(toast, desk, [button(1200, 400)], now)).toEqual(now)
  expect(findFreeSpot(toast, desk, [button(1200, 140)], now)).not.toEqual(now)
})

test('where the right side is full of buttons it stands in the middle', () => {
  const column = Array.from({ length: 60 }, (_, index) => button(1300, index * 15))
  expect(findFreeSpot(toast, desk, column).left).toBe(556)
})

test('on a phone it stands right below the head, on what scrolls there, and not between two messages in the middle', () => {
  const phone = { width: 390, height: 844 }
  const size = { width: 366, height: 44 }
  const [head, composer] = [button(0, 0, 390, 56), button(0, 780, 390, 64)]
  const messages = [70, 150, 230, 310].map(top => ({ ...button(40, top, 200, 60), weight: 10 }))
  const { top } = findFreeSpot(size, phone, [head, composer, ...messages])
  expect(top >= 56 && top < 80).toBe(true)
  // Nor does it go on as they scroll.
  expect(findFreeSpot(size, phone, [head, composer, ...messages], { left: 12, top })).toEqual({ left: 12, top })
})

test('where nothing is free it rather covers a row than a button', () => {
  const phone = { width: 390, height: 700 }
  const rows = Array.from({ length: 10 }, (_, index) => ({ ...button(0, index * 76, 390, 76), weight: 1 }))
  const { top } = findFreeSpot({ width: 366, height: 44 }, phone, [...rows, button(0, 0, 390, 110), button(300, 620)])
  expect(top >= 110 && top + 44 <= 620).toBe(true)
})
