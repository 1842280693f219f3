import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { makeTextRule, makeWholeNumberRule, tagRules } from '@balcao/contract/kit/forms'
import { Tag as TagIcon } from 'lucide-react'
import { ApiError } from '../src/api/index.ts'
import { addTexts } from '../src/i18n/index.ts'
import { TextInput, Toasts } from '../src/kit/parts/index.ts'
import {
  ColorField,
  type Column,
  DataPage,
  FormDialog,
  FormField,
  type LiveRowOptions,
  type RowFormProps,
  type RowQuery,
  useForm,
  useRowForm,
  useRows,
} from '../src/kit/screens/index.ts'
import { MemoryRouter, useLocation } from '../src/router/index.ts'
import type { RowChange } from '../src/rows/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen, waitFor, within } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

interface Tag {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly version: number
}

const WORDS = {
  title: 'Tags',
  add: 'Adicionar tag',
  table: 'Lista de tags',
  column: { name: 'Nome' },
  action: { edit: 'Editar {{name}}', remove: 'Excluir {{name}}' },
  empty: { title: 'Nenhuma tag ainda', text: 'Crie a primeira.' },
  failed: { title: 'As tags não carregaram' },
  form: {
    name: 'Nome',
    order: 'Ordem',
    color: 'Cor',
    addTitle: 'Nova tag',
    create: 'Adicionar',
    editTitle: 'Editar tag',
    save: 'Salvar',
  },
  problem: { taken: 'Já existe na fila {{queue}}.' },
  confirm: { title: 'Excluir a tag “{{name}}”?', text: 'Ela sai dos contatos.', action: 'Excluir tag' },
  saved: 'Tag salva',
  removed: 'Tag excluída',
}
const COLUMNS: readonly Column<Tag>[] = [{ id: 'name', cell: tag => tag.name }]

let server: Tag[] = []
let receive: (change: RowChange<Tag>) => void = () => undefined
const requests: string[] = []
/** What an answer waits for. */
let slow: Promise<void> | undefined

beforeAll(() => addTexts('rowTags', { pt: WORDS, en: WORDS, es: WORDS }))
afterEach(() => {
  cleanup()
  slow = undefined
  requests.splice(0)
})

