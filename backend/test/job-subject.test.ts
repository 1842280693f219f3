import { describe, expect, test } from 'bun:test'
import { readSubject } from '../src/desk/jobs/about.ts'

describe('what a job is about', () => {
  test('is its period and format, wherever its kind keeps them', () => {
    const days = { from: '2026-11-01', to: '2026-11-24' }
    expect(readSubject({ startDate: days.from, endDate: days.to, format: 'pdf', queueId: null })).toEqual({
      ...days,
      format: 'pdf',
    })
    expect(readSubject({ period: { first: days.from, last: days.to, from: '', until: '' } })).toEqual({
      ...days,
      format: null,
    })
    expect(readSubject({ filters: { firstDate: `${days.from}T03:00:00.000Z`, searchParam: 'x' } })).toEqual({
      ...{ from: days.from, to: null },
      format: null,
    })
    expect(readSubject({ format: 'csv' })).toEqual({ from: null, to: null, format: 'csv' })
  })

  test('is nothing where its kind says it all, and for what was kept in another form', () => {
    for (const params of [{}, { whatsappId: 3 }, { filters: { firstDate: '' } }, { format: 'ods' }, null, 'x', [1]])
      expect(readSubject(params)).toBeNull()
  })
})
