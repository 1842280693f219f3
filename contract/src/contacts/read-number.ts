// What people write where a phone belongs, read as the digits under which WhatsApp knows it: for sheets, forms, the API and the terminal
// alike (docs/decisions/0280). Apart from the rest of the contract, so that pages do not load what it needs.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { AREA, extractDigits, listPhoneVariants, toCanonicalNumber } from './phone.ts'
import { findSpellingFault, splitNumbers } from './split-numbers.ts'

export type NumberFault = 'numberRequired' | 'numberLength' | 'numberUnreadable' | 'areaCodeMissing'

export type NumberReading = { readonly number: string } | { readonly fault: NumberFault }

interface ReadOptions {
  /** Of Brazilian numbers that are written without one. */
  readonly areaCode?: string | undefined
}

/**
 * The number in a text, in digits with the country's code. Without one it is Brazilian; `+` and `00` begin another country's. Of several
 * numbers in the text it is the first mobile one, else the first. A text that says anything else, such as an extension, is no number.
 * @example readNumber('(031) 98655-4410') // { number: '5531986554410' }
 */
export function readNumber(written: string, options: ReadOptions = {}): NumberReading {
  return chooseNumber([written], options)
}

/** The same of several texts, one of which may do: the columns of a row. */
export function chooseNumber(texts: readonly string[], options: ReadOptions = {}): NumberReading {
  const { numbers, fault } = readNumbers(texts, options)
  const [number] = numbers
  return number === undefined ? { fault } : { number }
}

interface NumbersReading {
  /** Each phone once, mobile ones first. */
  readonly numbers: readonly string[]
  /** Why there is none. */
  readonly fault: NumberFault
}

/** All numbers of several texts. */
export function readNumbers(texts: readonly string[], { areaCode }: ReadOptions = {}): NumbersReading {
  const readings = texts.flatMap(text => readText(text, areaCode))
  const found = readings.flatMap(one => ('number' in one ? one.number : []))
  const seen = new Set<string>()
  const isNew = (number: string) => seen.size < seen.add(toCanonicalNumber(number)).size
  const faults = readings.flatMap(one => ('fault' in one ? one.fault : []))
  return {
    numbers: [...found.filter(isMobile), ...found].filter(isNew),
    fault: TOLD_FIRST.find(fault => faults.includes(fault)) ?? 'numberRequired',
  }
}

const TOLD_FIRST: readonly NumberFault[] = ['areaCodeMissing', 'numberUnreadable', 'numberLength']

/** Each number of a text. */
function readText(text: string, areaCode: string | undefined): NumberReading[] {
  return splitNumbers(text)?.map(part => readOne(part, areaCode)) ?? [{ fault: 'numberUnreadable' }]
}

const MOBILE = '(?:9\\d{8}|[6-9]\\d{7})'
const BRAZILIAN_MOBILE = new RegExp(`^55${AREA}${MOBILE}$`)
/** A mobile, a landline, or a number that is free to call. */
const BRAZILIAN = new RegExp(`^(?:${AREA}(?:${MOBILE}|[2-5]\\d{7})|800\\d{7})$`)
/** What a Brazilian number is when its area code is missing. */
const LOCAL = /^(?:9\d{8}|[2-9]\d{7})$/
/** A trunk zero, perhaps with the carrier that was to be paid. */
const TRUNK = new RegExp(`^0(?:(?:1[245]|2[1-35]|31|4[13]|[56]5|99)(?=${AREA}\\d{8,9}$))?`)
/** A Brazilian mobile with a digit too many. */
const ONE_TOO_MANY = new RegExp(`^${AREA}9\\d{9}$`)
/** An area code where the country's belongs: nobody abroad writes his number so, and somebody there may have it. */
const AREA_AS_COUNTRY = new RegExp(
  `^\\+\\s?\\(?\\s?(?!55)${AREA}\\s?\\)?[\\s.]?9\\s?\\d{4}\\s?[-\\u2010-\\u2015]\\s?\\d{4}$`,
)

function readOne(written: string, areaCode: string | undefined): NumberReading {
  const unreadable = { fault: 'numberUnreadable' } as const
  const fault = findSpellingFault(written)
  if (fault) return { fault }
  const digits = extractDigits(written)
  if (AREA_AS_COUNTRY.test(written)) return unreadable
  if (written.includes('+')) return readAbroad(digits) ?? findMissingAreaCode(digits) ?? unreadable
  const dialled = digits.startsWith('00') ? readAbroad(digits.slice(2)) : null
  if (dialled) return dialled
  const national = dropTrunk(digits)
  if (BRAZILIAN.test(national)) return { number: `55${national}` }
  if (LOCAL.test(national)) {
    const whole = `${areaCode}${national}`
    return BRAZILIAN.test(whole) ? { number: `55${whole}` } : { fault: 'areaCodeMissing' }
  }
  // Ten or eleven digits are Brazilian or nothing, and what could be a Brazilian number gone wrong is nobody's abroad.
  if (digits.startsWith('0') || digits.length < 12 || ONE_TOO_MANY.test(digits)) return unreadable
  const abroad = readAbroad(digits)
  return abroad && (digits.startsWith('55') || listPhoneVariants(digits).includes(abroad.number)) ? abroad : unreadable
}

/** A number with its country's code. */
function readAbroad(digits: string): { readonly number: string } | null {
  if (digits.startsWith('55')) {
    const national = dropTrunk(digits.slice(2))
    return BRAZILIAN.test(national) ? { number: `55${national}` } : null
  }
  const found = parsePhoneNumberFromString(`+${digits.replace(/^521(?=\d{10}$)/, '52')}`)
  return found?.isValid() ? { number: found.number.slice(1) } : null
}

/** A mobile with a digit too many is no number of another area behind a carrier. */
function dropTrunk(digits: string): string {
  const rest = digits.replace(/^0/, '')
  return ONE_TOO_MANY.test(rest) ? rest : digits.replace(TRUNK, '')
}

/** Brazil's code, and nothing between it and the number itself. */
function findMissingAreaCode(digits: string): NumberReading | null {
  return digits.startsWith('55') && LOCAL.test(digits.slice(2)) ? { fault: 'areaCodeMissing' } : null
}

function isMobile(number: string): boolean {
  return !number.startsWith('55') || BRAZILIAN_MOBILE.test(number)
}
