import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type ComponentType, useRef, useState } from 'react'
import { registerActions, startShortcuts } from '../src/actions/index.ts'
import { Dialog, defineLatePart, findLoadFailure, Portal, TextInput, useOverlay } from '../src/kit/parts/index.ts'
import { startPageServer } from './page.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

type Part = ComponentType<{ readonly onClose: () => void }>

const stops: (() => unknown)[] = []
const done: string[] = []

beforeEach(() => {
  done.length = 0
  stops.push(startShortcuts())
  stops.push(registerActions([{ id: 'close', labelKey: 'close', shortcut: 'E', perform: () => void done.push('E') }]))
})

afterEach(() => {
  cleanup()
  for (const stop of stops.splice(0)) stop()
})

test('what is typed from the press to the moment a late dialog has the focus acts on nothing under it and stands in its field', async () => {
  const user = userEvent.setup()
  const { promise, resolve } = Promise.withResolvers<{ default: Part }>()
  render(<Page dialog={defineLatePart(() => promise)} />)
  await user.click(screen.getByRole('button', { name: 'Abrir' }))
  await user.keyboard('elise')
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(async () => resolve({ default: Form }))
  expect(document.activeElement).toBe(screen.getByLabelText('Nome'))
  expect(screen.getByLabelText('Nome')).toHaveProperty('value', 'elise')
  await user.keyboard('e{Escape}')
  expect(done).toEqual([])
  await user.keyboard('e')
  expect(done).toEqual(['E'])
})

test('a dialog that was fetched ahead is there with the press that opens it', async () => {
  const dialog = defineLatePart(async () => ({ default: Form }))
  await dialog.fetch()
  render(<Page dialog={dialog} />)
  // Not awaited: nothing may pass between the press and the dialog.
  act(() => screen.getByRole('button', { name: 'Abrir' }).click())
  expect(document.activeElement).toBe(screen.getByLabelText('Nome'))
})

test('what could not be fetched ahead is fetched again when it is needed', async () => {
  let tries = 0
  const dialog = defineLatePart<{ onClose: () => void }>(async () => {
    tries += 1
    if (tries === 1) throw new Error('offline')
    return { default: Form }
  })
  await expect(dialog.fetch()).rejects.toThrow('offline')
  render(<Page dialog={dialog} />)
  await act(async () => screen.getByRole('button', { name: 'Abrir' }).click())
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('letters rest under a window that leaves the page usable, too', async () => {
  const user = userEvent.setup()
  const view = render(<Window />)
  await user.keyboard('e')
  expect(done).toEqual([])
  view.unmount()
  await user.keyboard('e')
  expect(done).toEqual(['E'])
})

test('the focus goes to the page when what opened a dialog is gone', async () => {
  const user = userEvent.setup()
  render(
    <main id="main" tabIndex={-1}>
      <Page dialog={defineLatePart(async () => ({ default: Form }))} once />
    </main>,
  )
  await user.click(screen.getByRole('button', { name: 'Abrir' }))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('button', { name: 'Abrir' })).toBeNull()
  expect(document.activeElement?.id).toBe('main')
})

test('a style that is not on the server any more is of a former version, however much the page has loaded', async () => {
  const server = startPageServer({ fetch: () => new Response(null, { status: 404 }) })
  const style = document.head.appendChild(document.createElement('link'))
  style.href = '/assets/profile.0a1b2c3d.css'
  style.dispatchEvent(new Event('error'))
  // As the build's own loader says it: without an address.
  const error = Object.assign(new Error('Loading css chunk 976 failed.'), { name: 'ChunkLoadError', type: 'error' })
  expect(await findLoadFailure(error)).toBe('newVersion')
  style.remove()
  await server.stop(true)
})

function Page({ dialog: Late, once = false }: { readonly dialog: Part; readonly once?: boolean }) {
  const [open, setOpen] = useState(false)
  const [used, setUsed] = useState(false)
  return (
    <>
      {!(once && used && !open) && (
        <button
          type="button"
          onClick={() => {
            setOpen(true)
            setUsed(true)
          }}
        >
          Abrir
        </button>
      )}
      {open && <Late onClose={() => setOpen(false)} />}
    </>
  )
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  return (
    <Dialog title="Contato" onClose={onClose}>
      <TextInput aria-label="Nome" value={name} onChange={setName} />
    </Dialog>
  )
}

function Window() {
  const panel = useRef<HTMLDivElement>(null)
  useOverlay(panel, { onClose: () => undefined })
  return (
    <Portal>
      <div ref={panel} role="dialog" tabIndex={-1} />
    </Portal>
  )
}
