import { afterEach, describe, expect, test } from 'bun:test'
import type { Job } from '@balcao/contract'
import { type FormEvent, useRef, useState } from 'react'
import { Field } from '../src/kit/parts/index.ts'
import {
  ColorField,
  DateRange,
  getUsualPeriods,
  ImportDialog,
  JobProgress,
  type Pick,
  Picker,
  RowsField,
  type SheetDryRun,
  TOO_SHORT,
} from '../src/kit/screens/index.ts'
import { useEarlyPicks } from '../src/kit/screens/use-early-picks.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, fireEvent, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

afterEach(cleanup)

describe('rows in order', () => {
  test('Alt and the arrows move a row, the order is said, and a locked row stays at its end', async () => {
    const user = userEvent.setup()
    render(<Order />)
    screen.getByRole('textbox', { name: 'Preço' }).focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(order()).toEqual(['Preço', 'Horário', 'Sair'])
    expect(screen.getByText('Preço agora é o 1º de 2')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Preço' }))
    // Not a frame later: the next key would go to the page.
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Preço' }), { key: 'ArrowDown', altKey: true })
    expect([order()[1], document.activeElement]).toEqual(['Preço', screen.getByRole('textbox', { name: 'Preço' })])
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Preço' }), { key: 'ArrowUp', altKey: true })
    expect([order()[0], document.activeElement]).toEqual(['Preço', screen.getByRole('textbox', { name: 'Preço' })])
    await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}')
    expect(order()).toEqual(['Horário', 'Preço', 'Sair'])
    screen.getByRole('textbox', { name: 'Sair' }).focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(order()).toEqual(['Horário', 'Preço', 'Sair'])
  })

  test('a row is dragged, taken away, added', async () => {
    render(<Order />)
    const rows = screen.getAllByRole('listitem')
    fireEvent.dragStart(screen.getByRole('button', { name: 'Mover Preço' }))
    fireEvent.drop(rows[0] ?? document.body)
    expect(order()).toEqual(['Preço', 'Horário', 'Sair'])
    await userEvent.click(screen.getByRole('button', { name: 'Tirar Horário' }))
    await userEvent.click(screen.getByRole('button', { name: 'Adicionar' }))
    expect(order()).toEqual(['Preço', 'Sair', 'Nova'])
  })
})

