import { expect, test } from 'bun:test'
import { RULES } from '@balcao/contract'
import en from '../locales/dialogs/en.json'
import es from '../locales/dialogs/es.json'
import pt from '../locales/dialogs/pt.json'

test.each([
  ['pt', pt],
  ['en', en],
  ['es', es],
])('every rule of the access policy has its sentence in %s, and no sentence is without its rule', (_, texts) => {
  expect(Object.keys(texts.why.rule).sort()).toEqual([...RULES, 'inactive'].sort())
})
