// Dates and times as the product writes them (dd/MM/yyyy, HH:mm), always in the company's time zone, whatever the device says.
let timezone = 'America/Sao_Paulo'
let parts = createFormatter(timezone)
const listeners = new Set<() => void>()

/** Sets the company's IANA time zone (the setting `timezone`); an unknown one is ignored. */
export function setTimezone(name: string) {
  try {
    parts = createFormatter(name)
    timezone = name
    known.clear()
    for (const listener of listeners) listener()
  } catch {
    // A zone this browser does not know: keep the one before.
  }
}

/** Calls back when it becomes another one; returns how to stop. */
export function onTimezoneChange(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** `21/11/2026` */
export function formatDate(instant: string | Date) {
  const { day, month, year } = split(instant)
  return `${day}/${month}/${year}`
}

/** `09:26` */
export function formatTime(instant: string | Date) {
  const { hour, minute } = split(instant)
  return `${hour}:${minute}`
}

/** `21/11/2026 09:26` */
export function formatMoment(instant: string | Date) {
  return `${formatDate(instant)} ${formatTime(instant)}`
}

/** `21/11/26 09:26`, as tables show it (spec 2 §2). */
export function formatDateTime(instant: string | Date) {
  const { day, month, year, hour, minute } = split(instant)
  return `${day}/${month}/${year.slice(2)} ${hour}:${minute}`
}

/** `2026-11-21`: equal for two instants of the same day in the company's time zone. */
export function toCompanyDay(instant: string | Date) {
  const { day, month, year } = split(instant)
  return `${year}-${month}-${day}`
}

/** The time of a list row: `HH:mm` if today, otherwise `dd/MM/yyyy` (spec 1 §2). */
export function formatListTime(instant: string | Date, now = new Date()) {
  return toCompanyDay(instant) === toCompanyDay(now) ? formatTime(instant) : formatDate(instant)
}

/** Whole minutes from `since` to `now`, never negative. */
export function countMinutesSince(since: string | Date, now = new Date()) {
  return Math.max(0, Math.floor((now.getTime() - new Date(since).getTime()) / 60_000))
}

interface Parts {
  day: string
  month: string
  year: string
  hour: string
  minute: string
}

const MOST_KNOWN = 2000
/** A list and a conversation ask for the same minutes over and over, and the browser takes its time to tell the parts of each. */
const known = new Map<number, Readonly<Parts>>()

function split(instant: string | Date): Readonly<Parts> {
  const date = instant instanceof Date ? instant : new Date(instant)
  const minute = Math.floor(date.getTime() / 60_000)
  const before = known.get(minute)
  if (before) return before
  const found: Parts = { day: '00', month: '00', year: '0000', hour: '00', minute: '00' }
  if (Number.isNaN(minute)) return found
  for (const { type, value } of parts.formatToParts(date)) if (type in found) found[type as keyof Parts] = value
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(minute, found)
  return found
}

function createFormatter(timeZone: string) {
  return new Intl.DateTimeFormat('pt-BR', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}
