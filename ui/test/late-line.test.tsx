import { afterEach, spyOn, test } from 'bun:test'
import type { ComponentType } from 'react'
import { defineLatePart } from '../src/kit/parts/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render } = await import('@testing-library/react')

const errors = spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => {
  cleanup()
  errors.mockClear()
})

test('a late part that could not be loaded without a line opens by itself once it is back', async () => {
  const line = createLine('Tags')
  const Part = defineLatePart(line.load)
  const view = render(<Part />)
  await view.findByText('Esta parte não abriu.')
  line.isUp = true
  act(() => void window.dispatchEvent(new Event('online')))
  await view.findByText('Tags')
})

test('a late part that could not be loaded is loaded anew when it is come back to', async () => {
  const line = createLine('Filas')
  const Part = defineLatePart(line.load)
  const first = render(<Part />)
  await first.findByText('Esta parte não abriu.')
  first.unmount()
  line.isUp = true
  await render(<Part />).findByText('Filas')
})

/** Code that comes over a line, which is down at first. */
function createLine(words: string) {
  const line = {
    isUp: false,
    load: async (): Promise<{ default: ComponentType }> => {
      if (!line.isUp) throw new Error('no line')
      return { default: () => <h1>{words}</h1> }
    },
  }
  return line
}
