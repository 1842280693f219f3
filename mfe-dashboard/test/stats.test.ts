import { describe, expect, test } from 'bun:test'
import { addTexts, textsOf } from '@balcao/ui/i18n'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { datesProblems, dayText, lastDays, monthOf, queryOf } from '../src/stats/filter.ts'
import { dueAt, EVERY_MS, secondsLeft } from '../src/stats/pace.ts'
import { chartText, peakText, queueRows } from '../src/stats/queues.ts'

addTexts('dashboard', { pt, en, es })
const t = textsOf('dashboard')

describe('the period of the dashboard', () => {
  test('starts as the current month, by the clock of the company', () => {
    expect(monthOf(new Date('2026-11-21T12:00:00Z'))).toEqual({ from: '2026-11-01', to: '2026-11-30' })
    // Still October in São Paulo.
    expect(monthOf(new Date('2026-11-01T01:00:00Z'))).toEqual({ from: '2026-10-01', to: '2026-10-31' })
    expect(monthOf(new Date('2028-02-10T12:00:00Z')).to).toBe('2028-02-29')
  })

  test('the last seven days go over the end of a month', () => {
    expect(lastDays(new Date('2026-11-03T12:00:00Z'), 7)).toEqual({ from: '2026-10-28', to: '2026-11-03' })
  })

  test('both dates are needed, in their order', () => {
    expect(datesProblems({ from: '', to: '' })).toEqual({ from: 'required', to: 'required' })
    expect(datesProblems({ from: '2026-11-02', to: '2026-11-01' })).toEqual({ to: 'reversed' })
    expect(datesProblems({ from: '2026-11-01', to: '2026-11-01' })).toEqual({})
  })

  test('is sent as firstDate and lastDate; what is not chosen is not sent', () => {
    const month = { from: '2026-11-01', to: '2026-11-30' }
    expect(queryOf({ ...month, queueId: null, userId: null })).toEqual({ firstDate: month.from, lastDate: month.to })
    expect(queryOf({ ...month, queueId: 3, userId: 7 })).toMatchObject({ queueId: 3, userId: 7 })
    expect(dayText('2026-11-01')).toBe('01/11/2026')
  })
})

describe('the pace of the numbers', () => {
  test('count down from 60 to 0', () => {
    expect(secondsLeft(EVERY_MS, 0)).toBe(60)
    expect(secondsLeft(EVERY_MS, 17_200)).toBe(43)
    expect(secondsLeft(EVERY_MS, 70_000)).toBe(0)
  })

  test('come 1 s after the last event, but under a steady stream every 5 s', () => {
    expect(dueAt(10_000, null)).toBe(11_000)
    expect(dueAt(12_000, 10_000)).toBe(13_000)
    expect(dueAt(14_900, 10_000)).toBe(15_000)
  })
})

describe('the queues', () => {
  const queues = [
    { id: 1, name: 'Comercial', color: '#2E9E6B', open: 1, pending: 0 },
    { id: null, name: '', color: '#7a7a7a', open: 0, pending: 0 },
    { id: 2, name: 'Financeiro', color: '#D0702F', open: 4, pending: 2 },
  ]

  test('the fullest comes first, and the one without a queue has a name', () => {
    expect(queueRows(queues, t).map(row => row.name)).toEqual(['Financeiro', 'Comercial', 'Sem fila'])
  })

  test('the chart is said in words, with its peak', () => {
    const rows = queueRows(queues, t)
    expect(chartText(rows, t)).toContain('Financeiro: 4 em atendimento, 2 aguardando')
    expect(peakText(rows, t)).toBe('mais cheia: Financeiro, com 6')
    expect(peakText([], t)).toBe('')
  })
})
