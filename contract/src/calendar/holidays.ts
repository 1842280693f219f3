// The holidays of a year: Brazil's national ones, those that many take (Carnival, Corpus Christi), and the company's own (decisions-2 §12,
// §23 "Calendar"). Those of states and cities are the company's own.
import type { Settings } from '../settings/settings.ts'
import { countDaysInMonth } from './zoned-time.ts'

export type HolidaySettings = Pick<Settings, 'optionalHolidays' | 'holidayDates'>

/** Holidays that are computed; their names are texts of the page. */
export type HolidayCode = keyof typeof FIXED | keyof typeof MOVING | 'blackAwareness'

export interface Holiday {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Which computed one falls on it; null for a day that is the company's alone. */
  readonly code: HolidayCode | null
  /** The company's own name for the day; empty where it has none. */
  readonly name: string
  /** The company took it away: a day like others. */
  readonly open: boolean
}

/** Month and day. */
const FIXED = {
  newYear: '01-01',
  tiradentes: '04-21',
  labour: '05-01',
  independence: '09-07',
  aparecida: '10-12',
  allSouls: '11-02',
  republic: '11-15',
  christmas: '12-25',
} as const

/** Days from Easter. */
const MOVING = { carnivalMonday: -48, carnival: -47, goodFriday: -2, corpusChristi: 60 } as const
const OPTIONAL: readonly string[] = ['carnivalMonday', 'carnival', 'corpusChristi']

/** National by law 14.759 of 2023. */
const BLACK_AWARENESS = { date: '11-20', since: 2024 }

/** All holidays of a year in their order, with those the company took away. Of its own days one of that year alone wins over a yearly one. */
export function listHolidays(year: number, { optionalHolidays, holidayDates }: HolidaySettings): readonly Holiday[] {
  const days = new Map<string, Holiday>()
  for (const [code, date] of computeHolidays(year))
    if (optionalHolidays || !OPTIONAL.includes(code)) days.set(date, { date, code, name: '', open: false })
  const own = holidayDates.flatMap(({ date, name, open }) => {
    const whole = date.length === 5 ? `${year}-${date}` : date
    return isDayInYear(year, whole) ? [{ date: whole, name, open, yearly: date.length === 5 }] : []
  })
  for (const { date, name, open } of [...own.filter(day => day.yearly), ...own.filter(day => !day.yearly)])
    days.set(date, { date, code: days.get(date)?.code ?? null, name, open })
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

function computeHolidays(year: number): readonly (readonly [HolidayCode, string])[] {
  const fixed = listKeys(FIXED).map(code => [code, `${year}-${FIXED[code]}`] as const)
  const moving = listKeys(MOVING).map(code => [code, addDaysToDate(computeEaster(year), MOVING[code])] as const)
  const since = year < BLACK_AWARENESS.since ? [] : [['blackAwareness', `${year}-${BLACK_AWARENESS.date}`] as const]
  // Good Friday may be Tiradentes' day, and Corpus Christi another's: one day, named by what is fixed.
  return [...moving, ...fixed, ...since]
}

/** Easter Sunday by the rule of Meeus, Jones and Butcher, for any year of the Gregorian calendar. */
function computeEaster(year: number): Date {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const days = h + l - 7 * m + 114
  return new Date(Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1))
}

function addDaysToDate(date: Date, days: number): string {
  return new Date(date.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

function isDayInYear(year: number, date: string): boolean {
  const [of = 0, month = 0, day = 0] = date.split('-').map(Number)
  return of === year && day <= countDaysInMonth(year, month)
}

function listKeys<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table).filter((key): key is keyof T & string => key in table)
}
