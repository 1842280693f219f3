import { expect, test } from 'bun:test'
import { upsertByVersion } from '../src/live/versions.ts'

test('the same event twice, or an older one late, changes nothing', () => {
  const list = [{ id: 1, version: 5, name: 'a' }]
  expect(upsertByVersion(list, { id: 1, version: 5, name: 'b' })).toBe(list)
  expect(upsertByVersion(list, { id: 1, version: 4, name: 'b' })).toBe(list)
  expect(upsertByVersion(list, { id: 1, version: 6, name: 'b' })).toEqual([{ id: 1, version: 6, name: 'b' }])
  expect(upsertByVersion(list, { id: 2, version: 1, name: 'c' })[0]).toEqual({ id: 2, version: 1, name: 'c' })
})
