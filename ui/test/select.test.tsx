import { afterEach, expect, mock, test } from 'bun:test'
import { useState } from 'react'
import { changeLanguage } from '../src/i18n/index.ts'
import { Dialog, MultiSelect, Select } from '../src/kit/parts/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

afterEach(async () => {
  cleanup()
  await changeLanguage('pt')
})

test('a select opens and chooses with the keyboard and tells the chosen value', async () => {
  const user = userEvent.setup()
  const chosen: (number | null)[] = []
  const options = [
    { value: 1, label: 'Financeiro', color: '#d0702f' },
    { value: 2, label: 'Comercial' },
  ]
  render(<Select label="Fila" options={options} value={null} onChange={value => chosen.push(value)} />)
  const input = await screen.findByLabelText('Fila', {}, { timeout: 4000 })
  act(() => input.focus())
  await user.keyboard('{ArrowDown}')
  await screen.findByText('Comercial')
  await user.keyboard('{End}{Enter}')
  expect(chosen).toEqual([2])
})

test.each([
  ['few choices', 2],
  ['a search over many', 9],
])('Escape shuts an open list with %s, and only then the dialog around it', async (_, many) => {
  const user = userEvent.setup()
  const close = mock()
  const options = Array.from({ length: many }, (_, at) => ({ value: at, label: `Fila ${at}` }))
  render(
    <Dialog title="Transferir" onClose={close}>
      <Select label="Uma" options={options} value={null} onChange={() => undefined} />
      <MultiSelect label="Várias" options={options} value={[]} onChange={() => undefined} />
    </Dialog>,
  )
  for (const [at, name] of ['Uma', 'Várias'].entries()) {
    const input = await screen.findByLabelText(name, {}, { timeout: 30_000 })
    act(() => input.focus())
    await user.keyboard('{ArrowDown}')
    await screen.findByText('Fila 0')
    await user.keyboard('{Escape}')
    await waitFor(() =>
      expect([name, screen.queryByText('Fila 0') === null, close.mock.calls.length]).toEqual([name, true, at]),
    )
    expect(close).toHaveBeenCalledTimes(at)
    act(() => input.focus())
    await user.keyboard('{Escape}')
    expect(close).toHaveBeenCalledTimes(at + 1)
  }
})

test.each([
  ['one', { isComposing: true }],
  ['one', { keyCode: 229 }],
  ['several', { isComposing: true }],
  // Safari, after the end of the composition.
  ['several', { keyCode: 229 }],
])(
  'Enter of an input method chooses nothing of a list for %s, and its Escape does not shut it',
  async (many, parts) => {
    const user = userEvent.setup()
    const chosen: unknown[] = []
    const options = Array.from({ length: 9 }, (_, at) => ({ value: at, label: `Fila ${at}` }))
    render(
      many === 'one' ? (
        <Select label="Fila" options={options} value={null} onChange={value => chosen.push(value)} />
      ) : (
        <MultiSelect label="Fila" options={options} value={[]} onChange={values => chosen.push(...values)} />
      ),
    )
    const input = await screen.findByLabelText('Fila', {}, { timeout: 30_000 })
    act(() => input.focus())
    await user.keyboard('{ArrowDown}')
    await screen.findByText('Fila 0')
    const search = document.querySelector<HTMLInputElement>('.p-dropdown-filter, .p-multiselect-filter')
    act(() => search?.focus())
    await user.keyboard('fila 4')
    await waitFor(() => expect(screen.queryByText('Fila 3') === null).toBe(true))
    await user.keyboard('{ArrowDown}')
    for (const key of ['Enter', 'Escape'])
      act(() => {
        const event = new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true })
        for (const [part, value] of Object.entries(parts)) Object.defineProperty(event, part, { value })
        search?.dispatchEvent(event)
      })
    expect([chosen, screen.queryByText('Fila 4') !== null]).toEqual([[], true])
    await user.keyboard('{Enter}')
    expect(chosen).toEqual([4])
  },
)

test.each([
  ['few choices', 2],
  ['a search over many', 9],
])('Tab leaves an open list with %s for what comes next, and chooses nothing', async (_, many) => {
  const user = userEvent.setup()
  const chosen: unknown[] = []
  const options = Array.from({ length: many }, (_, at) => ({ value: at, label: `Fila ${at}` }))
  render(
    <>
      <Select label="Uma" options={options} value={null} onChange={value => chosen.push(value)} />
      <MultiSelect label="Várias" options={options} value={[]} onChange={values => chosen.push(values)} />
      <button type="button">Depois</button>
    </>,
  )
  for (const name of ['Uma', 'Várias']) {
    const input = await screen.findByLabelText(name, {}, { timeout: 30_000 })
    act(() => input.focus())
    await user.keyboard('{ArrowDown}')
    await screen.findByText('Fila 0')
    await user.tab()
    await waitFor(() => expect(screen.queryByText('Fila 0') === null).toBe(true))
  }
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Depois' }))
  expect(chosen).toEqual([])
})

const NINE = Array.from({ length: 9 }, (_, at) => ({ value: at, label: `Fila ${at}` }))
test.each([
  ['one', <Select key="one" label="Fila" options={NINE} value={null} onChange={() => undefined} />],
  ['several', <MultiSelect key="several" label="Fila" options={NINE} value={[3]} onChange={() => undefined} />],
])('in an open list of %s a choice is one thing to act on, and the search has a name', async (_, list) => {
  const user = userEvent.setup()
  render(list)
  act(() => screen.getByLabelText('Fila').focus())
  await user.keyboard('{ArrowDown}')
  await screen.findByText('Fila 8')
  const choices = [...document.querySelectorAll('li[role=option]')]
  expect(choices).toHaveLength(9)
  expect(
    choices.flatMap(choice => [...choice.querySelectorAll('input:not([type=hidden]), [tabindex="0"] [tabindex]')]),
  ).toEqual([])
  expect(document.querySelector('[role=searchbox], .p-dropdown-filter')?.getAttribute('aria-label')).toBe('Buscar')
})

function ChosenQueues({ labels, calls }: { readonly labels: readonly string[]; readonly calls: number[][] }) {
  const [value, setValue] = useState<number[]>([])
  const options = labels.map((label, at) => ({ value: at + 1, label }))
  function choose(next: number[]) {
    calls.push(next)
    setValue(next)
  }
  return (
    <>
      <MultiSelect label="Filas" options={options} value={value} onChange={choose} />
      <button type="button">Depois</button>
    </>
  )
}

test.each([
  ['the first of several, which stays when one goes on', ['Financeiro', 'Comercial'], '{ArrowDown} ', [1]],
  ['the only one there is', ['Financeiro'], '{ArrowDown} ', [1]],
  ['nothing where none is marked', ['Financeiro', 'Comercial'], ' ', []],
  ['the second', ['Financeiro', 'Comercial'], '{ArrowDown}{ArrowDown} ', [2]],
])('in a list of several choices keys choose %s', async (_, labels, keys, chosen) => {
  const user = userEvent.setup()
  const calls: number[][] = []
  render(<ChosenQueues labels={labels} calls={calls} />)
  const input = await screen.findByLabelText('Filas', {}, { timeout: 4000 })
  act(() => input.focus())
  await user.keyboard('{ArrowDown}')
  await screen.findByText('Financeiro')
  await user.keyboard(keys)
  expect(calls.at(-1) ?? []).toEqual(chosen)
  await user.tab()
  expect(calls.at(-1) ?? []).toEqual(chosen)
  expect(input.getAttribute('aria-expanded')).toBe('false')
})
