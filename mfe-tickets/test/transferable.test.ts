import { expect, test } from 'bun:test'
import type { User } from '@balcao/contract'
import { transferable } from '../src/dialogs/transferable.ts'
import { aPerson } from './make.ts'

const FINANCE = 1

function aUser(id: number, given: Partial<User> = {}): User {
  return { ...aPerson('user'), id, name: `Pessoa ${id}`, status: 'offline', queueIds: [FINANCE], ...given }
}

test('a ticket is given to who serves the queue, those who are there first, and never to oneself', () => {
  const people = [
    aUser(1, { status: 'online' }),
    aUser(2),
    aUser(3, { status: 'away' }),
    aUser(4, { status: 'online' }),
    aUser(5, { queueIds: [] }),
    aUser(6, { queueIds: [], profile: 'admin', status: 'online' }),
    aUser(7, { active: false }),
  ]
  expect(transferable(people, FINANCE, 1).map(user => user.id)).toEqual([4, 6, 3, 2])
  expect(transferable(people, null, 1)).toEqual([])
})
