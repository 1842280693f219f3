// A form whose file goes up: it can be given up for as long as the server has not all of it.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { upload } from '../src/api/index.ts'
import { addTexts } from '../src/i18n/index.ts'
import { TextInput } from '../src/kit/parts/index.ts'
import { FormDialog, FormField, useForm } from '../src/kit/screens/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

const WORDS = { form: { words: 'Mensagem', addTitle: 'Novo aviso', create: 'Agendar' } }
addTexts('formUpload', { pt: WORDS, en: WORDS, es: WORDS })

const requests: SlowRequest[] = []

/** A line over which a file takes its time. */
class SlowRequest extends XMLHttpRequest {
  isAborted = false
  override open() {}
  override setRequestHeader() {}
  override send() {
    requests.push(this)
  }
  override abort() {
    this.isAborted = true
    this.onabort?.(new ProgressEvent('abort'))
  }
}

const whole = XMLHttpRequest
beforeEach(() => {
  globalThis.XMLHttpRequest = SlowRequest
})
afterEach(async () => {
  await act(async () => requests.splice(0).forEach(request => void request.abort()))
  cleanup()
  globalThis.XMLHttpRequest = whole
})

test('Cancel ends the upload alone: what is written stays, and can be sent again or left', async () => {
  const user = await startUpload()
  expect(getCancel().disabled).toBe(true)
  move(3)
  expect(screen.getByText('Enviando arquivo: 30%')).toBeTruthy()
  // Escape is pressed too easily for that.
  await user.keyboard('{Escape}')
  expect(requests.map(({ isAborted }) => isAborted)).toEqual([false])
  await user.click(getCancel())
  await screen.findByText('1 mudança por salvar')
  expect(requests.map(({ isAborted }) => isAborted)).toEqual([true])
  expect(screen.getByLabelText(/^Mensagem/)).toHaveProperty('value', 'Fechamos')
  await user.click(screen.getByRole('button', { name: 'Agendar' }))
  await waitFor(() => expect(requests).toHaveLength(2))
  move(5)
  await user.click(getCancel())
  await screen.findByText('1 mudança por salvar')
  await user.click(getCancel())
  expect(screen.getByRole('button', { name: 'Descartar' })).toBeTruthy()
})

test('what the server has all of is not given up: its answer says what became of it', async () => {
  await startUpload()
  move(10)
  expect(getCancel().disabled).toBe(true)
})

async function startUpload() {
  const user = userEvent.setup()
  render(<NoteForm />)
  await user.type(screen.getByLabelText(/^Mensagem/), 'Fechamos{Enter}')
  await waitFor(() => expect(requests).toHaveLength(1))
  return user
}

/** So many tenths are on their way. */
function move(loaded: number) {
  const progress = new ProgressEvent('progress', { lengthComputable: true, loaded, total: 10 })
  act(() => void requests.at(-1)?.upload.dispatchEvent(progress))
}

function getCancel() {
  return screen.getByRole<HTMLButtonElement>('button', { name: 'Cancelar' })
}

function NoteForm() {
  const form = useForm({
    texts: 'formUpload',
    start: { words: '' },
    isNew: true,
    save: ({ words }, progress) => upload('POST /agendamento', { body: new Blob([words]), ...progress }),
    onSaved: () => undefined,
  })
  return (
    <FormDialog form={form} onClose={() => undefined}>
      <FormField form={form} name="words">
        {field => <TextInput {...field} />}
      </FormField>
    </FormDialog>
  )
}
