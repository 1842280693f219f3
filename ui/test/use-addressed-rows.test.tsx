// A list whose search and filters stand in the address (spec 3 §2 "Scheduled sends").
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { Link, MemoryRouter, useLocation } from '@balcao/ui/router'
import { Calendar } from 'lucide-react'
import { addTexts } from '../src/i18n/index.ts'
import {
  DataPage,
  FilterButton,
  type LiveRowOptions,
  type QueryAddressOptions,
  type RowQuery,
  useAddressedRows,
} from '../src/kit/screens/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { cleanup, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

interface Thing {
  readonly id: number
  readonly name: string
  readonly kind: string
  readonly version: number
}
interface Query extends RowQuery {
  readonly kind: string | null
}

const THINGS: readonly Thing[] = [
  { id: 1, name: 'Boleto', kind: 'mês', version: 1 },
  { id: 2, name: 'Aviso', kind: 'dia', version: 1 },
]
const MEANS: LiveRowOptions<Thing, Query> = {
  start: { search: '', kind: null },
  order: (a, b) => a.id - b.id,
  matches: () => true,
  async page({ search, kind }) {
    const rows = THINGS.filter(one => one.name.includes(search) && (kind === null || one.kind === kind))
    return { rows, nextCursor: null, count: rows.length }
  },
  events: () => () => undefined,
}
const ADDRESS: QueryAddressOptions<Query> = {
  read: params => ({ search: params.get('busca') ?? '', kind: params.get('de') === 'dia' ? 'dia' : null }),
  write: ({ search, kind }) => ({ ...(search && { busca: search }), ...(kind && { de: kind }) }),
}
const WORDS = {
  ...{
    title: 'Coisas',
    search: 'Buscar',
    table: 'Lista',
    count_one: '{{count}} coisa',
    count_other: '{{count}} coisas',
  },
  ...{ column: { name: 'Nome' }, empty: { title: 'Nada ainda', text: 'Crie.' }, failed: { title: 'Não veio' } },
}

beforeAll(() => addTexts('things', { pt: WORDS, en: WORDS, es: WORDS }))
afterEach(cleanup)

test('what the address holds is searched and filtered, and let go of as it is', async () => {
  render(<At address="/?busca=Avi&de=dia" />)
  await waitFor(() => expect(names()).toEqual(['Aviso']))
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('Avi')
  await userEvent.click(screen.getByRole('button', { name: 'Tirar o filtro Tipo' }))
  await waitFor(() => expect(address()).toBe('?busca=Avi'))
  await userEvent.clear(screen.getByRole('searchbox'))
  await waitFor(() => expect(address()).toBe(''))
  await waitFor(() => expect(names()).toEqual(['Boleto', 'Aviso']))
})

test('what is searched comes into the address; the page’s own link leads back to all', async () => {
  render(<At address="/" />)
  await userEvent.type(screen.getByRole('searchbox'), 'Bol')
  await waitFor(() => expect(address()).toBe('?busca=Bol'), { timeout: 3000 })
  await userEvent.click(screen.getByRole('link', { name: 'Menu' }))
  await waitFor(() => expect(names()).toEqual(['Boleto', 'Aviso']))
  expect([screen.getByRole<HTMLInputElement>('searchbox').value, address()]).toEqual(['', ''])
})

test('what an address says that is none is left out of it', async () => {
  render(<At address="/?de=xyz&outra=1" />)
  await waitFor(() => expect(names()).toEqual(['Boleto', 'Aviso']))
  await waitFor(() => expect(address()).toBe(''))
})

function At({ address }: { readonly address: string }) {
  return (
    <MemoryRouter initialEntries={[address]}>
      <Page />
      <Link to="/">Menu</Link>
    </MemoryRouter>
  )
}

function Page() {
  const rows = useAddressedRows(MEANS, ADDRESS)
  return (
    <>
      <output data-testid="address">{useLocation().search}</output>
      <DataPage
        texts="things"
        icon={Calendar}
        rows={rows}
        columns={[{ id: 'name', cell: ({ name }) => name }]}
        nameOf={({ name }) => name}
        filters={
          <FilterButton
            label="Tipo"
            options={[{ value: 'dia', label: 'dia' }]}
            value={rows.filters.kind}
            onChange={kind => rows.filter({ kind })}
          />
        }
      />
    </>
  )
}

function names() {
  return screen.queryAllByRole('rowheader').map(cell => cell.textContent)
}

function address() {
  return screen.getByTestId('address').textContent
}
