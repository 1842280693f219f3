import { afterEach, expect, mock, test } from 'bun:test'
import { useState } from 'react'
import { changeLanguage } from '../src/i18n/index.ts'
import { ConfirmDialog, Dialog, Drawer } from '../src/kit/parts/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

afterEach(async () => {
  cleanup()
  await changeLanguage('pt')
})

test('look-2 §1: a panel takes the focus, keeps it from the second press of a double click, and gives it back on Escape', async () => {
  const user = userEvent.setup()
  const onClose = mock(() => {})
  const page = (panel: boolean) => (
    <main id="main" tabIndex={-1}>
      <button type="button">Novo</button>
      {panel && (
        <Drawer title="Novo agendamento" takesFocus onClose={onClose} onSubmit={() => {}} footer={<span>Rodapé</span>}>
          <input aria-label="Mensagem" data-autofocus="" />
        </Drawer>
      )}
    </main>
  )
  const { rerender } = render(page(false))
  screen.getByRole('button', { name: 'Novo' }).focus()
  rerender(page(true))
  const field = screen.getByLabelText('Mensagem')
  expect(document.activeElement).toBe(field)
  act(() => document.getElementById('main')?.focus())
  expect(document.activeElement).toBe(field)
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(1)
  rerender(page(false))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Novo' }))
})

test('look-2 §1: a panel that a question led to gives the focus back to the button that rests while it is open', async () => {
  const user = userEvent.setup()
  const page = (open: 'nothing' | 'question' | 'panel') => (
    <main id="main" tabIndex={-1}>
      <button type="button" disabled={open === 'panel'}>
        Novo
      </button>
      {open === 'question' && <ConfirmDialog title="Novo?" action="Sim" onConfirm={() => {}} onClose={() => {}} />}
      {open === 'panel' && (
        <Drawer title="Novo agendamento" takesFocus onClose={() => rerender(page('nothing'))} onSubmit={() => {}}>
          <input aria-label="Mensagem" data-autofocus="" />
        </Drawer>
      )}
    </main>
  )
  const { rerender } = render(page('nothing'))
  screen.getByRole('button', { name: 'Novo' }).focus()
  rerender(page('question'))
  rerender(page('panel'))
  expect(document.activeElement).toBe(screen.getByLabelText('Mensagem'))
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Novo' }))
})

test('where a button is gone from its row, the focus goes to what stands there now', () => {
  const page = (isOpen: boolean, action: string) => (
    <main id="main" tabIndex={-1}>
      <ul>
        <li>
          <a href="/1">Envio 1</a>
          <span>
            <button key={action} type="button">
              {action}
            </button>
          </span>
        </li>
      </ul>
      {isOpen && <ConfirmDialog title="Pausar?" action="Sim" onConfirm={() => {}} onClose={() => {}} />}
    </main>
  )
  const { rerender } = render(page(false, 'Pausar'))
  screen.getByRole('button', { name: 'Pausar' }).focus()
  rerender(page(true, 'Pausar'))
  rerender(page(false, 'Retomar'))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Retomar' }))
})

test('where what gave the focus rests or is gone, it goes to what the page is about', () => {
  const page = (isOpen: boolean, rests: boolean) => (
    <main id="main" tabIndex={-1}>
      <button type="button" disabled={rests}>
        Novo
      </button>
      {isOpen && <ConfirmDialog title="Novo?" action="Sim" onConfirm={() => {}} onClose={() => {}} />}
    </main>
  )
  const { rerender } = render(page(false, false))
  screen.getByRole('button', { name: 'Novo' }).focus()
  rerender(page(true, false))
  rerender(page(false, true))
  expect(document.activeElement).toBe(document.getElementById('main'))
})

function People() {
  const [names, setNames] = useState(['Bruna', 'Rafael'])
  return names.map(name => (
    <button key={name} type="button" onClick={() => setNames(names.filter(one => one !== name))}>
      {name}
    </button>
  ))
}

test('a dialog keeps the focus when what had it is drawn away, and Tab goes on inside', async () => {
  const user = userEvent.setup()
  render(
    <>
      <button type="button">Fora</button>
      <Dialog title="Quem acompanha" onClose={() => {}}>
        <People />
      </Dialog>
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Rafael' }))
  const isInside = () => screen.getByRole('dialog').contains(document.activeElement)
  await waitFor(() => expect(isInside()).toBe(true))
  act(() => screen.getByRole('button', { name: 'Bruna' }).blur())
  await user.tab()
  expect(isInside()).toBe(true)
})
