// A template of the official API while the file of its header goes up, against a server of its own.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { useForm } from '@balcao/ui/screens'
import type { Server } from 'bun'
import { TemplateField } from '../src/kit/forms/TemplateField.tsx'
import { startTemplate, type TemplateInput } from '../src/kit/forms/template-input.ts'
import { startPageServer, waitUntil } from './page.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { cleanup, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

const OFFER: TemplateInput['of'] = {
  ...{ id: '1', name: 'oferta', language: 'pt_BR', category: 'MARKETING', status: 'APPROVED' },
  parameterFormat: 'POSITIONAL',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Olá {{1}}' },
  ],
}
let server: Server<undefined>
let slow = Promise.withResolvers<void>()
let rising = 0
let template: TemplateInput | null = null

beforeEach(() => {
  slow = Promise.withResolvers<void>()
  rising = 0
  server = startPageServer({
    async fetch(_, { pathname }) {
      if (pathname !== '/uploads') return Response.json({ templates: [OFFER], reason: null })
      rising += 1
      await slow.promise
      return Response.json({ uploadId: 'u1' })
    },
  })
})
afterEach(async () => {
  cleanup()
  await server.stop(true)
})

test('decisions-2 §15: what is typed while the file of a header goes up stays', async () => {
  const { container } = render(<Page />)
  const input = container.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('There is no field for a file')
  await userEvent.upload(input, new File(['foto'], 'foto.png', { type: 'image/png' }))
  await waitUntil(() => rising === 1, 'the file goes up')
  await userEvent.type(screen.getByRole('textbox', { name: /1/ }), 'Lúcia')
  slow.resolve()
  await waitFor(() => expect(template?.file).toEqual({ uploadId: 'u1', name: 'foto.png' }))
  expect(template?.values.get('body.1')).toBe('Lúcia')
})

function Page() {
  const form = useForm<{ template: TemplateInput | null }, unknown>({
    texts: 'forms',
    start: { template: startTemplate(OFFER) },
    save: async () => null,
    onSaved: () => undefined,
  })
  template = form.fields.template
  return <TemplateField whatsappId={1} value={template} onChange={next => form.set('template', next)} />
}
