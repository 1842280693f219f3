import { describe, expect, test } from 'bun:test'
import { ApiError } from '@balcao/ui/api'
import { serverProblems } from '../src/connections/server-problems.ts'

describe('what the server refuses stands at its field', () => {
  test('a code of the catalogue', () => {
    expect(serverProblems(new ApiError('ERR_WAPP_GREETING_REQUIRED', 422, ''))).toEqual({
      greetingMessage: 'ERR_WAPP_GREETING_REQUIRED',
    })
  })

  test('the entries of ERR_VALIDATION', () => {
    const error = new ApiError('ERR_VALIDATION', 422, '', [{ path: 'phoneNumberId', message: 'Too Long!' }])
    expect(serverProblems(error)).toEqual({ phoneNumberId: 'Too Long!' })
  })

  test('what belongs to no field belongs to none', () => {
    expect(serverProblems(new ApiError('OFFLINE', 0, ''))).toEqual({})
    expect(serverProblems(new Error('boom'))).toEqual({})
  })
})
