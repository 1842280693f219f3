import { currentLanguage } from '@balcao/ui/i18n'

/** `4,0`: always with its digit, as means are compared. */
export function meanText(value: number): string {
  return value.toLocaleString(currentLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}
