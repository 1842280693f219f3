// Instants as people read them at this terminal: the clock of today, otherwise with the day.
import type { Language } from './texts.ts'

export function formatInstant(instant: string | null, language: Language, now = new Date()): string {
  if (instant === null) return '—'
  const at = new Date(instant)
  const isToday = at.toDateString() === now.toDateString()
  return new Intl.DateTimeFormat(language === 'pt' ? 'pt-BR' : language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isToday ? {} : { day: '2-digit', month: '2-digit' }),
    ...(isToday || at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  }).format(at)
}

/** `09:31:04`, for what happens while somebody watches. */
export function formatClock(language: Language, at = new Date()): string {
  return new Intl.DateTimeFormat(language === 'pt' ? 'pt-BR' : language, {
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(at)
}
