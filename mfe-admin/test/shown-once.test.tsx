// A secret that is shown this once is not lost by a slip of the hand.
import { afterEach, expect, test } from 'bun:test'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import '../src/integrations/IntegrationsPage.tsx'
import { SecretDialog } from '../src/integrations/Secret.tsx'

let root: Root | undefined
afterEach(() => {
  act(() => root?.unmount())
  document.body.replaceChildren()
})

test.each(['integrations', 'api-tokens'] as const)('%s: Escape asks, however often, until it was copied', texts => {
  const state = { closed: 0 }
  draw(texts, () => state.closed++)
  press('Escape')
  press('Escape')
  expect(document.body.textContent).toContain('não aparece de novo.')
  expect([state.closed, document.activeElement?.textContent]).toEqual([0, 'Voltar'])
  const field = document.querySelector('input')
  act(() => void field?.dispatchEvent(new Event('copy', { bubbles: true })))
  press('Escape')
  expect(state.closed).toBe(1)
})

test('who has written it down says so', () => {
  const state = { closed: 0 }
  draw('api-tokens', () => state.closed++)
  press('Escape')
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Já anotei')
  act(() => button?.click())
  expect(state.closed).toBe(1)
})

function draw(texts: 'integrations' | 'api-tokens', onClose: () => void): void {
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root = createRoot(place)
    root.render(<SecretDialog texts={texts} name="ERP" secret="segredo" onClose={onClose} />)
  })
}

function press(key: string): void {
  act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
}
