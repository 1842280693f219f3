import { expect, test } from 'bun:test'
import { KINDS } from '../src/connections/kind-names.ts'
import type { Ack } from '../src/connections/kinds.ts'
import { applyAck, parseAckNumber, toAckNumber } from '../src/messages/ack.ts'
import type { MessageState } from '../src/messages/message.ts'

test('the numbers of each kind are those of the specification', () => {
  expect(KINDS.map(kind => toAckNumber(kind, 'failed'))).toEqual([0, -1, 0, 5])
  expect(KINDS.map(kind => toAckNumber(kind, 'delivered'))).toEqual([3, 2, 2, 2])
  expect(KINDS.map(kind => toAckNumber(kind, 'read'))).toEqual([4, 3, 3, 3])
})

test('a number means different things in different kinds', () => {
  expect(parseAckNumber('baileys', 5)).toBe('read')
  expect(parseAckNumber('cloud_api', 5)).toBe('error')
  expect(parseAckNumber('meow', 0)).toBe('error')
  expect(parseAckNumber('wwebjs', 0)).toBe('sent')
  expect(parseAckNumber('meow', 9)).toBeNull()
})

test('acks only grow, in whatever order they arrive', () => {
  const acks: Ack[] = ['sent', 'delivered', 'read', 'pending']
  for (const order of permutations(acks)) {
    expect(order.reduce<MessageState>(applyAck, 'sending')).toBe('read')
  }
})

test('an error counts only while nothing better than sent is known', () => {
  expect(applyAck('sending', 'error')).toBe('failed')
  expect(applyAck('sent', 'error')).toBe('failed')
  expect(applyAck('delivered', 'error')).toBe('delivered')
})

test('a receipt heals a message thought failed or of unknown fate; a late sent does not', () => {
  expect(applyAck('failed', 'delivered')).toBe('delivered')
  expect(applyAck('unknown', 'sent')).toBe('sent')
  expect(applyAck('failed', 'sent')).toBe('failed')
  expect(applyAck('received', 'read')).toBe('received')
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map(rest => [item, ...rest]),
  )
}
