import { expect, test } from 'bun:test'
import type { User } from '@balcao/contract'
import {
  findTransferTargets,
  listTargetQueues,
  listTransferTargets,
  proposeTargetQueue,
} from '../src/dialogs/transferable.ts'
import { makeUser } from './make.ts'

const FINANCE = {
  id: 1,
  name: 'Financeiro',
  color: '#B8860B',
  greetingMessage: '',
  customOrder: 1,
  users: 3,
  open: 2,
  version: 1,
}
const SALES = { ...FINANCE, id: 2, name: 'Comercial' }
const QUEUES = [FINANCE, SALES]

function makePerson(id: number, more: Partial<User> = {}): User {
  return { ...makeUser('user'), id, name: `Pessoa ${id}`, status: 'offline', queueIds: [FINANCE.id], ...more }
}

test('people come before queues, those who are there first, and never oneself, who is off or who serves no queue', () => {
  const people = [
    makePerson(1, { status: 'online' }),
    makePerson(2),
    makePerson(3, { status: 'away' }),
    makePerson(4, { status: 'online' }),
    makePerson(5, { queueIds: [] }),
    makePerson(6, { queueIds: [], profile: 'admin', status: 'online' }),
    makePerson(7, { active: false }),
  ]
  const keys = listTransferTargets(people, QUEUES, 1).map(({ key }) => key)
  expect(keys).toEqual(['person-4', 'person-6', 'person-3', 'person-2', 'queue-1', 'queue-2'])
})

test('what is typed means people and queues, accents aside, and names that begin with it before the others', () => {
  const people = [
    makePerson(1, { name: 'Ana Rafaela' }),
    makePerson(2, { name: 'Rafael' }),
    makePerson(3, { name: 'Fábio Fina' }),
  ]
  const targets = listTransferTargets(people, QUEUES, 9)
  const find = (typed: string) => findTransferTargets(targets, typed).map(({ name }) => name)
  expect(find('raf')).toEqual(['Rafael', 'Ana Rafaela'])
  expect(find('fina')).toEqual(['Financeiro', 'Fábio Fina'])
  expect(find('FABIO')).toEqual(['Fábio Fina'])
  expect(find('zz')).toEqual([])
})

test('a person gets it in the queue it is in if they serve that, else in their only one, else it is chosen among theirs', () => {
  const [sells] = listTransferTargets([makePerson(1, { queueIds: [SALES.id] })], [FINANCE, SALES], 9)
  const [serves] = listTransferTargets([makePerson(2, { queueIds: [FINANCE.id, SALES.id] })], QUEUES, 9)
  if (!sells || !serves) throw new Error('nobody can take it')
  expect(proposeTargetQueue(listTargetQueues(sells, QUEUES), FINANCE.id)).toBe(SALES.id)
  expect(proposeTargetQueue(listTargetQueues(serves, QUEUES), FINANCE.id)).toBe(FINANCE.id)
  expect(proposeTargetQueue(listTargetQueues(serves, QUEUES), null)).toBeNull()
  expect(listTargetQueues(sells, QUEUES)).toEqual([SALES])
})
