import { describe, expect, test } from 'bun:test'
import { isOnlyEmoji, splitReachable } from '../src/message/reachable.ts'

const find = (text: string) =>
  splitReachable(text).flatMap(({ kind, text: found }) => (kind === 'text' ? [] : [`${kind} ${found}`]))

describe('of a text can be pressed', () => {
  test.each([
    ['me chama no (31) 98821-4407, por favor', ['phone (31) 98821-4407']],
    ['31988214407', ['phone 31988214407']],
    ['31 98821 4407.', ['phone 31 98821 4407']],
    ['fixo: 31 3222-1010', ['phone 31 3222-1010']],
    ['+55 31 98821-4407 ou +351 912 345 678', ['phone +55 31 98821-4407', 'phone +351 912 345 678']],
    ['+5531988214407 20 caixas', ['phone +5531988214407']],
    ['(31) 98821-4407 31 3222-1010 5 31 91234 5678', ['phone (31) 98821-4407', 'phone 31 3222-1010']],
    ['+55 (31) 9 8821-4407, (31) 9 8821-4407', ['phone +55 (31) 9 8821-4407', 'phone (31) 9 8821-4407']],
    ['\u202a+55 31 98821\u20114407\u202c', ['phone +55 31 98821\u20114407']],
    ['(31) 98821–4407 ou +351–912–345–678', ['phone (31) 98821–4407', 'phone +351–912–345–678']],
    ['+55-31-98821-4407', ['phone +55-31-98821-4407']],
    ['nota para financeiro@padaria.com.br.', ['email financeiro@padaria.com.br']],
    ['ana@x.com, (11) 3456-7890', ['email ana@x.com', 'phone (11) 3456-7890']],
  ])('%s', (text, found) => {
    expect(find(text)).toEqual(found)
  })
})

describe('is no number and no address', () => {
  test.each([
    'CPF 123.456.789-09',
    'CNPJ 12.345.678/0001-90',
    'CEP 30140-071',
    '+55 2026112800000',
    'pedido 20261128001',
    'protocolo 2026112800000012345',
    '34191.79001 01043.510047 91020.150008 5 84410026000',
    'R$ 1.250,00 em 28/11/2026 às 14:30',
    'arroba@',
    '@fulano',
    'são 12 caixas',
  ])('%s', text => {
    expect(find(text)).toEqual([])
  })
})

test('every letter of a text stands in its pieces, whatever it is', () => {
  const text = 'Oi 👋 (31) 98821-4407 — ana@x.com\tfim  '
  expect(
    splitReachable(text)
      .map(piece => piece.text)
      .join(''),
  ).toBe(text)
})

test('a text as long as it may be, of whatever it is made, is read without walking it again and again', () => {
  const made = (part: string) => part.repeat(Math.ceil(65_536 / part.length))
  const walk = (text: string) => {
    const start = performance.now()
    for (let round = 0; round < 3; round++) splitReachable(text)
    return performance.now() - start
  }
  for (const part of ['1', '@a.b', 'a@', '(', '+1', '1 ', '11 98765-4321 ', `${'a'.repeat(64)}@`, '.', 'a-']) {
    const whole = made(part)
    walk(whole)
    const half = Math.min(walk(whole.slice(0, 32_768)), walk(whole.slice(0, 32_768)))
    expect([part, Math.min(walk(whole), walk(whole)) < 3 * half + 200]).toEqual([part, true])
  }
})

test('one to three emoji alone are shown larger', () => {
  expect(['👍', '❤️', '🙏🏽🙏🏽', '👨‍👩‍👧', '🇧🇷 🎉'].map(isOnlyEmoji)).toEqual([true, true, true, true, true])
  expect(['', '👍👍👍👍', 'ok 👍', '123', '©2026'].map(isOnlyEmoji)).toEqual([false, false, false, false, false])
})
