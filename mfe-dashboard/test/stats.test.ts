import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { reformatIsoDay } from '@balcao/contract/calendar/zoned-time'
import { addTexts, getTexts, toCompanyDay } from '@balcao/ui/i18n'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { BANDS, getBand } from '../src/dashboard/bands.ts'
import { describeOthers } from '../src/dashboard/describe-others.ts'
import { formatClock } from '../src/dashboard/duration.ts'
import {
  advancePeriod,
  getLastDays,
  getMonth,
  getPreviousPeriod,
  isWholeMonth,
  toQuery,
  validateDates,
} from '../src/dashboard/filter.ts'
import { listRestingHours } from '../src/dashboard/lunch.ts'
import { onDayChange } from '../src/dashboard/next-day.ts'
import { computeDueTime, countSecondsLeft, EVERY_MS } from '../src/dashboard/pace.ts'
import { describeChart, describePeak, toQueueRows } from '../src/dashboard/queues.ts'
import { toShares } from '../src/dashboard/shares.ts'

addTexts('dashboard', { pt, en, es })
const t = getTexts('dashboard')

describe('the period of the dashboard', () => {
  test('starts as the current month, by the clock of the company', () => {
    expect(getMonth(toCompanyDay('2026-11-21T12:00:00Z'))).toEqual({ from: '2026-11-01', to: '2026-11-30' })
    // Still October in São Paulo.
    expect(getMonth(toCompanyDay('2026-11-01T01:00:00Z'))).toEqual({ from: '2026-10-01', to: '2026-10-31' })
    expect(getMonth('2028-02-10').to).toBe('2028-02-29')
  })

  test('the last seven days go over the end of a month', () => {
    expect(getLastDays('2026-11-03', 7)).toEqual({ from: '2026-10-28', to: '2026-11-03' })
  })

  test('both dates are needed, in their order', () => {
    expect(validateDates({ from: '', to: '' })).toEqual({ from: 'required', to: 'required' })
    expect(validateDates({ from: '2026-11-02', to: '2026-11-01' })).toEqual({ to: 'reversed' })
    expect(validateDates({ from: '2026-11-01', to: '2026-11-01' })).toEqual({})
  })

  test('is sent as firstDate and lastDate; what is not chosen is not sent', () => {
    const month = { from: '2026-11-01', to: '2026-11-30' }
    expect(toQuery({ ...month, queueId: null, userId: null })).toEqual({ firstDate: month.from, lastDate: month.to })
    expect(toQuery({ ...month, queueId: 3, userId: 7 })).toMatchObject({ queueId: 3, userId: 7 })
    expect(reformatIsoDay('2026-11-01')).toBe('01/11/2026')
  })
})

describe('a page that is open over midnight', () => {
  afterEach(() => setSystemTime())

  test('is told by the clock of the company, once, also when nobody looked at it meanwhile', () => {
    setSystemTime(new Date('2026-12-01T02:59:59Z'))
    const calls: string[][] = []
    const stop = onDayChange((then, now) => calls.push([then, now]))
    const fireVisibility = () => document.dispatchEvent(new Event('visibilitychange'))
    fireVisibility()
    expect(calls).toEqual([])
    setSystemTime(new Date('2026-12-03T03:00:00Z'))
    fireVisibility()
    fireVisibility()
    expect(calls).toEqual([['2026-11-30', '2026-12-03']])
    stop()
    setSystemTime(new Date('2026-12-04T03:00:00Z'))
    fireVisibility()
    expect(calls).toHaveLength(1)
  })

  test('today, the last seven days and this month move on; what was chosen otherwise stays', () => {
    const over = (period: { from: string; to: string }) => advancePeriod(period, '2026-11-30', '2026-12-01')
    expect(over({ from: '2026-11-30', to: '2026-11-30' })).toEqual({ from: '2026-12-01', to: '2026-12-01' })
    expect(over({ from: '2026-11-24', to: '2026-11-30' })).toEqual({ from: '2026-11-25', to: '2026-12-01' })
    expect(over({ from: '2026-11-01', to: '2026-11-30' })).toEqual({ from: '2026-12-01', to: '2026-12-31' })
    const chosen = { from: '2026-10-01', to: '2026-10-31', queueId: 3 }
    expect(advancePeriod(chosen, '2026-11-30', '2026-12-01')).toBe(chosen)
  })
})

