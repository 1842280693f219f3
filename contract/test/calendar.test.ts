// The business calendar: when the company is open, and the holidays of a year (decisions-2 §12, §23). That it resolves clock changes as
// Postgres does is proved against Postgres, in backend/test/working-time.test.ts.
import { describe, expect, test } from 'bun:test'
import { type CalendarSettings, createPersonalCalendar, getCalendar } from '../src/calendar/calendar.ts'
import { listHolidays } from '../src/calendar/holidays.ts'
import { DEFAULTS } from '../src/settings/settings.ts'

const HOUR = 60
/** Monday to Friday, 08:00 to 18:00 with lunch from 12:00 to 13:00, in São Paulo, three hours behind UTC. */
function makeCalendar(change: Partial<CalendarSettings> = {}) {
  return getCalendar({ ...DEFAULTS, ...change })
}

/** An instant by the clocks of São Paulo in 2026. */
function toLocalInstant(text: string): Date {
  return new Date(`2026-${text.replace(' ', 'T')}-03:00`)
}

function countWorkedHours(from: Date, to: Date, change: Partial<CalendarSettings> = {}): number {
  return makeCalendar(change).workingSeconds(from, to) / 3600
}

function open(change: Partial<CalendarSettings>, ...texts: string[]): boolean[] {
  return texts.map(text => makeCalendar(change).isOpen(toLocalInstant(text)))
}

/** 2026-11-23 is a Monday. */
describe('spec 2 §2: working days, opening, closing and lunch', () => {
  test('open from opening to the end of the minute of closing', () => {
    expect(open({}, '11-23 07:59', '11-23 08:00', '11-23 18:00', '11-23 18:01')).toEqual([false, true, true, false])
  })

  test('closed at lunch, and open when it ends', () => {
    expect(open({}, '11-23 11:59', '11-23 12:00', '11-23 12:59', '11-23 13:00')).toEqual([true, false, false, true])
  })

  test('lunch whose end is not after its beginning is none', () => {
    expect(open({ horarioFimAlmoco: 12 * HOUR }, '11-23 12:00')).toEqual([true])
    expect(open({ horarioAlmoco: 13 * HOUR, horarioFimAlmoco: 12 * HOUR }, '11-23 12:30')).toEqual([true])
  })

  test('lunch outside the hours takes nothing away', () => {
    expect(
      countWorkedHours(toLocalInstant('11-23 00:00'), toLocalInstant('11-24 00:00'), {
        horarioAlmoco: 18 * HOUR,
        horarioFimAlmoco: 19 * HOUR,
      }),
    ).toBe(10)
  })

  test('each day of the week by its own flag', () => {
    for (const [day, key] of (
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
    ).entries()) {
      const noon = `11-${23 + day} 10:00`
      expect([key, ...open({ [key]: true }, noon), ...open({ [key]: false }, noon)]).toEqual([key, true, false])
    }
  })

  test('working seconds: lunch, nights and the week-end do not count', () => {
    expect(countWorkedHours(toLocalInstant('11-27 11:30'), toLocalInstant('11-30 08:15'))).toBeCloseTo(
      0.5 + 5 + 1 / 60 + 0.25,
    )
    expect(makeCalendar().workingSeconds(toLocalInstant('11-23 09:00:00.250'), toLocalInstant('11-23 09:00:01'))).toBe(
      0.75,
    )
    expect(countWorkedHours(toLocalInstant('11-24 10:00'), toLocalInstant('11-23 10:00'))).toBe(0)
  })
})

