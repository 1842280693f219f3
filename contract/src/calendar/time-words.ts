// A time as people write it: 'sexta 14h', 'amanhã de manhã', 'dia 5 às 10', 'in 2 hours', 'mañana a las 10', '15/12 14:30'. What is not
// clear is no time: whoever reads a wrong one may not notice.
import { foldText } from '../kit/search.ts'
import { getWeekday, isDay, toInstant, toUtcWallClock, toWallClock, type WallClock } from './zoned-time.ts'

export type Day = Pick<WallClock, 'year' | 'month' | 'day'>
type TimeOfDay = Pick<WallClock, 'hour' | 'minute'>
type DayPart = 'dawn' | 'morning' | 'afternoon' | 'evening'

/** What the words say, in whatever order they stand. */
interface Reading {
  readonly minutesAhead?: number
  readonly daysAhead?: number
  readonly weekday?: number
  /** 'sexta que vem' said on a Monday may be either of two. */
  readonly week?: 'this' | 'next'
  readonly date?: { readonly day: number; readonly month?: number; readonly year?: number }
  readonly part?: DayPart
  /** `isExact`: the hour counts to 24; else what is small may be either half of the day. */
  readonly time?: TimeOfDay & { readonly isExact: boolean; readonly half?: 'am' | 'pm' }
}

type Rule = readonly [words: RegExp, read: (...found: (string | undefined)[]) => Reading]

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** A year and a day. */
const MOST_DAYS_AHEAD = 367
const NOON = 12
/** Of a bare 'às 6' nobody knows which half of the day is meant. */
const FIRST_CLEAR_HOUR = 7

const PART_HOURS: Readonly<Record<DayPart, { readonly from: number; readonly to: number; readonly usual?: number }>> = {
  dawn: { from: 0, to: 6 },
  morning: { from: 5, to: 12, usual: 9 },
  afternoon: { from: 12, to: 18, usual: 14 },
  evening: { from: 17, to: 23, usual: 19 },
}

const NUMBERS: readonly (readonly [words: string, value: number])[] = [
  ['um|uma|un|una|an?|one', 1],
  ['dois|duas|dos|two', 2],
  ['tres|three', 3],
  ['quatro|cuatro|four', 4],
  ['cinco|five', 5],
  ['seis|six', 6],
  ['sete|siete|seven', 7],
  ['oito|ocho|eight', 8],
  ['nove|nueve|nine', 9],
  ['dez|diez|ten', 10],
  ['onze|once|eleven', 11],
  ['doze|doce|twelve', 12],
  ['quinze|quince|fifteen', 15],
  ['vinte|veinte|twenty', 20],
  ['trinta|treinta|thirty|meia|media', 30],
]
export const WEEKDAYS = [
  'domingo|dom|sunday|sun',
  'segunda(?:[ -]feira)?|seg|lunes|lun|monday|mon',
  'terca(?:[ -]feira)?|martes|tuesday|tues?',
  'quarta(?:[ -]feira)?|qua|miercoles|mie|wednesday|wed',
  'quinta(?:[ -]feira)?|qui|jueves|jue|thursday|thurs?|thu',
  'sexta(?:[ -]feira)?|sex|viernes|vie|friday|fri',
  'sabado|sab|saturday|sat',
]
export const MONTHS = [
  'janeiro|enero|january|jan|ene',
  'fevereiro|febrero|february|fev|feb',
  'marco|marzo|march|mar',
  'abril|april|abr|apr',
  'maio|mayo|may|mai',
  'junho|junio|june|jun',
  'julho|julio|july|jul',
  'agosto|august|ago|aug',
  'setembro|septiembre|setiembre|september|sept|set|sep',
  'outubro|octubre|october|out|oct',
  'novembro|noviembre|november|nov',
  'dezembro|diciembre|december|dez|dic|dec',
]
/** Those that stand before their day in English; 'mar 5' may be a Tuesday in Spanish. */
const ENGLISH_MONTHS =
  'january|jan|february|feb|march|april|apr|may|june|jun|july|jul|august|aug|september|sept|sep|october|oct|november|nov|december|dec'

export const NUMBER = `\\d{1,3}|${NUMBERS.map(([words]) => words).join('|')}`
const HOUR = `\\d{1,2}|${NUMBERS.slice(0, 12)
  .map(([words]) => words.replace('an?|', ''))
  .join('|')}`
const AFTER = '(?:em|daqui a|dentro de|en|in)'
const AT = '(?:as|a las?|at)'
const HALF = '(?: (?:e|y|and a) (meia|media|half))?'
const MINUTES = '(?: (?:e|y) (\\d{1,2}|quinze|meia|media))?'
const ORDINAL = '(?:st|nd|rd|th)'

