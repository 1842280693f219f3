import { describe, expect, test } from 'bun:test'
import { bodyOf, editBodyOf, emptyFields, type Fields, fieldsOf, problemsOf } from '../src/connections/form.ts'
import { aConnection } from './connection.ts'

const noToken = { hasToken: false }

function filled(part: Partial<Fields> = {}): Fields {
  return { ...emptyFields(false, { nps: 'Nota?', npsThanks: 'Obrigado' }), name: 'Loja Centro', ...part }
}

describe('the connection form (spec 2 §5)', () => {
  test('the name is required, 2 to 255 characters', () => {
    expect(problemsOf(filled({ name: ' ' }), noToken).name).toBe('Required')
    expect(problemsOf(filled({ name: 'a' }), noToken).name).toBe('Too Short!')
    expect(problemsOf(filled({ name: 'a'.repeat(256) }), noToken).name).toBe('Too Long!')
    expect(problemsOf(filled({ name: 'ab' }), noToken)).toEqual({})
  })

  test('with more than one queue a greeting is required', () => {
    expect(problemsOf(filled({ queueIds: [1, 2] }), noToken).greetingMessage).toBe('ERR_WAPP_GREETING_REQUIRED')
    const messages = { ...filled().messages, greetingMessage: 'Olá' }
    expect(problemsOf(filled({ queueIds: [1, 2], messages }), noToken)).toEqual({})
    expect(problemsOf(filled({ queueIds: [1] }), noToken)).toEqual({})
  })

  test('the Meta Cloud API needs a number id and a key, unless the server keeps one', () => {
    const meta = filled({ api: 'cloud_api' })
    expect(Object.keys(problemsOf(meta, noToken))).toEqual(['phoneNumberId', 'tokenMeta'])
    expect(problemsOf({ ...meta, phoneNumberId: '106540352242922' }, { hasToken: true })).toEqual({})
  })

  test('the first connection starts as the default one, with the texts of the rating', () => {
    const first = emptyFields(true, { nps: 'Nota?', npsThanks: 'Obrigado' })
    expect(first).toMatchObject({ isDefault: true, messages: { npsMessage: 'Nota?', npsTksMessage: 'Obrigado' } })
  })

  test('when editing, name and type are not sent, and an empty key keeps the stored one', () => {
    const body = editBodyOf(fieldsOf(aConnection({ api: 'cloud_api', hasToken: true, phoneNumberId: '12345' })))
    expect(body).not.toHaveProperty('name')
    expect(body).not.toHaveProperty('api')
    expect(body).not.toHaveProperty('tokenMeta')
    expect(body).toHaveProperty('phoneNumberId', '12345')
  })

  test('a connection by QR code sends nothing of Meta', () => {
    const body = bodyOf(filled({ phoneNumberId: '12345', tokenMeta: 'x' }), false)
    expect(body).not.toHaveProperty('phoneNumberId')
    expect(body).not.toHaveProperty('tokenMeta')
  })
})