describe('a list whose rows are added, changed and deleted', () => {
  test('an empty one carries its first action where its rows will stand', async () => {
    server = []
    render(<Page />)
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Adicionar tag' })).toHaveLength(2))
  })

  test('shows what was added, cleaned by the rules, and says so', async () => {
    server = []
    const user = userEvent.setup()
    render(<Page />)
    await user.click((await screen.findAllByRole('button', { name: 'Adicionar tag' }))[0] ?? document.body)
    const dialog = screen.getByRole('dialog', { name: 'Nova tag' })
    await user.type(within(dialog).getByLabelText(/Nome/), '  VIP ')
    await user.click(within(dialog).getByRole('button', { name: 'Adicionar' }))
    expect(await screen.findByRole('row', { name: /VIP/ })).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByText('Tag salva')).toBeTruthy()
    expect(requests).toEqual(['add VIP'])
  })

  test.each([[false], [true]])('a link to the empty form opens it once, also beside rows: %p', async isFilled => {
    server = isFilled ? [{ id: 1, name: 'VIP', color: '#7a7a7a', version: 1 }] : []
    const user = userEvent.setup()
    render(<Page address="/tags#add" />)
    const dialog = await screen.findByRole('dialog', { name: 'Nova tag' })
    await waitFor(() => expect(screen.getByTestId('hash').textContent).toBe(''))
    await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('who may not add is led to the page alone', async () => {
    server = []
    render(<Page isReader address="/tags#add" />)
    await waitFor(() => expect(screen.getByTestId('hash').textContent).toBe(''))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('the form of a row begins with it and saves in its place', async () => {
    const user = await openTag('Editar VIP')
    const dialog = screen.getByRole('dialog', { name: 'Editar tag' })
    await user.type(within(dialog).getByLabelText(/Nome/), 'S')
    await user.click(within(dialog).getByRole('button', { name: 'Salvar' }))
    expect(await screen.findByRole('row', { name: /VIPS/ })).toBeTruthy()
    expect(requests).toEqual(['edit VIPS'])
  })

  test('what a colleague saved meanwhile is said in the foot, and saved over only once it was seen', async () => {
    const user = await openTag('Editar VIP')
    server = [{ id: 1, name: 'VIP', color: '#b93227', version: 2 }]
    const dialog = screen.getByRole('dialog', { name: 'Editar tag' })
    await user.type(within(dialog).getByLabelText(/Nome/), 'S')
    for (const times of [1, 2]) {
      await user.click(within(dialog).getByRole('button', { name: 'Salvar' }))
      expect(await within(dialog).findByText(/Outra pessoa salvou isto/)).toBeTruthy()
      expect(requests).toHaveLength(times)
    }
    await user.click(within(dialog).getByRole('button', { name: 'Ver o que mudou' }))
    expect(within(dialog).getByRole('button', { name: '#b93227' }).getAttribute('aria-pressed')).toBe('true')
    await user.click(within(dialog).getByRole('button', { name: 'Salvar' }))
    expect(await screen.findByRole('row', { name: /VIPS/ })).toBeTruthy()
    expect(server).toMatchObject([{ name: 'VIPS', color: '#b93227', version: 3 }])
  })

  test('what a colleague deleted meanwhile is said at once, also of what a search hides, and nothing is sent any more', async () => {
    const user = await openTag('Editar VIP')
    const dialog = screen.getByRole('dialog', { name: 'Editar tag' })
    await user.type(within(dialog).getByLabelText(/Nome/), 'S')
    act(() => receive({ gone: 1, version: 2 }))
    const alert = await within(dialog).findByRole('alert')
    expect(alert.textContent).toMatch(/^Outra pessoa apagou isto às \d\d:\d\d. Não dá mais para salvar.$/)
    expect((within(dialog).getByRole('button', { name: 'Salvar' }) as HTMLButtonElement).disabled).toBe(true)
    await user.type(within(dialog).getByLabelText(/Nome/), '{Enter}')
    // What was written can still be read and taken along.
    expect((within(dialog).getByLabelText(/Nome/) as HTMLInputElement).value).toBe('VIPS')
    expect(requests).toEqual([])
  })

  test('deletes after it was asked, also what a colleague has deleted already', async () => {
    server = [1, 2].map(id => ({ id, name: `Tag ${id}`, color: '#7a7a7a', version: 1 }))
    const user = userEvent.setup()
    render(<Page />)
    for (const [id, name] of [
      [1, 'Tag 1'],
      [2, 'Tag 2'],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: `Excluir ${name}` }))
      if (id === 2) server = []
      const dialog = screen.getByRole('dialog', { name: `Excluir a tag “${name}”?` })
      await user.click(within(dialog).getByRole('button', { name: 'Excluir tag' }))
      await waitFor(() => expect(screen.queryByRole('row', { name: new RegExp(name) })).toBeNull())
    }
    expect(requests).toEqual(['remove 1', 'remove 2'])
  })

  test('what is on its way to the server is neither discarded nor left', async () => {
    const user = await openTag('Editar VIP')
    const dialog = screen.getByRole('dialog', { name: 'Editar tag' })
    const answer = holdAnswer()
    await user.type(within(dialog).getByLabelText(/Nome/), 'S{Enter}')
    expect(requests).toEqual(['edit VIPS'])
    expect((within(dialog).getByRole('button', { name: 'Cancelar' }) as HTMLButtonElement).disabled).toBe(true)
    await user.keyboard('{Escape}{Escape}')
    expect(within(dialog).queryByRole('button', { name: 'Descartar' })).toBeNull()
    expect(screen.getByRole('dialog', { name: 'Editar tag' })).toBe(dialog)
    await act(async () => answer.resolve())
    expect(await screen.findByRole('row', { name: /VIPS/ })).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a deletion that is under way is not left as if it had been given up', async () => {
    const user = await openTag('Excluir VIP')
    const dialog = screen.getByRole('dialog', { name: 'Excluir a tag “VIP”?' })
    const answer = holdAnswer()
    await user.click(within(dialog).getByRole('button', { name: 'Excluir tag' }))
    expect((within(dialog).getByRole('button', { name: 'Cancelar' }) as HTMLButtonElement).disabled).toBe(true)
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Excluir a tag “VIP”?' })).toBe(dialog)
    await act(async () => answer.resolve())
    await waitFor(() => expect(screen.queryByRole('row', { name: /VIP/ })).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a save whose answer does not come leaves all that was written, and the form can be left', async () => {
    const user = await openTag('Editar VIP')
    const answer = holdAnswer()
    await user.type(screen.getByLabelText(/Nome/), 'S{Enter}')
    await act(async () => answer.reject(new ApiError('OFFLINE', 0, '')))
    expect(screen.getByLabelText(/Nome/)).toHaveProperty('value', 'VIPS')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Descartar' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a deletion whose answer does not come may be under way, as it says, and can be left', async () => {
    const user = await openTag('Excluir VIP')
    const answer = holdAnswer()
    await user.click(screen.getByRole('button', { name: 'Excluir tag' }))
    await act(async () => answer.reject(new ApiError('OFFLINE', 0, '')))
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByRole('alert').textContent).toMatch(/pode já estar sendo feito, e fechar aqui não interrompe/)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a save that came through though its answer did not is nobody else’s', async () => {
    const user = await openTag('Editar VIP')
    const answer = holdAnswer()
    await user.type(screen.getByLabelText(/Nome/), 'S{Enter}')
    await act(async () => answer.reject(new ApiError('OFFLINE', 0, '')))
    slow = undefined
    const saved = { id: 1, name: 'VIPS', color: '#7a7a7a', version: 2 }
    server = [saved]
    act(() => receive({ put: saved }))
    expect(screen.queryByText(/Outra pessoa salvou isto/)).toBeNull()
    // It goes on from what was saved: there is nothing left to save or to discard, and what is set back is a change.
    expect(screen.queryByText(/por salvar/)).toBeNull()
    await user.type(screen.getByLabelText(/Nome/), '{Backspace}{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server).toMatchObject([{ name: 'VIP', version: 3 }])
  })

  test('the same with blanks around it, which the server does not keep', async () => {
    const user = await openTag('Editar VIP')
    const answer = holdAnswer()
    await user.type(screen.getByLabelText(/Nome/), 'S {Enter}')
    await act(async () => answer.reject(new ApiError('OFFLINE', 0, '')))
    slow = undefined
    server = [{ id: 1, name: 'VIPS', color: '#7a7a7a', version: 2 }]
    act(() => server.forEach(put => void receive({ put })))
    expect(screen.queryByText(/Outra pessoa salvou isto/)).toBeNull()
    expect(screen.queryByText(/por salvar/)).toBeNull()
    expect(screen.getByLabelText(/Nome/)).toHaveProperty('value', 'VIPS')
  })

  test('one field that a colleague saved just so is no save of the others: they stay to be saved', async () => {
    const user = await openTag('Editar VIP')
    const answer = holdAnswer()
    await user.click(screen.getByRole('button', { name: '#b93227' }))
    await user.type(screen.getByLabelText(/Nome/), 'S{Enter}')
    await act(async () => answer.reject(new ApiError('OFFLINE', 0, '')))
    slow = undefined
    server = [{ id: 1, name: 'VIP', color: '#b93227', version: 2 }]
    act(() => server.forEach(put => void receive({ put })))
    expect(screen.getByLabelText(/Nome/)).toHaveProperty('value', 'VIPS')
    expect(screen.queryByText(/Outra pessoa salvou isto/)).toBeNull()
    await user.type(screen.getByLabelText(/Nome/), '{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server).toMatchObject([{ name: 'VIPS', color: '#b93227', version: 3 }])
  })

  test('who may neither add nor change gets no button for it', async () => {
    server = [{ id: 1, name: 'VIP', color: '#7a7a7a', version: 1 }]
    render(<Page isReader />)
    expect(await screen.findByRole('row', { name: 'VIP' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Adicionar|Editar|Excluir/ })).toBeNull()
  })
})

/** A page with one tag, whose button is pressed. */
async function openTag(button: 'Editar VIP' | 'Excluir VIP') {
  server = [{ id: 1, name: 'VIP', color: '#7a7a7a', version: 1 }]
  const user = userEvent.setup()
  render(<Page />)
  await user.click(await screen.findByRole('button', { name: button }))
  return user
}

/** What is sent from now on is answered when the test says. */
function holdAnswer() {
  const answer = Promise.withResolvers<void>()
  slow = answer.promise
  return answer
}

describe('the rules of the contract in a form', () => {
  test('stop what the server would refuse, each at its field in the words of the kit', async () => {
    const user = userEvent.setup()
    render(<OrderForm save={async () => requests.push('saved')} />)
    await user.type(screen.getByLabelText(/Nome/), 'V')
    await user.type(screen.getByLabelText(/Ordem/), 'sete')
    await user.click(screen.getByRole('button', { name: 'Adicionar' }))
    expect(screen.getAllByRole('alert').map(alert => alert.textContent)).toEqual([
      'Escreva um pouco mais: está curto demais.',
      'Digite um número inteiro que caiba aqui.',
    ])
    expect(requests).toEqual([])
  })

  test('give numbers to what saves, though people type texts', async () => {
    const user = userEvent.setup()
    const saved: unknown[] = []
    render(<OrderForm save={async fields => saved.push(fields)} />)
    await user.type(screen.getByLabelText(/Nome/), ' VIP')
    await user.type(screen.getByLabelText(/Ordem/), '7')
    await user.click(screen.getByRole('button', { name: 'Adicionar' }))
    expect(saved).toEqual([{ name: 'VIP', order: 7 }])
  })

  test('a refusal with a code lands at its field in the words of the screen, one without them in those of the server', async () => {
    const user = userEvent.setup()
    const details = [
      { path: 'name', code: 'taken', params: { queue: 'Financeiro' }, message: 'Nome em uso' },
      { path: 'order', code: 'unknown', message: 'Ordem em uso' },
    ]
    render(<OrderForm save={() => Promise.reject(new ApiError('ERR_VALIDATION', 422, '', details))} />)
    await user.type(screen.getByLabelText(/Nome/), 'VIP')
    await user.type(screen.getByLabelText(/Ordem/), '7')
    await user.click(screen.getByRole('button', { name: 'Adicionar' }))
    await waitFor(() =>
      expect(screen.getAllByRole('alert').map(alert => alert.textContent)).toEqual([
        'Já existe na fila Financeiro.',
        'Ordem em uso',
      ]),
    )
  })

  test('what a schema refuses is said as the server says it', async () => {
    const user = userEvent.setup()
    const details = [{ path: 'name', code: 'fieldTooLong', params: { most: '50' }, message: 'No máximo 50 caracteres' }]
    render(<OrderForm save={() => Promise.reject(new ApiError('ERR_VALIDATION', 422, '', details))} />)
    await user.type(screen.getByLabelText(/Nome/), 'VIP')
    await user.type(screen.getByLabelText(/Ordem/), '7')
    await user.click(screen.getByRole('button', { name: 'Adicionar' }))
    expect((await screen.findByRole('alert')).textContent).toBe('No máximo 50 caracteres')
  })
})

const TAGS: LiveRowOptions<Tag, RowQuery> = {
  start: { search: '' },
  order: (a, b) => a.id - b.id,
  matches: () => true,
  page: async () => ({ rows: server, nextCursor: null, count: server.length }),
  events(take) {
    receive = take
    return () => undefined
  },
}

function Page({ isReader, address = '/' }: { readonly isReader?: boolean; readonly address?: string }) {
  const may = isReader ? {} : { form: TagForm, remove: { call: remove, already: 'ERR_NOT_FOUND' } as const }
  return (
    <MemoryRouter initialEntries={[address]}>
      <Hash />
      <DataPage
        texts="rowTags"
        icon={TagIcon}
        rows={useRows(TAGS)}
        columns={COLUMNS}
        nameOf={tag => tag.name}
        {...may}
      />
      <Toasts />
    </MemoryRouter>
  )
}

function Hash() {
  return <output data-testid="hash">{useLocation().hash}</output>
}

async function remove(id: number) {
  requests.push(`remove ${id}`)
  await slow
  if (!server.some(tag => tag.id === id)) throw new ApiError('ERR_NOT_FOUND', 404, '')
}

function TagForm(props: RowFormProps<Tag>) {
  const form = useRowForm({
    ...props,
    texts: 'rowTags',
    fieldsOf: tag => ({ name: tag?.name ?? '', color: tag?.color ?? '#2c53a4' }),
    rules: tagRules,
    async save(fields, _progress, version): Promise<Tag> {
      requests.push(`${props.row ? 'edit' : 'add'} ${fields.name}`)
      await slow
      const [now] = server
      if (now && version !== undefined && version < now.version)
        throw new ApiError('ERR_CHANGED_MEANWHILE', 409, '', now)
      const saved = { ...fields, id: props.row?.id ?? 1, version: (now?.version ?? 0) + 1 }
      server = [saved]
      return saved
    },
  })
  return (
    <FormDialog form={form} onClose={props.onClose}>
      <FormField form={form} name="name">
        {field => <TextInput {...field} />}
      </FormField>
      <FormField form={form} name="color">
        {field => <ColorField {...field} />}
      </FormField>
    </FormDialog>
  )
}

function OrderForm({ save }: { readonly save: (fields: { name: string; order: number }) => Promise<unknown> }) {
  const form = useForm({
    texts: 'rowTags',
    start: { name: '', order: '' },
    isNew: true,
    rules: { name: makeTextRule([2, 10]), order: makeWholeNumberRule([1, 99]) },
    save,
    onSaved: () => undefined,
  })
  return (
    <FormDialog form={form} onClose={() => undefined}>
      <FormField form={form} name="name">
        {field => <TextInput {...field} />}
      </FormField>
      <FormField form={form} name="order">
        {field => <TextInput {...field} inputMode="numeric" />}
      </FormField>
    </FormDialog>
  )
}
