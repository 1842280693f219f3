// Until when an answer is due, in a row (docs/decisions/0317).
import { expect, test } from 'bun:test'
import { addTexts, getTexts } from '@balcao/ui/i18n'
import en from '../locales/due/en.json'
import es from '../locales/due/es.json'
import pt from '../locales/due/pt.json'
import { describeDue, rateDue } from '../src/list/RowDue.tsx'

addTexts('tickets', { pt, en, es })
const t = getTexts('tickets')
const NOW = new Date('2026-11-30T12:00:00Z')

/** An answer of which so many minutes are left, of a whole. */
function due(left: number, whole = 60) {
  const at = NOW.getTime() + left * 60_000
  return { answerSince: new Date(at - whole * 60_000).toISOString(), answerDueAt: new Date(at).toISOString() }
}

test('the time that is left, to the minute it ends in, and how late it is', () => {
  const words = [12, 11.2, 0.5, 0, -0.5, -8.2, 90, -150, 60 * 49].map(left => describeDue(due(left), t, NOW))
  expect(words).toEqual([
    ...['prazo 12 min', 'prazo 12 min', 'prazo 1 min', 'prazo 0 min', 'atrasado 0 min', 'atrasado 8 min'],
    ...['prazo 1 h', 'atrasado 2 h', 'prazo 2 d'],
  ])
  expect(describeDue({ answerSince: null, answerDueAt: null }, t, NOW)).toBeNull()
})

test('it turns with a fifth of the time left, or with five minutes', () => {
  expect([13, 12, 5.1, -0.1].map(left => rateDue(due(left), NOW))).toEqual(['calm', 'near', 'near', 'late'])
  expect([6, 5].map(left => rateDue(due(left, 10), NOW))).toEqual(['calm', 'near'])
})
