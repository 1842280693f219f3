import { afterEach, describe, expect, test } from 'bun:test'
import { ApiError } from '../src/api/index.ts'
import { describeError } from '../src/i18n/index.ts'
import { notices } from '../src/kit/parts/toast.ts'
import { ImportDialog, type SheetDryRun } from '../src/kit/screens/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen, waitFor, within } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

afterEach(() => {
  cleanup()
  notices.list = []
})

describe('a sheet', () => {
  const looked: SheetDryRun = {
    ...{ heads: ['Nome'], sample: [['Padaria']], columns: ['name'], faults: [] },
    ...{ created: 1206, updated: 0, same: 0, wrong: 0 },
  }
  const dialog = (part: Partial<Parameters<typeof ImportDialog>[0]>) => (
    <ImportDialog
      title="Importar"
      columns={[{ id: 'name', label: 'Nome' }]}
      look={async () => looked}
      actionOf={count => `Importar ${count}`}
      begin={async () => undefined}
      onClose={() => undefined}
      {...part}
    />
  )
  const choose = (name: string) =>
    userEvent.upload(
      screen.getByLabelText('Escolher arquivo', { selector: 'input' }),
      new File(['x'], name),
      // A person can drop any file.
      { applyAccept: false },
    )

  test('of another kind is refused before anything is sent', async () => {
    const sent: string[] = []
    render(
      dialog({
        look: async file => {
          sent.push(file.name)
          return looked
        },
      }),
    )
    await choose('contatos.pdf')
    expect(screen.getByRole('alert').textContent).toBe(
      'Escolha uma planilha: .xlsx, .xls, .csv, .ods, .tsv, .txt ou .vcf.',
    )
    expect(sent).toEqual([])
  })

  test('that cannot be read says why, and nothing can be imported', async () => {
    render(
      dialog({ look: () => Promise.reject(new ApiError('ERR_FILE_TYPE', 422, 'Este tipo de arquivo não é aceito.')) }),
    )
    await choose('contatos.xlsx')
    expect((await screen.findByRole('alert')).textContent).toBe('Este tipo de arquivo não é aceito.')
    expect(screen.getByRole('button', { name: 'Importar 0' })).toHaveProperty('disabled', true)
  })

  test('shows what would come of it with its numbers as people write them', async () => {
    render(dialog({}))
    await choose('contatos.xlsx')
    expect(within(await screen.findByLabelText('O que vai acontecer')).getByText('1.206')).toBeTruthy()
  })

  test('is begun with the look at just this file, never with that at the one before', async () => {
    const begun: unknown[] = []
    let answer: (preview: SheetDryRun) => void = () => undefined
    const looks = [
      Promise.resolve(looked),
      new Promise<SheetDryRun>(resolve => {
        answer = resolve
      }),
    ]
    const preview = () => looks.shift() ?? Promise.resolve(looked)
    render(dialog({ look: preview, begin: async (file, columns) => begun.push([file.name, columns]) }))
    await choose('um.xlsx')
    await screen.findByRole('button', { name: 'Importar 1206' })
    await choose('dois.csv')
    expect(screen.getByRole('button', { name: 'Importar 0' })).toHaveProperty('disabled', true)
    await act(async () => answer({ ...looked, created: 7, columns: [null] }))
    await userEvent.click(screen.getByRole('button', { name: 'Importar 7' }))
    expect(begun).toEqual([['dois.csv', [null]]])
  })

  test('keeps a choice that is made while the one before is still being looked at', async () => {
    const choices: unknown[] = []
    const both = { ...looked, heads: ['A', 'B'], sample: [['Padaria', '31988214407']], columns: [null, null] }
    const columns = [
      { id: 'name', label: 'Nome' },
      { id: 'number', label: 'Número' },
    ]
    render(
      dialog({
        columns,
        look: (_, chosen) => {
          choices.push(chosen)
          return chosen === null ? Promise.resolve(both) : new Promise(() => undefined)
        },
      }),
    )
    await choose('contatos.xlsx')
    for (const [head, label] of [
      ['A', 'Nome'],
      ['B', 'Número'],
    ] as const) {
      const list = await screen.findByLabelText(`O que é a coluna ${head}`, {}, { timeout: 4000 })
      act(() => list.focus())
      await userEvent.keyboard('{ArrowDown}')
      await userEvent.click(await screen.findByText(label))
    }
    expect(choices).toEqual([null, ['name', null], ['name', 'number']])
    const shown = [...document.querySelectorAll('.p-dropdown-label')].map(({ textContent }) => textContent)
    expect(shown).toEqual(['Nome', 'Número'])
  })

  test('says of wrong rows where they stand and how, saves them, and asks whether to go on without them', async () => {
    const faults = Array.from({ length: 5 }, (_, n) => ({
      line: n + 2,
      field: 'Número',
      value: '3199',
      text: 'Curto.',
    }))
    const saved: unknown[] = []
    render(
      dialog({ look: async () => ({ ...looked, wrong: 5, total: 1211, faults }), errorsOf: () => () => saved.push(1) }),
    )
    await choose('contatos.xlsx')
    expect(within(await screen.findByLabelText('Com erro')).getAllByRole('listitem')).toHaveLength(3)
    expect(screen.getByText('Linha 2')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar as outras 2' }))
    expect(within(screen.getByLabelText('Com erro')).getAllByRole('listitem')).toHaveLength(5)
    await userEvent.click(screen.getByRole('button', { name: 'Baixar erros' }))
    expect(saved).toEqual([1])
    await userEvent.click(screen.getByRole('checkbox', { name: 'Importar sem as 5 linhas com erro' }))
    expect(screen.getByRole('button', { name: 'Importar 1206' })).toHaveProperty('disabled', true)
  })

  test('none of whose columns is known says so and what to do, with no figures of rows that nobody looked at', async () => {
    const fault = { line: 1, field: 'Nome', text: 'Coluna não encontrada.', isHeading: true }
    const nothing = { ...looked, columns: [null], created: 0, faults: [fault] }
    render(dialog({ look: async () => nothing }))
    await choose('contatos.xlsx')
    const notice = await screen.findByText(/^Nenhuma coluna foi reconhecida\. Escolha acima o que é cada uma/)
    expect(notice.closest('[role=status]')).toBeTruthy()
    expect(screen.queryByLabelText('O que vai acontecer')).toBeNull()
    expect(screen.queryByText('Coluna não encontrada.')).toBeNull()
    expect(screen.getByRole('button', { name: 'Importar 0' })).toHaveProperty('disabled', true)
  })

  test('that lacks a column says which, with no figures either', async () => {
    const fault = { line: 1, field: 'Número', text: 'Coluna não encontrada.', isHeading: true }
    render(dialog({ look: async () => ({ ...looked, created: 0, faults: [fault] }) }))
    await choose('contatos.xlsx')
    expect(await screen.findByText('Coluna não encontrada.')).toBeTruthy()
    expect(screen.queryByText(/^Nenhuma coluna/)).toBeNull()
    expect(screen.queryByLabelText('O que vai acontecer')).toBeNull()
  })

  test('whose import is refused stays open, with the reason', async () => {
    const closed: string[] = []
    render(
      dialog({ begin: () => Promise.reject(new ApiError('ERR_BUSY', 503, '')), onClose: () => closed.push('closed') }),
    )
    await choose('contatos.xlsx')
    await userEvent.click(await screen.findByRole('button', { name: 'Importar 1206' }))
    await waitFor(() =>
      expect(notices.list.map(({ text }) => text)).toEqual([describeError(new ApiError('ERR_BUSY', 503, ''))]),
    )
    expect(closed).toEqual([])
  })
})
