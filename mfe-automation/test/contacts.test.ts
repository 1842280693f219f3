// The list of contacts says what the server says (spec 3 §2): order and search.
import { describe, expect, spyOn, test } from 'bun:test'
import { live } from '@balcao/ui/live'
import { toChosen } from '../src/contacts/contact-selection.ts'
import { CONTACTS, compareByName, isContactMatch } from '../src/contacts/list.ts'
import { makeContact } from './contact.ts'

test('contacts stand by name without accents and capitals, then by age', () => {
  const all = ['Zeca', 'água', 'Ana', 'abelha', 'Água'].map((name, at) => makeContact({ id: at + 1, name }))
  expect(all.toSorted(compareByName).map(({ id }) => id)).toEqual([4, 2, 5, 3, 1])
})

describe('a search finds a contact', () => {
  const contact = makeContact({ email: 'vendas@celebi.example' })
  test.each([
    ['lucia', true],
    ['VENDAS@', true],
    ['(31) 99876', true],
    ['3198762210', true],
    ['88888', false],
    ['bento', false],
    ['li', true],
  ])('by %s: %p', (search, found) => expect(isContactMatch(contact, { search })).toBe(found))
})

test('spec 3 §4: a tag that is renamed or deleted brings the list anew, a new one does not', () => {
  const heard = new Map<string, (event: never) => void>()
  const on = spyOn(live, 'on').mockImplementation((name, take) => {
    heard.set(name, take)
    return () => {}
  })
  let asked = 0
  CONTACTS.reloads?.(() => {
    asked += 1
  })
  on.mockRestore()
  for (const action of ['create', 'update', 'delete']) heard.get('tag')?.({ action } as never)
  expect(asked).toBe(2)
})

test('a search is counted beside its rows; where counting stopped, there may be more', async () => {
  const { signal } = new AbortController()
  const calls: string[] = []
  const spy = spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(
      async (url: RequestInfo | URL) => {
        calls.push(String(url).replace(/^.*\/contacts/, ''))
        return Response.json({ contacts: [], nextCursor: 'next', count: calls.length < 3 ? 66 : 1000 })
      },
      { preconnect() {} },
    ),
  )
  await CONTACTS.page({ search: 'padaria' }, null, signal)
  expect(await CONTACTS.count?.({ search: 'padaria' }, signal)).toEqual({ count: 66, isCapped: false })
  expect(await CONTACTS.count?.({ search: 'maria' }, signal)).toEqual({ count: 1000, isCapped: true })
  // All there are is known without counting.
  expect((await CONTACTS.page({ search: '' }, null, signal)).count).toBe(1000)
  spy.mockRestore()
  expect(calls).toEqual([
    '?searchParam=padaria&count=false',
    '/count?searchParam=padaria',
    '/count?searchParam=maria',
    '',
  ])
})

test.each([
  ['', ''],
  ['li', ''],
  ['lia', 'lia'],
])('all that are listed while %p is typed are those whom the server lists for %p', (search, searchParam) => {
  expect(toChosen({ all: true, ids: new Set([1]) }, { search })).toEqual({ searchParam })
  expect(toChosen({ all: false, ids: new Set([1]) }, { search })).toEqual({ ids: [1] })
})
