// Which screen of a remote stands at which address.
import { expect, test } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import { createRemoteApp } from '@balcao/ui/screens'
import { cleanup, render } from '@testing-library/react'

const App = createRemoteApp({
  '/': async () => ({ default: () => <p>Painel</p> }),
  '/Settings': async () => ({ default: () => <p>Configurações</p> }),
  '/report': async () => ({ default: () => <p>Relatórios</p> }),
})

test('an address leads to its screen, in whatever capitals it was written', async () => {
  for (const [address, words] of [
    ['/', 'Painel'],
    ['/Settings', 'Configurações'],
    ['/settings', 'Configurações'],
    ['/SETTINGS/3', 'Configurações'],
    ['/report/', 'Relatórios'],
  ] as const) {
    const { findByText } = render(
      <MemoryRouter initialEntries={[address]}>
        <App />
      </MemoryRouter>,
    )
    expect((await findByText(words)).textContent).toBe(words)
    cleanup()
  }
})

test('what only begins like an address is none', () => {
  const { container } = render(
    <MemoryRouter initialEntries={['/reports']}>
      <App />
    </MemoryRouter>,
  )
  expect(container.textContent).toBe('')
  cleanup()
})
