// spec 3 §4, decisions-2 §22 "Sends": five years of every recurrence, day by day, against a calendar that is counted out by hand.
import { describe, expect, test } from 'bun:test'
import { getCalendar } from '../src/calendar/calendar.ts'
import { toWallClock } from '../src/calendar/zoned-time.ts'
import { findNextRun } from '../src/schedules/rules.ts'
import { RECURRENCES } from '../src/schedules/schedule.ts'
import { DEFAULTS } from '../src/settings/settings.ts'

const FROM = '2027-01-01'
const TO = '2032-01-01'
/** With clocks that are put at night, at midnight, by half an hour, and with none. */
const ZONES = ['America/Sao_Paulo', 'America/New_York', 'Europe/Lisbon', 'Africa/Cairo', 'Australia/Lord_Howe']

/** Every day of the five years as `YYYY-MM-DD`. */
const days: string[] = []
for (let at = Date.parse(FROM); at < Date.parse(TO); at += 86_400_000)
  days.push(new Date(at).toISOString().slice(0, 10))

const weekday = (day: string) => new Date(`${day}T12:00:00Z`).getUTCDay()
const getMonth = (day: string) => day.slice(0, 7)
const getLastDay = (month: string) => days.filter(day => getMonth(day) === month).at(-1) ?? ''

/** The days a send is to go out on, chosen from all of them. */
function listExpectedDays(recurrence: string, value: string, isWorked: (day: string) => boolean): string[] {
  const months = [...new Set(days.map(getMonth))]
  const onDay = (month: string, day: number) => {
    const wanted = `${month}-${String(day).padStart(2, '0')}`
    return days.includes(wanted) ? wanted : getLastDay(month)
  }
  switch (recurrence) {
    case 'every_day':
      return days
    case 'every_week':
      return days.filter(day => weekday(day) === 3)
    case 'every_month':
      return months.map(month => onDay(month, Number(value)))
    case 'quarterly': {
      const first = Number(value.slice(3))
      const theirs = [first, first + 3, first + 6, first + 9].map(month => ((month - 1) % 12) + 1)
      return months
        .filter(month => theirs.includes(Number(month.slice(5))))
        .map(month => onDay(month, Number(value.slice(0, 2))))
    }
    case 'business_day':
      return months.map(month => {
        const worked = days.filter(day => getMonth(day) === month && isWorked(day))
        return worked[Number(value) - 1] ?? worked.at(-1) ?? ''
      })
    default:
      return months.map(getLastDay)
  }
}

const CASES = [
  ['every_day', ''],
  ['every_week', 'wednesday'],
  ['every_month', '05'],
  ['every_month', '29'],
  ['every_month', '31'],
  ['quarterly', '29/02'],
  ['quarterly', '28/11'],
  ['business_day', '1'],
  ['business_day', '5'],
  ['business_day', '23'],
  ['last_day_of_month', ''],
] as const

test('every recurrence but once is among the cases', () => {
  expect(new Set<string>(CASES.map(([recurrence]) => recurrence))).toEqual(
    new Set(RECURRENCES.filter(each => each !== 'once')),
  )
})

for (const timezone of ZONES)
  describe(`schedules over five years in ${timezone}`, () => {
    const { worksOn } = getCalendar({ ...DEFAULTS, timezone, saturday: true })
    const isWorked = (day: string) => {
      const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
      return worksOn({ year, month, day: date })
    }

    for (const [recurrence, RValue] of CASES)
      test(`${recurrence} ${RValue} goes out on each of its days, once, when the clock on the wall shows its time`, () => {
        const found: string[] = []
        let after = new Date(`${FROM}T00:00:00Z`)
        // Noon exists on every day, whatever the clocks do at night.
        for (;;) {
          const next = findNextRun({ recurrence, RValue, sendAt: '12:30' }, after, timezone, worksOn)
          if (!next || next >= new Date(`${TO}T00:00:00Z`)) break
          expect(next.getTime()).toBeGreaterThan(after.getTime())
          const { year, month, day, hour, minute } = toWallClock(next, timezone)
          expect([hour, minute]).toEqual([12, 30])
          found.push([year, month, day].map(part => String(part).padStart(2, '0')).join('-'))
          after = next
        }
        expect(found).toEqual(listExpectedDays(recurrence, RValue, isWorked))
      })

    test('at an hour of the night that clocks leave out or show twice it goes out once a day all the same', () => {
      for (const sendAt of ['00:15', '01:30', '02:15']) {
        const seen: string[] = []
        let after = new Date(`${FROM}T12:00:00Z`)
        for (let n = 0; n < 5 * 365; n++) {
          const next = findNextRun({ recurrence: 'every_day', RValue: '', sendAt }, after, timezone)
          if (!next) throw new Error('It never goes out again')
          const { year, month, day } = toWallClock(next, timezone)
          seen.push(`${year}-${month}-${day}`)
          after = next
        }
        expect(new Set(seen).size).toBe(seen.length)
      }
    })
  })

test('decisions-2 §12: a working day is none on a holiday, and 20 November is one', () => {
  const { worksOn } = getCalendar(DEFAULTS)
  const next = (RValue: string, after: string) =>
    findNextRun({ recurrence: 'business_day', RValue, sendAt: '09:00' }, new Date(after), DEFAULTS.timezone, worksOn)
  // 1 January is a holiday, 2 and 3 January 2027 are a weekend.
  expect(next('1', '2026-12-31T20:00:00Z')?.toISOString()).toBe('2027-01-04T12:00:00.000Z')
  // In November 2026: All Souls on Monday 2, Republic on Sunday 15, 20 on a Friday: the 14th working day is the 23rd.
  expect(next('14', '2026-11-01T20:00:00Z')?.toISOString()).toBe('2026-11-23T12:00:00.000Z')
})
