// Texts the desk sends by itself, with their words in double braces filled in (spec 1 §5 "Composer shortcuts").
import { fillBraces } from '../kit/braces.ts'

/**
 * Replaces {{name}}, {{number}}, {{queue}}, {{user}}, {{ms}} (greeting of the hour), {{date}} and {{time}}.
 * @example fillTextPlaceholders('{{ms}}, {{name}}!', words, 'America/Sao_Paulo', now) // 'Bom dia, Dona Lúcia!'
 */
export function fillTextPlaceholders(
  text: string,
  words: Readonly<Record<string, string>>,
  timezone: string,
  now: Date,
): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('pt-BR', { timeZone: timezone, hourCycle: 'h23', ...options }).format(now)
  const values: Record<string, string> = {
    ...words,
    ms: chooseGreeting(Number(part({ hour: '2-digit' }))),
    date: part({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    time: part({ hour: '2-digit', minute: '2-digit' }),
  }
  return fillBraces(text, values)
}

function chooseGreeting(hour: number): string {
  if (hour >= 6 && hour <= 12) return 'Bom dia'
  return hour >= 13 && hour <= 18 ? 'Boa tarde' : 'Boa noite'
}
