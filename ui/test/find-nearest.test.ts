import { expect, test } from 'bun:test'
import { findNearest } from '../src/kit/screens/find-nearest.ts'

const NAMES = ['Padaria Estrela', 'Padaria Nova Lima', 'Buffet Vila Rica', 'Açougue do Zé', 'Pix']

test.each([
  ['padria', ['Padaria Estrela', 'Padaria Nova Lima']],
  ['bufet', ['Buffet Vila Rica']],
  ['estrella', ['Padaria Estrela']],
  ['acouge', ['Açougue do Zé']],
  ['VILLA', ['Buffet Vila Rica']],
  ['mercado', []],
  ['pxi', []],
])('%s may have meant %j', (search, meant) => {
  expect(findNearest(search, NAMES)).toEqual(meant)
})
