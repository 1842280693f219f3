// Words in double braces that a text may hold (spec 1 §5): filled when it is sent.

export interface ShortcutValues {
  readonly name: string
  readonly number: string
  readonly queue: string
  readonly user: string
}

/**
 * Fills {{name}}, {{number}}, {{queue}}, {{user}}, {{ms}}, {{date}} and {{time}}; other braces stay as they are.
 * `{{ms}}` greets by the hour in the company's time zone: morning 6 to 12, afternoon 13 to 18, otherwise night.
 */
export function fillShortcuts(text: string, values: ShortcutValues, timezone: string, now: Date = new Date()): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('pt-BR', { timeZone: timezone, ...options }).format(now)
  const hour = Number(part({ hour: '2-digit', hourCycle: 'h23' }))
  const filled: Record<string, string> = {
    ...values,
    ms: hour >= 6 && hour <= 12 ? 'Bom dia' : hour >= 13 && hour <= 18 ? 'Boa tarde' : 'Boa noite',
    date: part({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    time: part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  }
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, word: string) => filled[word] ?? whole)
}
