import { describe, expect, test } from 'bun:test'
import { listOffered, listRecentRecipients } from '../src/message/forward-order.ts'
import { makeTicket } from './make.ts'

const SOURCE = 9
const ticket = (contactId: number, name: string, lastMessageAt: string) => ({
  ...makeTicket(),
  ...{ contactId, lastMessageAt, contact: { ...makeTicket().contact, name } },
})
// Neither by their ids nor by the alphabet.
const recent = listRecentRecipients(
  [
    ticket(1, 'Ana Prado', '2026-11-20T10:00:00.000Z'),
    ticket(2, 'Rafael Gomes', '2026-11-20T12:00:00.000Z'),
    ticket(SOURCE, 'Padaria Estrela', '2026-11-20T13:00:00.000Z'),
    ticket(3, 'Hotel Mirante', '2026-11-20T11:00:00.000Z'),
    // What was closed before.
    ticket(2, 'Rafael Gomes', '2026-11-20T09:00:00.000Z'),
  ],
  SOURCE,
)
const person = (id: number, name: string) => ({ id, name, number: null, profilePicUrl: null, isGroup: false })
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

describe('a forward offers', () => {
  test('whom one spoke with last first, without the conversation it comes from', () => {
    expect(names(recent)).toEqual(['Rafael Gomes', 'Hotel Mirante', 'Ana Prado'])
    const others = [person(4, 'Abel'), person(5, 'Zilda')]
    expect(names(listOffered(false, others, recent, ''))).toEqual([...names(recent), 'Abel', 'Zilda'])
  })

  test('of what the server found whom the letters mean, of these the same ones first, the others as they were found', () => {
    const found = [person(4, 'Abel'), person(1, 'Ana Prado'), person(5, 'Alda'), person(2, 'Rafael Gomes')]
    expect(names(listOffered(true, found, recent, 'a'))).toEqual(['Ana Prado', 'Abel', 'Alda', 'Rafael Gomes'])
  })

  test('by few letters those they mean before whom one spoke with last', () => {
    expect(names(listOffered(false, [person(4, 'Elba')], recent, 'el'))).toEqual([
      'Elba',
      'Rafael Gomes',
      'Hotel Mirante',
    ])
  })

  test('no more than the last twelve of those', () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      ticket(100 + n, `Cliente ${n}`, `2026-11-20T10:${10 + n}:00.000Z`),
    )
    expect(names(listRecentRecipients(many, SOURCE))).toEqual(Array.from({ length: 12 }, (_, n) => `Cliente ${19 - n}`))
  })
})
