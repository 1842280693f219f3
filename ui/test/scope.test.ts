import { expect, test } from 'bun:test'
import { endSession, keepPerSession, keepSessionState } from '../src/session/scope.ts'
import { session } from '../src/session/store.ts'

test('what is made for a person is made once, ends with them and is another one for the next', () => {
  const ended: string[] = []
  let person = 'Ana'
  const desk = keepPerSession(signal => {
    const own = { person }
    signal.addEventListener('abort', () => ended.push(own.person))
    return own
  })
  expect(desk()).toBe(desk())
  person = 'Bruno'
  expect(desk().person).toBe('Ana')
  endSession()
  expect(ended).toEqual(['Ana'])
  expect(desk().person).toBe('Bruno')
})

test('state of a person begins anew for the next, with nothing left of what was put in later', () => {
  const state = keepSessionState<{ open: string | null; target: Record<number, string>; more?: number }>(() => ({
    open: null,
    target: {},
  }))
  Object.assign(state, { open: 'palette', more: 3 })
  state.target[7] = 'resposta'
  endSession()
  expect({ ...state, target: { ...state.target } }).toEqual({ open: null, target: {} })
})

test('the store forgets the person and never says that the line of the one before is live', () => {
  Object.assign(session, { badges: { waiting: 4 }, settings: { sound: 'blub' }, wireSecret: 'x', company: 'Loja' })
  Object.assign(session.connection, { state: 'live' })
  endSession()
  expect(session).toMatchObject({ user: null, badges: {}, settings: {}, wireSecret: null, company: 'Loja' })
  expect(session.connection.state).toBe('connecting')
})
