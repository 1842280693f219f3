import { describe, expect, test } from 'bun:test'
import { addTexts, getTexts } from '@balcao/ui/i18n'
import en from '../locales/en.json'
import es from '../locales/es.json'
import npsEn from '../locales/nps/en.json'
import npsEs from '../locales/nps/es.json'
import npsPt from '../locales/nps/pt.json'
import pt from '../locales/pt.json'
import { makeRatingOptions, type RatingRow, toSummaryQuery } from '../src/nps/list.ts'
import { formatMean } from '../src/nps/mean-text.ts'
import { describeEmpty, nameEarlier, namePresent } from '../src/nps/name-period.ts'

const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' }
const means = makeRatingOptions(NOVEMBER)
const { start } = means

const GIVEN: RatingRow = {
  id: 1,
  contact: { id: 7, name: 'Padaria Estrela', number: null, profilePicUrl: null },
  rate: 3,
  user: { id: 2, name: 'Marina Souza', profilePicUrl: null },
  queue: { id: 4, name: 'Comercial', color: '#123456' },
  whatsapp: { id: 5, name: 'Loja Centro' },
  createdAt: '2026-11-30T23:00:00Z',
  ticketId: 9,
  version: 1,
}

describe('spec 3 §2: the list of ratings', () => {
  test('finds by period of the company, person, queue, connection and low ones, as the server does', () => {
    expect(means.matches(GIVEN, start)).toBe(true)
    // Still October in São Paulo.
    expect(means.matches({ ...GIVEN, createdAt: '2026-11-01T02:00:00Z' }, start)).toBe(false)
    expect(means.matches(GIVEN, { ...start, low: true })).toBe(true)
    expect(means.matches({ ...GIVEN, rate: 4 }, { ...start, low: true })).toBe(false)
    expect(means.matches(GIVEN, { ...start, userId: 2, queueId: 4, whatsappId: 5 })).toBe(true)
    for (const other of [{ userId: 1 }, { queueId: 1 }, { whatsappId: 1 }])
      expect(means.matches(GIVEN, { ...start, ...other })).toBe(false)
    expect(means.matches({ ...GIVEN, user: null, queue: null }, { ...start, userId: 2 })).toBe(false)
  })

  test('the newest stands first, of the same instant the one that came later', () => {
    const [older, newer] = [
      { ...GIVEN, createdAt: '2026-11-02T10:00:00Z' },
      { ...GIVEN, id: 2 },
    ]
    expect([older, newer].sort(means.order)).toEqual([newer, older])
    expect([GIVEN, { ...GIVEN, id: 2 }].sort(means.order).map(({ id }) => id)).toEqual([2, 1])
  })

  test('sends what is chosen and nothing else', () => {
    expect(toSummaryQuery(start)).toEqual({ firstDate: '2026-11-01', lastDate: '2026-11-30' })
    expect(toSummaryQuery({ ...start, whatsappId: 5 })).toMatchObject({ whatsappId: 5 })
  })

  test('a mean always shows its digit', () => {
    expect(formatMean(4)).toBe('4,0')
    expect(formatMean(4.36)).toBe('4,4')
  })
})

test('of a month without ratings that month is named, and not the one before', () => {
  addTexts('dashboard', { pt, en, es })
  addTexts('nps', { pt: npsPt, en: npsEn, es: npsEs })
  const [words, t] = [getTexts('dashboard'), getTexts('nps')]
  const october = { from: '2026-10-01', to: '2026-10-31' }
  expect([namePresent(NOVEMBER, words, t), nameEarlier(NOVEMBER, words, t)]).toEqual(['Em novembro', 'Em outubro'])
  expect(describeEmpty(start, words, t)).toBe('Ninguém deu nota em novembro')
  expect(describeEmpty({ ...start, ...october }, words, t)).toBe('Ninguém deu nota em outubro')
  const week = { from: '2026-11-02', to: '2026-11-08' }
  expect(describeEmpty({ ...start, ...week }, words, t)).toBe('Ninguém deu nota neste período')
  expect(namePresent(week, words, t)).toBe('Neste período')
  // Somebody else may have ratings.
  expect(describeEmpty({ ...start, userId: 2 }, words, t)).toBeUndefined()
})
