// A trade is chosen once: what the answer says stands there at once. And the page of a step leads to the next.
import { afterEach, describe, expect, test } from 'bun:test'
import { FIRST_STEPS, type FirstStep, type FirstSteps } from '@balcao/contract/first-steps/first-steps'
import { addTexts } from '@balcao/ui/i18n'
import { RemoteArea } from '@balcao/ui/parts'
import { MemoryRouter } from '@balcao/ui/router'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/first-steps/pt.json'
import { NextStep } from '../src/first-steps/NextStep.tsx'
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

describe('the page of a step', () => {
  let answer: FirstSteps
  let requests = 0
  const bodies: unknown[] = []
  async function show(after: FirstStep, steps: FirstSteps) {
    answer = steps
    const server = startPageServer({
      async fetch(request) {
        requests += 1
        if (request.method === 'PUT') bodies.push(await request.json())
        return Response.json(answer)
      },
    })
    stop = () => server.stop(true)
    root = createRoot(document.body.appendChild(document.createElement('div')))
    requests = 0
    await act(async () =>
      root?.render(
        <MemoryRouter>
          <NextStep after={after} />
        </MemoryRouter>,
      ),
    )
    await waitUntil(() => requests > 0, 'it is asked')
    // One more call of its own is answered later.
    await act(() => fetch(server.url).then(response => response.text()))
  }
  const ways = () => [...document.querySelectorAll('a')].map(link => link.getAttribute('href'))

  test('says that it is done and leads to the next one and to the list', async () => {
    await show('connection', { ...NONE, done: ['connection'] })
    await waitUntil(() => ways().length > 0, 'the ways')
    expect(document.body.textContent).toContain('A seguir: Crie as filas.')
    expect(ways()).toEqual(['/first-steps', '/Queues#add'])
  })

  test('leads to no page where one is', async () => {
    await show('connection', { ...NONE, done: ['connection', 'queues', 'people'] })
    await waitUntil(() => ways().length > 0, 'the ways')
    expect(ways()).toEqual(['/first-steps'])
  })

  test('names a step that is not done, and leads back to the list', async () => {
    await show('queues', { ...NONE, done: ['connection'] })
    await waitUntil(() => ways().length > 0, 'the way')
    expect(document.body.textContent).toContain('Primeiros passos: Crie as filas.')
    expect(ways()).toEqual(['/first-steps'])
    expect(document.querySelector('button')).toBeNull()
  })

  test('lets who finds the hours right say so, and goes on from there by keyboard', async () => {
    await show('hours', { ...NONE, done: ['connection', 'queues', 'people', 'greeting'] })
    const button = () => document.querySelector('button')
    await waitUntil(() => button() !== null, 'the button')
    button()?.focus()
    answer = { ...answer, done: [...answer.done, 'hours'] }
    await act(async () => button()?.click())
    await waitUntil(() => ways().length === 2, 'the ways')
    expect(ways()).toEqual(['/first-steps', '/tickets'])
    expect(document.activeElement?.getAttribute('href')).toBe('/tickets')
    expect(bodies).toEqual([{ hoursChecked: true }])
  })

  test.each([
    ['the steps were put away', 'connection', { ...NONE, done: ['connection'], isOver: true }],
    ['all are done', 'connection', { ...NONE, done: [...FIRST_STEPS], isOver: true }],
  ] as const)('says nothing where %s', async (_, after, steps) => {
    await show(after, { ...steps, done: [...steps.done] })
    expect(ways()).toEqual([])
  })
})
