import { afterEach, expect, mock, test } from 'bun:test'
import path from 'node:path'
import { useState } from 'react'
import {
  addTexts,
  changeLanguage,
  formatDate,
  formatDateTime,
  formatListTime,
  formatMoment,
  setTimezone,
  useTexts,
} from '../src/i18n/index.ts'
import {
  Avatar,
  Badge,
  Button,
  Chips,
  ConfirmDialog,
  Dialog,
  Field,
  getInitials,
  Menu,
  MultiSelect,
  PasswordInput,
  RemoteArea,
  Select,
  Tabs,
  TextInput,
  Ticks,
  Toasts,
  toast,
} from '../src/kit/parts/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { cleanup, fireEvent, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

afterEach(async () => {
  cleanup()
  await changeLanguage('pt')
})

test('a dialog takes the focus, keeps it inside, and gives it back when Escape closes it', async () => {
  const user = userEvent.setup()
  render(<WithDialog />)
  await user.click(screen.getByRole('button', { name: 'Abrir' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Nome'))
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Salvar' }))
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Fechar' }))
  await user.tab({ shift: true })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Salvar' }))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Abrir' }))
})

test('Escape closes only the dialog on top', async () => {
  const user = userEvent.setup()
  const outer = mock()
  const inner = mock()
  render(
    <>
      <Dialog title="Fora" onClose={outer} />
      <ConfirmDialog title="Dentro" action="Apagar" onConfirm={() => undefined} onClose={inner} />
    </>,
  )
  await user.keyboard('{Escape}')
  expect([outer.mock.calls.length, inner.mock.calls.length]).toEqual([0, 1])
})

test('a press beside a dialog closes it, but throws no filled form away', async () => {
  const user = userEvent.setup()
  const close = mock()
  const form = (
    <Dialog title="Contato" onClose={close} onSubmit={() => undefined}>
      <input aria-label="Nome" />
    </Dialog>
  )
  const { rerender } = render(form)
  const scrim = () => screen.getByRole('dialog').parentElement ?? document.body
  // Who opens it by a double click presses beside it with the second one.
  fireEvent.mouseDown(scrim(), { detail: 2 })
  expect(close).not.toHaveBeenCalled()
  await user.pointer({ keys: '[MouseLeft]', target: scrim() })
  expect(close).toHaveBeenCalledTimes(1)
  rerender(form)
  await user.type(screen.getByLabelText('Nome'), 'Elisa')
  await user.pointer({ keys: '[MouseLeft]', target: scrim() })
  expect(close).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(screen.getByLabelText('Nome'))
  await user.keyboard('{Escape}')
  expect(close).toHaveBeenCalledTimes(2)
})

test('a form whose button is busy is sent by no second press and no second Enter', async () => {
  const user = userEvent.setup()
  const send = mock()
  const form = (busy: boolean) => (
    <Dialog
      title="Fila"
      onClose={() => undefined}
      onSubmit={send}
      footer={
        <Button type="submit" busy={busy}>
          Salvar
        </Button>
      }
    >
      <input aria-label="Nome" />
    </Dialog>
  )
  const { rerender } = render(form(false))
  await user.type(screen.getByLabelText('Nome'), '{Enter}')
  rerender(form(true))
  await user.type(screen.getByLabelText('Nome'), '{Enter}')
  await user.click(screen.getByRole('button', { name: 'Salvar' }))
  expect(send.mock.calls.length).toBe(1)
})

test('a confirmation starts on the harmless button, unless who asked for it by hand means it', () => {
  render(<ConfirmDialog title="Apagar?" action="Apagar" onConfirm={() => undefined} onClose={() => undefined} />)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancelar' }))
  cleanup()
  render(<ConfirmDialog title="Apagar?" action="Apagar" ready onConfirm={() => undefined} onClose={() => undefined} />)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Apagar' }))
})

test('look-2 §3: where nothing is lost, Enter does what is asked; where the verb is to cancel, the other button has words of its own', () => {
  const question = { action: 'Cancelar envio', keep: 'Deixar como está', onConfirm() {}, onClose() {} }
  render(<ConfirmDialog title="Cancelar?" danger={false} {...question} />)
  const yes = screen.getByRole('button', { name: 'Cancelar envio' })
  expect(document.activeElement).toBe(yes)
  screen.getByRole('button', { name: 'Deixar como está' })
  // The Enter that led here, held down, is no answer.
  expect([true, false].map(repeat => fireEvent.keyDown(yes, { key: 'Enter', repeat }))).toEqual([false, true])
})

