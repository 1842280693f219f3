import { afterEach, expect, test } from 'bun:test'
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { SearchInput } from '../src/kit/parts/TextInput.tsx'

let root: Root | undefined
afterEach(() => act(() => root?.unmount()))

test.each([
  ['Escape empties the search of the page, then leaves it: letters are keys again', '/', null],
  ['one in a dialog keeps the focus: Escape is for the dialog', undefined, 'INPUT'],
])('%s', (_, shortcut, focused) => {
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root = createRoot(place)
    root.render(<Field shortcut={shortcut} />)
  })
  const field = place.querySelector('input')
  act(() => field?.focus())
  pressEscape()
  expect([field?.value, document.activeElement?.tagName]).toEqual(['', 'INPUT'])
  pressEscape()
  expect(document.activeElement?.tagName).toBe(focused ?? 'BODY')
})

function Field({ shortcut }: { readonly shortcut: string | undefined }) {
  const [value, setValue] = useState('arroz')
  return <SearchInput label="Buscar" value={value} onChange={setValue} {...(shortcut && { shortcut })} />
}

function pressEscape(): void {
  act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })))
}
