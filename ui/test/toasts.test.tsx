import { afterEach, expect, spyOn, test } from 'bun:test'
import { LIMITS } from '@balcao/contract/kit/limits'
import { ApiError } from '../src/api/index.ts'
import { describeError } from '../src/i18n/index.ts'
import { Toasts } from '../src/kit/parts/Toasts.tsx'
import { notices, toast } from '../src/kit/parts/toast.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen } = await import('@testing-library/react')

afterEach(() => {
  cleanup()
  notices.list = []
})

test('the same error twice shows once, another one beside it (spec 1 §8)', async () => {
  render(<Toasts />)
  const refuse = (code: ConstructorParameters<typeof ApiError>[0], text: string) =>
    toast.error(describeError(new ApiError(code, 409, text)))
  act(() => {
    refuse('ERR_QUEUE_IN_USE', 'Esta fila ainda tem conversas abertas.')
    refuse('ERR_INVALID_TRANSITION', 'Esta conversa mudou.')
    refuse('ERR_QUEUE_IN_USE', 'Esta fila ainda tem conversas abertas.')
  })
  await screen.findByText('Esta fila ainda tem conversas abertas.')
  expect(screen.getAllByRole('alert')).toHaveLength(2)
})

test('the same words are said once, whoever says them: why a session ended, and the call that found out', () => {
  const text = describeError(new ApiError('ERR_INVALID_WORKING_TIME', 401, 'Você está fora do seu horário.'))
  toast.info(text, { key: 'session' })
  toast.error(text)
  expect(notices.list.map(({ kind }) => kind)).toEqual(['info'])
})

test('what two notices begin with alike stands twice where they go on otherwise: the second request of a colleague', () => {
  const ask = (ticketId: number, detail: string) =>
    toast.info('Bruna pede esta conversa', { key: `asked-${ticketId}`, detail })
  ask(1, 'Dona Ana')
  ask(2, 'Padaria Estrela')
  ask(2, 'Padaria Estrela')
  expect(notices.list.map(({ detail }) => detail)).toEqual(['Dona Ana', 'Padaria Estrela'])
})

test('two notices of the same words stand beside each other where each has its own way back', () => {
  const pause = (id: number) =>
    toast.success('Envio pausado', { key: `send ${id}`, action: { label: 'Desfazer', perform: () => undefined } })
  for (const id of [1, 2, 2]) pause(id)
  expect(notices.list.map(({ key }) => key)).toEqual(['send 1', 'send 2'])
})

test('two deeds that are told in the same words can each be taken back', () => {
  const takenBack: number[] = []
  for (const id of [1, 2])
    toast.success('Ticket finalizado!', { action: { label: 'Reabrir', perform: () => void takenBack.push(id) } })
  for (const { action } of notices.list) action?.perform()
  expect(takenBack).toEqual([1, 2])
})

test('a notice leaves by itself after 3000 ms', async () => {
  const timer = spyOn(globalThis, 'setTimeout')
  try {
    render(<Toasts />)
    await act(async () => void toast.success('Arquivo removido'))
    screen.getByText('Arquivo removido')
    expect(LIMITS.toastMs).toBe(3000)
    const leaving = timer.mock.calls.findLast(([, ms]) => ms === LIMITS.toastMs)?.[0]
    if (typeof leaving !== 'function') throw new Error('nothing waits 3000 ms')
    await act(async () => void leaving())
    expect(notices.list).toEqual([])
  } finally {
    timer.mockRestore()
  }
})

test('a notice makes room for a button that comes, but not while it is pointed at: what moves under a press is not pressed', async () => {
  const timer = spyOn(globalThis, 'setInterval')
  try {
    const view = render(<Toasts />)
    await act(async () => void toast.info('Não foi salvo', { action: { label: 'Voltar', perform: () => undefined } }))
    const box = screen.getByRole('region')
    const place = box.style.top
    const makeRoom = timer.mock.calls.at(-1)?.[0]
    if (typeof makeRoom !== 'function') throw new Error('nothing makes room')
    const { left, top } = { left: Number.parseFloat(box.style.left), top: Number.parseFloat(box.style.top) }
    const button = document.body.appendChild(document.createElement('button'))
    button.getBoundingClientRect = () => new DOMRect(left - 10, top, 100, 40)
    button.checkVisibility = () => true
    const pointed = spyOn(box, 'matches').mockReturnValue(true)
    act(() => void makeRoom())
    expect(box.style.top).toBe(place)
    pointed.mockReturnValue(false)
    act(() => void makeRoom())
    expect(box.style.top).not.toBe(place)
    button.remove()
    view.unmount()
  } finally {
    timer.mockRestore()
  }
})
