import { expect, test } from 'bun:test'
import { byShortcut, matches } from '../src/quick-answers/list.ts'
import { anAnswer } from './answer.ts'

test('search ignores accents, case and the slash', () => {
  const answer = anAnswer({ id: 1, shortcut: 'Endereço' })
  expect(matches(answer, { search: '/ENDERECO' })).toBe(true)
  expect(matches(answer, { search: 'CHAVE pix' })).toBe(true)
  expect(matches(answer, { search: 'prazo' })).toBe(false)
})

test('they stand by shortcut as Portuguese sorts, then by age', () => {
  const all = ['pix', 'endereço', 'Entrega', 'até'].map((shortcut, index) => anAnswer({ id: index + 1, shortcut }))
  const twice = [...all, anAnswer({ id: 9, shortcut: 'pix' })]
  expect(twice.toSorted(byShortcut).map(({ id }) => id)).toEqual([4, 2, 3, 1, 9])
})
