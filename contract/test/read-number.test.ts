// Numbers as people and programs write them, and what they are (decisions-2 §22, §24, docs/decisions/0280).
import { describe, expect, test } from 'bun:test'
import { chooseNumber, type NumberFault, readNumber, readNumbers } from '../src/contacts/read-number.ts'
import { mayBeNumber } from '../src/contacts/split-numbers.ts'

const ANA = '5531986554410'

describe('§24: a number as people write it', () => {
  test.each([
    ['31986554410', ANA],
    ['31.98655.4410', ANA],
    ['31/98655-4410', ANA],
    ['31\u00a098655\u20134410', ANA],
    ['(+55) 31 98655-4410', ANA],
    ['3132224010', '553132224010'],
    ['(31) 8655-4410', '553186554410'],
    ['+55 (0)31 98655-4410', ANA],
    ['0055 (0)31 98655-4410', ANA],
    ['55 ( 0 ) 31 98655-4410', ANA],
    ['(0)31 98655-4410', ANA],
    ['031 98655-4410', ANA],
    ['55 031 98655-4410', ANA],
    ['0800 104 0104', '558001040104'],
    ['+351 912 345 678', '351912345678'],
    ['00351912345678', '351912345678'],
    ['351912345678', '351912345678'],
    ['+49 (0) 30 123456', '4930123456'],
    // It is a part of the number where it is written so.
    ['+39 06 6982 1234', '390669821234'],
    ['+56 9 1234 5678', '56912345678'],
    ['+1 415 555 2671', '14155552671'],
  ])('%s is %s', (written, number) => expect(readNumber(written)).toEqual({ number }))

  test.each([
    ['with the carrier that was to be paid', '0 21 31 98655-4410', ANA],
    ['with the country and a carrier', '+55 0 15 31 98655-4410', ANA],
    ['with a place that is kept free for the carrier', '(0xx31) 98655-4410', ANA],
    ['with such a place by itself', '0XX 31 98655-4410', ANA],
    ['with such a place behind the country', '+55 (0xx31) 98655-4410', ANA],
    ['with such a place, all in one', '0xx31986554410', ANA],
    ['Mexico, without the 1', '525512345678', '525512345678'],
    ['Mexico, with the 1', '+52 1 55 1234 5678', '525512345678'],
    ['Argentina, without the 9', '+54 11 3123-4567', '541131234567'],
    ['Argentina, with the 9', '5491131234567', '5491131234567'],
    ['Argentina, as it is dialled there', '+54 11 15 3123-4567', '5491131234567'],
    ['Argentina, with a trunk zero', '+54 (011) 15 3123-4567', '5491131234567'],
    ['Mexico, with the 1 and without a sign', '5215512345678', '525512345678'],
    ['Mexico, as an address of WhatsApp', '5215512345678@c.us', '525512345678'],
    ['Peru, as it is written there', '+51 987 654 321', '51987654321'],
    ['Spain, as it is written there', '+34 912 345 678', '34912345678'],
  ])('%s', (_, written, number) => expect(readNumber(written)).toEqual({ number }))

  test.each([
    ['copied from WhatsApp, with signs nobody sees', '\u202a+55 31 98655\u20114410\u202c'],
    ['kept as a text by a spreadsheet', '="5531986554410"'],
    ['kept as a text by an apostrophe', "'+5531986554410"],
    ['an address of WhatsApp', '5531986554410@c.us'],
    ['the address of a device', '5531986554410:12@s.whatsapp.net'],
    ['a link', 'https://wa.me/5531986554410?text=oi'],
    ['a link to call', 'tel:+5531986554410'],
    ['from an advertisement of Meta’s', 'p:+5531986554410'],
    ['from an advertisement, without the country', 'p:31986554410'],
    ['taken for an amount', '31986554410.0'],
    ['with what it is', '(31) 98655-4410 (WhatsApp)'],
    ['behind what it is', 'Cel.: 31 98655-4410'],
    ['in wide digits', '３１９８６５５４４１０'],
    ['in quotes that a program left there', '"31986554410"'],
    ['with a word and a link to call', 'Celular: tel:+55-31-98655-4410'],
  ])('%s', (_, written) => expect(readNumber(written)).toEqual({ number: ANA }))

  test.each([
    ['31 3222-4010 / 31 98655-4410'],
    ['31 3222-4010/31 98655-4410'],
    ['31 3222-4010; 31 98655-4410'],
    ['31 98655-4410 e 31 98655-4411'],
    ['31 98655-4410\n31 98655-4411'],
    ['+55 31 98655-4410 ::: +55 31 98655-4411'],
    ['tel:+553132224010 ::: tel:+5531986554410'],
    ['553132224010@c.us, 5531986554410@c.us'],
    ['p:+553132224010;p:+5531986554410'],
  ])('of two numbers in one cell the first mobile one counts: %p', written =>
    expect(readNumber(written)).toEqual({ number: ANA }),
  )
})

