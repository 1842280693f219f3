import { expect, test } from 'bun:test'
import { compareByShortcut, isQuickAnswerMatch } from '../src/quick-answers/list.ts'
import { makeQuickAnswer } from './answer.ts'

test('search ignores accents, case and the slash', () => {
  const answer = makeQuickAnswer({ id: 1, shortcut: 'Endereço' })
  expect(isQuickAnswerMatch(answer, { search: '/ENDERECO' })).toBe(true)
  expect(isQuickAnswerMatch(answer, { search: 'CHAVE pix' })).toBe(true)
  expect(isQuickAnswerMatch(answer, { search: 'prazo' })).toBe(false)
})

test('they stand by shortcut as Portuguese sorts, then by age', () => {
  const all = ['pix', 'endereço', 'Entrega', 'até'].map((shortcut, index) =>
    makeQuickAnswer({ id: index + 1, shortcut }),
  )
  const twice = [...all, makeQuickAnswer({ id: 9, shortcut: 'pix' })]
  expect(twice.toSorted(compareByShortcut).map(({ id }) => id)).toEqual([4, 2, 3, 1, 9])
})
