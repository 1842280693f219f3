import { describe, expect, test } from 'bun:test'
import { applyFieldRules, queueRules } from '@balcao/contract'
import { findFreeColor } from '@balcao/ui/screens'
import { listTurnTakers, toFields } from '../src/queues/form.ts'
import { compareQueues } from '../src/queues/list.ts'
import { makeQueue, makeUser } from './people.ts'

const findFaults = (part: object) =>
  applyFieldRules(queueRules, { ...toFields(null), name: 'Financeiro', ...part }).faults

describe('the form of a queue (spec 2 §5)', () => {
  test('name 2 to 250 characters, required; colour 3 to 9; order a whole number', () => {
    expect(findFaults({ name: '' }).name).toBe('schema.fieldRequired')
    expect(findFaults({ name: 'x' }).name).toBe('field.tooShort')
    expect(findFaults({ name: 'x'.repeat(251) }).name).toBe('field.tooLong')
    expect(findFaults({ color: 'azul' }).color).toBe('field.notColor')
    for (const order of ['', '1,5', '-1', 'um']) expect(findFaults({ customOrder: order }).customOrder).toBeTruthy()
    expect(findFaults({})).toEqual({})
  })

  test('a new one gets the default colour, or one that is free', () => {
    expect(toFields(null).color).toBe('#7a7a7a')
    expect(toFields(null, ['#7a7a7a', '#2c53a4']).color).toBe('#1f8fb5')
  })

  test('who belongs to a queue, and what else its row knows, is no field: nothing is said to be saved by a colleague when it changes', () => {
    const queue = makeQueue({ id: 1 })
    const changed = { ...queue, users: 4, open: 3, version: 2 }
    expect(toFields({ ...queue, ...changed })).toEqual(toFields(queue))
    expect(Object.keys(toFields(queue)).toSorted()).toEqual(Object.keys(toFields(null)).toSorted())
  })

  test('there is a free colour however many are taken', () => {
    const taken: string[] = []
    for (let many = 0; many < 60; many++) taken.push(findFreeColor(taken))
    expect(new Set(taken).size).toBe(60)
    for (const color of taken) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  })

  test('only active people of the queue are offered to take turns, beside those who do already', () => {
    const queue = makeQueue({ id: 1, queuesUser: [{ id: 9, name: 'Inês', profilePicUrl: null }] })
    const people = [
      makeUser({ id: 2, name: 'Ana', queueIds: [1] }),
      makeUser({ id: 3, name: 'Rui', queueIds: [1], active: false }),
      makeUser({ id: 4, name: 'Eva', queueIds: [2] }),
    ]
    expect(listTurnTakers(queue, people).map(({ label }) => label)).toEqual(['Ana', 'Inês'])
  })
})

test('queues stand by their own order, then by name', () => {
  const rows = [
    makeQueue({ id: 1, name: 'Vendas' }),
    makeQueue({ id: 2, name: 'Água' }),
    makeQueue({ id: 3, name: 'Zeladoria', customOrder: 2 }),
  ]
  expect(rows.sort(compareQueues).map(({ name }) => name)).toEqual(['Zeladoria', 'Água', 'Vendas'])
})
