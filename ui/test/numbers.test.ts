import { afterAll, expect, test } from 'bun:test'
import { addTexts, changeLanguage, formatNumber, getTexts } from '../src/i18n/index.ts'

const WORDS = {
  rows_one: '{{count}} linha',
  rows_other: '{{count}} linhas',
  ticket: 'nº {{id}}',
  hint: 'Use {{name}}.',
}
addTexts('numbers', { pt: WORDS, en: WORDS, es: WORDS })
afterAll(() => changeLanguage('pt'))

test.each([
  ['pt', '12.065 linhas', '1.206'],
  ['en', '12,065 linhas', '1,206'],
  ['es', '12.065 linhas', '1206'],
] as const)('numbers stand as they are written in %s', async (language, rows, number) => {
  await changeLanguage(language)
  expect(getTexts('numbers')('rows', { count: 12_065 })).toBe(rows)
  expect(getTexts('numbers')('rows', { count: 1 })).toBe('1 linha')
  expect(formatNumber(1206)).toBe(number)
})

test('the number of a ticket is its name, and what nobody fills in stays', () => {
  expect(getTexts('numbers')('ticket', { id: 12_065 })).toBe('nº 12065')
  expect(getTexts('numbers')('hint')).toBe('Use {{name}}.')
})
