import { expect, test } from 'bun:test'
import { apiTokenRules } from '../src/api/rules.ts'
import { makeConnectionName } from '../src/connections/rules.ts'
import {
  applyFieldRules,
  makeColorRule,
  makeTextRule,
  makeWholeNumberRule,
  queueRules,
  quickAnswerRules,
  signUpRules,
  tagRules,
} from '../src/kit/forms.ts'
import { userRules } from '../src/users/rules.ts'
import { webhookRules } from '../src/webhooks/rules.ts'

const RULES = {
  name: makeTextRule([2, 10]),
  note: makeTextRule([0, 5]),
  order: makeWholeNumberRule([1, 99]),
  color: makeColorRule(),
}

test('fields are kept without blanks, numbers as numbers', () => {
  const written = { name: ' Boleto ', note: '', order: ' 7 ', color: '#7A7A7A ' }
  expect(applyFieldRules(RULES, written)).toEqual({
    values: { name: 'Boleto', note: '', order: 7, color: '#7A7A7A' },
    faults: {},
  })
})

test('each field that is wrong says why', () => {
  const faultsOf = (fields: Partial<Record<keyof typeof RULES, unknown>>) => applyFieldRules(RULES, fields).faults
  expect(faultsOf({ name: ' ', note: 'longa demais', order: '', color: 'azul' })).toEqual({
    name: 'schema.fieldRequired',
    note: 'field.tooLong',
    order: 'schema.fieldRequired',
    color: 'field.notColor',
  })
  expect(faultsOf({ name: 'x' })).toEqual({ name: 'field.tooShort' })
  for (const order of ['0', 100, '1.5', '1e9', 'sete'])
    expect(faultsOf({ order })).toEqual({ order: 'field.notNumber' })
  for (const no of ['#', '#12345678a', '#azul', 'red'])
    expect(faultsOf({ color: no })).toEqual({ color: 'field.notColor' })
})

test('what is not given is neither kept nor wrong', () => {
  const found: unknown = applyFieldRules(RULES, { name: undefined, note: null })
  expect(found).toEqual({ values: {}, faults: {} })
})

test('a name turns nothing around that stands beside it', () => {
  const names = [userRules, signUpRules, tagRules, queueRules, apiTokenRules, webhookRules].map(rules => rules.name)
  for (const rule of [...names, quickAnswerRules.shortcut]) {
    expect(rule(' Bruna\u202E ')).toEqual({ value: 'Bruna', fault: null })
    expect(rule('\u202E\u2066\u200F').fault).toBe('schema.fieldRequired')
  }
  expect(makeConnectionName('baileys', 'Loja\u202E', 0)).toBe('Loja')
})
