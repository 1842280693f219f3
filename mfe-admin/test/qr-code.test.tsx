import { afterEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/connections/pt.json'
import { QrCode } from '../src/connections/QrCode.tsx'

addTexts('connections', { pt, en: pt, es: pt })

let root: Root
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
})

test('the place of a code has its skeleton until the code is drawn', async () => {
  root = createRoot(document.body.appendChild(document.createElement('div')))
  act(() => root.render(<QrCode text="2@primeiro" name="Loja Centro" />))
  const findParts = () => ['.animate-pulse', 'svg[role=img]'].map(part => document.querySelector(part) !== null)
  expect(findParts()).toEqual([true, false])
  await waitUntil(() => findParts()[1] === true, 'the code is drawn')
  expect(findParts()).toEqual([false, true])
})
