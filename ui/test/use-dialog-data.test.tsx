// What a dialog has to look up first: a failure is told, whatever becomes of the dialog.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { ApiError } from '../src/api/index.ts'
import { notices } from '../src/kit/parts/toast.ts'
import { useDialogData } from '../src/kit/screens/index.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, renderHook, waitFor } = await import('@testing-library/react')

const REFUSAL = new ApiError('ERR_NO_TAG_FOUND', 404, 'Esta tag não existe mais.')
let isUp: boolean
let closed: number

beforeEach(() => {
  isUp = true
  closed = 0
  notices.list = []
})
afterEach(cleanup)

test('without an answer it says why and closes', async () => {
  isUp = false
  look()
  await waitFor(() => expect(closed).toBe(1))
  expect(notices.list.map(({ kind, text }) => [kind, text])).toEqual([['error', REFUSAL.message]])
})

test('once it stands, what does not come again is told and leaves it there', async () => {
  const { result } = look()
  await waitFor(() => expect(result.current.last).toBe('there'))
  isUp = false
  act(() => result.current.again())
  await waitFor(() => expect(notices.list).toHaveLength(1))
  expect([closed, result.current.last]).toEqual([0, 'there'])
})

test('no dialog closes on a failed look without a word', async () => {
  const root = join(import.meta.dir, '../..')
  const silent: string[] = []
  for await (const path of new Glob('{ui,shell,mfe-*}/src/**/*.{ts,tsx}').scan(root))
    if (/onError: (?:props\.)?(?:on)?[cC]lose\w*/.test(await Bun.file(join(root, path)).text())) silent.push(path)
  expect(silent).toEqual([])
})

function look() {
  const ask = async () => {
    if (!isUp) throw REFUSAL
    return 'there'
  }
  return renderHook(() => useDialogData('tag 1', ask, () => void closed++))
}
