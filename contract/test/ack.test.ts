import { expect, test } from 'bun:test'
import { ackNumber, ackOf, afterAck } from '../src/ack.ts'
import type { MessageState } from '../src/entities/message.ts'
import { KINDS } from '../src/kind-names.ts'
import type { Ack } from '../src/kinds.ts'

test('the numbers of each kind are those of the specification', () => {
  expect(KINDS.map(kind => ackNumber(kind, 'failed'))).toEqual([0, -1, 0, 5])
  expect(KINDS.map(kind => ackNumber(kind, 'delivered'))).toEqual([3, 2, 2, 2])
  expect(KINDS.map(kind => ackNumber(kind, 'read'))).toEqual([4, 3, 3, 3])
})

test('a number means different things in different kinds', () => {
  expect(ackOf('baileys', 5)).toBe('read')
  expect(ackOf('cloud_api', 5)).toBe('error')
  expect(ackOf('meow', 0)).toBe('error')
  expect(ackOf('wwebjs', 0)).toBe('sent')
  expect(ackOf('meow', 9)).toBeNull()
})

test('acks only grow, in whatever order they arrive', () => {
  const acks: Ack[] = ['sent', 'delivered', 'read', 'pending']
  for (const order of permutations(acks)) {
    expect(order.reduce<MessageState>(afterAck, 'sending')).toBe('read')
  }
})

test('an error counts only while nothing better than sent is known', () => {
  expect(afterAck('sending', 'error')).toBe('failed')
  expect(afterAck('sent', 'error')).toBe('failed')
  expect(afterAck('delivered', 'error')).toBe('delivered')
})

test('a receipt heals a message thought failed or of unknown fate; a late sent does not', () => {
  expect(afterAck('failed', 'delivered')).toBe('delivered')
  expect(afterAck('unknown', 'sent')).toBe('sent')
  expect(afterAck('failed', 'sent')).toBe('failed')
  expect(afterAck('received', 'read')).toBe('received')
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map(rest => [item, ...rest]),
  )
}
