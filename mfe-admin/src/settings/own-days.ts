// The company's own days as the page edits them: with a whole date, and whether it comes again each year.
import { type CompanyHoliday, toSettingTexts } from '@balcao/contract/settings/settings'

export interface OwnDay {
  readonly id: string
  /** `YYYY-MM-DD`, or empty. */
  readonly date: string
  readonly name: string
  readonly yearly: boolean
  readonly open: boolean
}

/** Days as they are stored; a day of every year is shown in this one. */
export function withIds(days: readonly CompanyHoliday[], year = new Date().getFullYear()): OwnDay[] {
  return days.map(({ date, name, open }) => {
    const yearly = date.length === 5
    // The day that only some years have stands in one of them.
    const whole = date === '02-29' ? `${year - (year % 4)}-${date}` : yearly ? `${year}-${date}` : date
    return { id: date, date: whole, name, yearly, open }
  })
}

/** The text that is stored. */
export function toHolidayDates(days: readonly OwnDay[]): string {
  const holidayDates = days.map(({ date, name, yearly, open }) => ({ date: yearly ? date.slice(5) : date, name, open }))
  return toSettingTexts({ holidayDates })[0]?.[1] ?? '[]'
}
