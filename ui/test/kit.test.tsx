import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import pt from '../locales/pt.json'
import { ApiError } from '../src/api/index.ts'
import { addTexts } from '../src/i18n/index.ts'
import { TextInput, Toasts } from '../src/kit/parts/index.ts'
import {
  type Column,
  ConfirmDanger,
  DataPage,
  FormDialog,
  FormField,
  type LiveRowOptions,
  type RowQuery,
  useForm,
  useRows,
  useSelection,
} from '../src/kit/screens/index.ts'
import { MemoryRouter } from '../src/router/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { cleanup, fireEvent, render, screen, waitFor, within } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

interface Tag {
  readonly id: number
  readonly name: string
  readonly version: number
}

const WORDS = {
  title: 'Tags',
  add: 'Adicionar tag',
  search: 'Buscar tag',
  table: 'Lista de tags',
  count_one: '{{count}} tag',
  count_other: '{{count}} tags',
  column: { name: 'Nome' },
  action: { edit: 'Editar {{name}}' },
  bulk: { remove: 'Apagar' },
  empty: { title: 'Nenhuma tag ainda', text: 'Crie a primeira.' },
  failed: { title: 'As tags não carregaram' },
  form: { name: 'Nome', color: 'Cor' },
}
const COLUMNS: readonly Column<Tag>[] = [{ id: 'name', cell: tag => tag.name }]

beforeAll(() => addTexts('kitTags', { pt: WORDS, en: WORDS, es: WORDS }))
afterEach(cleanup)

describe('a page with a list', () => {
  test('says what fills it while there is nothing, and what is wrong where it failed', async () => {
    render(<Page means={makeTagOptions(async () => [])} />)
    expect(await screen.findByText('Nenhuma tag ainda')).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: 'Nome' })).toBeTruthy()
    cleanup()
    let isUp = false
    render(
      <Page
        means={makeTagOptions(async () => {
          if (!isUp) throw new ApiError('OFFLINE', 0, 'no answer')
          return ['VIP']
        })}
      />,
    )
    expect((await screen.findByRole('alert')).textContent).toContain(`As tags não carregaram${pt.error.OFFLINE}`)
    isUp = true
    await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByText('VIP')).toBeTruthy()
  })

  test('a search that finds nothing says its words back, and is let go of', async () => {
    render(<Page means={makeTagOptions(async search => (search ? [] : ['VIP']))} />)
    await screen.findByText('VIP')
    await userEvent.type(screen.getByRole('searchbox'), 'padria')
    expect(await screen.findByText('Nada com “padria”', {}, { timeout: 3000 })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Buscar/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Limpar busca' }))
    expect(await screen.findByText('VIP')).toBeTruthy()
  })

  test('a slip in a search is met with what it may have meant, of the rows that stood there before', async () => {
    const names = ['Padaria Estrela', 'VIP']
    render(<Page means={makeTagOptions(async search => names.filter(name => name.includes(search)))} />)
    await screen.findByText('VIP')
    await userEvent.type(screen.getByRole('searchbox'), 'padria')
    await userEvent.click(await screen.findByRole('button', { name: 'Buscar Padaria Estrela' }, { timeout: 3000 }))
    expect(await screen.findByText('1 tag', {}, { timeout: 3000 })).toBeTruthy()
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'Padaria Estrela')
  })

  test('the focus goes back to the row whose dialog was closed', async () => {
    render(<Page means={makeTagOptions(async () => ['Atacado', 'VIP'])} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Editar VIP' }))
    await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Editar VIP')
  })

  test('rows are chosen one by one or with Shift, all of them with one press, and let go of again', async () => {
    const user = userEvent.setup()
    render(<Page means={makeTagOptions(async () => ['A', 'B', 'C', 'D'])} />)
    await user.click(await screen.findByRole('checkbox', { name: 'Escolher A' }))
    await user.keyboard('{Shift>}')
    await user.click(screen.getByRole('checkbox', { name: 'Escolher C' }))
    await user.keyboard('{/Shift}')
    const bar = screen.getByRole('region', { name: 'O que fazer com os escolhidos' })
    expect(within(bar).getByText('3 escolhidos')).toBeTruthy()
    await user.click(within(bar).getByRole('button', { name: 'Escolher os 4' }))
    expect(within(bar).getByText('4 escolhidos')).toBeTruthy()
    await user.click(within(bar).getByRole('button', { name: 'soltar a escolha' }))
    expect(screen.queryByText('4 escolhidos')).toBeNull()
  })

  test('where counting stopped there are so many or more, and all of them are chosen without a number that is not known', async () => {
    const page = async () => ({
      rows: [{ id: 1, name: 'VIP', version: 1 }],
      nextCursor: 'next',
      count: 1000,
      isCapped: true,
    })
    render(<Page means={{ ...makeTagOptions(async () => []), page }} />)
    expect(await screen.findByText('1.000 tags ou mais')).toBeTruthy()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Escolher VIP' }))
    expect(screen.getByText('1 escolhido')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Escolher os/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Escolher todos os encontrados' }))
    expect(screen.getByText('Todos os encontrados escolhidos')).toBeTruthy()
  })

  test('of a thousand rows only those near the screen are drawn, and the table says how many there are', async () => {
    render(<Page means={makeTagOptions(async () => Array.from({ length: 1000 }, (_, row) => `T${row}`))} />)
    const table = await screen.findByRole('table')
    await screen.findByText('T0')
    expect(table.getAttribute('aria-rowcount')).toBe('1001')
    expect(table.querySelectorAll('[data-row]').length).toBeLessThan(200)
  })
})

