import { describe, expect, test } from 'bun:test'
import { findNeighbour } from '../src/desk/next.ts'
import type { Neighbours } from '../src/desk/view.ts'

describe('J and K from a conversation that has left its list', () => {
  const left: Neighbours = { of: 3, above: 2, below: 4 }

  test('lead to what stood below and above it', () => {
    expect([findNeighbour([1, 2, 4, 5], 3, 1, left), findNeighbour([1, 2, 4, 5], 3, -1, left)]).toEqual([4, 2])
  })

  test('lead to the other side where it was the first or the last, and where that one has left too', () => {
    expect(findNeighbour([1, 2], 3, 1, { of: 3, above: 2, below: undefined })).toBe(2)
    expect(findNeighbour([1, 2, 5], 3, 1, left)).toBe(2)
  })

  test('go on from there also once nothing is open any more, but not from another conversation', () => {
    expect(findNeighbour([1, 2, 4, 5], null, 1, left)).toBe(4)
    expect(findNeighbour([1, 2, 4, 5], 9, 1, left)).toBe(1)
  })

  test('go one row on while it stands in the list, and end with it', () => {
    expect([findNeighbour([1, 3, 4], 3, 1, null), findNeighbour([1, 3], 3, 1, null)]).toEqual([4, undefined])
    expect(findNeighbour([], 3, 1, left)).toBeUndefined()
  })
})
