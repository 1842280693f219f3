import { expect, test } from 'bun:test'
import { applyFieldRules, type Protocol, protocolRules } from '@balcao/contract'
import { compareNewestFirst, isProtocolMatch } from '../src/protocols/list.ts'

function makeProtocol(part: Partial<Protocol> = {}): Protocol {
  const contact = { id: 3, name: 'Dona Lúcia', number: '5531998762210', profilePicUrl: null }
  const protocol = { id: 412, protocolo: '20261123000412', mensagem: 'Crédito de R$ 62', ticketId: 10428, contact }
  return { ...protocol, contactId: 3, user: null, createdAt: '2026-11-23T19:48:00.000Z', version: 1, ...part }
}

test('spec 3 §5: what a protocol was about has 2 to 50 characters', () => {
  const wrong = (mensagem: string) => applyFieldRules(protocolRules, { mensagem }).faults.mensagem
  expect(['', 'x', 'x'.repeat(51), 'ok'].map(wrong)).toEqual([
    'schema.fieldRequired',
    'field.tooShort',
    'field.tooLong',
    undefined,
  ])
})

test('a protocol that comes live is found as the server finds it', () => {
  const found = (search: string) => isProtocolMatch(makeProtocol(), { search })
  for (const search of ['', 'xx', '2026112', '000412', '412', '#10428', 'credito', 'LUCIA', '99876-2210'])
    expect([search, found(search)]).toEqual([search, true])
  for (const search of ['0261123', '10429', 'pizzaria', '99876-2211'])
    expect([search, found(search)]).toEqual([search, false])
})

test('they stand by their numbers, the newest day first', () => {
  const all = ['20261123000412', '20261124000399', '20261123000413'].map((protocolo, id) =>
    makeProtocol({ id, protocolo }),
  )
  expect(all.toSorted(compareNewestFirst).map(({ id }) => id)).toEqual([1, 2, 0])
})
