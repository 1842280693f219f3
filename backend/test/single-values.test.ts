// What is read field by field is what TypeBox makes of the whole, for every call of the contract.
import { expect, test } from 'bun:test'
import { type Endpoint, endpoints } from '@balcao/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { createFieldReader } from '../src/platform/http/single-values.ts'
import { createValidator } from '../src/platform/http/validate.ts'

const VALUES = [
  ...[
    '',
    'true',
    'false',
    '0',
    '1',
    '40',
    '-3',
    '1.5',
    '1e3',
    '9007199254740993',
    ' 7 ',
    'null',
    'undefined',
    'open',
    'x'.repeat(5000),
  ],
  ...['[1, 2]', '{"a":1}', '2026-11-30', '2026-11-30T10:00:00.000Z', 'ç€😀', '\u0000'],
  ...[0, 1, -1, 1.5, true, false, null, undefined, [], ['1'], {}, { a: '1' }],
]
const calls: readonly [string, Endpoint][] = Object.entries(endpoints)
const schemas = calls.flatMap(([name, { query, body }]) => [
  ...(query ? [{ name, schema: query, from: 'text' as const }] : []),
  ...(body ? [{ name, schema: body, from: 'json' as const }] : []),
])

test('every query is, and many forms are', () => {
  const isRead = ({ schema, from }: (typeof schemas)[number]) => createFieldReader(schema, from) !== undefined
  expect(schemas.filter(each => each.from === 'text' && !isRead(each))).toEqual([])
  expect(schemas.filter(each => each.from === 'json' && isRead(each)).length).toBeGreaterThan(30)
})

test('fields that fit, that do not, that nobody knows, and things that are no object', () => {
  let taken = 0
  for (const { name, schema, from } of schemas) {
    const check = createValidator(schema, from)
    const fields = Object.keys('properties' in schema && schema.properties ? schema.properties : {})
    const inputs: unknown[] = [null, 'text', 7, [], [{}], {}, JSON.parse('{"__proto__":{"a":1},"constructor":"1"}')]
    for (const [at, value] of VALUES.entries()) {
      inputs.push(Object.fromEntries(fields.map((field, n) => [field, VALUES[(at + n) % VALUES.length]])))
      for (const field of fields) inputs.push({ [field]: value, [`${field}2`]: value, toString: value })
    }
    for (const input of inputs) {
      const expected = makeWhole(schema, from, structuredClone(input))
      let result: unknown = 'refused'
      try {
        result = check(structuredClone(input))
      } catch {}
      expect({ name, input, result }).toEqual({ name, input, result: expected })
      if (expected !== 'refused') taken++
    }
  }
  expect(taken).toBeGreaterThan(5000)
})

const compiled = new Map<TSchema, ReturnType<typeof Compile>>()

function makeWhole(schema: TSchema, from: 'json' | 'text', value: unknown): unknown {
  const whole = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, whole)
  const converted = from === 'text' ? whole.Convert(value) : value
  return whole.Check(converted) ? whole.Clean(converted) : 'refused'
}
