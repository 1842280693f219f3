import { describe, expect, test } from 'bun:test'
import {
  type ConnectionFields,
  createEmptyFields,
  toCreateBody,
  toFields,
  toUpdateBody,
  validateFields,
} from '../src/connections/form.ts'
import { makeConnection } from './connection.ts'

const RATING = { npsMessage: 'Nota?', npsTksMessage: 'Obrigado' }
const noToken = { hasToken: false }

function makeFields(part: Partial<ConnectionFields> = {}): ConnectionFields {
  return { ...createEmptyFields(false, RATING), name: 'Loja Centro', ...part }
}

describe('the connection form (spec 2 §5)', () => {
  test('the name is required, 2 to 255 characters', () => {
    expect(validateFields(makeFields({ name: ' ' }), noToken).name).toBe('schema.fieldRequired')
    expect(validateFields(makeFields({ name: 'a' }), noToken).name).toBe('field.tooShort')
    expect(validateFields(makeFields({ name: 'a'.repeat(256) }), noToken).name).toBe('field.tooLong')
    expect(listFaultyFields(makeFields({ name: 'ab' }))).toEqual([])
  })

  test('with more than one queue a greeting is required', () => {
    expect(validateFields(makeFields({ queueIds: [1, 2] }), noToken).greetingMessage).toBe('ERR_WAPP_GREETING_REQUIRED')
    expect(listFaultyFields(makeFields({ queueIds: [1, 2], greetingMessage: 'Olá' }))).toEqual([])
    expect(listFaultyFields(makeFields({ queueIds: [1] }))).toEqual([])
  })

  test('the Meta Cloud API needs a number id and a key, unless the server keeps one', () => {
    const meta = makeFields({ api: 'cloud_api' })
    expect(listFaultyFields(meta)).toEqual(['phoneNumberId', 'tokenMeta'])
    expect(listFaultyFields({ ...meta, phoneNumberId: '106540352242922' }, true)).toEqual([])
  })

  test('decisions-2 §22: a limit a day of its own is a number from 1 to 1,000,000, or none', () => {
    for (const dailyCap of [0, 1_000_001, 9_999_999])
      expect(listFaultyFields(makeFields({ dailyCap }))).toEqual(['dailyCap'])
    for (const dailyCap of [null, 1, 1_000_000]) expect(listFaultyFields(makeFields({ dailyCap }))).toEqual([])
    expect(toCreateBody(makeFields({ dailyCap: 200 })).dailyCap).toBe(200)
    expect(toUpdateBody(toFields(makeConnection({ dailyCap: 50 }))).dailyCap).toBe(50)
    expect(toUpdateBody({ ...toFields(makeConnection({ dailyCap: 50 })), dailyCap: null }).dailyCap).toBeNull()
  })

  test('the first connection starts as the default one, with the texts of the rating', () => {
    const first = createEmptyFields(true, RATING)
    expect(first).toMatchObject({ isDefault: true, ...RATING })
  })

  test('when editing, name and type are not sent, and an empty key keeps the stored one', () => {
    const body = toUpdateBody(toFields(makeConnection({ api: 'cloud_api', hasToken: true, phoneNumberId: '12345' })))
    expect(body).not.toHaveProperty('name')
    expect(body).not.toHaveProperty('api')
    expect(body).not.toHaveProperty('tokenMeta')
    expect(body).toHaveProperty('phoneNumberId', '12345')
  })

  test('a connection by QR code sends nothing of Meta', () => {
    const body = toCreateBody(makeFields({ phoneNumberId: '12345', tokenMeta: 'x' }))
    expect(body).not.toHaveProperty('phoneNumberId')
    expect(body).not.toHaveProperty('tokenMeta')
  })
})

/** The fields that something is wrong with. */
function listFaultyFields(fields: ConnectionFields, hasToken = false) {
  return Object.entries(validateFields(fields, { hasToken })).flatMap(([name, fault]) => (fault ? [name] : []))
}