describe('what a period is compared with', () => {
  test('a whole month with the month before, anything else with as many days', () => {
    expect(isWholeMonth({ from: '2026-02-01', to: '2026-02-28' })).toBe(true)
    expect(isWholeMonth({ from: '2026-02-01', to: '2026-02-27' })).toBe(false)
    expect(getPreviousPeriod({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
      from: '2026-02-01',
      to: '2026-02-28',
    })
    expect(getPreviousPeriod({ from: '2026-01-01', to: '2026-01-31' })).toEqual({
      from: '2025-12-01',
      to: '2025-12-31',
    })
    expect(getPreviousPeriod({ from: '2026-11-05', to: '2026-11-07' })).toEqual({
      from: '2026-11-02',
      to: '2026-11-04',
    })
  })
})

describe('decisions-2 §23: the gauge', () => {
  test('has five bands by share of five', () => {
    expect([0.9, 1, 1.9, 2, 2.9, 3, 3.9, 4, 5].map(getBand)).toEqual([
      'awful',
      'bad',
      'bad',
      'fair',
      'fair',
      'good',
      'good',
      'great',
      'great',
    ])
    expect(BANDS).toHaveLength(5)
  })

  test('times stand as hours, minutes and seconds', () => {
    expect([0, 59, 848, 360_000].map(formatClock)).toEqual(['00:00:00', '00:00:59', '00:14:08', '100:00:00'])
  })
})

describe('the pies', () => {
  test('who has no name gets one, two of one name are told apart', () => {
    const numbers = {
      byPerson: [
        { user: { id: 1, name: 'Ana' }, Total: 3 },
        { user: { id: 2, name: 'Ana' }, Total: 2 },
        { user: null, Total: 1 },
      ],
      byContact: [{ contact: null, Total: 4 }],
      byQueue: [
        { queue: { id: 9, name: '', color: '' }, Total: 1 },
        { queue: null, Total: 1 },
      ],
    }
    const { person, contact, queue } = toShares(numbers, t)
    expect(person.map(({ name }) => name)).toEqual(['Ana', 'Ana (2)', 'Sem atendente'])
    expect(contact.map(({ name }) => name)).toEqual(['Outros'])
    expect(queue.map(({ name }) => name)).toEqual(['Fila excluída', 'Sem fila'])
  })
})

describe('the pace of the numbers', () => {
  test('count down from 60 to 0', () => {
    expect(countSecondsLeft(EVERY_MS, 0)).toBe(60)
    expect(countSecondsLeft(EVERY_MS, 17_200)).toBe(43)
    expect(countSecondsLeft(EVERY_MS, -400)).toBe(60)
    expect(countSecondsLeft(EVERY_MS, 70_000)).toBe(0)
  })

  test('come 1 s after the last event, but under a steady stream every 5 s', () => {
    expect(computeDueTime(10_000, null)).toBe(11_000)
    expect(computeDueTime(12_000, 10_000)).toBe(13_000)
    expect(computeDueTime(14_900, 10_000)).toBe(15_000)
  })
})

describe('the queues', () => {
  const queues = [
    { id: 1, name: 'Comercial', color: '#2E9E6B', open: 1, pending: 0 },
    { id: null, name: '', color: '#7a7a7a', open: 0, pending: 0 },
    { id: 2, name: 'Financeiro', color: '#D0702F', open: 4, pending: 2 },
  ]

  test('the fullest comes first, and the one without a queue has a name', () => {
    expect(toQueueRows(queues, t).map(row => row.name)).toEqual(['Financeiro', 'Comercial', 'Sem fila'])
  })

  test('the chart is said in words, with its peak', () => {
    const rows = toQueueRows(queues, t)
    expect(describeChart(rows, t)).toContain('Financeiro: 4 em atendimento, 2 aguardando')
    expect(describePeak(rows, t)).toBe('mais cheia: Financeiro, com 6')
    expect(describePeak([], t)).toBe('')
  })
})

describe('look-2 §7: the lunch break in the hours', () => {
  test('marks the hours of which it takes half or more; none is none', () => {
    expect(listRestingHours(12 * 60, 13 * 60)).toEqual([12])
    expect(listRestingHours(12 * 60, 13 * 60 + 30)).toEqual([12, 13])
    expect(listRestingHours(11 * 60 + 45, 13 * 60 + 15)).toEqual([12])
    expect(listRestingHours(12 * 60, 12 * 60)).toEqual([])
    expect(listRestingHours(13 * 60, 12 * 60)).toEqual([])
  })
})

test('paused tickets, and those with the bot and in the survey, stand beside those in service, where there are any', () => {
  expect(describeOthers({ paused: 0, bot: 0, nps: 0 }, t)).toBe('')
  expect(describeOthers({ paused: 2, bot: 0, nps: 0 }, t)).toBe('2 pausadas')
  expect(describeOthers({ paused: 1, bot: 3, nps: 1 }, t)).toBe('1 pausada · 3 com o robô · 1 na pesquisa')
})
