import { expect, test } from 'bun:test'
import type { User } from '@balcao/contract'
import { listTransferable } from '../src/dialogs/transferable.ts'
import { makeUser } from './make.ts'

const FINANCE = 1

function makePerson(id: number, given: Partial<User> = {}): User {
  return { ...makeUser('user'), id, name: `Pessoa ${id}`, status: 'offline', queueIds: [FINANCE], ...given }
}

test('a ticket is given to who serves the queue, those who are there first, and never to oneself', () => {
  const people = [
    makePerson(1, { status: 'online' }),
    makePerson(2),
    makePerson(3, { status: 'away' }),
    makePerson(4, { status: 'online' }),
    makePerson(5, { queueIds: [] }),
    makePerson(6, { queueIds: [], profile: 'admin', status: 'online' }),
    makePerson(7, { active: false }),
  ]
  expect(listTransferable(people, FINANCE, 1).map(user => user.id)).toEqual([4, 6, 3, 2])
  expect(listTransferable(people, null, 1)).toEqual([])
})
