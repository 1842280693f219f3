// A trade is chosen once: what the answer says stands there at once.
import { afterEach, expect, test } from 'bun:test'
import type { FirstSteps } from '@balcao/contract/first-steps/first-steps'
import { addTexts } from '@balcao/ui/i18n'
import { RemoteArea } from '@balcao/ui/parts'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/first-steps/pt.json'
import { Preset } from '../src/first-steps/Preset.tsx'

const NONE: FirstSteps = { done: [], trade: null, preset: 0, isOver: false }

addTexts('first-steps', { pt, en: {}, es: {} })

let root: Root | undefined
let stop: () => unknown = () => undefined
afterEach(async () => {
  act(() => root?.unmount())
  document.body.replaceChildren()
  await stop()
})

test('after a trade is chosen no other one can be pressed, and the keyboard goes on from what can', async () => {
  let isAskedAgain = false
  const server = startPageServer({ fetch: () => Response.json({ ...NONE, trade: 'clinic', preset: 12 }) })
  stop = () => server.stop(true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const again = () => {
    isAskedAgain = true
  }
  await act(async () =>
    root?.render(
      <RemoteArea name="mfe_admin">
        <Preset steps={NONE} again={again} />
      </RemoteArea>,
    ),
  )
  const list = () => [...document.querySelectorAll('button')]
  expect(list().length).toBeGreaterThan(1)
  act(() => list()[0]?.focus())
  act(() => list()[0]?.click())
  await waitUntil(() => isAskedAgain, 'it is done')
  expect(list()).toHaveLength(1)
  expect(document.activeElement).toBe(list()[0] ?? null)
})
