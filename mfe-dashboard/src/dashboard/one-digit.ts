import { formatNumber } from '@balcao/ui/i18n'

/** `4,4` for 4.36. */
export function formatOneDigit(value: number): string {
  return formatNumber(Math.round(value * 10) / 10)
}