describe('§24: what cannot be a number says why', () => {
  test.each<[string, NumberFault]>([
    ['', 'numberRequired'],
    ['3198-65', 'numberLength'],
    ['98655-4410', 'areaCodeMissing'],
    ['8655-4410', 'areaCodeMissing'],
    ['+55 98655-4410', 'areaCodeMissing'],
    ['3398-2201/02', 'areaCodeMissing'],
    ['5,53199E+12', 'numberUnreadable'],
    ['não tem', 'numberUnreadable'],
    ['31 98655-4410 (Ana)', 'numberUnreadable'],
    ['31986554410 +55', 'numberUnreadable'],
    ['31 3222-4010 ramal 12', 'numberUnreadable'],
    ['31 3222-4010, r. 12', 'numberUnreadable'],
    ['+55 31 3222-4010 x12', 'numberUnreadable'],
    ['000000000', 'numberUnreadable'],
    ['00031986554410', 'numberUnreadable'],
    ['31 0 98655-4410', 'numberUnreadable'],
    // The country twice, the area twice, a digit too many, an area that is none.
    ['555531986554410', 'numberUnreadable'],
    ['+555531986554410', 'numberUnreadable'],
    ['3131986554410', 'numberUnreadable'],
    ['319865544101', 'numberUnreadable'],
    ['031 98655-44101', 'numberUnreadable'],
    ['+55 031 98655-44101', 'numberUnreadable'],
    ['20986554410', 'numberUnreadable'],
    // Eleven digits without a sign of a country are Brazilian or nothing.
    ['14155552671', 'numberUnreadable'],
    ['12345678901', 'numberUnreadable'],
    ['56912345678', 'numberUnreadable'],
    ['+1 111 111 1111', 'numberUnreadable'],
    // Brazil's code forgotten behind the sign: in the Netherlands or in Peru somebody may have that number.
    ['+31 98655-4410', 'numberUnreadable'],
    ['+(31) 98655-4410', 'numberUnreadable'],
    ['+51 98765-4321', 'numberUnreadable'],
    // What WhatsApp calls people and groups who have no number.
    ['123456789012345@lid', 'numberUnreadable'],
    ['120363025246125486@g.us', 'numberUnreadable'],
    ['status@broadcast', 'numberUnreadable'],
    ['31 98655-4410 31 98655-4411', 'numberUnreadable'],
  ])('%p: %s', (written, fault) => expect(readNumber(written)).toEqual({ fault }))
})

test('a number without its area code takes the one that was chosen, and no other', () => {
  const options = { areaCode: '31' }
  expect(readNumber('98655-4410', options)).toEqual({ number: ANA })
  expect(readNumber('3222-4010', options)).toEqual({ number: '553132224010' })
  expect(readNumber('11 98655-4410', options)).toEqual({ number: '5511986554410' })
  expect(readNumber('98655-4410', { areaCode: '20' })).toEqual({ fault: 'areaCodeMissing' })
})

