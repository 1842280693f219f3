// Sums of money, as providers tell them and people read them. Without schemas: pages take it in.
import type { Money } from '../messages/message-details.ts'

/** `R$ 159,90`. A currency nobody knows stands before its number. */
export function formatMoney({ amount, currency }: Money, language = 'pt-BR'): string {
  try {
    return amount.toLocaleString(language, { style: 'currency', currency }).replaceAll('\u00a0', ' ')
  } catch {
    return `${currency} ${amount.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`.trim()
  }
}

/** Money as a provider tells it, in parts of so many a unit; null if that is no sum. */
export function parseMoney(amount: unknown, currency: unknown, parts = 1): Money | null {
  const isTold = typeof amount === 'number' || (typeof amount === 'string' && amount !== '')
  const sum = isTold ? Number(amount) / parts : Number.NaN
  return Number.isFinite(sum) && typeof currency === 'string' ? { amount: sum, currency: currency.slice(0, 3) } : null
}
