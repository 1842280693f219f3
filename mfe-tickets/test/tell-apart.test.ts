import { expect, test } from 'bun:test'
import { writeMemberMentions } from '@balcao/contract/messages/member-mentions'
import { tellApart } from '../src/composer/MentionList.tsx'

const member = (id: string, name: string, number: string | null) => ({ id: `${id}@lid`, name, number })

test('members of one name are told apart by the end of their number, or else by which of them they are', () => {
  const names = tellApart([
    member('1', 'Ana Lima', '+55 31 98888-0002'),
    member('2', 'Rui', '+55 31 98888-0003'),
    member('3', 'Ana Lima', '+55 31 97777-0004'),
    member('4', 'Ana Lima', null),
    member('5', 'Bia', '+55 31 98888-1111'),
    member('6', 'Bia', '+55 11 97777-1111'),
  ]).map(({ name }) => name)
  expect(names).toEqual(['Ana Lima (…0002)', 'Rui', 'Ana Lima (…0004)', 'Ana Lima (3)', 'Bia (1)', 'Bia (2)'])
})

test('chosen in the place of the other, the second alone is mentioned', () => {
  const chosen = tellApart([member('1', 'Ana', '+55 31 98888-0002'), member('3', 'Ana', '+55 31 97777-0004')])
  expect(writeMemberMentions('@Ana (…0004) vem?', chosen)).toEqual({ body: '@3 vem?', mentions: ['3@lid'] })
})