describe('a form', () => {
  test('says what is wrong when somebody saves, and goes there', async () => {
    const saved: Fields[] = []
    render(<Form onSave={async fields => void saved.push(fields)} />)
    const button = screen.getByRole('button', { name: 'Salvar' })
    button.focus()
    fireEvent.click(button)
    // Not a frame later: letters would go to the button.
    expect(document.activeElement).toBe(screen.getByLabelText(/Nome/))
    expect(screen.getByText('1 campo para acertar')).toBeTruthy()
    await userEvent.keyboard('VIP{Enter}')
    await waitFor(() => expect(saved).toEqual([{ name: 'VIP', color: '' }]))
  })

  test.each([
    ['by its code', new ApiError('ERR_DUPLICATED_CONTACT', 409, ''), 'Já existe um contato com este número.'],
    [
      'by its name',
      new ApiError('ERR_VALIDATION', 422, '', [{ path: 'name', message: 'Escreva menos.' }]),
      'Escreva menos',
    ],
  ])('a refusal stands at its field, found %s', async (_, refusal, words) => {
    const saving = Promise.withResolvers<never>()
    render(<Form start={{ name: 'VIP', color: '' }} onSave={() => saving.promise} />)
    const button = screen.getByRole('button', { name: 'Salvar' })
    button.focus()
    fireEvent.click(button)
    saving.reject(refusal)
    expect((await screen.findByRole('alert')).textContent).toContain(words)
    const name = screen.getByLabelText(/Nome/)
    expect([name.getAttribute('aria-invalid'), document.activeElement === name]).toEqual(['true', true])
  })

  test('what belongs to no field is told, and the form stays', async () => {
    render(
      <>
        <Toasts />
        <Form start={{ name: 'VIP', color: '' }} onSave={() => Promise.reject(new ApiError('OFFLINE', 0, ''))} />
      </>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    const words = 'O servidor não respondeu. Confira a internet e tente de novo.'
    await screen.findByText(words, { selector: '.b-toasts *' })
    // The notice leaves after a moment, the line in the foot does not.
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText(words)).toBeTruthy()
    await userEvent.type(dialog.getByLabelText(/Nome/), 'S')
    expect(dialog.queryByText(words)).toBeNull()
  })

  test('Enter pressed twice saves once, also while it is still asked whether it may', async () => {
    const user = userEvent.setup()
    const answers: ((yes: boolean) => void)[] = []
    const saves: (() => void)[] = []
    render(
      <Form
        start={{ name: 'VIP', color: '' }}
        confirm={() => new Promise(answer => answers.push(answer))}
        onSave={() => new Promise(done => saves.push(() => done(undefined)))}
      />,
    )
    await user.type(screen.getByLabelText(/Nome/), '{Enter}{Enter}')
    expect(answers.length).toBe(1)
    answers[0]?.(true)
    await waitFor(() => expect(saves.length).toBe(1))
    await user.type(screen.getByLabelText(/Nome/), '{Enter}')
    await user.dblClick(screen.getByRole('button', { name: 'Salvar' }))
    expect([answers.length, saves.length]).toEqual([1, 1])
    saves[0]?.()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Salvar' }).getAttribute('aria-busy')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Salvar' }))
    expect(answers.length).toBe(2)
  })

  test('leaving changes behind asks once', async () => {
    const user = userEvent.setup()
    let isClosed = false
    render(<Form onClose={() => (isClosed = true)} />)
    await user.type(screen.getByLabelText(/Nome/), 'V')
    await user.keyboard('{Escape}')
    expect(screen.getByText('Descartar o que não foi salvo?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Continuar editando' }))
    expect([isClosed, screen.getByText('1 mudança por salvar') !== null]).toEqual([false, true])
    await user.keyboard('{Escape}')
    await user.keyboard('{Escape}')
    expect(isClosed).toBe(true)
  })

  test('what somebody else saved meanwhile is told; it fills what is untouched here, and stands beside what is', async () => {
    const user = userEvent.setup()
    const start = { name: 'VIP', color: 'azul' }
    const { rerender } = render(<Form start={start} now={start} />)
    await user.type(screen.getByLabelText(/Nome/), 'S')
    rerender(<Form start={start} now={{ name: 'Especial', color: 'verde' }} />)
    await user.click(screen.getByRole('button', { name: 'Ver o que mudou' }))
    expect(screen.getByLabelText(/Nome/)).toHaveProperty('value', 'VIPS')
    expect(screen.getByText('Outra pessoa salvou: Especial')).toBeTruthy()
    expect(screen.getByLabelText('Cor')).toHaveProperty('value', 'verde')
    expect(document.activeElement).toBe(screen.getByLabelText(/Nome/))
  })

  test('where nothing clashes with what somebody else saved, the focus is on the button that saves', async () => {
    const start = { name: 'VIP', color: 'azul' }
    const { rerender } = render(<Form start={start} now={start} />)
    rerender(<Form start={start} now={{ name: 'VIP', color: 'verde' }} />)
    await userEvent.click(screen.getByRole('button', { name: 'Ver o que mudou' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Salvar' }))
  })
})

describe('danger', () => {
  test('the small size begins on the harmless button and names what stays, and why', () => {
    render(
      <ConfirmDanger
        title="Apagar 2 contatos?"
        things={[
          { id: 1, name: 'Buffet Vila Rica', note: '41 mensagens' },
          { id: 2, name: 'Dona Lúcia', stays: 'fica: tem protocolo' },
        ]}
        action="Apagar 1 contato"
        onConfirm={async () => undefined}
        onClose={() => undefined}
      />,
    )
    expect(document.activeElement?.textContent).toBe('Cancelar')
    expect(screen.getAllByRole('listitem').map(item => item.textContent)).toEqual([
      'Buffet Vila Rica41 mensagens',
      'Dona Lúciafica: tem protocolo',
    ])
  })

  test('the great size frees its button with the word', async () => {
    const done: string[] = []
    render(
      <ConfirmDanger
        great
        title="Limpar contatos?"
        action="Limpar 1.206 contatos"
        onConfirm={async () => done.push('gone')}
        onClose={() => done.push('closed')}
      />,
    )
    const button = screen.getByRole('button', { name: 'Limpar 1.206 contatos' })
    expect(button).toHaveProperty('disabled', true)
    await userEvent.keyboard('apagar')
    await userEvent.click(button)
    await waitFor(() => expect(done).toEqual(['gone', 'closed']))
  })

  test('what a colleague did already counts as done; what fails is told and stays open', async () => {
    const messages: string[] = []
    const refused = new ApiError('ERR_NO_CONTACT_FOUND', 404, '')
    const props = {
      title: 'Apagar?',
      action: 'Apagar',
      onDone: () => messages.push('done'),
      onClose: () => messages.push('closed'),
    }
    const { rerender } = render(<ConfirmDanger {...props} onConfirm={() => Promise.reject(refused)} />)
    await userEvent.click(screen.getByRole('button', { name: 'Apagar' }))
    expect(messages).toEqual([])
    rerender(<ConfirmDanger {...props} already="ERR_NO_CONTACT_FOUND" onConfirm={() => Promise.reject(refused)} />)
    await userEvent.click(screen.getByRole('button', { name: 'Apagar' }))
    await waitFor(() => expect(messages).toEqual(['done', 'closed']))
  })
})

function makeTagOptions(names: (search: string) => Promise<string[]>): LiveRowOptions<Tag, RowQuery> {
  return {
    start: { search: '' },
    order: (a, b) => a.id - b.id,
    matches: () => true,
    async page({ search }) {
      const rows = (await names(search)).map((name, index) => ({ id: index + 1, name, version: 1 }))
      return { rows, nextCursor: null, count: rows.length }
    },
    events: () => () => undefined,
  }
}

function Page({ means }: { readonly means: LiveRowOptions<Tag, RowQuery> }) {
  const rows = useRows(means)
  const selection = useSelection(rows.rows, rows.query)
  const [edited, edit] = useState<Tag | null>(null)
  return (
    <MemoryRouter>
      <DataPage
        texts="kitTags"
        icon={Pencil}
        rows={rows}
        columns={COLUMNS}
        nameOf={tag => tag.name}
        actions={[{ id: 'edit', icon: Pencil, perform: edit }]}
        selection={selection}
        bulk={[{ id: 'remove', icon: Pencil, perform: () => undefined }]}
      />
      {edited && <Form onClose={() => edit(null)} />}
    </MemoryRouter>
  )
}

interface Fields {
  readonly name: string
  readonly color: string
}

interface FormProps {
  readonly start?: Fields
  readonly now?: Fields
  readonly confirm?: () => Promise<boolean>
  readonly onSave?: (fields: Fields) => Promise<unknown>
  readonly onClose?: () => void
}

function Form({
  start = { name: '', color: '' },
  now,
  confirm,
  onSave = async () => undefined,
  onClose = () => undefined,
}: FormProps) {
  const form = useForm<Fields, unknown>({
    texts: 'kitTags',
    start,
    now,
    faultsOf: ({ name }) => ({ name: name ? undefined : 'schema.fieldRequired' }),
    fieldOf: { ERR_DUPLICATED_CONTACT: 'name' },
    ...(confirm ? { confirm } : {}),
    save: onSave,
    onSaved: onClose,
  })
  return (
    <FormDialog form={form} title="Tag" action="Salvar" onClose={onClose}>
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} />}
      </FormField>
      <FormField form={form} name="color">
        {field => <TextInput {...field} />}
      </FormField>
    </FormDialog>
  )
}
