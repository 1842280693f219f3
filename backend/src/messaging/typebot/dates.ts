// Days and hours as people here write them, in the form in which a flow reads them: it knows English alone.
import { countDaysInMonth, stripAccents, toWallClock, type WallClock } from '@balcao/contract'

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** How a flow wants a date. */
export interface DateFormat {
  readonly dayFirst: boolean
  readonly hasTime: boolean
  readonly isRange: boolean
}

/**
 * A date, with its hour or as a range where the flow asks for that; null: it is none that we understand.
 * @example parseDate('amanhã às 15h', { dayFirst: true, hasTime: true, isRange: false }, now, zone) // '24/11/2026 15:00'
 */
export function parseDate(answer: string, wish: DateFormat, now: Date, timezone: string): string | null {
  const today = toWallClock(now, timezone)
  const text = bare(answer)
  if (!wish.isRange) return parseDateTime(text, wish, today)
  const [from, to, ...more] = text.replace(/^(de|do dia|entre) /, '').split(/ (?:a|ate|e|ao|to|-) (?:o dia )?/)
  const [first, last] = [parseDateTime(from ?? '', wish, today), parseDateTime(to ?? '', wish, today)]
  return first && last && more.length === 0 ? `${first} to ${last}` : null
}

/** An hour as `HH:mm`; null: it is none. @example parseTime('3 e meia da tarde') // '15:30' */
export function parseTime(answer: string): string | null {
  const text = bare(answer).replace(/^(a|as|ao) /, '')
  if (text === 'meio dia' || text === 'meio-dia') return '12:00'
  if (text === 'meia noite' || text === 'meia-noite') return '00:00'
  const found =
    /^(\d{1,2})(?: ?(?:h|hs|hrs?|horas?|:) ?(\d{2})?(?: ?min)?)?( e meia)?( ?(?:pm|am)| da tarde| da noite| da manha)?$/.exec(
      text,
    )
  if (!found) return null
  const [, hours = '', minutes, half, part = ''] = found
  const isLate = /pm|tarde|noite/.test(part)
  // Twelve at night is midnight.
  const isMidnight = Number(hours) === 12 && /am$|noite/.test(part)
  const hour = isMidnight ? 0 : Number(hours) + (isLate && Number(hours) < 12 ? 12 : 0)
  const minute = half ? 30 : Number(minutes ?? 0)
  return hour < 24 && minute < 60 ? `${two(hour)}:${two(minute)}` : null
}

function parseDateTime(text: string, { dayFirst, hasTime }: DateFormat, today: WallClock): string | null {
  const [dayText = '', timeText] = hasTime ? withTime(text) : [text]
  const day = parseDay(dayText, today)
  const time = hasTime ? parseTime(timeText ?? '') : null
  if (!day || (hasTime && time === null)) return null
  const [d, m, y] = [two(day.day), two(day.month), String(day.year).padStart(4, '0')]
  const date = dayFirst ? `${d}/${m}/${y}` : `${m}/${d}/${y}`
  return time === null ? date : `${date} ${time}`
}

/** The day, and the hour behind it. */
function withTime(text: string): string[] {
  const found =
    /^(.*?)(?:,| as?| a)? (\d{1,2} ?(?:h|:|hs|hrs?|horas?).*|meio.dia|meia.noite|\d{1,2} (?:da|e) .*)$/.exec(text)
  return found ? [found[1] ?? '', found[2] ?? ''] : [text]
}

const AWAY: Readonly<Record<string, number>> = { 'depois de amanha': 2, amanha: 1, hoje: 0, ontem: -1 }
const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']

function parseDay(said: string, today: WallClock): Day | null {
  const text = said.replace(/^(dia|no dia|em) /, '').trim()
  if (Object.hasOwn(AWAY, text)) return daysFrom(today, AWAY[text] ?? 0)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return known(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const short = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{2}|\d{4}))?$/.exec(text)
  if (short) return known(parseYear(short[3], today), Number(short[2]), Number(short[1]))
  const long = /^(\d{1,2})o? (?:de )?([a-z]{3,9})(?: (?:de |do )?(\d{4}))?$/.exec(text)
  const month = long ? MONTHS.indexOf((long[2] ?? '').slice(0, 3)) + 1 : 0
  return long && month > 0 ? known(parseYear(long[3], today), month, Number(long[1])) : null
}

function parseYear(text: string | undefined, today: WallClock): number {
  if (text === undefined) return today.year
  if (text.length === 4) return Number(text)
  // Two digits are of this century, unless that is long in the future: a birthday.
  const year = 2000 + Number(text)
  return year > today.year + 10 ? year - 100 : year
}

function known(year: number, month: number, day: number): Day | null {
  return month >= 1 && month <= 12 && day >= 1 && day <= countDaysInMonth(year, month) ? { year, month, day } : null
}

function daysFrom({ year, month, day }: WallClock, days: number): Day {
  const at = new Date(Date.UTC(year, month - 1, day + days))
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }
}

function bare(text: string): string {
  return stripAccents(text)
    .toLowerCase()
    .replace(/[!?"'.,;]+$/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, 100)
    .trim()
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