/** Each takes its words away, so those of which others are a part come first: 'depois de amanhã' before 'amanhã'. */
const RULES: readonly Rule[] = [
  rule(`${AFTER} (?:meia hora|media hora|half an hour)`, () => ({ minutesAhead: 30 })),
  rule(`${AFTER} (${NUMBER}) ?(?:horas?|hours?|hrs?|hs?)${HALF}`, (count, half) => ({
    minutesAhead: parseNumber(count) * 60 + (half ? 30 : 0),
  })),
  rule(`${AFTER} (${NUMBER}) ?(?:minut[oe]s?|mins?)`, count => ({ minutesAhead: parseNumber(count) })),
  rule(`${AFTER} (${NUMBER}) (?:dias?|days?)`, count => ({ daysAhead: parseNumber(count) })),
  rule(`${AFTER} (${NUMBER}) (?:semanas?|weeks?)`, count => ({ daysAhead: parseNumber(count) * 7 })),
  rule('depois de amanha|pasado manana|(?:the )?day after tomorrow', () => ({ daysAhead: 2 })),

  rule(`(?:dia |el |on |the )*(\\d{1,2})${ORDINAL}? (?:de |of )?(${MONTHS.join('|')})(?: (?:del? )?(\\d{4}))?`, toDate),
  rule(`(?:on )?(${ENGLISH_MONTHS}) (?:the )?(\\d{1,2})${ORDINAL}?(?: (\\d{4}))?`, (month, day, year) =>
    toDate(day, month, year),
  ),
  rule('(\\d{4})-(\\d{2})-(\\d{2})', (year, month, day) => toDate(day, month, year)),
  rule('(?:dia |el )?(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?', toDate),
  rule(`(?:dia|el dia|el|on the|the) (\\d{1,2})${ORDINAL}?(?! ?(?:[ap]m|h))`, day => ({ date: { day: Number(day) } })),

  rule(`(?:${AT} )?(\\d{1,2})[:h](\\d{2})(?: ?(?:hrs?|hs?|min))?(?: ?([ap]m))?`, (hour = '', minute, half) =>
    toTime(hour, minute, half, hour.startsWith('0')),
  ),
  rule(`(?:${AT} )?(${HOUR}) ?([ap]m)`, (hour, half) => toTime(hour, '0', half, true)),
  rule(`(?:${AT} )?(\\d{1,2}) ?(?:hrs?|hs?)${MINUTES}`, (hour, minute) => toTime(hour, minute, undefined, true)),
  rule(`(?:${AT} )?(${HOUR}) horas?${MINUTES}`, (hour, minute) => toTime(hour, minute)),
  rule(`${AT} (${HOUR})${MINUTES}`, (hour, minute) => toTime(hour, minute)),
  rule(`(${HOUR})${MINUTES}(?= (?:da|de la|in the) )`, (hour, minute) => toTime(hour, minute)),
  rule(`(?:ao? |al? |at )?(?:meio[ -]dia|mediodia|noon)${MINUTES}`, minute => toTime('12', minute, undefined, true)),

  rule('(?:esta|this) (?:manha|manana|morning)', () => ({ daysAhead: 0, part: 'morning' })),
  rule('(?:esta|this) (?:tarde|afternoon)', () => ({ daysAhead: 0, part: 'afternoon' })),
  rule('(?:esta|this) (?:noite|noche|evening)|tonight', () => ({ daysAhead: 0, part: 'evening' })),
  rule('(?:por|en|de|a) la manana|(?:de|da|pela) manha|(?:in the )?morning', () => ({ part: 'morning' })),
  rule('(?:por|en|de|a) la tarde|(?:a|da|de|pela) tarde|(?:in the )?afternoon', () => ({ part: 'afternoon' })),
  rule('(?:por|en|de|a) la noche|(?:a|da|de|pela) noite|(?:in the )?evening|at night', () => ({ part: 'evening' })),
  rule('(?:da|de|de la) madrugada', () => ({ part: 'dawn' })),
  rule('hoje|hoy|today', () => ({ daysAhead: 0 })),
  rule('amanha|manana|tomorrow', () => ({ daysAhead: 1 })),
  rule('proxim[oa]|next|que vem|que viene', () => ({ week: 'next' })),
  rule('n?est[ae]|this', () => ({ week: 'this' })),
  rule(`(${WEEKDAYS.join('|')})`, name => ({ weekday: findWord(WEEKDAYS, name) })),
]
/** Words that say nothing more once the others are read. */
const JOINTS = /^(?: |as?|ao|at|on|no|na|em|en|el|las?|de|da|do|dia|para|pra|the)*$/

