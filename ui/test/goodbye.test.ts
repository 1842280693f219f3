import { afterEach, describe, expect, test } from 'bun:test'
import { endSession, forgetPerson, session, toPersonalKey, WRITING_KEYS } from '../src/session/index.ts'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  session.user = null
})

describe('what somebody has half written on this device', () => {
  test('stays when the server ends the session, and goes when they sign out themselves', () => {
    signInUser(7)
    endSession()
    expect(localStorage.getItem('balcao.draft.7.12')).toBe('Bom dia')
    signInUser(7)
    forgetPerson()
    expect(Object.keys(localStorage).toSorted()).toEqual(['balcao.draft.71.12', 'balcao.sign.7'])
    expect(Object.keys(sessionStorage)).toEqual([])
  })
})

function signInUser(id: number): void {
  Object.assign(session, { user: { id } })
  localStorage.setItem(`${toPersonalKey(WRITING_KEYS.draft)}.12`, 'Bom dia')
  localStorage.setItem(`${toPersonalKey(WRITING_KEYS.held)}.12`, 'yes')
  sessionStorage.setItem(`${toPersonalKey(WRITING_KEYS.files)}.12`, '1')
  localStorage.setItem(toPersonalKey('balcao.sign'), 'off')
  localStorage.setItem(`${WRITING_KEYS.draft}.71.12`, 'De outra pessoa')
}
