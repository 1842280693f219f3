import { getLanguage } from '@balcao/ui/i18n'

/** `4,0`: always with its digit, as means are compared. */
export function formatMean(value: number): string {
  return value.toLocaleString(getLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}
