import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Pencil, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { addTexts } from '../src/i18n/index.ts'
import { Field, Toasts } from '../src/kit/parts/index.ts'
import { notices } from '../src/kit/parts/toast.ts'
import { DataCards } from '../src/kit/screens/DataCards.tsx'
import { DataTable } from '../src/kit/screens/DataTable.tsx'
import {
  CheckChips,
  ConfirmDanger,
  DateRange,
  type DayRange,
  FileField,
  FilterButton,
  FoldedSection,
  hasEnding,
  notifyWithUndo,
  type PickedRecipients,
  RecipientPicker,
  RowActions,
  SettingRow,
  useSelection,
} from '../src/kit/screens/index.ts'
import { MoreRows } from '../src/kit/screens/MoreRows.tsx'
import type { ListRow } from '../src/rows/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, fireEvent, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

beforeAll(() => addTexts('smallParts', { pt: {}, en: {}, es: {} }))
afterEach(() => {
  cleanup()
  notices.list = []
})

describe('the undo of what is done already', () => {
  test('is a button on its notice, which goes with it', async () => {
    const undone: string[] = []
    render(<Toasts />)
    act(() => notifyWithUndo('Contato apagado', () => undone.push('undone')))
    await userEvent.click(await screen.findByRole('button', { name: 'Desfazer' }))
    expect(undone).toEqual(['undone'])
    expect(screen.queryByText('Contato apagado')).toBeNull()
  })

  test('stands longer than a mere notice', () => {
    notifyWithUndo('Contato apagado', () => undefined)
    expect(notices.list[0]?.shownMs).toBe(8000)
  })
})

describe('danger', () => {
  test('happens once, however often the button is pressed, and stays open where something else is asked now', async () => {
    const messages: string[] = []
    let answer: (goOn: boolean) => void = () => undefined
    render(
      <ConfirmDanger
        title="Apagar?"
        action="Apagar"
        done="Apagado"
        onConfirm={() => {
          messages.push('asked')
          return new Promise(resolve => {
            answer = resolve
          })
        }}
        onDone={() => messages.push('done')}
        onClose={() => messages.push('closed')}
      />,
    )
    const button = screen.getByRole('button', { name: 'Apagar' })
    await userEvent.click(button)
    await userEvent.click(button)
    expect(messages).toEqual(['asked'])
    await act(async () => answer(false))
    expect(messages).toEqual(['asked'])
    await userEvent.click(button)
    await act(async () => answer(true))
    expect(messages).toEqual(['asked', 'asked', 'done', 'closed'])
    expect(notices.list.map(({ text }) => text)).toEqual(['Apagado'])
  })
})

test('a span of days is chosen by its name, or day by day', async () => {
  const chosen: DayRange[] = []
  const range = { from: '2026-11-01', to: '2026-11-22' }
  render(<DateRange value={range} onChange={days => chosen.push(days)} today="2026-11-22" />)
  await userEvent.click(screen.getByRole('button', { name: 'Período' }))
  expect(screen.getAllByRole('menuitemradio', { checked: true }).map(item => item.textContent)).toEqual(['Este mês'])
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Ontem' }))
  fireEvent.change(screen.getByLabelText('Até'), { target: { value: '2026-11-20' } })
  expect(chosen).toEqual([
    { from: '2026-11-21', to: '2026-11-21' },
    { from: '2026-11-01', to: '2026-11-20' },
  ])
})

