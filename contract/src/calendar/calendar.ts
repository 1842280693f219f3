// The business calendar (decisions-2 §12): when the company is open, and when a person works, by opening hours, lunch, days of the week
// and holidays, in the company's time zone. A day's shift is a few spans of instants, resolved as Postgres resolves wall clocks.

import type { Settings } from '../settings/settings.ts'
import { type HolidaySettings, listHolidays } from './holidays.ts'
import {
  formatIsoDay,
  getWeekday,
  parseMinutes,
  toInstant,
  toUtcWallClock,
  toWallClock,
  type WallClock,
} from './zoned-time.ts'

/** The settings that make the calendar. */
export type CalendarSettings = HolidaySettings &
  Pick<
    Settings,
    | 'timezone'
    | (typeof WEEKDAY_KEYS)[number]
    | 'holidays'
    | 'horarioAbertura'
    | 'horarioFechamento'
    | 'horarioAlmoco'
    | 'horarioFimAlmoco'
  >

export interface Calendar {
  isOpen(at: Date): boolean
  /** The first instant from this one on that is open, so this one while it is; null where none comes within 400 days. */
  nextOpening(at: Date): Date | null
  /** When the company is open from one instant to another: spans in ms, in their order, none touching what came before. */
  spans(from: Date, to: Date): Iterable<Span>
  /** Working seconds from one instant to another, with their fraction: round what is shown, not each instant. 0 when `to` is not later. */
  workingSeconds(from: Date, to: Date): number
  /** Whether a shift begins on a day, so whether it is a working day. */
  worksOn(day: Day): boolean
}

/** The days of the week in the order of `Date`, as settings. */
const WEEKDAY_KEYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/**
 * The company's calendar. The minute of closing is still open. Closing earlier than opening means the next day, at the same time round
 * the clock; such a shift belongs to the day it began. A holiday is worked where `holidays` says so and its day of the week is.
 */
export function getCalendar(settings: CalendarSettings): Calendar {
  const known = calendars.get(settings) ?? createCompanyCalendar(settings)
  calendars.set(settings, known)
  return known
}

/** Days are computed once: whoever asks for every message asks with the same settings. */
const calendars = new WeakMap<CalendarSettings, Calendar>()

function createCompanyCalendar(settings: CalendarSettings): Calendar {
  const { timezone, horarioAbertura: from } = settings
  const isHoliday = makeHolidayTest(settings)
  const lunch = [settings.horarioAlmoco, settings.horarioFimAlmoco] as const
  return createCalendar({
    timezone,
    from,
    to: findClosing(settings),
    // It lies in the night of a night shift as well.
    breaks: lunch[1] > lunch[0] ? [lunch, [lunch[0] + DAY_MINUTES, lunch[1] + DAY_MINUTES]] : [],
    worksOn: day => settings[WEEKDAY_KEYS[getWeekday(day)] ?? 'sunday'] && (settings.holidays || !isHoliday(day)),
  })
}

/** The minute, from the day's beginning, at which the company's shift is over; beyond 1440 it is the next day's. */
export function findClosing({ horarioAbertura: from, horarioFechamento: last }: CalendarSettings): number {
  return last === from ? from + DAY_MINUTES : minuteAfter(from, last)
}

/** The end of hours whose last minute belongs to them: nobody can write 24:00. */
function minuteAfter(from: number, last: number): number {
  return (last < from ? last + DAY_MINUTES : last) + 1
}

/** Which days are holidays, those the company took away left out. */
function makeHolidayTest(settings: HolidaySettings): (day: Day) => boolean {
  const years = knownYears.get(settings) ?? new Map<number, ReadonlySet<string>>()
  knownYears.set(settings, years)
  return day => {
    const known = years.get(day.year) ?? listClosedDays(day.year, settings)
    years.set(day.year, known)
    return known.has(formatIsoDay(day))
  }
}

function listClosedDays(year: number, settings: HolidaySettings): ReadonlySet<string> {
  return new Set(listHolidays(year, settings).flatMap(({ date, open }) => (open ? [] : [date])))
}

/** A calendar of a person is made for every question: the holidays of a year are not. */
const knownYears = new WeakMap<HolidaySettings, Map<number, ReadonlySet<string>>>()

