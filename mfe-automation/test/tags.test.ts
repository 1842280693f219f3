import { expect, test } from 'bun:test'
import { applyFieldRules, type TagRow, tagRules } from '@balcao/contract'
import { toBody, toFields } from '../src/tags/form.ts'
import { compareByName, isTagMatch } from '../src/tags/list.ts'

const [lucia, zeca] = [
  { id: 1, name: 'Dona Lúcia' },
  { id: 2, name: 'Armazém do Zeca' },
]

function makeTag(id: number, name: string): TagRow {
  return { id, name, color: '#7a7a7a', contactsCount: 0, version: 1 }
}

test('spec 3 §5: a tag has a name of 2 to 50 characters and a colour, #7a7a7a at first', () => {
  const wrong = (name: string, color = '#7a7a7a') => applyFieldRules(tagRules, { name, color }).faults
  expect(wrong('V')).toEqual({ name: 'field.tooShort' })
  expect(wrong('V'.repeat(51))).toEqual({ name: 'field.tooLong' })
  expect(wrong('VIP', 'azul')).toEqual({ color: 'field.notColor' })
  expect(wrong('VIP')).toEqual({})
  expect(toFields(null)).toEqual({ name: '', color: '#7a7a7a', contacts: [] })
})

test('only who was chosen or left out goes along, and nobody where they are too many to be chosen', () => {
  const fields = { ...toFields(makeTag(1, 'VIP')), contacts: [zeca, lucia] }
  const own = { name: 'VIP', color: '#7a7a7a' }
  expect(toBody(fields, [lucia, zeca])).toEqual(own)
  expect(toBody(fields, [lucia])).toEqual({ ...own, give: [2] })
  expect(toBody({ ...fields, contacts: [] }, [lucia])).toEqual({ ...own, take: [1] })
  expect(toBody({ ...fields, contacts: [] }, null)).toEqual(own)
})

test('tags stand by name as Portuguese sorts, then by age; a search ignores accents and case', () => {
  const all = ['VIP', 'Água', 'atacado', 'VIP'].map((name, index) => makeTag(4 - index, name))
  expect(all.toSorted(compareByName).map(({ id }) => id)).toEqual([3, 2, 1, 4])
  expect(isTagMatch(makeTag(1, 'Água'), { search: 'AGUA' })).toBe(true)
  expect(isTagMatch(makeTag(1, 'Água'), { search: 'vip' })).toBe(false)
})
