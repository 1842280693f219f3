import { expect, test } from 'bun:test'
import { LatestEntries } from '../src/platform/latest-entries.ts'

test('of too many entries those stay that were used last', () => {
  const entries = new LatestEntries<number>(2)
  entries.set('a', 1)
  entries.set('b', 2)
  expect(entries.get('a')).toBe(1)
  entries.set('c', 3)
  expect([entries.get('a'), entries.get('b'), entries.get('c')]).toEqual([1, undefined, 3])
  entries.set('a', 4)
  entries.delete('c')
  expect([entries.get('a'), entries.get('c')]).toEqual([4, undefined])
})
