import { describe, expect, test } from 'bun:test'
import { type RowCount, type RowPage, RowStore } from '../src/rows/row-store.ts'
import { waitUntil } from './page.ts'

interface Row {
  readonly id: number
  readonly name: string
  readonly version: number
}

describe('the rows of a list, live', () => {
  test('a new one stands in its place', async () => {
    const store = await shown([row(1, 'endereço'), row(2, 'pix')])
    store.take({ put: row(3, 'horario'), isNew: true })
    expect(names(store)).toEqual(['endereço', 'horario', 'pix'])
    expect(store.now().count).toBe(3)
  })

  test('the same change twice, or an older one late, changes nothing', async () => {
    const store = await shown([row(1, 'endereço'), row(2, 'pix')])
    store.take({ put: row(2, 'prazo', 3) })
    const once = store.now()
    store.take({ put: row(2, 'velho', 2) })
    expect(store.now()).toBe(once)
    expect(names(store)).toEqual(['endereço', 'prazo'])
  })

  test('a late answer does not bring back what has left the search', async () => {
    const store = await shown([row(1, 'chave'), row(2, 'chaveiro')], { search: 'chave' })
    store.take({ put: row(2, 'prazo', 3) })
    store.take({ put: row(2, 'chaveiro', 2) })
    expect(names(store)).toEqual(['chave'])
  })

  test('what was deleted goes once, and neither a late update nor a page that was asked for before brings it back', async () => {
    const store = await shown([row(1, 'endereço'), row(2, 'pix')])
    store.take({ gone: 1 })
    store.take({ gone: 1 })
    store.take({ put: row(1, 'endereço', 9) })
    expect([names(store), store.now().count]).toEqual([['pix'], 1])
    // Who has it open is told, also where it was not shown.
    store.take({ gone: 7, version: 1 })
    expect([1, 2, 7].filter(id => store.table.isGone(id))).toEqual([1, 7])
    const { promise, resolve } = Promise.withResolvers<RowPage<Row>>()
    const late = createList(() => promise)
    const loading = late.load()
    late.take({ gone: 1, version: 2 })
    resolve({ rows: [row(1, 'endereço'), row(2, 'pix')], nextCursor: null })
    await loading
    expect(names(late)).toEqual(['pix'])
  })

  test('during a search only what it finds is shown', async () => {
    const store = await shown([row(2, 'chave')], { search: 'chave' })
    store.take({ put: row(5, 'prazo'), isNew: true })
    expect(names(store)).toEqual(['chave'])
    store.take({ put: row(2, 'mudou', 2) })
    expect([names(store), store.now().count]).toEqual([[], 0])
  })

  test('one that belongs on a page not loaded yet waits for its page and is not doubled there', async () => {
    const zebra = row(9, 'zebra')
    const store = createList(async (_, cursor) =>
      cursor ? { rows: [zebra], nextCursor: null, count: 2 } : { rows: [row(1, 'a1')], nextCursor: 'next', count: 1 },
    )
    await store.load()
    store.take({ put: zebra, isNew: true })
    expect([names(store), store.now().count]).toEqual([['a1'], 2])
    await store.more()
    await store.more()
    expect(names(store)).toEqual(['a1', 'zebra'])
  })

  test('a number that counting stopped at stays, whatever comes and goes, until all rows are there', async () => {
    const store = createList(async (_, cursor) =>
      cursor
        ? { rows: [row(2, 'b')], nextCursor: null, count: 2 }
        : { rows: [row(1, 'a')], nextCursor: 'next', count: 1000, isCapped: true },
    )
    await store.load()
    store.take({ put: row(3, 'aa'), isNew: true })
    store.take({ gone: 3, version: 2 })
    expect([store.now().count, store.now().isCapped]).toEqual([1000, true])
    await store.more()
    expect([store.now().count, store.now().isCapped]).toEqual([2, false])
  })

  test('rows are shown before they are counted; what changes meanwhile is counted once more', async () => {
    const counts = [Promise.withResolvers<RowCount>(), Promise.withResolvers<RowCount>()]
    let counted = 0
    const page = async (_: object, cursor: string | null) =>
      cursor ? { rows: [row(2, 'b')], nextCursor: null } : { rows: [row(1, 'a')], nextCursor: 'next' }
    const count = async () => (await counts[counted++]?.promise) ?? { count: 99 }
    const store = createList(page, '', count)
    await store.load()
    expect([names(store), store.now().count]).toEqual([['a'], null])
    store.take({ put: row(3, 'aa'), isNew: true })
    counts[0]?.resolve({ count: 7 })
    counts[1]?.resolve({ count: 8 })
    await waitUntil(() => store.now().count !== null, 'they are counted')
    expect([store.now().count, counted]).toEqual([8, 2])
    // The same list afresh keeps its number until the new one is there.
    await store.load()
    expect(store.now().count).toBe(8)
    await waitUntil(() => store.now().count === 99, 'they are counted again')
    await store.more()
    expect([names(store), store.now().count, counted]).toEqual([['a', 'b'], 2, 3])
  })

  test('a number that does not come is not shown, and of another search none stays', async () => {
    let isUp = true
    const count = async () => {
      if (!isUp) throw new Error('no line')
      return { count: 5 }
    }
    const store = createList(async () => ({ rows: [row(1, 'pix')], nextCursor: 'next' }), '', count)
    await store.load()
    await waitUntil(() => store.now().count === 5, 'they are counted')
    isUp = false
    await store.load({ search: 'pix' })
    expect([store.now().status, store.now().count]).toEqual(['ready', null])
    await Bun.sleep(0)
    expect([names(store), store.now().count]).toEqual([['pix'], null])
  })

  test.each(['load', 'refetch'] as const)(
    'asked afresh while the answer of another search is on its way, it is that search that is asked (%s)',
    async how => {
      const searches: string[] = []
      const store = createList(async ({ search }) => {
        searches.push(search)
        // The line ends before the first answer of the search.
        if (searches.length === 2) await new Promise(() => {})
        return { rows: [row(1, search || 'pix')], nextCursor: null, count: 1 }
      })
      await store.load()
      void store.load({ search: 'chave' })
      await store[how]()
      expect([searches, store.now().query, names(store)]).toEqual([
        ['', 'chave', 'chave'],
        { search: 'chave' },
        ['chave'],
      ])
    },
  )

  test('what could not be fetched again stays, and says so; of another search nothing stays', async () => {
    let isUp = true
    const store = createList(async () => {
      if (!isUp) throw new Error('no line')
      return { rows: [row(1, 'pix')], nextCursor: null, count: 1 }
    })
    await store.load()
    isUp = false
    await store.load()
    expect([store.now().status, names(store)]).toEqual(['failed', ['pix']])
    await store.load({ search: 'chave' })
    expect([store.now().status, names(store)]).toEqual(['failed', []])
  })
})

function row(id: number, name: string, version = 1): Row {
  return { id, name, version }
}

function names(store: { now(): { readonly rows: readonly Row[] } }) {
  return store.now().rows.map(({ name }) => name)
}

function createList(
  page: (query: { search: string }, cursor: string | null) => Promise<RowPage<Row>>,
  search = '',
  count?: () => Promise<RowCount>,
) {
  const order = (a: Row, b: Row) => a.name.localeCompare(b.name, 'pt-BR')
  const matches = ({ name }: Row, query: { search: string }) => name.includes(query.search)
  return new RowStore<Row, { search: string }>({ page, order, matches, ...(count && { count }) }, { search })
}

async function shown(rows: Row[], { search = '' } = {}) {
  const store = createList(async () => ({ rows, nextCursor: null, count: rows.length }), search)
  await store.load()
  return store
}
