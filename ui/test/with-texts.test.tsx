import { afterEach, expect, test } from 'bun:test'
import { addTexts, changeLanguage, type TextTree, useTexts } from '../src/i18n/index.ts'
import { defineLatePart } from '../src/kit/parts/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render } = await import('@testing-library/react')

afterEach(async () => {
  cleanup()
  await changeLanguage('pt')
})

test('a late part stands there in the language chosen, never in Portuguese first', async () => {
  await changeLanguage('es')
  const { promise, resolve } = Promise.withResolvers<{ default: TextTree }>()
  const Part = defineLatePart(async () => createPart('comes', () => promise))
  const view = render(<Part />)
  await act(() => Bun.sleep(20))
  expect(view.container.textContent).not.toContain('Usuários')
  await act(async () => resolve({ default: { title: 'Usuarios' } }))
  await view.findByText('Usuarios')
})

test('texts that could not be fetched come by themselves a while later', async () => {
  await changeLanguage('es')
  let isUp = false
  const Part = defineLatePart(async () =>
    createPart('tires', async () => {
      if (!isUp) throw new Error('away')
      return { default: { title: 'Usuarios' } }
    }),
  )
  const view = render(<Part />)
  await view.findByText('Usuários')
  isUp = true
  await view.findByText('Usuarios', {}, { timeout: 30_000 })
})

test('a late part whose texts cannot be fetched stands there in Portuguese', async () => {
  await changeLanguage('es')
  const Part = defineLatePart(async () => createPart('fails', () => Promise.reject(new Error('away'))))
  const view = render(<Part />)
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
