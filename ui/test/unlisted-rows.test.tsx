// A row that its list does not show any more, for a search, a filter or a line that was away, and what is written about it.
import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { tagRules } from '@balcao/contract/kit/forms'
import { live } from '@balcao/ui/live'
import { makeTextMatcher, type RowChange } from '@balcao/ui/rows'
import { Tag as TagIcon } from 'lucide-react'
import { ApiError } from '../src/api/index.ts'
import { addTexts } from '../src/i18n/index.ts'
import { TextInput } from '../src/kit/parts/index.ts'
import {
  type Column,
  DataPage,
  FormDialog,
  FormField,
  type LiveRowOptions,
  type RowFormProps,
  type RowQuery,
  useForm,
  useRow,
  useRowForm,
  useRows,
  useSelection,
} from '../src/kit/screens/index.ts'
import { MemoryRouter } from '../src/router/index.ts'
import { session } from '../src/session/store.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, renderHook, screen, waitFor, within } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

interface Tag {
  readonly id: number
  readonly name: string
  readonly note: string
  readonly version: number
}

const WORDS = {
  title: 'Tags',
  search: 'Buscar tag',
  count: '{{count}} tags',
  add: 'Adicionar tag',
  table: 'Lista de tags',
  column: { name: 'Nome' },
  action: { edit: 'Editar {{name}}' },
  failed: { title: 'As tags não carregaram' },
  form: { name: 'Nome', note: 'Nota', editTitle: 'Editar tag', save: 'Salvar' },
  saved: 'Tag salva',
}
const PAGE = 2

let server: Tag[] = []
let isUp = true
let receive: (change: RowChange<Tag>) => void = () => undefined
let saves: (number | undefined)[] = []
/** Who hears that events were missed. */
const heard = spyOn(live, 'onReset')

const TAGS: LiveRowOptions<Tag, RowQuery> = {
  start: { search: '' },
  order: (a, b) => a.id - b.id,
  matches: makeTextMatcher(({ name }) => [name]),
  async page({ search }, cursor, _signal, limit = PAGE) {
    if (!isUp) throw new ApiError('OFFLINE', 0, '')
    const found = server.filter(tag => tag.name.toLowerCase().includes(search.toLowerCase()))
    const rows = found.filter(({ id }) => id > Number(cursor)).slice(0, limit)
    const last = rows.at(-1)
    return { rows, nextCursor: last && last !== found.at(-1) ? String(last.id) : null, count: found.length }
  },
  events(take) {
    receive = take
    return () => undefined
  },
}
const COLUMNS: readonly Column<Tag>[] = [{ id: 'name', cell: tag => tag.name }]

beforeAll(() => addTexts('listedTags', { pt: WORDS, en: WORDS, es: WORDS }))
beforeEach(() => {
  isUp = true
  saves = []
  heard.mockClear()
})
afterEach(cleanup)
afterAll(() => void heard.mockRestore())

test('what a colleague saves of a row that a search does not find any more is told in its form, and not saved over', async () => {
  server = [makeTag(1, 'VIP'), makeTag(2, 'Prata')]
  const user = userEvent.setup()
  render(<Page />)
  await user.type(await screen.findByRole('searchbox'), 'vip')
  await waitFor(() => expect(document.querySelector('table')?.textContent).not.toMatch('Prata'))
  await user.click(await screen.findByRole('button', { name: 'Editar VIP' }))
  const dialog = screen.getByRole('dialog', { name: 'Editar tag' })
  await user.type(within(dialog).getByLabelText(/Nome/), 'S')
  server = [{ ...makeTag(1, 'Ouro', 2), note: 'De Bia' }]
  act(() => server.forEach(put => void receive({ put })))
  expect(await within(dialog).findByText(/Outra pessoa salvou isto/)).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }))
  expect(saves).toEqual([1])
  await user.click(within(dialog).getByRole('button', { name: 'Ver o que mudou' }))
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }))
  await waitFor(() => expect(server).toEqual([{ ...makeTag(1, 'VIPS', 3), note: 'De Bia' }]))
})

test('a form opened while a search still waits to be asked saves with the version it was opened with', async () => {
  server = [makeTag(1, 'VIP'), makeTag(2, 'Ouro')]
  const user = userEvent.setup()
  render(<Page />)
  await screen.findByRole('button', { name: 'Editar VIP' })
  await user.type(screen.getByRole('searchbox'), 'ouro')
  await user.click(screen.getByRole('button', { name: 'Editar VIP' }))
  const dialog = screen.getByRole('dialog', { name: 'Editar tag' })
  await waitFor(() => expect(document.querySelector('table')?.textContent).not.toMatch('VIP'))
  await user.type(within(dialog).getByLabelText(/Nome/), 'S')
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }))
  await waitFor(() => expect(saves).toEqual([1]))
})

test('no form saves without a version once it knew one, whatever becomes of what it was opened for', async () => {
  const user = userEvent.setup()
  const { rerender } = render(<NoteForm version={4} />)
  await user.type(screen.getByLabelText(/Nome/), 'S')
  rerender(<NoteForm />)
  await user.click(screen.getByRole('button', { name: 'Salvar' }))
  expect(saves).toEqual([4])
})

test('after a reset as much stands there as before, also what was chosen of it', async () => {
  await renderPages()
  await userEvent.click(screen.getByRole('checkbox', { name: /Tag 5/ }))
  server = server.map(tag => (tag.id === 5 ? { ...tag, name: 'Tag cinco', version: 2 } : tag))
  await act(async () => reset())
  expect(await screen.findByRole('row', { name: /Tag cinco/ })).toBeTruthy()
  expect(screen.getAllByRole('row', { name: /Tag/ })).toHaveLength(5)
  expect(screen.getByTestId('shown').textContent).toBe('Tag cinco')
  expect(screen.getByText('1 escolhido')).toBeTruthy()
})

