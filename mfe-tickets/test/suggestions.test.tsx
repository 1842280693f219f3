// The list above the composer, as who does not see it hears it.
import { afterEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/pt.json'
import { createTicketComposerContext } from '../src/composer/composer-context.ts'
import { Editor } from '../src/composer/Editor.tsx'
import { InDesk } from './in-desk.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt, en: pt, es: pt })

let root: Root
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  endSession()
})

test('the field names what Enter takes, as long as there is something to take', async () => {
  endSession()
  session.user = makeUser('admin')
  // The browser's own, which the test's one has not.
  document.execCommand = () => true
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const place = createTicketComposerContext(makeTicket({ id: 620 }))
  await act(async () =>
    root.render(
      <InDesk>
        <Editor place={place} placeholder="" />
      </InDesk>,
    ),
  )
  const field = document.querySelector('textarea')
  if (!field) throw new Error('no field')
  const named = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '-')
  const chosen = () => document.querySelector('[role=option][aria-selected=true]')
  const isNamed = () => named() !== null && named() === chosen()
  type(field, 'Oi {{')
  await waitUntil(() => chosen() !== null, 'the list')
  expect(isNamed()).toBe(true)
  expect(document.getElementById(field.getAttribute('aria-controls') ?? '-')?.role).toBe('listbox')
  const first = chosen()?.id
  act(() => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })))
  expect([isNamed(), chosen()?.id === first]).toEqual([true, false])
  type(field, 'Oi {{da')
  expect([isNamed(), chosen()?.textContent?.includes('{{date}}')]).toEqual([true, true])
  type(field, 'Oi')
  expect([field.hasAttribute('aria-activedescendant'), field.hasAttribute('aria-controls')]).toEqual([false, false])
})

function type(field: HTMLTextAreaElement, text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text)
    field.setSelectionRange(text.length, text.length)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
