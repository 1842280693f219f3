import { describe, expect, test } from 'bun:test'
import { byRules, queueRules } from '@balcao/contract'
import { freeColor } from '@balcao/ui/screens'
import { fieldsOf, turnTakers } from '../src/queues/form.ts'
import { inOrder } from '../src/queues/list.ts'
import { aPerson, aQueue } from './people.ts'

const wrong = (part: object) => byRules(queueRules, { ...fieldsOf(null), name: 'Financeiro', ...part }).faults

describe('the form of a queue (spec 2 §5)', () => {
  test('name 2 to 250 characters, required; colour 3 to 9; order a whole number', () => {
    expect(wrong({ name: '' }).name).toBe('Required')
    expect(wrong({ name: 'x' }).name).toBe('Too Short!')
    expect(wrong({ name: 'x'.repeat(251) }).name).toBe('Too Long!')
    expect(wrong({ color: 'azul' }).color).toBe('Cor inválida')
    for (const order of ['', '1,5', '-1', 'um']) expect(wrong({ customOrder: order }).customOrder).toBeTruthy()
    expect(wrong({})).toEqual({})
  })

  test('a new one gets the default colour, or one that is free', () => {
    expect(fieldsOf(null).color).toBe('#7a7a7a')
    expect(fieldsOf(null, ['#7a7a7a', '#2c53a4']).color).toBe('#1f8fb5')
  })

  test('there is a free colour however many are taken', () => {
    const taken: string[] = []
    for (let many = 0; many < 60; many++) taken.push(freeColor(taken))
    expect(new Set(taken).size).toBe(60)
    for (const color of taken) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  })

  test('only active people of the queue are offered to take turns, beside those who do already', () => {
    const queue = aQueue({ id: 1, queuesUser: [{ id: 9, name: 'Inês', profilePicUrl: null }] })
    const people = [
      aPerson({ id: 2, name: 'Ana', queueIds: [1] }),
      aPerson({ id: 3, name: 'Rui', queueIds: [1], active: false }),
      aPerson({ id: 4, name: 'Eva', queueIds: [2] }),
    ]
    expect(turnTakers(queue, people).map(({ label }) => label)).toEqual(['Ana', 'Inês'])
  })
})

test('queues stand by their own order, then by name', () => {
  const rows = [
    aQueue({ id: 1, name: 'Vendas' }),
    aQueue({ id: 2, name: 'Água' }),
    aQueue({ id: 3, name: 'Zeladoria', customOrder: 2 }),
  ]
  expect(rows.sort(inOrder).map(({ name }) => name)).toEqual(['Zeladoria', 'Água', 'Vendas'])
})