test('what was deleted while the line was away is shown no more; who is at its form is told once all others stand there', async () => {
  await renderPages()
  await userEvent.click(screen.getByRole('button', { name: 'Editar Tag 5' }))
  server = server.filter(({ id }) => id !== 5)
  await act(async () => reset())
  await waitFor(() => expect(screen.getByTestId('shown').textContent).toBe(''))
  expect(screen.getByText(/apagou isto/)).toBeTruthy()
})

test('of a part of the rows one that is not there any more may have another place: it is shown no more, and not said to be deleted', async () => {
  server = [3, 4, 5, 6].map(id => makeTag(id, `Tag ${id}`))
  render(<Page />)
  await userEvent.click(await screen.findByRole('button', { name: 'Mais' }))
  await userEvent.type(screen.getByRole('searchbox'), 'Tag 5')
  await waitFor(() => expect(screen.getAllByRole('row', { name: /Tag/ })).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: 'Editar Tag 5' }))
  server = server.map(tag => (tag.id === 5 ? { ...tag, name: 'Outra', version: 2 } : tag))
  await act(async () => reset())
  await waitFor(() => expect(screen.getByTestId('shown').textContent).toBe(''))
  expect(screen.queryByText(/apagou isto/)).toBeNull()
})

test('two resets close together leave as much standing as one', async () => {
  await renderPages()
  await act(async () => {
    reset()
    reset()
  })
  expect(screen.getAllByRole('row', { name: /Tag/ })).toHaveLength(5)
})

test('what could not be fetched after a reset says so, and is asked for when the line is back', async () => {
  session.connection.state = 'offline'
  await renderPages()
  isUp = false
  await act(async () => reset())
  expect(await screen.findByRole('alert')).toBeTruthy()
  isUp = true
  await act(async () => {
    session.connection.state = 'live'
  })
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(screen.getAllByRole('row', { name: /Tag/ })).toHaveLength(5)
})

test('a filter that is chosen once more asks for nothing', async () => {
  server = [makeTag(1, 'VIP')]
  const queries: RowQuery[] = []
  const page: typeof TAGS.page = (query, ...rest) => {
    queries.push(query)
    return TAGS.page(query, ...rest)
  }
  const options = { ...TAGS, page }
  const { result } = renderHook(() => useRows(options, { search: '' }))
  await act(async () => result.current.filter({ search: 'vip' }))
  expect(queries).toHaveLength(2)
  await act(async () => result.current.filter({ search: 'vip' }))
  expect(queries).toHaveLength(2)
})

function makeTag(id: number, name: string, version = 1): Tag {
  return { id, name, version, note: '' }
}

function reset() {
  for (const [listener] of heard.mock.calls) listener()
}

/** A list of three pages, all of them shown. */
async function renderPages() {
  server = [1, 2, 3, 4, 5].map(id => makeTag(id, `Tag ${id}`))
  render(<Page />)
  for (const count of [4, 5]) {
    await userEvent.click(await screen.findByRole('button', { name: 'Mais' }))
    await waitFor(() => expect(screen.getAllByRole('row', { name: /Tag/ })).toHaveLength(count))
  }
}

function Page() {
  const rows = useRows(TAGS)
  const selection = useSelection(rows.rows, rows.query)
  return (
    <MemoryRouter>
      <DataPage
        texts="listedTags"
        icon={TagIcon}
        rows={rows}
        columns={COLUMNS}
        nameOf={tag => tag.name}
        form={TagForm}
        selection={selection}
      />
      <button type="button" onClick={rows.goOn}>
        Mais
      </button>
      <Shown rows={rows} />
    </MemoryRouter>
  )
}

function Shown({ rows }: { readonly rows: ReturnType<typeof useRows<Tag, RowQuery>> }) {
  return <output data-testid="shown">{useRow(rows, 5)?.name}</output>
}

function TagForm(props: RowFormProps<Tag>) {
  const form = useRowForm({
    ...props,
    texts: 'listedTags',
    fieldsOf: tag => ({ name: tag?.name ?? '', note: tag?.note ?? '' }),
    rules: { name: tagRules.name },
    async save(fields, _progress, version): Promise<Tag> {
      saves.push(version)
      const now = server.find(({ id }) => id === props.row?.id)
      if (now && version !== undefined && version < now.version)
        throw new ApiError('ERR_CHANGED_MEANWHILE', 409, '', now)
      const saved = { ...fields, id: now?.id ?? 9, version: (now?.version ?? 0) + 1 }
      server = [saved]
      return saved
    },
  })
  return (
    <FormDialog form={form} onClose={props.onClose}>
      <FormField form={form} name="name">
        {field => <TextInput {...field} />}
      </FormField>
      <FormField form={form} name="note">
        {field => <TextInput {...field} />}
      </FormField>
    </FormDialog>
  )
}

function NoteForm({ version }: { readonly version?: number }) {
  const form = useForm({
    texts: 'listedTags',
    start: { name: '' },
    version,
    save: async (_fields, _progress, known) => saves.push(known),
    onSaved: () => undefined,
  })
  return (
    <FormDialog form={form} onClose={() => undefined}>
      <FormField form={form} name="name">
        {field => <TextInput {...field} />}
      </FormField>
    </FormDialog>
  )
}
