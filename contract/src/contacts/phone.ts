// Phone numbers as digits: how they are shown, and under which spellings one person may be known. What people write is read by `read-number.ts`.

/**
 * Only the digits of what a person typed, without a trunk prefix that is written as `(0)`: abroad nobody dials it.
 * @example extractDigits('+55 (0)31 98655-4410') // '5531986554410'
 */
export function extractDigits(phone: string): string {
  return phone.replace(/\(\s*0\s*\)|\D/g, '')
}

/** A sign that some write and others do not, behind so many digits of the national number; one rule a country. */
const OPTIONAL_SIGNS = [
  // Brazilian mobiles got a ninth digit; landlines (first digit 2 to 5) have none.
  { country: '55', area: 2, sign: '9', own: /^[6-9]\d{7}$/ },
  // Mexican mobiles were called with a 1 until 2019: WhatsApp knows many of them by it still.
  { country: '52', area: 0, sign: '1', own: /^[2-9]\d{9}$/ },
  // Argentine mobiles have a 9 where they are called from abroad, and at WhatsApp.
  { country: '54', area: 0, sign: '9', own: /^[1-3]\d{9}$/ },
] as const

/**
 * All spellings under which WhatsApp may know the same phone, the given one first: Brazilian mobiles with and without the ninth digit,
 * Mexican numbers with and without the 1, Argentine ones with and without the 9 (docs/decisions/0280).
 * @example listPhoneVariants('5531998762210') // ['5531998762210', '553198762210']
 */
export function listPhoneVariants(number: string): string[] {
  for (const { country, area, sign, own } of OPTIONAL_SIGNS) {
    if (!number.startsWith(country)) continue
    const head = number.slice(0, country.length + area)
    const rest = number.slice(head.length)
    if (own.test(rest)) return [number, `${head}${sign}${rest}`]
    if (rest.startsWith(sign) && own.test(rest.slice(1))) return [number, `${head}${rest.slice(1)}`]
  }
  return [number]
}

/** One of the spellings of a phone, whichever it is given in: two of them are the same phone if these are equal. */
export function toCanonicalNumber(number: string): string {
  return listPhoneVariants(number).sort().join()
}

/**
 * A number as people read it: '+55 31 99876-2210'; other countries as '+' and digits.
 */
export function formatPhone(number: string): string {
  const brazil = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(number)
  return brazil ? `+55 ${brazil[1]} ${brazil[2]}-${brazil[3]}` : `+${number}`
}

/** The area codes of Brazil, for expressions. */
export const AREA = '(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])'
const AREA_CODE = new RegExp(`^${AREA}$`)

/** Whether it is a Brazilian area code. */
export function isAreaCode(text: string): boolean {
  return AREA_CODE.test(text)
}
