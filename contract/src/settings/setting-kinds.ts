// The kinds of settings: how a value of each is read from its text and written, and what is said of a text that is none.

import { countDaysInMonth, isTimezone, parseMinutes } from '../calendar/zoned-time.ts'
import { parseIntegrationAddress } from '../integration/integration.ts'
import type { FaultCode } from '../kit/app-error.ts'

export type SettingsSection = 'schedule' | 'messages' | 'viewing'

export interface SettingFault {
  readonly code: FaultCode<'setting'>
  readonly params?: Readonly<Record<string, string>>
}

/** How one setting is read and written. `read` gives undefined for a text that is no value; then `fault` says what is wrong. */
export interface SettingDefinition<T> {
  readonly kind:
    | 'toggle'
    | 'option'
    | 'number'
    | 'time'
    | 'text'
    | 'address'
    | 'timezone'
    | 'person'
    | 'holidays'
    | 'secret'
  readonly section: SettingsSection
  readonly default: T
  readonly fault: SettingFault
  /** The values to choose from, where there are only some. */
  readonly options?: readonly T[]
  /** `owner`: user 1 alone may write it (spec 2 §6). */
  readonly writer?: 'owner'
  read(text: string): T | undefined
  write(value: T): string
}

/** A day of the company's own in the calendar (decisions-2 §12): `MM-DD` or `YYYY-MM-DD`; `open` takes a holiday away. */
export interface CompanyHoliday {
  readonly date: string
  readonly name: string
  readonly open: boolean
}

export function defineToggle(section: SettingsSection, value = false): SettingDefinition<boolean> {
  return {
    kind: 'toggle',
    section,
    default: value,
    fault: { code: 'toggle' },
    read: text => (text === 'enabled' ? true : text === 'disabled' ? false : undefined),
    write: on => (on ? 'enabled' : 'disabled'),
  }
}

/** One of some numbers or words. */
export function defineChoice<const T extends number | string>(
  section: SettingsSection,
  options: readonly T[],
  value: T,
): SettingDefinition<T> {
  return {
    kind: 'option',
    section,
    options,
    default: value,
    fault: { code: 'option', params: { options: options.join(', ') } },
    read: text => options.find(option => String(option) === text),
    write: String,
  }
}

export function defineNumber(
  section: SettingsSection,
  [least, most]: readonly [number, number],
  value: number,
): SettingDefinition<number> {
  return {
    kind: 'number',
    section,
    default: value,
    fault: { code: 'number', params: { least: String(least), most: String(most) } },
    read: text => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
    write: String,
  }
}

export function defineText(section: SettingsSection, value: string, most = 4000): SettingDefinition<string> {
  return {
    kind: 'text',
    section,
    default: value,
    fault: { code: 'tooLong', params: { most: String(most) } },
    read: words => (words.length <= most ? words : undefined),
    write: words => words,
  }
}

/** What it may be says `isOptOutWordClear`, which a page does not need that only reads settings. */
export function defineOptOutWord(): SettingDefinition<string> {
  return { ...defineText('messages', 'SAIR', 40), fault: { code: 'optOut' } }
}

/** An address of the web, or none. */
export function defineAddress(section: SettingsSection): SettingDefinition<string> {
  return {
    ...defineText(section, '', 2000),
    kind: 'address',
    fault: { code: 'address' },
    read: words => {
      const trimmed = words.trim()
      return trimmed === '' || (trimmed.length <= 2000 && parseIntegrationAddress(trimmed)) ? trimmed : undefined
    },
  }
}

/** A time of day, in minutes since midnight; on the wire `HH:mm`. */
export function defineTime(hour: number, code: SettingFault['code']): SettingDefinition<number> {
  return {
    kind: 'time',
    section: 'schedule',
    default: hour * 60,
    fault: { code },
    read: text => (/^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? parseMinutes(text) : undefined),
    write: minutes => [minutes / 60, minutes % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':'),
  }
}

export function defineTimezone(value: string): SettingDefinition<string> {
  return {
    kind: 'timezone',
    section: 'schedule',
    default: value,
    fault: { code: 'timezone' },
    read: text => (isTimezone(text) ? text : undefined),
    write: text => text,
  }
}

/** A person's id, or nobody. */
export function definePerson(section: SettingsSection): SettingDefinition<number | null> {
  return {
    kind: 'person',
    section,
    default: null,
    fault: { code: 'person' },
    read: text => (text === '' ? null : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
    write: id => (id === null ? '' : String(id)),
  }
}

/** Made by the server, written by nobody. */
export function defineSecret(): SettingDefinition<string> {
  return { ...defineText('schedule', ''), kind: 'secret', fault: { code: 'readOnly' } }
}

export function defineHolidays(): SettingDefinition<readonly CompanyHoliday[]> {
  return {
    kind: 'holidays',
    section: 'schedule',
    default: [],
    fault: { code: 'holidays' },
    read: parseCompanyHolidays,
    write: days => JSON.stringify(days),
  }
}

function parseCompanyHolidays(text: string): readonly CompanyHoliday[] | undefined {
  try {
    const days: unknown = JSON.parse(text)
    if (!Array.isArray(days) || !days.every(isHoliday)) return undefined
    if (new Set(days.map(({ date }) => date)).size < days.length) return undefined
    return days.map(({ date, name, open }) => ({ date, name: name.trim(), open }))
  } catch {
    return undefined
  }
}

function isHoliday(day: unknown): day is CompanyHoliday {
  if (typeof day !== 'object' || day === null || !('date' in day && 'name' in day && 'open' in day)) return false
  const { date, name, open } = day
  return (
    typeof date === 'string' &&
    isDay(date) &&
    typeof name === 'string' &&
    name.trim() !== '' &&
    name.length <= 100 &&
    typeof open === 'boolean'
  )
}

/** `MM-DD` or `YYYY-MM-DD` of a day there is; 29 February is one of every year that has it. */
function isDay(date: string): boolean {
  const [, year, month, day] = /^(?:(\d{4})-)?(\d\d)-(\d\d)$/.exec(date) ?? []
  const [inYear, inMonth] = [Number(year ?? 2024), Number(month)]
  return inMonth >= 1 && inMonth <= 12 && Number(day) >= 1 && Number(day) <= countDaysInMonth(inYear, inMonth)
}
