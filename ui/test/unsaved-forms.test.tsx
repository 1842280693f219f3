import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { makeTextRule } from '@balcao/contract/kit/forms'
import { ApiError } from '../src/api/index.ts'
import { addTexts } from '../src/i18n/index.ts'
import { Checkbox, TextInput } from '../src/kit/parts/index.ts'
import { FormDialog, FormField, useForm } from '../src/kit/screens/index.ts'
import { endSession, forgetPerson, session } from '../src/session/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { cleanup, render, screen } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

interface Note {
  readonly words: string
  readonly weekly: boolean
}

const WORDS = {
  form: { words: 'Mensagem', weekly: 'Toda semana', addTitle: 'Novo aviso', create: 'Agendar', save: 'Salvar' },
  problem: { begunBefore: 'Este envio já começou.' },
}

beforeAll(() => addTexts('leftForms', { pt: WORDS, en: WORDS, es: WORDS }))
afterEach(() => {
  cleanup()
  forgetPerson()
  endSession()
})

describe('a form that is left by the menu or by Back', () => {
  test('has what was written when it is opened again, and asks before the page goes', async () => {
    const user = userEvent.setup()
    const first = render(<NoteForm />)
    await user.type(words(), 'Fechamos no sábado')
    first.unmount()
    expect(isUnloadAsked()).toBe(true)
    render(<NoteForm />)
    expect(words().value).toBe('Fechamos no sábado')
    expect(screen.getByText('1 mudança por salvar')).toBeTruthy()
  })

  test('has it when the server ended the session and the same person is back; nobody else does, nor they after a sign-out', async () => {
    const user = userEvent.setup()
    signInUser(7)
    render(<NoteForm />)
    await user.type(words(), 'Fechamos no sábado')
    for (const [id, found] of [
      [8, ''],
      [7, 'Fechamos no sábado'],
    ] as const) {
      cleanup()
      signInUser(id)
      render(<NoteForm />)
      expect([id, words().value, isUnloadAsked()]).toEqual([id, found, found !== ''])
    }
    cleanup()
    forgetPerson()
    signInUser(7)
    render(<NoteForm />)
    expect([words().value, isUnloadAsked()]).toEqual(['', false])
  })

  test('asks the same thing of the server again, so that it is made once', async () => {
    const user = userEvent.setup()
    const requests: string[] = []
    const lost = (id: string) => {
      requests.push(id)
      return Promise.reject(new ApiError('OFFLINE', 0, ''))
    }
    const first = render(<NoteForm onSave={lost} />)
    await user.type(words(), 'Fechamos{Enter}')
    first.unmount()
    render(<NoteForm onSave={lost} />)
    await user.type(words(), '{Enter}')
    expect(requests).toHaveLength(2)
    expect(requests[1]).toBe(requests[0] ?? '')
  })

  test('keeps nothing once it was saved or given up', async () => {
    const user = userEvent.setup()
    for (const end of ['Agendar', 'Cancelar'] as const) {
      const one = render(<NoteForm />)
      await user.type(words(), 'Fechamos')
      await user.click(screen.getByRole('button', { name: end }))
      if (end === 'Cancelar') await user.click(screen.getByRole('button', { name: 'Descartar' }))
      one.unmount()
      expect(isUnloadAsked()).toBe(false)
      const other = render(<NoteForm />)
      expect(words().value).toBe('')
      other.unmount()
    }
  })

  test('keeps nothing for the next person', async () => {
    const user = userEvent.setup()
    const one = render(<NoteForm />)
    await user.type(words(), 'Fechamos')
    one.unmount()
    endSession()
    expect(isUnloadAsked()).toBe(false)
    render(<NoteForm />)
    expect(words().value).toBe('')
  })

  test('goes on over what a colleague saved meanwhile, and says so', async () => {
    const user = userEvent.setup()
    const stored = { words: 'Fechamos', weekly: false }
    const one = render(<NoteForm stored={stored} version={1} />)
    await user.type(words(), ' cedo')
    one.unmount()
    const saved: unknown[] = []
    const onSave = async (_: string, version?: number) => saved.push(version)
    render(<NoteForm stored={{ ...stored, weekly: true }} version={2} onSave={onSave} />)
    expect(words().value).toBe('Fechamos cedo')
    expect(screen.getByText(/^Outra pessoa salvou isto/)).toBeTruthy()
    await user.type(words(), '{Enter}')
    expect(saved).toEqual([1])
  })
})

describe('what somebody else changed', () => {
  test('is named field by field, also where words cannot say it', async () => {
    const user = userEvent.setup()
    const { rerender } = render(<NoteForm stored={{ words: 'Fechamos', weekly: false }} version={1} />)
    await user.type(words(), ' cedo')
    await user.click(screen.getByRole('checkbox'))
    rerender(<NoteForm stored={{ words: 'Abrimos', weekly: false }} version={2} />)
    await user.click(screen.getByRole('button', { name: 'Ver o que mudou' }))
    expect(screen.getByText('Os dois mudaram: Mensagem. Ao salvar, vale o que está aqui.')).toBeTruthy()
    expect(screen.getByText('Outra pessoa salvou: Abrimos')).toBeTruthy()
    cleanup()
    endSession()
    const again = render(<NoteForm stored={{ words: 'Fechamos', weekly: false }} version={1} />)
    await user.type(words(), ' cedo')
    again.rerender(<NoteForm stored={{ words: 'Fechamos', weekly: true }} version={2} />)
    await user.click(screen.getByRole('button', { name: 'Ver o que mudou' }))
    expect(screen.getByText('Outra pessoa mudou, e já está aqui: Toda semana.')).toBeTruthy()
  })
})

describe('what the server has begun already with other words', () => {
  test('becomes another thing with an id of its own, when its person says so', async () => {
    const user = userEvent.setup()
    const requests: string[] = []
    const begun = new ApiError('ERR_VALIDATION', 422, '', [{ path: 'words', code: 'begunBefore', message: '' }])
    render(
      <NoteForm
        onSave={async id => {
          requests.push(id)
          if (id === requests[0]) throw begun
        }}
      />,
    )
    await user.type(words(), 'Fechamos{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Fazer outro com isto' }))
    expect(requests).toHaveLength(1)
    expect(screen.queryByText('Este envio já começou.')).toBeNull()
    await user.keyboard('{Enter}')
    expect(requests).toHaveLength(2)
    expect(requests[1]).not.toBe(requests[0])
  })
})

/** Somebody is there after whoever was here. */
function signInUser(id: number) {
  endSession()
  Object.assign(session, { user: { id } })
}

interface NoteFormProps {
  readonly stored?: Note
  readonly version?: number
  readonly onSave?: (clientId: string, version?: number) => Promise<unknown>
}

function NoteForm({ stored, version, onSave = async () => undefined }: NoteFormProps) {
  const form = useForm({
    texts: 'leftForms',
    keptAs: 'leftForms/new',
    start: stored ?? { words: '', weekly: false },
    now: stored,
    version,
    isNew: !stored,
    rules: { words: makeTextRule([1, 99]) },
    save: (_fields, _progress, known, clientId) => onSave(clientId, known),
    onSaved: () => undefined,
  })
  return (
    <FormDialog form={form} title="Aviso" onClose={() => undefined}>
      <FormField form={form} name="words">
        {field => <TextInput {...field} />}
      </FormField>
      <Checkbox checked={form.fields.weekly} onChange={on => form.set('weekly', on)}>
        Toda semana
      </Checkbox>
    </FormDialog>
  )
}

function words() {
  return screen.getByLabelText<HTMLInputElement>(/^Mensagem/)
}

function isUnloadAsked() {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}
