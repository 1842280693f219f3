import { describe, expect, test } from 'bun:test'
import { REPORTS } from '@balcao/contract/report-rules'
import { addTexts, hasText } from '@balcao/ui/i18n'
import en from '../locales/reports/en.json'
import es from '../locales/reports/es.json'
import pt from '../locales/reports/pt.json'
import { bodyOf, faultsOf, startOf } from '../src/reports/form.ts'
import { isReport, kindOf, REPORT_ICONS } from '../src/reports/kinds.ts'

addTexts('reports', { pt, en, es })

const START = startOf(new Date('2026-11-24T15:00:00Z'))
const LUCIA = { id: 7, name: 'Dona Lúcia Ferreira' }

describe('spec 3 §2, §5: what a report is asked for with', () => {
  test('begins with the first day of the month and today, by the clock of the company', () => {
    expect(START).toMatchObject({ startDate: '2026-11-01', endDate: '2026-11-24', format: 'pdf' })
    // Still October in São Paulo.
    expect(startOf(new Date('2026-11-01T01:00:00Z'))).toMatchObject({ startDate: '2026-10-01', endDate: '2026-10-31' })
  })

  test('needs both dates in their order; the conversations also a contact', () => {
    for (const report of REPORTS) {
      expect(faultsOf(report, { ...START, startDate: '', endDate: '' })).toMatchObject({
        startDate: 'datesRequired',
        endDate: 'datesRequired',
      })
      expect(faultsOf(report, { ...START, startDate: '2026-11-25' })).toMatchObject({ endDate: 'backwards' })
      expect(faultsOf(report, { ...START, contactId: [LUCIA] })).toEqual({})
    }
    expect(faultsOf('message', START)).toEqual({ contactId: 'contactRequired' })
    expect(faultsOf('ticket', START)).toEqual({})
    for (const fault of ['datesRequired', 'backwards', 'contactRequired'])
      expect(hasText('reports', `problem.${fault}`)).toBe(true)
  })

  test('sends what is chosen and nothing else; the conversations know no queue', () => {
    expect(bodyOf('ticket', START)).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-24',
      format: 'pdf',
      language: 'pt',
    })
    const chosen = { ...START, status: 'open', queueId: 3, userId: 4, contactId: [LUCIA], format: 'xlsx' } as const
    expect(bodyOf('user', chosen)).toMatchObject({
      status: 'open',
      queueId: 3,
      userId: 4,
      contactId: 7,
      format: 'xlsx',
    })
    expect(Object.keys(bodyOf('message', chosen)).sort()).toEqual([
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
      expect(isReport({ kind: kindOf(report) })).toBe(true)
    }
    expect(isReport({ kind: 'contacts.export' })).toBe(false)
  })
})