describe('picking among many', () => {
  test('what is found is walked with the arrows, taken with Enter, and let go with Backspace', async () => {
    const user = userEvent.setup()
    render(<Contacts many />)
    const field = screen.getByRole('combobox', { name: 'Contatos' })
    await user.type(field, 'pad')
    await screen.findByRole('option', { name: 'Padaria Estrela' })
    await user.keyboard('{ArrowDown}{Enter}')
    expect(screen.getByText('Padaria Nova Lima')).toBeTruthy()
    await user.type(field, 'pad')
    expect((await screen.findAllByRole('option')).map(option => option.textContent)).toEqual(['Padaria Estrela'])
    await user.keyboard('{Escape}{Backspace}')
    expect(screen.queryByText('Padaria Nova Lima')).toBeNull()
  })

  test('one that is wanted once leaves no field behind', async () => {
    const user = userEvent.setup()
    render(<Contacts />)
    await user.type(screen.getByRole('combobox'), 'pad')
    await user.click(await screen.findByRole('option', { name: 'Padaria Estrela' }))
    expect(screen.queryByRole('combobox')).toBeNull()
    // Who works with keys is still where they were, and an Enter too many takes nothing back.
    const picked = screen.getByRole('listitem')
    expect(document.activeElement).toBe(picked)
    await user.keyboard('{Enter}{Tab}{Enter}')
    expect(document.activeElement).toBe(screen.getByRole('combobox'))
  })

  test('too few letters to search are told as that, also where they were sent off', async () => {
    const user = userEvent.setup()
    const early = Promise.withResolvers<void>()
    const find = (text: string) => (text === 'Li' ? early.promise : Promise.resolve()).then(() => TOO_SHORT)
    render(<Audience many find={find} onSend={() => undefined} />)
    await user.type(screen.getByRole('combobox'), 'Jô')
    expect(await screen.findByText('Digite pelo menos 3 caracteres')).toBeTruthy()
    await user.clear(screen.getByRole('combobox'))
    await user.type(screen.getByRole('combobox'), 'Li{Enter}Lú')
    early.resolve()
    expect(await screen.findByText('Li: Digite pelo menos 3 caracteres')).toBeTruthy()
    expect(screen.queryByText(/Nada encontrado/)).toBeNull()
  })

  test('words that are not chosen stay when the field is left, and the form waits for what becomes of them', async () => {
    const user = userEvent.setup()
    const sent: string[] = []
    render(<Audience many find={findByName} onSend={names => sent.push(names)} />)
    const field = screen.getByRole('combobox')
    await user.type(field, 'nova')
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect([sent, (field as HTMLInputElement).value, document.activeElement === field]).toEqual([[], 'nova', true])
    expect(screen.getByText('Escolha um da lista ou apague o que escreveu.')).toBeTruthy()
    await user.click(await screen.findByRole('option', { name: 'Padaria Nova Lima' }))
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect(sent).toEqual(['Padaria Nova Lima'])
    await user.type(field, 'estr')
    await user.tab()
    expect(screen.queryByRole('option')).toBeNull()
    await user.clear(field)
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect(sent).toHaveLength(2)
  })

  test.each(['{Escape}', '{Enter}'])(
    'nothing is left to be cleared once %s took the words from the field',
    async key => {
      const user = userEvent.setup()
      const found = Promise.withResolvers<readonly Pick[]>()
      render(<Audience many find={() => found.promise} onSend={() => undefined} />)
      const field = screen.getByRole('combobox')
      await user.type(field, 'nova')
      await user.click(screen.getByRole('button', { name: 'Enviar' }))
      expect(screen.getByText('Escolha um da lista ou apague o que escreveu.')).toBeTruthy()
      if (key === '{Escape}') await act(async () => found.resolve(BAKERIES))
      if (key === '{Escape}') await screen.findAllByRole('option')
      await user.keyboard(key)
      expect(field).toHaveProperty('value', '')
      expect(screen.queryByText('Escolha um da lista ou apague o que escreveu.')).toBeNull()
    },
  )

  test('a search that does not answer says so', async () => {
    render(<Picker value={[]} onChange={() => undefined} find={() => Promise.reject(new Error('no line'))} />)
    await userEvent.type(screen.getByRole('combobox'), 'pad')
    expect(await screen.findByText('A busca não respondeu. Digite de novo.')).toBeTruthy()
  })

  test('names sent off before anybody is found are each looked for, and the form waits for them', async () => {
    const user = userEvent.setup()
    const sent: string[] = []
    const bakeries = Promise.withResolvers<void>()
    render(<Audience many find={text => bakeries.promise.then(() => findByName(text))} onSend={n => sent.push(n)} />)
    await user.type(screen.getByRole('combobox'), 'nova{Enter}estr{Enter}{Enter}')
    expect([screen.getByText('nova'), screen.getByText('estr'), sent]).toMatchObject([{}, {}, []])
    bakeries.resolve()
    await waitFor(() => expect(sent).toEqual(['Padaria Nova Lima, Padaria Estrela']))
  })

  test('Enter takes whom the letters mean, before and after they are found', async () => {
    const user = userEvent.setup()
    const sent: string[] = []
    const found = ['Adriana', 'Ana', 'Mariana'].map((name, id) => ({ id, name }))
    render(<Audience many find={async () => found} onSend={names => sent.push(names)} />)
    await user.type(screen.getByRole('combobox'), 'ana{Enter}')
    await screen.findByText('Ana')
    await user.type(screen.getByRole('combobox'), 'mari')
    await screen.findByRole('option', { name: 'Mariana' })
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect(sent).toEqual(['Ana, Mariana'])
  })

  test('where one finds nobody its name is in the field again, and nothing is sent', async () => {
    const user = userEvent.setup()
    const sent: string[] = []
    render(<Audience many find={findByName} onSend={names => sent.push(names)} />)
    await user.type(screen.getByRole('combobox'), 'nova{Enter}açougue{Enter}{Enter}')
    await waitFor(() => expect(screen.getByRole('combobox')).toHaveProperty('value', 'açougue'))
    expect(screen.getByText('Padaria Nova Lima')).toBeTruthy()
    expect(sent).toEqual([])
  })

  test('a form sent in the moment in which one finds nobody is not sent', async () => {
    const user = userEvent.setup()
    const sent: string[] = []
    render(<Hasty onSend={() => sent.push('sent')} />)
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect(await screen.findByText('missed')).toBeTruthy()
    expect(sent).toEqual([])
  })

  test('one that is wanted once is sent off too, and comes back where it finds nobody', async () => {
    const user = userEvent.setup()
    const sent: string[] = []
    const bakeries = Promise.withResolvers<void>()
    render(<Audience find={text => bakeries.promise.then(() => findByName(text))} onSend={n => sent.push(n)} />)
    await user.type(screen.getByRole('combobox'), 'açougue{Enter}')
    expect(screen.queryAllByRole('combobox')).toHaveLength(0)
    bakeries.resolve()
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('combobox'))
    await user.clear(screen.getByRole('combobox'))
    await user.type(screen.getByRole('combobox'), 'estr{Enter}')
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    await waitFor(() => expect(sent).toEqual(['Padaria Estrela']))
  })
})

