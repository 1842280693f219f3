import { afterEach, spyOn, test } from 'bun:test'
import { type ComponentType, Suspense } from 'react'
import { defineLatePart, defineLazyPart } from '../src/kit/parts/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render } = await import('@testing-library/react')

const told = spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => {
  cleanup()
  told.mockClear()
})

const PARTS = [
  ['defineLazyPart', defineLazyPart],
  ['defineLatePart', defineLatePart],
] as const

test.each(PARTS)('%s that could not be loaded without a line opens by itself once it is back', async (_, partOf) => {
  const line = createLine('Tags')
  const view = render(<Place Part={partOf(line.load)} />)
  await view.findByText('Esta parte não abriu.')
  line.isUp = true
  act(() => void window.dispatchEvent(new Event('online')))
  await view.findByText('Tags')
})

test.each(PARTS)('%s that could not be loaded is loaded anew when it is come back to', async (_, partOf) => {
  const line = createLine('Filas')
  const Part = partOf(line.load)
  const first = render(<Place Part={Part} />)
  await first.findByText('Esta parte não abriu.')
  first.unmount()
  line.isUp = true
  await render(<Place Part={Part} />).findByText('Filas')
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

function Place({ Part }: { readonly Part: ComponentType }) {
  return (
    <Suspense>
      <Part />
    </Suspense>
  )
}
