// Brazilian phone numbers and their ninth digit: one person may be known with and without it.

/**
 * Only the digits of what a person typed, without a trunk prefix that is written as `(0)`: abroad nobody dials it.
 * @example digitsOf('+55 (0)31 98655-4410') // '5531986554410'
 */
export function digitsOf(phone: string): string {
  return phone.replace(/\(\s*0\s*\)|\D/g, '')
}

/**
 * All spellings under which WhatsApp may know the same phone: the number itself and, for Brazilian mobiles, the one with or
 * without the ninth digit. Landlines (first digit 2 to 5) have one spelling; other countries too.
 * @example phoneVariants('5531998762210') // ['5531998762210', '553198762210']
 */
export function phoneVariants(number: string): string[] {
  const withNine = /^55(\d{2})9([6-9]\d{7})$/.exec(number)
  if (withNine) return [number, `55${withNine[1]}${withNine[2]}`]
  const without = /^55(\d{2})([6-9]\d{7})$/.exec(number)
  if (without) return [number, `55${without[1]}9${without[2]}`]
  return [number]
}

/**
 * The digits of a number as people write it in a sheet, with the country's code: `+` and `00` are taken as they stand but for a `(0)`, a trunk 0 is
 * dropped, ten or eleven digits are Brazilian (decisions-2 §22). Null: it is no number that a person wrote, such as `5,53E+12`.
 * @example wholeNumber('(031) 98655-4410') // '5531986554410'
 */
export function wholeNumber(written: string): string | null {
  if (/[^\d\s()+./\-\u00a0\u2010-\u2015]/.test(written) || (written.lastIndexOf('+') > 0 && /\d[^+]*\+/.test(written)))
    return null
  const digits = digitsOf(written)
  if (written.includes('+')) return digits
  if (digits.startsWith('00')) return digits.slice(2)
  const national = digits.replace(/^0/, '')
  return national.length === 10 || national.length === 11 ? `55${national}` : national
}

/**
 * A number as people read it: '+55 31 99876-2210'; other countries as '+' and digits.
 */
export function formatPhone(number: string): string {
  const brazil = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(number)
  return brazil ? `+55 ${brazil[1]} ${brazil[2]}-${brazil[3]}` : `+${number}`
}
