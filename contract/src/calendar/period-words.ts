// A period that is over or goes on, as people write it: 'semana passada', 'outubro', '12/10', 'últimos 7 días', 'from 1/10 to 15/10'. What is
// not clear is no period: whoever searches in a wrong one finds nothing and believes it.
import { addDays, type Day, findWord, MONTHS, NUMBER, normalizeWords, parseNumber, WEEKDAYS } from './time-words.ts'
import { countDaysInMonth, formatIsoDay, getWeekday, isDay, toWallClock } from './zoned-time.ts'

/** The first and the last day, as `2026-10-01`. */
export interface Period {
  readonly from: string
  readonly to: string
}

type Days = readonly [from: Day, to: Day]
type Rule = readonly [words: RegExp, read: (today: Day, ...found: (string | undefined)[]) => Days | null]

/** Words before a period that say nothing more. */
const JOINTS = /^(?:(?:n?[ao]|n?[ao]s|em|de|d[ao]|del|en|el|la|los|las|on|in|the|during|durante) )+/
const MONTH = MONTHS.join('|')
const ORDINAL = '(?:st|nd|rd|th)?'
const LAST = 'passad[oa]|pasad[oa]'

const RULES: readonly Rule[] = [
  rule('hoje|hoy|today', today => [today, today]),
  rule('ontem|ayer|yesterday', today => oneDay(addDays(today, -1))),
  rule('ante(?: ?)ontem|antes de ontem|anteayer|antes de ayer|day before yesterday', today =>
    oneDay(addDays(today, -2)),
  ),
  rule(`(?:semana (?:${LAST})|last week)`, today => [addDays(findMonday(today), -7), addDays(findMonday(today), -1)]),
  rule('(?:n?esta semana|this week)', today => [findMonday(today), today]),
  rule(`(?:mes (?:${LAST})|last month)`, today => wholeMonth(addMonths(today, -1))),
  rule('(?:n?este mes|this month)', today => [{ ...today, day: 1 }, today]),
  rule(`(?:ano (?:${LAST})|last year)`, today => wholeYear(today.year - 1)),
  rule('(?:n?este ano|this year)', today => [{ ...today, month: 1, day: 1 }, today]),
  rule(`(?:ultim[oa]s|last|past) (${NUMBER}) (?:dias|days)`, (today, count) => lastDays(today, parseNumber(count))),
  rule(`(?:ultim[oa]s|last|past) (${NUMBER}) (?:semanas|weeks)`, (today, count) =>
    lastDays(today, 7 * parseNumber(count)),
  ),
  rule(`(?:ultim[oa]s|last|past) (${NUMBER}) (?:mes(?:es)?|months)`, (today, count) =>
    lastMonths(today, parseNumber(count)),
  ),
  rule(`(?:ha|hace|faz) (${NUMBER}) dias?|(${NUMBER}) (?:dias atras|days? ago)`, (today, one, other) =>
    oneDay(addDays(today, -parseNumber(one ?? other))),
  ),
  rule(`(${MONTH})(?: (?:del? |of )?(\\d{4}))?`, (today, name, year) => namedMonth(today, name, year)),
  rule(`(${WEEKDAYS.join('|')})`, (today, name) => lastWeekday(today, name, false)),
  rule(`(?:(${WEEKDAYS.join('|')}) (?:${LAST})|last (${WEEKDAYS.join('|')}))`, (today, one, other) =>
    lastWeekday(today, one ?? other, true),
  ),
  rule(`(?:dia )?(\\d{1,2})${ORDINAL} (?:de |of )?(${MONTH})(?: (?:del? )?(\\d{4}))?`, (today, day, month, year) =>
    nearestDate(today, day, String(findWord(MONTHS, month) + 1), year),
  ),
  rule(`(${MONTH}) (?:the )?(\\d{1,2})${ORDINAL}(?: (\\d{4}))?`, (today, month, day, year) =>
    nearestDate(today, day, String(findWord(MONTHS, month) + 1), year),
  ),
  rule('(?:dia )?(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?', nearestDate),
  rule('(\\d{4})-(\\d{2})-(\\d{2})', (today, year, month, day) => nearestDate(today, day, month, year)),
  rule('(\\d{1,2})/(\\d{4})', (today, month, year) =>
    namedMonth(today, MONTHS[Number(month) - 1]?.split('|')[0], year),
  ),
  rule('(?:dia |the )(\\d{1,2})(?:st|nd|rd|th)?', nearestDayOfMonth),
  rule('(\\d{4})', (_, year) => (Number(year) >= 2000 ? wholeYear(Number(year)) : null)),
]
const SINCE = /^(?:desde|since|a partir de) (.+)$/
const RANGES = [
  /^(?:del? |do dia |desde |from )?(.+?) (?:al?|ate|hasta|to|until) (?:o |el )?(.+)$/,
  /^(?:entre|between) (.+?) (?:e|y|and) (.+)$/,
]