/** The instant that is meant, by the clocks of the time zone; null where it is not clear, or not ahead. Three languages, all at once. */
export function parseTimeWords(text: string, now: Date, timezone: string): Date | null {
  const reading = readWords(text)
  if (!reading) return null
  if (reading.minutesAhead !== undefined) {
    if (Object.keys(reading).length > 1 || reading.minutesAhead <= 0) return null
    return new Date(Math.ceil(now.getTime() / MINUTE_MS + reading.minutesAhead) * MINUTE_MS)
  }
  const time = resolveTime(reading)
  const today = toWallClock(now, timezone)
  const days = time && listDays(reading, today)
  if (!days) return null
  const instants = days.map(day => toInstant({ ...day, ...time }, timezone))
  const ahead = instants.filter(instant => instant > now)
  // On a Friday 'sexta' may be today or in a week.
  if (reading.weekday === getWeekday(today) && !reading.date && ahead.length > 1) return null
  return ahead[0] ?? null
}

/** What all of the words say together; null where some are left over, or two say the same. */
function readWords(text: string): Reading | null {
  let rest = normalizeWords(text)
  let reading: Reading = {}
  for (const [words, read] of RULES) {
    const found = words.exec(rest)
    if (!found) continue
    const piece = read(...found.slice(1))
    if (Object.keys(piece).some(name => name in reading)) return null
    reading = { ...reading, ...piece }
    rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`.replace(/\s+/g, ' ')
  }
  return JOINTS.test(rest) ? reading : null
}

export function normalizeWords(text: string): string {
  return foldText(text)
    .replace(/(?<=[\d ])([ap])\.\s?m\.?/g, '$1m')
    .replace(/,/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function resolveTime({ time, part }: Reading): TimeOfDay | null {
  const span = part && PART_HOURS[part]
  if (!time) return span?.usual === undefined ? null : { hour: span.usual, minute: 0 }
  const { minute, half, isExact } = time
  if (time.hour > 23 || minute > 59 || (half && (time.hour < 1 || time.hour > NOON))) return null
  if (!half && !part && !isExact && time.hour < FIRST_CLEAR_HOUR) return null
  const isLate = half ? half === 'pm' : (part === 'afternoon' || part === 'evening') && time.hour < NOON
  const hour = half ? (time.hour % NOON) + (isLate ? NOON : 0) : time.hour + (isLate ? NOON : 0)
  // 'Midnight' is the end of one day and the beginning of another.
  if (span && (hour < span.from || hour > span.to)) return null
  return { hour, minute }
}

/** The days that may be meant, the nearest first; null where that is not clear. */
function listDays({ daysAhead, weekday, week, date }: Reading, today: Day): readonly Day[] | null {
  if (week && weekday === undefined) return null
  if (daysAhead !== undefined) return weekday === undefined && !date ? [addDays(today, daysAhead)] : null
  if (date) {
    const days = listDates(date, today)
    return weekday === undefined || (days[0] && getWeekday(days[0]) === weekday) ? days : null
  }
  if (weekday === undefined) return [today, addDays(today, 1)]
  const ahead = (7 + weekday - getWeekday(today)) % 7
  if (week) {
    const isThisWeek = ahead > 0 && ahead <= (7 - getWeekday(today)) % 7
    return isThisWeek === (week === 'this') ? [addDays(today, ahead || 7)] : null
  }
  return [addDays(today, ahead), addDays(today, ahead + 7)]
}

function listDates({ day, month, year }: NonNullable<Reading['date']>, today: Day): Day[] {
  if (month !== undefined && year !== undefined) return isDay(year, month, day) ? [{ year, month, day }] : []
  return Array.from({ length: MOST_DAYS_AHEAD }, (_, ahead) => addDays(today, ahead)).filter(
    one => one.day === day && (month === undefined || one.month === month),
  )
}

export function addDays({ year, month, day }: Day, days: number): Day {
  const then = toUtcWallClock(Date.UTC(year, month - 1, day) + days * DAY_MS)
  return { year: then.year, month: then.month, day: then.day }
}

function rule(source: string, read: Rule[1]): Rule {
  return [new RegExp(`(?<![\\p{L}\\d/:])(?:${source})(?![\\p{L}\\d/:])`, 'u'), read]
}

function toDate(day?: string, month?: string, year?: string): Reading {
  const number = /^\d+$/.test(month ?? '') ? Number(month) : findWord(MONTHS, month) + 1
  return {
    date: { day: Number(day), month: number, ...(year && { year: Number(year.length === 2 ? `20${year}` : year) }) },
  }
}

function toTime(hour = '', minute = '0', half?: string, isExact = false): Reading {
  const isTwelve = half === 'am' || half === 'pm'
  return {
    time: { hour: parseNumber(hour), minute: parseNumber(minute), isExact, ...(isTwelve && { half }) },
  }
}

export function parseNumber(text = ''): number {
  return /^\d+$/.test(text) ? Number(text) : (NUMBERS.find(([words]) => isWord(words, text))?.[1] ?? Number.NaN)
}

export function findWord(names: readonly string[], name = ''): number {
  return names.findIndex(words => isWord(words, name))
}

function isWord(words: string, text: string): boolean {
  return new RegExp(`^(?:${words})$`).test(text)
}