/** Hours and days of the user form. */
export interface PersonalHours {
  /** `HH:mm`. */
  readonly startTime: string
  /** `HH:mm`, this minute included. */
  readonly endTime: string
  readonly weekdays: boolean
  readonly saturday: boolean
  readonly sunday: boolean
  /** Whether holidays are worked, where their day of the week is. */
  readonly holidays: boolean
}

/**
 * When a person works, by his own hours and days (spec 1 §6), and by the company's holidays. Who is held to them is not asked here:
 * administrators are not.
 */
export function createPersonalCalendar(
  person: PersonalHours,
  company: HolidaySettings & Pick<Settings, 'timezone'>,
): Calendar {
  const { timezone } = company
  const isHoliday = makeHolidayTest(company)
  const [from, last] = [parseMinutes(person.startTime), parseMinutes(person.endTime)]
  return createCalendar({
    timezone,
    from,
    to: minuteAfter(from, last),
    breaks: [],
    worksOn: day => {
      if (!person.holidays && isHoliday(day)) return false
      const weekday = getWeekday(day)
      return weekday === 0 ? person.sunday : weekday === 6 ? person.saturday : person.weekdays
    },
  })
}

interface Hours {
  readonly timezone: string
  /** Minutes of the day a shift begins on; `to` may lie on the next. */
  readonly from: number
  readonly to: number
  readonly breaks: readonly Span[]
  readonly worksOn: (day: Day) => boolean
}

type Day = Pick<WallClock, 'year' | 'month' | 'day'>

/** From the first, up to but not including the second. */
export type Span = readonly [from: number, to: number]

const DAY_MINUTES = 1440
const DAY_MS = 86_400_000
const HORIZON_DAYS = 400

function createCalendar(hours: Hours): Calendar {
  const days = new Map<number, readonly Span[]>()
  const spansOf = (day: number): readonly Span[] => {
    const spans = days.get(day) ?? toShiftSpans(hours, day)
    days.set(day, spans)
    return spans
  }
  /** The spans of the shifts that may touch these days, in their order: a clock that is put may carry one over midnight. */
  function* around(first: number, last: number): Generator<Span> {
    for (let day = first - 1; day <= last + 1; day++) yield* spansOf(day)
  }
  const dayOf = (at: Date) => toDayNumber(toWallClock(at, hours.timezone))
  function* between(from: Date, to: Date): Generator<Span> {
    let reached = from.getTime()
    if (to <= from) return
    for (const [start, end] of around(dayOf(from), dayOf(to))) {
      // What an hour left out makes overlap counts once.
      const [begin, stop] = [Math.max(start, reached), Math.min(end, to.getTime())]
      if (stop <= begin) continue
      yield [begin, stop]
      reached = stop
    }
  }
  return {
    worksOn: hours.worksOn,
    isOpen: at => {
      const [time, today] = [at.getTime(), dayOf(at)]
      return [...around(today, today)].some(([start, end]) => start <= time && time < end)
    },
    nextOpening: at => {
      const [time, today] = [at.getTime(), dayOf(at)]
      for (const [start, end] of around(today, today + HORIZON_DAYS))
        if (end > time && end > start) return new Date(Math.max(start, time))
      return null
    },
    spans: between,
    workingSeconds: (from, to) => [...between(from, to)].reduce((sum, [start, end]) => sum + end - start, 0) / 1000,
  }
}

/** A day's shift as instants; days are counted from 1970. */
function toShiftSpans({ timezone, from, to, breaks, worksOn }: Hours, day: number): readonly Span[] {
  if (!worksOn(toUtcWallClock(day * DAY_MS))) return []
  const instant = (minute: number) =>
    toInstant(toUtcWallClock(day * DAY_MS + minute * 60_000), timezone, 'second').getTime()
  const resolved = ([start, end]: Span): Span => [instant(start), instant(end)]
  return subtractBreaks(resolved([from, to]), breaks.map(resolved))
}

function subtractBreaks(whole: Span, breaks: readonly Span[]): readonly Span[] {
  return breaks.reduce<readonly Span[]>(
    (left, [out, back]) =>
      left
        .flatMap(([from, to]): Span[] => [
          [from, Math.min(to, out)],
          [Math.max(from, back), to],
        ])
        .filter(([from, to]) => from < to),
    [whole],
  )
}

function toDayNumber({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day) / DAY_MS
}
