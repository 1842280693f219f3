import { describe, expect, test } from 'bun:test'
import { bodyOf, editBodyOf, emptyFields, type Fields, faultsOf, fieldsOf } from '../src/connections/form.ts'
import { aConnection } from './connection.ts'

const RATING = { npsMessage: 'Nota?', npsTksMessage: 'Obrigado' }
const noToken = { hasToken: false }

function filled(part: Partial<Fields> = {}): Fields {
  return { ...emptyFields(false, RATING), name: 'Loja Centro', ...part }
}

describe('the connection form (spec 2 §5)', () => {
  test('the name is required, 2 to 255 characters', () => {
    expect(faultsOf(filled({ name: ' ' }), noToken).name).toBe('Required')
    expect(faultsOf(filled({ name: 'a' }), noToken).name).toBe('Too Short!')
    expect(faultsOf(filled({ name: 'a'.repeat(256) }), noToken).name).toBe('Too Long!')
    expect(told(filled({ name: 'ab' }))).toEqual([])
  })

  test('with more than one queue a greeting is required', () => {
    expect(faultsOf(filled({ queueIds: [1, 2] }), noToken).greetingMessage).toBe('ERR_WAPP_GREETING_REQUIRED')
    expect(told(filled({ queueIds: [1, 2], greetingMessage: 'Olá' }))).toEqual([])
    expect(told(filled({ queueIds: [1] }))).toEqual([])
  })

  test('the Meta Cloud API needs a number id and a key, unless the server keeps one', () => {
    const meta = filled({ api: 'cloud_api' })
    expect(told(meta)).toEqual(['phoneNumberId', 'tokenMeta'])
    expect(told({ ...meta, phoneNumberId: '106540352242922' }, true)).toEqual([])
  })

  test('decisions-2 §22: a limit a day of its own is a number from 1 to 1,000,000, or none', () => {
    for (const dailyCap of [0, 1_000_001, 9_999_999]) expect(told(filled({ dailyCap }))).toEqual(['dailyCap'])
    for (const dailyCap of [null, 1, 1_000_000]) expect(told(filled({ dailyCap }))).toEqual([])
    expect(bodyOf(filled({ dailyCap: 200 })).dailyCap).toBe(200)
    expect(editBodyOf(fieldsOf(aConnection({ dailyCap: 50 }))).dailyCap).toBe(50)
    expect(editBodyOf({ ...fieldsOf(aConnection({ dailyCap: 50 })), dailyCap: null }).dailyCap).toBeNull()
  })

  test('the first connection starts as the default one, with the texts of the rating', () => {
    const first = emptyFields(true, RATING)
    expect(first).toMatchObject({ isDefault: true, ...RATING })
  })

  test('when editing, name and type are not sent, and an empty key keeps the stored one', () => {
    const body = editBodyOf(fieldsOf(aConnection({ api: 'cloud_api', hasToken: true, phoneNumberId: '12345' })))
    expect(body).not.toHaveProperty('name')
    expect(body).not.toHaveProperty('api')
    expect(body).not.toHaveProperty('tokenMeta')
    expect(body).toHaveProperty('phoneNumberId', '12345')
  })

  test('a connection by QR code sends nothing of Meta', () => {
    const body = bodyOf(filled({ phoneNumberId: '12345', tokenMeta: 'x' }))
    expect(body).not.toHaveProperty('phoneNumberId')
    expect(body).not.toHaveProperty('tokenMeta')
  })
})

/** The fields that something is wrong with. */
function told(fields: Fields, hasToken = false) {
  return Object.entries(faultsOf(fields, { hasToken })).flatMap(([name, fault]) => (fault ? [name] : []))
}