test('of several columns an extension takes only its own number away', () => {
  expect(chooseNumber(['31 3222-4010 ramal 2', '31 98655-4410'])).toEqual({ number: ANA })
  expect(chooseNumber(['Sim', '', '31 3222-4010'])).toEqual({ number: '553132224010' })
  expect(chooseNumber(['', ''])).toEqual({ fault: 'numberRequired' })
})

test('all numbers of a row, the mobile ones first and each phone once', () => {
  const texts = ['31 3222-4010 / (31) 8655-4410', ANA, '0800 104 0104', 'ramal 3']
  expect(readNumbers(texts).numbers).toEqual(['553186554410', '553132224010', '558001040104'])
})

test('however one number is spelled and wrapped, it is this one, or a spelling that is refused', () => {
  const beginnings = ['', '55', '+55 ', '0055 ', '0', '(0)', '0 21 ', '021', '+55 0', '+55 (0)', '0xx', '055 ', '+550']
  const areas = ['31', '(31) ', '31 ', '31-', '31.']
  const bodies = ['986554410', '98655-4410', '9 8655-4410', '98655.4410', '98655 4410', '9-8655-4410', '86554410']
  const wraps = ['*', '="*"', "'*", 'p:*', 'tel:*', 'WhatsApp: *', '* (cel.)', '\u202a*\u202c', '*.0']
  const others = new Set<string>()
  let read = 0
  for (const beginning of beginnings)
    for (const area of areas)
      for (const body of bodies)
        for (const wrap of wraps) {
          const written = wrap.replace('*', `${beginning}${area}${body}`)
          const reading = readNumber(written)
          if ('fault' in reading) continue
          read++
          if (reading.number !== ANA && reading.number !== '553186554410') others.add(`${written}: ${reading.number}`)
        }
  expect([...others]).toEqual([])
  expect(read).toBeGreaterThan(2000)
})

describe('a text that nobody means as a number', () => {
  test.each([
    ['blanks', `x${' '.repeat(32_000)}x`],
    ['blanks behind digits', `1111${' '.repeat(32_000)}x`],
    ['digits', '1'.repeat(32_000)],
    ['digits apart', '1 '.repeat(16_000)],
  ])('is no number, and its length costs nothing: %s', (_, written) => {
    const cost = (text: string) => Math.min(...Array.from({ length: 5 }, () => measureElapsed(() => readNumber(text))))
    expect(readNumber(written)).toEqual({ fault: 'numberUnreadable' })
    expect(cost(written)).toBeLessThan(20 * cost(written.slice(0, 900)) + 1)
  })

  test('a card with dozens of numbers is read', () => {
    const numbers = Array.from({ length: 40 }, (_, at) => `+55 31 98655-44${10 + at}`)
    expect(readNumber(numbers.join(' ::: '))).toEqual({ number: ANA })
  })
})

function measureElapsed(run: () => void): number {
  const begun = performance.now()
  run()
  return performance.now() - begun
}

describe('a page offers what the server may read, as it was typed or pasted', () => {
  test.each([
    '\u202a+55 31 98655\u20114410\u202c',
    '(31) 98655\u20134410',
    '31/98655-4410',
    'tel:+5531986554410',
    'wa.me/5531986554410',
    'Cel: (31) 98655-4410',
    '5531986554410@c.us',
    '31 3222-4010 / 31 98655-4410',
    '00351912345678',
  ])('%p', written => {
    expect([mayBeNumber(written), 'number' in readNumber(written)]).toEqual([true, true])
  })

  test.each(['Rafael', '123', 'R2D2 3197777', '31 3222-4010 ramal 12', '34191790010104351004791020150008', '1+2', ''])(
    'but not %p',
    written => expect([mayBeNumber(written), 'number' in readNumber(written)]).toEqual([false, false]),
  )
})
