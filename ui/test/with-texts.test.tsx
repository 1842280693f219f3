import { afterEach, expect, test } from 'bun:test'
import { type ComponentType, Suspense } from 'react'
import { addTexts, changeLanguage, type TextTree, useTexts } from '../src/i18n/index.ts'
import { defineLatePart, defineLazyPart } from '../src/kit/parts/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render } = await import('@testing-library/react')

afterEach(async () => {
  cleanup()
  await changeLanguage('pt')
})

const PARTS = [
  ['defineLazyPart', defineLazyPart],
  ['defineLatePart', defineLatePart],
] as const

test.each(PARTS)('%s stands there in the language chosen, never in Portuguese first', async (name, partOf) => {
  await changeLanguage('es')
  const { promise, resolve } = Promise.withResolvers<{ default: TextTree }>()
  const view = render(<Place Part={partOf(async () => createPart(`${name}-comes`, () => promise))} />)
  await act(() => Bun.sleep(20))
  expect(view.container.textContent).not.toContain('Usuários')
  await act(async () => resolve({ default: { title: 'Usuarios' } }))
  await view.findByText('Usuarios')
})

test.each(PARTS)('%s whose texts cannot be fetched stands there in Portuguese', async (name, partOf) => {
  await changeLanguage('es')
  const view = render(
    <Place Part={partOf(async () => createPart(`${name}-fails`, () => Promise.reject(new Error('away'))))} />,
  )
  await view.findByText('Usuários')
})

/** A part that adds its own texts where its module is read, as pages do. */
function createPart(namespace: string, fetch: () => Promise<{ default: TextTree }>) {
  addTexts(namespace, { pt: { title: 'Usuários' }, en: {}, es: fetch })
  return {
    default: function Wordy() {
      return <h1>{useTexts(namespace)('title')}</h1>
    },
  }
}

function Place({ Part }: { readonly Part: ComponentType }) {
  return (
    <Suspense>
      <Part />
    </Suspense>
  )
}
