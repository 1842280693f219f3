import { expect, test } from 'bun:test'
import { listMoments, MOMENTS } from '../src/calendar/moments.ts'

const SP = 'America/Sao_Paulo'
const NY = 'America/New_York'

function list(now: string, timezone: string) {
  return Object.fromEntries(
    listMoments(MOMENTS, new Date(now), timezone).map(({ name, at }) => [name, at.toISOString()]),
  )
}

test('the times that chips mean are those of the company’s clocks', () => {
  // A Tuesday, 12:00 in São Paulo.
  expect(list('2026-11-24T15:00:30Z', SP)).toEqual({
    inAnHour: '2026-11-24T16:01:00.000Z',
    thisEvening: '2026-11-24T21:00:00.000Z',
    tomorrow: '2026-11-25T12:00:00.000Z',
    monday: '2026-11-30T12:00:00.000Z',
  })
})

test('what has passed is not offered, and on a Sunday tomorrow is Monday', () => {
  expect(Object.keys(list('2026-11-24T21:00:00Z', SP))).toEqual(['inAnHour', 'tomorrow', 'monday'])
  expect(Object.keys(list('2026-11-29T23:00:00Z', SP))).toEqual(['inAnHour', 'tomorrow'])
  expect(list('2026-11-30T15:00:00Z', SP).monday).toBe('2026-12-07T12:00:00.000Z')
})

test('nine o’clock is nine o’clock on the other side of daylight saving, and the next month and year are ahead', () => {
  expect(list('2026-03-07T20:00:00Z', NY).tomorrow).toBe('2026-03-08T13:00:00.000Z')
  expect(list('2026-10-31T20:00:00Z', NY).tomorrow).toBe('2026-11-01T14:00:00.000Z')
  expect(list('2026-12-31T15:00:00Z', SP).tomorrow).toBe('2027-01-01T12:00:00.000Z')
})
