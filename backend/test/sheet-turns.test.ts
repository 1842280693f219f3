import { expect, test } from 'bun:test'
import { yieldBetweenRows } from '@balcao/formats/sheets/yield-rows'

test('between rows of a sheet that take long everybody else has a turn', async () => {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  for await (const _ of yieldBetweenRows(Array.from({ length: 20 }, (_, row) => row))) workFor(6)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(15)
})

test('rows that take nothing wait for nobody', async () => {
  const rows = Array.from({ length: 1000 }, (_, row) => row)
  expect(await Array.fromAsync(yieldBetweenRows(rows))).toEqual(rows)
})

function workFor(ms: number): void {
  for (const begun = performance.now(); performance.now() - begun < ms; );
}
