// A connection that came back from a backup is taken up by an answer alone: the old server is off for good (docs/decisions/0230).
import { afterEach, expect, spyOn, test } from 'bun:test'
import type { Connection } from '@balcao/contract'
import { addTexts } from '@balcao/ui/i18n'
import { MemoryRouter } from '@balcao/ui/router'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import en from '../locales/connections/en.json'
import es from '../locales/connections/es.json'
import pt from '../locales/connections/pt.json'
import { ConnectionWindow } from '../src/connections/ConnectionWindow.tsx'
import { makeConnection, makeTrouble } from './connection.ts'

addTexts('connections', { pt, en, es })
const trouble = makeTrouble({ reason: 'restored', next: 'confirm', nextTryAt: null })
const held = makeConnection({ id: 7, status: 'DISCONNECTED', trouble })
const back = makeConnection({ id: 7, status: 'OPENING' })

let root: Root | undefined
let fetching: ReturnType<typeof spyOn<typeof globalThis, 'fetch'>> | undefined
afterEach(() => {
  fetching?.mockRestore()
  act(() => root?.unmount())
  document.body.replaceChildren()
})

test('the page asks whether the old server is off, and sends nothing but the answer', async () => {
  const calls: string[] = []
  const put: Connection[] = []
  fetching = spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(
      async (input: string | URL | Request, options?: RequestInit) => {
        const request = new Request(
          new URL(input instanceof Request ? input.url : input, 'http://desk.example'),
          options,
        )
        calls.push(`${request.method} ${request.url.replace(/^.*?\/\/[^/]*/, '')}`)
        return Response.json(back)
      },
      { preconnect() {} },
    ),
  )
  const desk = { open() {}, examine() {}, reload() {}, put: (one: Connection) => void put.push(one) }
  await act(async () => {
    root = createRoot(document.body.appendChild(document.createElement('div')))
    root.render(
      <MemoryRouter>
        <ConnectionWindow
          open={{ kind: 'takeUp', id: 7 }}
          list={[held]}
          queues={[]}
          desk={desk}
          added={null}
          setAdded={() => {}}
        />
      </MemoryRouter>,
    )
  })
  expect(document.body.textContent).toContain('O servidor antigo está desligado de vez?')
  expect(document.body.textContent).toContain('“Loja Centro” voltou de uma cópia de segurança.')
  expect(calls).toEqual([])
  const answer = [...document.querySelectorAll('button')].find(one => one.textContent === 'Está desligado, retomar')
  await act(async () => answer?.click())
  expect(calls.filter(call => call.includes('whatsappsession'))).toEqual([
    'POST /whatsappsession/7?oldServerIsOff=true',
  ])
  expect(put.map(({ status }) => status)).toEqual(['OPENING'])
})