test('a menu opens, moves with the arrows and letters, and chooses with Enter', async () => {
  const user = userEvent.setup()
  const chosen: string[] = []
  const item = (id: string, label: string) => ({ id, label, onChoose: () => chosen.push(id) })
  render(
    <Menu
      label="Mais"
      items={[item('reply', 'Responder'), 'line', item('edit', 'Editar'), item('delete', 'Apagar')]}
      button={props => <Button {...props}>Abrir</Button>}
    />,
  )
  const button = screen.getByRole('button', { name: 'Abrir' })
  await user.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement?.textContent).toBe('Responder')
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement?.textContent).toBe('Apagar')
  await user.keyboard('e{Enter}')
  expect(chosen).toEqual(['edit'])
  expect(screen.queryByRole('menu')).toBeNull()
})

test('arrows walk the tabs and only the chosen one is in the tab order', async () => {
  const user = userEvent.setup()
  render(<ThreeTabs />)
  screen.getByRole('tab', { name: 'Abertos' }).focus()
  await user.keyboard('{ArrowLeft}')
  const last = screen.getByRole('tab', { name: 'Pausados' })
  expect([document.activeElement, last.getAttribute('aria-selected')]).toEqual([last, 'true'])
  expect(screen.getAllByRole('tab').map(tab => tab.tabIndex)).toEqual([-1, -1, 0])
})

test('a field carries its label, its hint and its error to the control', () => {
  render(
    <Field label="Nome" hint="Como aparece" error="Curto demais">
      <TextInput value="" onChange={() => undefined} />
    </Field>,
  )
  const input = screen.getByLabelText('Nome')
  const described = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map(id => document.getElementById(id)?.textContent)
  expect([described, input.getAttribute('aria-invalid')]).toEqual([['Curto demais', 'Como aparece'], 'true'])
})

test('a list of choices carries its error too: there the form that was refused leads', async () => {
  const options = [{ value: 1, label: 'Financeiro' }]
  render(
    <>
      <Field label="Fila" error="Escolha uma fila">
        <Select options={options} value={null} onChange={() => undefined} />
      </Field>
      <Field label="Tags" error="Escolha quem recebe">
        <MultiSelect options={options} value={[]} onChange={() => undefined} />
      </Field>
    </>,
  )
  for (const name of ['Fila', 'Tags']) {
    const input = await screen.findByLabelText(name, {}, { timeout: 30_000 })
    expect({ name, invalid: input.getAttribute('aria-invalid') }).toEqual({ name, invalid: 'true' })
  }
})

test('a password is shown and hidden again', async () => {
  const user = userEvent.setup()
  render(
    <Field label="Senha">
      <PasswordInput value="segredo" onChange={() => undefined} />
    </Field>,
  )
  await user.click(screen.getByRole('button', { name: 'Mostrar senha' }))
  expect(screen.getByLabelText('Senha').getAttribute('type')).toBe('text')
  await user.click(screen.getByRole('button', { name: 'Ocultar senha' }))
  expect(screen.getByLabelText('Senha').getAttribute('type')).toBe('password')
})

test('what a remote opens at the end of the page stays under the styles of that remote', () => {
  render(
    <RemoteArea name="mfe_tickets">
      <Dialog title="Pausar" onClose={() => undefined} />
    </RemoteArea>,
  )
  expect(screen.getByRole('dialog').closest('[data-remote="mfe_tickets"]')).not.toBeNull()
})

test('at most three notices show, the same one only once, and each leaves by its button', async () => {
  render(<Toasts />)
  for (const text of ['um', 'dois', 'dois', 'três', 'quatro']) toast.info(text)
  await screen.findByText('quatro')
  expect(screen.queryByText('um')).toBeNull()
  expect(screen.getAllByText('dois')).toHaveLength(1)
  for (const button of screen.getAllByLabelText('Fechar')) fireEvent.click(button)
  // A boolean: printing an element that is still there takes longer than its leaving.
  await waitFor(() => expect(screen.queryByText('quatro') === null).toBe(true))
})

test('a badge says 99+ past 99 and nothing at 0', () => {
  const { container, rerender } = render(<Badge count={100} />)
  expect(container.textContent).toBe('99+')
  rerender(<Badge count={0} />)
  expect(container.innerHTML).toBe('')
})