describe('who gets a send', () => {
  test('spec 3 §4: choosing contacts clears tags, choosing tags clears contacts, all clears both; its warning always stands', async () => {
    const user = userEvent.setup()
    render(<WhoGets />)
    const chosen = () => JSON.parse(screen.getByTestId('chosen').textContent)
    expect(screen.getByText('Muitos podem bloquear o número.')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /^Contatos escolhidos/ }))
    // Looking at another way alone loses nothing.
    expect(chosen()).toMatchObject({ by: 'contacts', tagIds: [4] })
    await user.type(screen.getByRole('combobox', { name: 'Contatos' }), 'pad')
    await user.click(await screen.findByRole('option', { name: 'Padaria' }))
    expect(chosen()).toMatchObject({ contacts: [{ id: 1 }], tagIds: [] })
    await user.click(screen.getByRole('radio', { name: /^Todos os contatos/ }))
    expect(chosen()).toEqual({ by: 'all', contacts: [], tagIds: [] })
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(screen.getByText('Muitos podem bloquear o número.')).toBeTruthy()
  })
})

test('a file is chosen, changed and taken away; its ending decides, whatever the capitals', async () => {
  render(<AFile />)
  await userEvent.upload(screen.getByLabelText('Escolher arquivo', { selector: 'input' }), new File(['x'], 'a.PDF'))
  expect(screen.getByText('a.PDF')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Arquivo' }).textContent).toBe('Trocar arquivo')
  await userEvent.click(screen.getByRole('button', { name: 'Remover arquivo' }))
  expect(screen.getByText('Nenhum arquivo escolhido')).toBeTruthy()
  expect([hasEnding('a.PDF', ['pdf']), hasEnding('pdf', ['pdf']), hasEnding('a.pdf.exe', ['pdf'])]).toEqual([
    true,
    false,
    false,
  ])
})

test('a filter says what it shows, and has a cross', async () => {
  render(<ByTag />)
  await userEvent.click(screen.getByRole('button', { name: 'Tag' }))
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'VIP' }))
  expect(screen.getByRole('button', { name: 'Tag: VIP' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Tirar o filtro Tag' }))
  expect(screen.getByRole('button', { name: 'Tag' })).toBeTruthy()
})

test('some of a few keep their order, however they are pressed', async () => {
  render(<WorkingDays />)
  for (const name of ['Quarta', 'Segunda', 'Terça', 'Quarta'])
    await userEvent.click(screen.getByRole('checkbox', { name }))
  expect(screen.getByTestId('chosen').textContent).toBe('1,2')
})

test('a folded part opens when something in it has to be filled in, and stays as the person left it', () => {
  const part = (open: boolean) => (
    <FoldedSection title="Mensagens" open={open}>
      <p>Saudação</p>
    </FoldedSection>
  )
  const { container, rerender } = render(part(false))
  const isOpen = () => container.querySelector('details')?.open
  expect(isOpen()).toBe(false)
  rerender(part(true))
  expect(isOpen()).toBe(true)
  rerender(part(false))
  expect(isOpen()).toBe(true)
})

test('a setting names its control, marks what was searched, and shows its dry run before anything is written', async () => {
  const pressed: string[] = []
  const row = (more: object) => (
    <SettingRow
      name="Ver tudo"
      hint="Atendentes veem os tickets dos colegas."
      marked={['tudo']}
      dryRun={{
        text: '12 pessoas passam a ver mais.',
        action: 'Mudar',
        onKeep: () => pressed.push('keep'),
        onChange: () => pressed.push('change'),
        ...more,
      }}
    >
      {ids => <button type="button" role="switch" aria-checked={false} {...ids} />}
    </SettingRow>
  )
  const { rerender } = render(row({}))
  const control = screen.getByRole('switch', { name: 'Ver tudo' })
  const hint = document.getElementById(control.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toBe('Atendentes veem os tickets dos colegas.')
  expect(document.querySelector('mark')?.textContent).toBe('tudo')
  expect(screen.queryByRole('button', { name: 'Ver quem' })).toBeNull()
  rerender(row({ people: 'Bruna passa a ver 9' }))
  expect(screen.queryByText('Bruna passa a ver 9')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Ver quem' }))
  screen.getByText('Bruna passa a ver 9')
  await userEvent.click(screen.getByRole('button', { name: 'Deixar como está' }))
  await userEvent.click(screen.getByRole('button', { name: 'Mudar' }))
  expect(pressed).toEqual(['keep', 'change'])
})

describe('what can be done to a row', () => {
  const means = {
    row: { id: 1 },
    name: 'Ana',
    labelOf: (id: string, name: string) => `${id} ${name}`,
    wordOf: (id: string) => id,
  }

  test('keeps its slot where it cannot be done to this one; a word leaves none', () => {
    const { container } = render(
      <RowActions
        {...means}
        actions={[
          { id: 'edit', icon: Pencil, when: () => false, perform: () => undefined },
          { id: 'remove', icon: Trash2, perform: () => undefined },
          { id: 'accept', icon: Tag, isWord: true, when: () => false, perform: () => undefined },
        ]}
      />,
    )
    expect(screen.getAllByRole('button').map(button => button.getAttribute('aria-label'))).toEqual(['remove Ana'])
    expect(container.firstElementChild?.children).toHaveLength(2)
  })

  test('stands behind three dots where there is no room, with what can be done alone', async () => {
    const done: string[] = []
    render(
      <RowActions
        {...means}
        folded
        actions={[
          { id: 'edit', icon: Pencil, perform: () => done.push('edit') },
          { id: 'remove', icon: Trash2, when: () => false, perform: () => undefined },
        ]}
      />,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Mais opções de Ana' }))
    expect(screen.getAllByRole('menuitem').map(item => item.textContent)).toEqual(['edit Ana'])
    await userEvent.click(screen.getByRole('menuitem', { name: 'edit Ana' }))
    expect(done).toEqual(['edit'])
  })
})

describe('rows on a phone', () => {
  test('a finger that rests chooses; from then on a tap does, but not on a button', async () => {
    const pressed: string[] = []
    render(<Cards onPress={name => pressed.push(name)} />)
    const [ana, bia] = screen.getAllByRole('listitem')
    if (!ana || !bia) throw new Error('two rows were wanted')
    fireEvent.click(bia)
    expect(chosen()).toBe('')
    fireEvent.pointerDown(ana)
    await waitFor(() => expect(chosen()).toBe('1'))
    // The finger goes up: that is no tap that would let go of it again.
    fireEvent.pointerUp(ana)
    fireEvent.click(ana)
    expect(chosen()).toBe('1')
    fireEvent.pointerDown(bia)
    fireEvent.pointerUp(bia)
    fireEvent.click(bia)
    expect(chosen()).toBe('1,2')
    fireEvent.click(screen.getByRole('button', { name: 'Editar Bia' }))
    expect([chosen(), pressed]).toEqual(['1,2', ['Bia']])
  })
})

describe('the end of a list that goes on', () => {
  let comeNear: () => void = () => undefined
  const known = globalThis.IntersectionObserver
  beforeEach(() => {
    // The one thing that the browser must tell: that the end is near.
    globalThis.IntersectionObserver = class extends known {
      constructor(callback: IntersectionObserverCallback) {
        super(callback)
        comeNear = () => Reflect.apply(callback, this, [[{ isIntersecting: true }]])
      }
    }
  })
  afterEach(() => {
    globalThis.IntersectionObserver = known
  })

  test('fetches when it comes near, says that it does, and offers another try where it failed', async () => {
    let requests = 0
    const { rerender } = render(<MoreRows state="idle" onMore={() => requests++} />)
    act(() => comeNear())
    expect(requests).toBe(1)
    rerender(<MoreRows state="loading" onMore={() => requests++} />)
    expect(screen.getByRole('status').textContent).toBe('Mais linhas chegando…')
    rerender(<MoreRows state="failed" onMore={() => requests++} />)
    await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(requests).toBe(2)
  })
})

function WhoGets() {
  const [value, setValue] = useState<PickedRecipients>({ by: 'tags', contacts: [], tagIds: [4] })
  const warning = { title: 'Muitos podem bloquear o número.', text: 'Escolha uma tag.' }
  return (
    <>
      <RecipientPicker {...{ value, warning }} onChange={setValue} find={bakeries} tags={[]} />
      <output data-testid="chosen">{JSON.stringify(value)}</output>
    </>
  )
}

async function bakeries() {
  return [{ id: 1, name: 'Padaria' }]
}

function AFile() {
  const [file, setFile] = useState<File | string | null>(null)
  return (
    <Field label="Arquivo">
      <FileField value={file} onChange={setFile} />
    </Field>
  )
}

function ByTag() {
  const [tag, setTag] = useState<number | null>(null)
  return <FilterButton label="Tag" options={[{ value: 1, label: 'VIP' }]} value={tag} onChange={setTag} />
}

function WorkingDays() {
  const [days, setDays] = useState<readonly number[]>([])
  const options = ['Segunda', 'Terça', 'Quarta'].map((label, index) => ({ value: index + 1, label }))
  return (
    <>
      <CheckChips label="Dias" options={options} value={days} onChange={setDays} />
      <span data-testid="chosen">{days.join()}</span>
    </>
  )
}

test('a card unfolds below itself what its row has more to say', () => {
  const belowOf = ({ name }: Person) => name === 'Bia' && <p>Mais de {name}</p>
  render(<DataCards label="Pessoas" rows={PEOPLE} cardOf={({ name }) => ({ title: name })} belowOf={belowOf} />)
  expect(screen.getAllByRole('listitem').map(one => one.textContent)).toEqual(['Ana', 'Bia', 'Mais de Bia'])
})

test('a table has room for all its icons; a wide one keeps them in sight, with their head', () => {
  const columns = [{ id: 'name', cell: ({ name }: Person) => name }]
  const table = { label: 'Pessoas', rows: PEOPLE, columns, headOf: () => 'Nome', nameOf: ({ name }: Person) => name }
  const { container, rerender } = render(<DataTable {...table} icons={4} actionsOf={() => 'Editar'} />)
  expect(container.querySelectorAll('col')[1]?.style.width).toBe('152px')
  rerender(<DataTable {...table} icons={4} isWide actionsOf={() => 'Editar'} />)
  expect(container.querySelectorAll('col')[1]?.style.width).toBe('')
  const sticky = [...container.querySelectorAll('.sticky')].map(one => one.textContent)
  expect(sticky).toEqual(['Ações', 'Editar', 'Editar'])
})

test('what cannot be done to a row keeps its slot, so that the others stand in their columns', () => {
  const actions = ['open', 'write'].map(id => ({ id, icon: Pencil, when: () => id === 'open', perform: () => {} }))
  const words = { labelOf: (id: string) => id, wordOf: (id: string) => id }
  const { container } = render(<RowActions row={PEOPLE[0]} name="Ana" actions={actions} {...words} />)
  expect(container.querySelector('span > span:last-child')?.className).toBe('size-7 flex-none')
})

test('what a card says beside its title is written as small as the rest of it', () => {
  render(<DataCards label="Pessoas" rows={PEOPLE} cardOf={({ name }) => ({ title: name, note: `Todos de ${name}` })} />)
  expect(screen.getByText('Todos de Ana').className).toContain('text-cell')
})

interface Person extends ListRow {
  readonly name: string
}

const PEOPLE: readonly Person[] = ['Ana', 'Bia'].map((name, index) => ({ id: index + 1, version: 1, name }))

function Cards({ onPress }: { readonly onPress: (name: string) => void }) {
  const selection = useSelection(PEOPLE, PEOPLE)
  return (
    <>
      <DataCards
        label="Pessoas"
        rows={PEOPLE}
        cardOf={({ name }) => ({ title: name })}
        actionsOf={({ name }) => (
          <button type="button" onClick={() => onPress(name)}>
            Editar {name}
          </button>
        )}
        selection={selection}
      />
      <span data-testid="chosen">{[...selection.ids].join()}</span>
    </>
  )
}

function chosen() {
  return screen.getByTestId('chosen').textContent
}