test('a colour that another one has is not offered', () => {
  render(<ColorField value="#2C53A4" onChange={() => undefined} taken={['#1F8FB5']} />)
  expect(screen.getByRole('button', { name: '#2c53a4' }).getAttribute('aria-pressed')).toBe('true')
  expect(screen.queryByRole('button', { name: '#1f8fb5' })).toBeNull()
})

test('the usual spans of days, over the ends of months and years', () => {
  expect(getUsualPeriods('2027-01-03')).toEqual({
    today: { from: '2027-01-03', to: '2027-01-03' },
    yesterday: { from: '2027-01-02', to: '2027-01-02' },
    week: { from: '2026-12-28', to: '2027-01-03' },
    month: { from: '2027-01-01', to: '2027-01-03' },
    lastMonth: { from: '2026-12-01', to: '2026-12-31' },
  })
  render(<DateRange value={{ from: '2026-11-22', to: '2026-11-01' }} onChange={() => undefined} today="2026-11-22" />)
  expect(screen.getByRole('alert').textContent).toBe('O começo vem depois do fim.')
})

describe('a sheet', () => {
  test('is looked at first, looked at anew with other columns, and imported with its number on the button', async () => {
    const begun: unknown[] = []
    const requests: unknown[] = []
    const preview = async (_: File, columns: readonly (string | null)[] | null): Promise<SheetDryRun> => {
      requests.push(columns)
      const counts = { created: 7000, updated: 944, same: 449, wrong: 1 }
      const faults = [{ line: 12, text: 'Número com 7 dígitos' }]
      return { heads: ['Nome', 'Fone'], sample: [['Padaria', '31 9']], columns: ['name', null], ...counts, faults }
    }
    render(
      <ImportDialog
        title="Importar contatos"
        columns={[{ id: 'name', label: 'Nome' }]}
        look={preview}
        actionOf={count => `Importar ${count} contatos`}
        begin={async (file, columns) => begun.push([file.name, columns])}
        onClose={() => begun.push('closed')}
      />,
    )
    const button = () => screen.getByRole('button', { name: /^Importar/ })
    expect(button()).toHaveProperty('disabled', true)
    await userEvent.upload(screen.getByLabelText('Escolher arquivo', { selector: 'input' }), new File(['x'], 'a.xlsx'))
    expect(await screen.findByText('Linha 12: Número com 7 dígitos')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Importar 7944 contatos' }))
    await waitFor(() => expect(begun).toEqual([['a.xlsx', ['name', null]], 'closed']))
    expect(requests).toEqual([null])
  })
})

describe('long work', () => {
  test.each([
    [makeJob({ state: 'waiting' }), 'Na vez', 'Parar'],
    [makeJob({ state: 'running', done: 3120, total: 8400 }), 'Em andamento · 3.120 de 8.400', 'Parar'],
    [makeJob({ state: 'done', result: left({ name: 'contatos.xlsx' }) }), 'Pronta', 'Baixar contatos.xlsx'],
    [
      makeJob({ state: 'done', result: left({ name: 'erros.xlsx', counts: { failed: 7 } }) }),
      'Pronta, com erros · 7 com erro',
      'Baixar erros.xlsx',
    ],
    [makeJob({ state: 'failed', error: 'ERR_NO_SPACE' }), 'Parou · O servidor está sem espaço para arquivos', null],
  ])('says how it stands: %#', (job, words, button) => {
    const { container } = render(<JobProgress job={job} onCancel={() => undefined} onDownload={() => undefined} />)
    expect(container.textContent).toContain(words)
    expect(
      screen.queryByRole('button')?.getAttribute('aria-label') ?? screen.queryByRole('button')?.textContent ?? null,
    ).toBe(button)
  })
})

test('long work tells what came of it, also while it goes on, and gives the rows that it left out', async () => {
  const counts = { created: 6842, updated: 1, failed: 4 }
  const job = makeJob({ state: 'running', done: 7, total: 8, result: left({ counts }) })
  const received: unknown[] = []
  const { container, rerender } = render(<JobProgress job={job} onErrors={one => received.push(one.id)} />)
  expect(container.textContent).toContain('7 de 8 · 6.842 novos · 1 atualizado · 4 com erro')
  await userEvent.click(screen.getByRole('button', { name: 'Baixar erros' }))
  expect(received).toEqual([job.id])
  // They are kept for a day.
  const ended = { ...job, state: 'done' as const, endedAt: '2020-01-01T00:00:00.000Z' }
  rerender(<JobProgress job={ended} onErrors={one => received.push(one.id)} />)
  expect(screen.queryByRole('button')).toBeNull()
})

interface Question {
  readonly id: number
  readonly name: string
}

function Order() {
  const [rows, setRows] = useState<readonly Question[]>([
    { id: 1, name: 'Horário' },
    { id: 2, name: 'Preço' },
    { id: 99, name: 'Sair' },
  ])
  return (
    <RowsField
      ordered
      label="Perguntas"
      rows={rows}
      onChange={setRows}
      nameOf={row => row.name}
      isLocked={row => row.id === 99}
      add={{ label: 'Adicionar', make: () => ({ id: 3, name: 'Nova' }) }}
      draw={(row, change) => (
        <input aria-label={row.name} value={row.name} onChange={event => change({ name: event.target.value })} />
      )}
    />
  )
}

function order() {
  return screen.getAllByRole('textbox').map(field => field.getAttribute('aria-label'))
}

const BAKERIES: readonly Pick[] = [
  { id: 1, name: 'Padaria Estrela' },
  { id: 2, name: 'Padaria Nova Lima' },
]

function Contacts({ many }: { readonly many?: boolean }) {
  const [value, setValue] = useState<readonly Pick[]>([])
  return (
    <Field label="Contatos">
      <Picker many={many} value={value} onChange={setValue} find={findBakeries} />
    </Field>
  )
}

interface AudienceProps {
  readonly many?: boolean
  readonly find: (text: string) => Promise<readonly Pick[]>
  readonly onSend: (names: string) => void
}

function Audience({ many, find, onSend }: AudienceProps) {
  const [value, setValue] = useState<readonly Pick[]>([])
  function send(event: FormEvent) {
    event.preventDefault()
    onSend(value.map(({ name }) => name).join(', '))
  }
  return (
    <form onSubmit={send}>
      <Picker many={many} value={value} onChange={setValue} find={find} />
      <button type="submit">Enviar</button>
    </form>
  )
}

/** Somebody presses Enter once more before it is drawn that nobody was found. */
function Hasty({ onSend }: { readonly onSend: () => void }) {
  const box = useRef<HTMLFormElement>(null)
  const [missed, setMissed] = useState('')
  const { add } = useEarlyPicks(box, {
    find: findByName,
    take: () => false,
    miss() {
      setMissed('missed')
      box.current?.requestSubmit()
    },
  })
  return (
    <form ref={box} onSubmit={onSend}>
      {missed}
      <button type="button" onClick={() => add('açougue')}>
        Enviar
      </button>
    </form>
  )
}

async function findByName(text: string) {
  return BAKERIES.filter(({ name }) => name.toLowerCase().includes(text))
}

async function findBakeries() {
  return BAKERIES
}

function makeJob(part: Partial<Job>): Job {
  const times = { createdAt: '2026-11-22T12:00:00.000Z', endedAt: null }
  const nothing = { about: null, done: 0, total: null, result: null, error: null }
  return { id: 1, kind: 'contacts.import', userId: 1, state: 'waiting', version: 1, ...nothing, ...times, ...part }
}

function left(part: Partial<NonNullable<Job['result']>>): NonNullable<Job['result']> {
  return { url: null, expiresAt: null, name: null, counts: {}, ...part }
}