test('at most two tags stand in a row, then how many more', () => {
  const tags = ['a', 'b', 'c', 'd'].map((name, id) => ({ id, name, color: '#2c53a4' }))
  const { container } = render(<Chips tags={tags} />)
  expect(container.textContent).toBe('ab+2mais 2')
})

test('every tick has its accessible text', () => {
  render(<Ticks state="unknown" />)
  expect(screen.getByRole('img', { name: 'Não sabemos se saiu' })).toBeTruthy()
})

test('a photo that does not load gives way to the initials', () => {
  const { container } = render(<Avatar id={4} name="Padaria Estrela" photo="/media/1" />)
  const photo = container.querySelector('img')
  if (!photo) throw new Error('no photo')
  fireEvent.error(photo)
  expect(container.textContent).toBe('PE')
})

test.each([
  ['Dona Lúcia Ferreira', 'DF'],
  ['João de Almeida', 'JA'],
  ['Contato', 'CO'],
  ['+55 31 98821-4407', '07'],
  ['🌸 Rosa', 'RO'],
  ['', '?'],
])('the initials of %j are %s', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})

test('texts follow the language and fall back to English', async () => {
  addTexts('trial', {
    pt: { hello: 'Olá, {{name}}' },
    en: { hello: 'Hello, {{name}}', only: 'only here' },
    es: { hello: 'Hola, {{name}}' },
  })
  render(<Hello />)
  expect(screen.getByText('Olá, Lúcia only here')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'es' }))
  expect(await screen.findByText('Hola, Lúcia only here')).toBeTruthy()
  expect(document.documentElement.lang).toBe('es')
})

test('dates and times are those of the company, whatever the device says', () => {
  setTimezone('America/Sao_Paulo')
  expect(formatDateTime('2026-11-21T02:59:00Z')).toBe('20/11/26 23:59')
  expect(formatMoment('2026-11-21T02:59:00Z')).toBe('20/11/2026 23:59')
  expect(formatListTime('2026-11-21T12:26:00Z', new Date('2026-11-21T23:00:00Z'))).toBe('09:26')
  expect(formatListTime('2026-11-20T12:26:00Z', new Date('2026-11-21T23:00:00Z'))).toBe('20/11/2026')
  setTimezone('not/a-zone')
  expect(formatDate('2026-11-21T02:59:00Z')).toBe('20/11/2026')
  setTimezone('Asia/Tokyo')
  expect(formatDateTime('2026-11-21T02:59:00Z')).toBe('21/11/26 11:59')
  setTimezone('America/Sao_Paulo')
  expect(formatDateTime('2026-11-21T02:59:00Z')).toBe('20/11/26 23:59')
  expect(formatDate('never')).toBe('00/00/0000')
})

test('the short form of a date is for the two tables of the specification alone, and a pause, a message or a log have the other', async () => {
  const root = path.join(import.meta.dirname, '../..')
  const users: string[] = []
  for (const file of new Bun.Glob('{shell,mfe-*,ui}/src/**/*.{ts,tsx}').scanSync(root))
    if (/\bformatDateTime\b/.test(await Bun.file(path.join(root, file)).text())) users.push(file)
  expect(users.sort()).toEqual([
    // Spec 2 §2: the table of connections, and its rows as cards.
    'mfe-admin/src/connections/ConnectionsPage.tsx',
    'mfe-admin/src/connections/facts.ts',
    // Spec 3: conversations with the bot.
    'mfe-automation/src/bot-tickets/BotTicketsPage.tsx',
    'ui/src/i18n/dates.ts',
  ])
})

function WithDialog() {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  return (
    <>
      <Button onClick={() => setOpen(true)}>Abrir</Button>
      {open && (
        <Dialog title="Contato" onClose={() => setOpen(false)} footer={<Button kind="primary">Salvar</Button>}>
          <Field label="Nome">
            <TextInput value={name} onChange={setName} />
          </Field>
        </Dialog>
      )}
    </>
  )
}

function ThreeTabs() {
  const [tab, setTab] = useState('open')
  const tabs = [
    { id: 'open', label: 'Abertos' },
    { id: 'closed', label: 'Fechados' },
    { id: 'paused', label: 'Pausados' },
  ]
  return <Tabs label="Listas" tabs={tabs} chosen={tab} onChoose={setTab} />
}

function Hello() {
  const t = useTexts('trial')
  return (
    <>
      <p>
        {t('hello', { name: 'Lúcia' })} {t('only')}
      </p>
      <button type="button" onClick={() => void changeLanguage('es')}>
        es
      </button>
    </>
  )
}