/** The period that the whole text means, by the clocks of the time zone; null where it is not clear, or has not begun. Three languages, all at once. */
export function parsePeriodWords(text: string, now: Date, timezone: string): Period | null {
  const today = toWallClock(now, timezone)
  const days = readDays(normalizeWords(text), { year: today.year, month: today.month, day: today.day })
  if (!days) return null
  const [from, to] = days.map(formatIsoDay) as [string, string]
  return from <= to && from <= formatIsoDay(today) ? { from, to } : null
}

function readDays(words: string, today: Day): Days | null {
  const one = readOne(words, today)
  if (one) return one
  const since = SINCE.exec(words)?.[1]
  const begin = since && readOne(since, today)
  if (begin) return [begin[0], today]
  for (const range of RANGES) {
    const [first, last] = (range.exec(words) ?? []).slice(1)
    const end = last && readOne(last, today)
    if (!first || !end) continue
    const start = /^\d{1,2}$/.test(first) ? readOne(last.replace(/\d{1,2}/, first), today) : readOne(first, today)
    if (start) return [start[0], end[1]]
  }
  return null
}

function readOne(words: string, today: Day): Days | null {
  const plain = words.replace(JOINTS, '')
  for (const [pattern, read] of RULES) {
    const found = pattern.exec(plain)
    if (found) return read(today, ...found.slice(1))
  }
  return null
}

function rule(source: string, read: Rule[1]): Rule {
  return [new RegExp(`^(?:${source})$`), read]
}

function oneDay(day: Day): Days {
  return [day, day]
}

/** Weeks begin on Monday. */
function findMonday(day: Day): Day {
  return addDays(day, -((getWeekday(day) + 6) % 7))
}

function addMonths({ year, month }: Day, months: number): Day {
  const count = year * 12 + month - 1 + months
  return { year: Math.floor(count / 12), month: (count % 12) + 1, day: 1 }
}

function wholeMonth({ year, month }: Day): Days {
  return [
    { year, month, day: 1 },
    { year, month, day: countDaysInMonth(year, month) },
  ]
}

function wholeYear(year: number): Days {
  return [
    { year, month: 1, day: 1 },
    { year, month: 12, day: 31 },
  ]
}

/** With today: the last seven days are a week. */
function lastDays(today: Day, count: number): Days | null {
  return count >= 1 ? [addDays(today, 1 - count), today] : null
}

/** From the same day of an earlier month on, or from its last day where it has none. */
function lastMonths(today: Day, count: number): Days | null {
  if (!(count >= 1)) return null
  const { year, month } = addMonths(today, -count)
  return [{ year, month, day: Math.min(today.day, countDaysInMonth(year, month)) }, today]
}

/** So short a name is a word as well: 'mar', 'out', 'dom'. */
const LONGEST_ABBREVIATION = 3

/** Without a year the one that has begun last. */
function namedMonth(today: Day, name?: string, year?: string): Days | null {
  const month = findWord(MONTHS, name) + 1
  if (month === 0 || (!year && (name ?? '').length <= LONGEST_ABBREVIATION)) return null
  return wholeMonth({ year: year ? Number(year) : month > today.month ? today.year - 1 : today.year, month, day: 1 })
}

/** On a Friday 'sexta' may be today or a week ago. */
function lastWeekday(today: Day, name: string | undefined, isPast: boolean): Days | null {
  const days = (7 + getWeekday(today) - findWord(WEEKDAYS, name)) % 7
  const isUnclear = days === 0 || (name ?? '').length <= LONGEST_ABBREVIATION
  return isUnclear && !isPast ? null : oneDay(addDays(today, -(days || 7)))
}

/** Without a year the one that is over last, or today. */
function nearestDate(today: Day, day?: string, month?: string, year?: string): Days | null {
  const date = { day: Number(day), month: Number(month) }
  const years = year ? [Number(year.length === 2 ? `20${year}` : year)] : [today.year, today.year - 1]
  const found = years
    .map(each => ({ year: each, ...date }))
    .find(each => isDay(each.year, each.month, each.day) && (year || formatIsoDay(each) <= formatIsoDay(today)))
  return found ? oneDay(found) : null
}

function nearestDayOfMonth(today: Day, day?: string): Days | null {
  const month = Number(day) > today.day ? addMonths(today, -1) : today
  const date = { year: month.year, month: month.month, day: Number(day) }
  return isDay(date.year, date.month, date.day) ? oneDay(date) : null
}