describe('decisions-2 §22: closing earlier than opening means the next day', () => {
  const NIGHT = {
    horarioAbertura: 22 * HOUR,
    horarioFechamento: 6 * HOUR,
    horarioAlmoco: 2 * HOUR,
    horarioFimAlmoco: 3 * HOUR,
  }

  test('the night belongs to the day it began', () => {
    expect(open(NIGHT, '11-27 21:59', '11-27 22:00', '11-28 06:00', '11-28 06:01')).toEqual([false, true, true, false])
    // Saturday's evening is not worked; Monday's early morning belongs to Sunday.
    expect(open(NIGHT, '11-28 22:00', '11-30 05:00', '12-01 05:00')).toEqual([false, false, true])
  })

  test('lunch lies in the night', () => {
    expect(open(NIGHT, '11-24 01:59', '11-24 02:00', '11-24 03:00')).toEqual([true, false, true])
    expect(countWorkedHours(toLocalInstant('11-23 12:00'), toLocalInstant('11-24 12:00'), NIGHT)).toBeCloseTo(
      7 + 1 / 60,
    )
  })

  test('a holiday begins with its own shift, not in the middle of the one before', () => {
    expect(open(NIGHT, '09-07 03:30', '09-07 22:30', '09-08 03:30', '09-08 22:30')).toEqual([false, false, false, true])
    expect(open(NIGHT, '10-12 03:30', '10-13 03:30')).toEqual([false, false])
    expect(open({ ...NIGHT, sunday: true }, '10-12 03:30', '10-13 03:30')).toEqual([true, false])
  })

  test('closing at the time of opening is round the clock', () => {
    const always = { horarioAbertura: 0, horarioFechamento: 0, horarioAlmoco: 0, horarioFimAlmoco: 0 }
    expect(open(always, '11-23 00:00', '11-23 23:59', '11-28 00:00')).toEqual([true, true, false])
    expect(countWorkedHours(toLocalInstant('11-23 00:00'), toLocalInstant('11-28 00:00'), always)).toBe(120)
  })

  test('closing at midnight is the whole evening', () => {
    expect(open({ horarioFechamento: 0 }, '11-23 23:59', '11-24 00:00', '11-24 00:01')).toEqual([true, true, false])
  })
})

test('an end time means to the end of its minute, for the company and for a person', () => {
  for (const [end, ...times] of [
    ['18:00', '11-23 18:00', '11-23 18:01'],
    ['23:59', '11-23 23:59', '11-24 00:00'],
  ] as const) {
    const [hour = 0, minute = 0] = end.split(':').map(Number)
    const person = { startTime: '08:00', endTime: end, weekdays: true, saturday: true, sunday: true, holidays: true }
    const own = createPersonalCalendar(person, DEFAULTS)
    expect(open({ horarioFechamento: hour * HOUR + minute }, ...times)).toEqual([true, false])
    expect(times.map(time => own.isOpen(toLocalInstant(time)))).toEqual([true, false])
  }
})

describe('the next opening', () => {
  const next = (text: string, change: Partial<CalendarSettings> = {}) =>
    makeCalendar(change).nextOpening(toLocalInstant(text))
  test('is now while it is open', () => expect(next('11-23 09:30')).toEqual(toLocalInstant('11-23 09:30')))
  test('is after lunch', () => expect(next('11-23 12:00')).toEqual(toLocalInstant('11-23 13:00')))
  test('is on Monday from Friday’s evening on', () =>
    expect(next('11-27 18:01')).toEqual(toLocalInstant('11-30 08:00')))
  test('is after the holiday', () => expect(next('12-24 18:01')).toEqual(toLocalInstant('12-28 08:00')))
  test('never comes where no day is worked', () => {
    const none = { monday: false, tuesday: false, wednesday: false, thursday: false, friday: false }
    expect(next('11-23 09:30', none)).toBeNull()
  })
})

describe('clocks that are put', () => {
  const NEW_YORK = { timezone: 'America/New_York', sunday: true, horarioAlmoco: 0, horarioFimAlmoco: 0 }
  const span = (day: string, change: Partial<CalendarSettings>) => {
    const noon = new Date(`${day}T16:00:00Z`).getTime()
    return countWorkedHours(new Date(noon - 24 * 3_600_000), new Date(noon + 24 * 3_600_000), {
      saturday: false,
      monday: false,
      ...change,
    })
  }

  test('a night in New York is an hour shorter in March and an hour longer in November', () => {
    const night = { ...NEW_YORK, horarioAbertura: 0, horarioFechamento: 6 * HOUR - 1 }
    expect([span('2026-03-08', night), span('2026-11-01', night)]).toEqual([5, 7])
  })

  test('a time the clock leaves out is as much later, one it shows twice is the second', () => {
    expect(span('2026-03-08', { ...NEW_YORK, horarioAbertura: 150, horarioFechamento: 6 * HOUR - 1 })).toBe(2.5)
    expect(span('2026-11-01', { ...NEW_YORK, horarioAbertura: 90, horarioFechamento: 6 * HOUR - 1 })).toBe(4.5)
    expect(span('2026-11-01', { ...NEW_YORK, horarioAbertura: 0, horarioFechamento: 89 })).toBe(2.5)
  })

  test('what the hour left out makes overlap counts once', () => {
    // Lunch from 02:30 (03:30) to 03:00: none that day, and 03:00 to 03:30 is not worked twice.
    const lunch = {
      horarioAbertura: 60,
      horarioFechamento: 5 * HOUR - 1,
      horarioAlmoco: 150,
      horarioFimAlmoco: 3 * HOUR,
    }
    expect(span('2026-03-08', { ...NEW_YORK, ...lunch })).toBe(3)
  })

  test('São Paulo in 2018: a day without its midnight, and one with 25 hours', () => {
    const always = { sunday: true, saturday: true, horarioAbertura: 0, horarioFechamento: 0, horarioFimAlmoco: 0 }
    const day = (from: string, to: string) =>
      countWorkedHours(new Date(from), new Date(to), { ...always, holidays: true })
    expect(day('2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z')).toBe(23)
    expect(day('2018-02-17T02:00:00Z', '2018-02-18T03:00:00Z')).toBe(25)
    // It opened at 00:00, which was 01:00 by the new clock.
    const sunday = makeCalendar({ ...always, saturday: false, monday: false })
    expect(sunday.nextOpening(new Date('2018-11-03T12:00:00Z'))).toEqual(new Date('2018-11-04T03:00:00Z'))
  })
})

