// The one-time passwords of an import are not lost by closing its dialog.
import { beforeEach, expect, spyOn, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act, type ReactNode } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import en from '../locales/users/en.json'
import es from '../locales/users/es.json'
import pt from '../locales/users/pt.json'
import { ImportedPasswords } from '../src/users/ImportedPasswords.tsx'
import { ImportUsers } from '../src/users/ImportUsers.tsx'

addTexts('users', { pt, en, es })

const PASSWORD = 'ABCdefgh-2345'
let promise: Promise<void>
let answer: () => void
/** What is answered first is lost. */
let sent: number

beforeEach(() => {
  sent = 0
  ;({ promise, resolve: answer } = Promise.withResolvers<void>())
})
const show = preparePage(async (_, { searchParams }) => {
  const result = { imported: 1, skipped: 0, errors: [], columns: [], rows: [], errorSheet: null, passwords: [] }
  if (searchParams.get('preview') === 'true') return Response.json(result)
  sent += 1
  if (sent === 1) return Response.json({ error: 'ERR_DATABASE_AWAY', message: '' }, { status: 503 })
  await promise
  const passwords = [{ row: 2, name: 'Ana', email: 'ana@loja.example', password: PASSWORD }]
  return Response.json({ ...result, passwords })
})

test('they are shown though it was closed before they came, the page is held meanwhile, and a repeat has the same name', async () => {
  const setting = spyOn(FormData.prototype, 'set')
  await draw(<ImportUsers onClose={() => {}} />)
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('There is no place for a file')
  Object.defineProperty(input, 'files', { value: [new File(['nome;email'], 'gente.csv')] })
  act(() => void input.dispatchEvent(new Event('change', { bubbles: true })))
  await waitUntil(() => submit()?.disabled === false, 'it was looked at')
  act(() => submit()?.click())
  await waitUntil(() => sent === 1 && submit()?.disabled === false && !isHeld(), 'the first answer is lost')
  act(() => submit()?.click())
  await waitUntil(() => sent === 2, 'it is under way again')
  await draw(null)
  const names = setting.mock.calls.flatMap(([field, value]) => (field === 'clientId' ? [value] : []))
  setting.mockRestore()
  // The look, and twice the import.
  expect([isHeld(), names.length, new Set(names).size]).toEqual([true, 3, 1])
  answer()
  await waitUntil(() => document.body.textContent?.includes(PASSWORD) === true, 'they are shown')
  expect(isHeld()).toBe(true)
})

function draw(dialog: ReactNode) {
  return show(
    <>
      {dialog}
      <ImportedPasswords />
    </>,
  )
}

function submit() {
  return document.querySelector<HTMLButtonElement>('button[type="submit"]')
}

function isHeld(): boolean {
  const going = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(going)
  return going.defaultPrevented
}
