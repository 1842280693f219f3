import { describe, expect, test } from 'bun:test'
import { REPORTS } from '@balcao/contract/reports/rules'
import { addTexts, hasText, toCompanyDay } from '@balcao/ui/i18n'
import en from '../locales/reports/en.json'
import es from '../locales/reports/es.json'
import pt from '../locales/reports/pt.json'
import { advanceFields, createFields, toBody, validateFields } from '../src/reports/form.ts'
import { isReport, REPORT_ICONS, toJobKind } from '../src/reports/kinds.ts'
import { makeSample } from '../src/reports/sample.ts'

addTexts('reports', { pt, en, es })

const START = createFields('2026-11-24')
const LUCIA = { id: 7, name: 'Dona Lúcia Ferreira' }

describe('spec 3 §2, §5: what a report is asked for with', () => {
  test('begins with the first day of the month and today, by the clock of the company', () => {
    expect(START).toMatchObject({ startDate: '2026-11-01', endDate: '2026-11-24', format: 'pdf' })
    // Still October in São Paulo.
    expect(createFields(toCompanyDay('2026-11-01T01:00:00Z'))).toMatchObject({
      startDate: '2026-10-01',
      endDate: '2026-10-31',
    })
  })

  test('open over midnight it goes to the new day, unless other days were chosen', () => {
    const over = (then: string, now: string, fields = createFields(then)) => {
      const { startDate, endDate } = advanceFields({ ...fields, queueId: 3 }, then, now)
      return [startDate, endDate]
    }
    expect(over('2026-11-24', '2026-11-25')).toEqual(['2026-11-01', '2026-11-25'])
    expect(over('2026-11-30', '2026-12-01')).toEqual(['2026-12-01', '2026-12-01'])
    expect(over('2026-12-01', '2026-12-02')).toEqual(['2026-12-01', '2026-12-02'])
    const chosen = { ...START, startDate: '2026-11-10' }
    expect(over('2026-11-24', '2026-11-25', chosen)).toEqual(['2026-11-10', '2026-11-24'])
  })

  test('needs both dates in their order; the conversations also a contact', () => {
    for (const report of REPORTS) {
      expect(validateFields(report, { ...START, startDate: '', endDate: '' })).toMatchObject({
        startDate: 'report.datesRequired',
        endDate: 'report.datesRequired',
      })
      expect(validateFields(report, { ...START, startDate: '2026-11-25' })).toMatchObject({
        endDate: 'report.backwards',
      })
      expect(validateFields(report, { ...START, contactId: [LUCIA] })).toEqual({})
    }
    expect(validateFields('message', START)).toEqual({ contactId: 'report.contactRequired' })
    expect(validateFields('ticket', START)).toEqual({})
  })

  test('sends what is chosen and nothing else; the conversations know no queue', () => {
    expect(toBody('ticket', START)).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-24',
      format: 'pdf',
      language: 'pt',
    })
    const chosen = { ...START, status: 'open', queueId: 3, userId: 4, contactId: [LUCIA], format: 'xlsx' } as const
    expect(toBody('user', chosen)).toMatchObject({
      status: 'open',
      queueId: 3,
      userId: 4,
      contactId: 7,
      format: 'xlsx',
    })
    expect(Object.keys(toBody('message', chosen)).sort()).toEqual([
      'contactId',
      'endDate',
      'format',
      'language',
      'startDate',
    ])
  })

  test('every report has its words, its icon and its job', () => {
    for (const report of REPORTS) {
      expect(hasText('reports', `report.${report}.title`)).toBe(true)
      expect(hasText('reports', `rows.${report}_other`)).toBe(true)
      expect(REPORT_ICONS[report]).toBeDefined()
      expect(isReport({ kind: toJobKind(report) })).toBe(true)
    }
    expect(isReport({ kind: 'contacts.export' })).toBe(false)
  })
})

describe('look-2 §11: the sample beside the cards', () => {
  test.each([...REPORTS])('of %s has its words, and a cell for each column', report => {
    const requests: string[] = []
    const sample = makeSample(report, key => {
      requests.push(key)
      return key
    })
    const { figures = [], columns = [], rows = [], chart = '' } = sample ?? {}
    requests.push(...figures.map(([, word]) => word), ...columns.flatMap(({ word, under }) => [word, under ?? word]))
    if (chart) requests.push(chart)
    expect(requests.filter(key => !hasText('reports', `sample.word.${key}`))).toEqual([])
    expect(hasText('reports', `sample.name.${report}`)).toBe(true)
    expect(rows.every(cells => cells.length === columns.length)).toBe(true)
    expect(rows.length > 3 || report === 'message').toBe(true)
    expect(columns.every(({ x }, at) => at === 0 || x > (columns[at - 1]?.x ?? 0))).toBe(true)
  })

  test('adds up: the head, the bars, each row and each column say the same', () => {
    const numbers = (cells: readonly (string | undefined)[]) => cells.map(cell => Number((cell ?? '').replace('.', '')))
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
    for (const report of ['ticket', 'queue', 'user'] as const) {
      const { figures = [], bars = [] } = makeSample(report, key => key) ?? {}
      const [all = 0, ...parts] = numbers(figures.map(([value]) => value))
      expect([report, sum(bars)]).toEqual([report, all])
      if (report === 'ticket') expect(sum(parts.slice(0, 3))).toBe(all)
    }
    // A bar for each day from the first to the 24th.
    expect(makeSample('ticket', key => key)?.bars).toHaveLength(24)
    for (const report of ['queue', 'user'] as const) {
      const { figures = [], rows = [] } = makeSample(report, key => key) ?? {}
      const counts = rows.map(cells => numbers(cells.slice(1, 5).map(([text]) => text)))
      for (const [all = 0, ...parts] of counts) expect([report, all]).toEqual([report, sum(parts)])
      const [tickets, , resolved] = numbers(figures.map(([value]) => value))
      expect(sum(counts.map(([all = 0]) => all))).toBe(tickets ?? 0)
      expect(sum(counts.map(row => row[3] ?? 0))).toBe(resolved ?? 0)
    }
    const { figures = [], rows = [] } = makeSample('contact', key => key) ?? {}
    const [, ...all] = numbers(figures.slice(0, 4).map(([value]) => value))
    for (const [at, most] of all.entries())
      expect(sum(rows.map(cells => Number(cells[at + 1]?.[0])))).toBeLessThanOrEqual(most)
  })

  test('its tickets were opened before it was made, the newest first, and their times are those between their instants', () => {
    const minutes = (text = '') => {
      const [hours = 0, rest = 0] = text.slice(-5).split(':').map(Number)
      return hours * 60 + rest
    }
    const seconds = (text = '') => text.split(':').reduce((all, part) => all * 60 + Number(part), 0)
    const rows = (makeSample('ticket', key => key)?.rows ?? []).map(cells => cells.map(([text]) => text))
    for (const [n, cells] of rows.entries()) {
      const [opened, accepted] = [minutes(cells[4]), minutes(cells[5])]
      expect(opened).toBeLessThan(n === 0 ? minutes('14:32') : minutes(rows[n - 1]?.[4]))
      expect(Math.abs((accepted - opened) * 60 - seconds(cells[7]))).toBeLessThan(60)
      if (cells[6] === '—') continue
      expect(minutes(cells[6])).toBeLessThanOrEqual(minutes('14:32'))
      expect(Math.abs((minutes(cells[6]) - accepted) * 60 - seconds(cells[8]))).toBeLessThan(60)
    }
  })
})