describe('decisions-2 §12: holidays', () => {
  const dates = (year: number, change: Partial<CalendarSettings> = {}) =>
    listHolidays(year, { ...DEFAULTS, ...change }).map(({ date }) => date.slice(5))

  test('Brazil’s national ones, with 20 November from 2024 on', () => {
    const of2026 = ['01-01', '04-03', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25']
    expect(dates(2026)).toEqual(of2026)
    expect(dates(2023)).not.toContain('11-20')
    expect(dates(2024)).toContain('11-20')
  })

  /** Sources: the church's tables. */
  const EASTER_SUNDAYS = [
    '1961-04-02',
    '1954-04-18',
    '2000-04-23',
    '2008-03-23',
    '2019-04-21',
    '2025-04-20',
    '2038-04-25',
    '2049-04-18',
    '2076-04-19',
  ]
  test('Good Friday, Carnival and Corpus Christi go with Easter', () => {
    for (const easter of EASTER_SUNDAYS) {
      const days = new Map(
        listHolidays(Number(easter.slice(0, 4)), { optionalHolidays: true, holidayDates: [] }).map(one => [
          one.date,
          one.code,
        ]),
      )
      const from = (away: number) => new Date(Date.parse(easter) + away * 86_400_000).toISOString().slice(0, 10)
      expect([easter, ...[-48, -47, 60].map(away => days.get(from(away)) ?? '')]).toEqual([
        easter,
        'carnivalMonday',
        'carnival',
        'corpusChristi',
      ])
      expect(days.has(from(-2))).toBe(true)
    }
  })

  test('optionalHolidays: Carnival and Corpus Christi count with it alone', () => {
    expect(dates(2026, { optionalHolidays: true })).toEqual(expect.arrayContaining(['02-16', '02-17', '06-04']))
    expect(open({}, '02-17 10:00')).toEqual([true])
    expect(open({ optionalHolidays: true }, '02-17 10:00', '02-18 10:00')).toEqual([false, true])
  })

  test('holidays: off, they are closed; on, they are days like others', () => {
    expect(open({}, '12-25 10:00')).toEqual([false])
    expect(open({ holidays: true }, '12-25 10:00')).toEqual([true])
    // A Sunday stays one.
    expect(open({ holidays: true }, '11-15 10:00')).toEqual([false])
  })

  test('holidayDates: own days of every year or of one', () => {
    const own = {
      holidayDates: [
        { date: '11-24', name: 'Aniversário da cidade', open: false },
        { date: '2026-11-25', name: 'Inventário', open: false },
      ],
    }
    expect(open(own, '11-24 10:00', '11-25 10:00', '11-26 10:00')).toEqual([false, false, true])
    expect(dates(2027, own)).toContain('11-24')
    expect(dates(2027, own)).not.toContain('11-25')
  })

  test('holidayDates: `open` takes a holiday away, a day of one year wins over a yearly one', () => {
    const away = { date: '11-20', name: '', open: true }
    expect(open({ holidayDates: [away] }, '11-20 10:00')).toEqual([true])
    expect(listHolidays(2026, { ...DEFAULTS, holidayDates: [away] }).find(({ open: isOpen }) => isOpen)?.code).toBe(
      'blackAwareness',
    )
    expect(open({ holidayDates: [{ date: '2026-11-20', name: '', open: false }, away] }, '11-20 10:00')).toEqual([
      false,
    ])
  })

  test('a date that a year does not have is no day', () => {
    const leap = { holidayDates: [{ date: '02-29', name: 'Bissexto', open: false }] }
    expect(dates(2026, leap)).not.toContain('02-29')
    expect(dates(2028, leap)).toContain('02-29')
  })
})
